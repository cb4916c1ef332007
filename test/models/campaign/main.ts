import { appendFileSync } from "node:fs";
import { machineOf } from "../../hunt/machine.js";
import { scriptOptions } from "../../options.js";
import { Campaign, caseText, differenceText, type Looked } from "./campaign.js";
import { composed } from "./compositions.js";
import { graphText } from "./graph.js";
import { Oracle } from "./oracle.js";

/** Runs graphs by chance against ONNX Runtime, and shows what has other values. README.md says how to read it. */

const { values: settings } = scriptOptions({
  options: {
    graphs: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    /** A graph alone. */
    graph: { type: "string" },
    threads: { type: "string", default: "1" },
    /** Tensors of which threads share the work. */
    large: { type: "boolean", default: false },
    /** Elements that are no finite numbers. */
    special: { type: "boolean", default: false },
    /** Whole numbers at the ends of their types. */
    great: { type: "boolean", default: false },
    /** Programs that combine a model with formulas. */
    programs: { type: "boolean", default: false },
    /** A file to which what differs is added, as cases for test/models/onnx/found.jsonl. */
    record: { type: "string" },
    /** Whether graphs that are refused are shown too. */
    refused: { type: "boolean", default: false },
  },
});

const counts: Record<Looked["kind"], number> = { agrees: 0, refused: 0, none: 0, differs: 0 };
const [reasons, operators] = [new Map<string, number>(), new Map<string, number>()];
const count = (counted: Map<string, number>, name: string): void =>
  void counted.set(name, (counted.get(name) ?? 0) + 1);

async function run(campaign: Campaign): Promise<void> {
  const first = Number(settings.graph ?? Number(settings.seed) * 1_000_000);
  const last = settings.graph === undefined ? first + Number(settings.graphs) : first + 1;
  for (let seed = first; seed < last; seed++) {
    const looked = await campaign.look(seed);
    counts[looked.kind]++;
    if (looked.kind === "refused") count(reasons, looked.reason);
    if (looked.kind === "refused" && settings.refused)
      console.log(`\n${looked.reason}\n${graphText(looked.graph)}`);
    if (looked.kind === "agrees") for (const { operator } of looked.graph.steps) count(operators, operator);
    if (looked.kind !== "differs") continue;
    const told = await campaign.told(looked.difference);
    console.log(
      `\nnpm run campaign:models -- ${size === "small" ? "" : `--${size} `}--graph ${seed}\n${differenceText(told)}`,
    );
    if (settings.record !== undefined) appendFileSync(settings.record, `${caseText(told)}\n`);
  }
  const rows = [...operators].sort(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`);
  console.log(`\noperators: ${rows.join(", ")}`);
  for (const [reason, times] of reasons) console.log(`${`${times}`.padStart(6)} refused: ${reason}`);
  const all = Object.entries(counts).map(([kind, times]) => `${times} ${kind}`);
  console.log(`${last - first} graphs: ${all.join(", ")}`);
  process.exitCode = counts.differs > 0 ? 1 : 0;
}

/** Looks for programs that differ. */
async function runPrograms(oracle: Oracle): Promise<void> {
  const first = Number(settings.graph ?? Number(settings.seed) * 1_000_000);
  const last = settings.graph === undefined ? first + Number(settings.graphs) : first + 1;
  let [models, differing] = [0, 0];
  for (let seed = first; seed < last; seed++) {
    const differences = await composed(seed, oracle, operators);
    if (differences !== undefined) models++;
    if (differences === undefined || differences.length === 0) continue;
    differing++;
    console.log(`\nnpm run campaign:models -- --programs --graph ${seed}\n${differences.join("\n")}`);
  }
  console.log(`\nforms: ${[...operators].map(([form, times]) => `${form} ${times}`).join(", ")}`);
  console.log(`${models} models in programs: ${differing} differ`);
  process.exitCode = differing > 0 ? 1 : 0;
}

const size = settings.large ? "large" : settings.special ? "special" : settings.great ? "great" : "small";
const oracle = Oracle.find();
if (oracle === undefined)
  console.log(
    "nothing was compared: onnxruntime-node is not installed, and NODE_PATH names no folder with it",
  );
else {
  const stop = await machineOf({ threads: Number(settings.threads), wide: false });
  await (settings.programs ? runPrograms(oracle) : run(new Campaign(oracle, size)));
  await stop();
}
