import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import type * as Models from "../../../src/models.js";
import { scriptOptions } from "../../options.js";
import { library, root } from "../library.js";
import { timeForest } from "./forest.js";
import { type NetFile, netMakers } from "./nets.js";
import { type Contender, runtimes } from "./peers.js";
import { type Row, rowText, timed } from "./turns.js";

/** Times models of other tools beside ONNX Runtime and LightGBM. README.md of the bench says how to run it. */

const { values: settings } = scriptOptions({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    milliseconds: { type: "string", default: "100" },
    wide: { type: "boolean", default: false },
    minilm: { type: "string", default: "" },
    python: { type: "string", default: "python3" },
  },
});

const { models } = (await import(pathToFileURL(join(root, "dist", "models.js")).href)) as typeof Models; // what the sources export
if (settings.wide) {
  const isWide = library.useWideVectors({
    setFlag: v8.setFlagsFromString,
    engineVersion: process.versions.v8,
  });
  if (!isWide) console.log("this version of Node has no wide vectors");
}
const turns = { rounds: Number(settings.rounds), milliseconds: Number(settings.milliseconds) };
const pattern = new RegExp(settings.only, "i");

/** Ours: a program that declares the model and calls it. */
const ours: Contender = {
  name: "ours",
  open: async ({ bytes, inputs }, output) => {
    const types = Object.entries(inputs).map(([name, { shape, cells }]) => {
      const cell = cells instanceof BigInt64Array ? "long" : "float";
      return [
        name,
        library.parseType(`tensor<${cell}>(${shape.map((size, axis) => `d${axis}[${size}]`)})`),
      ] as const;
    });
    const args = types.map(([name]) => `${name}: ${name}`);
    const [first] = models({ name: "net.onnx", bytes }).outputs;
    const text = [
      'model net = file("net.onnx")',
      ...types.map(([name, type]) => `input ${name}: ${type}`),
      `net(${args.join(", ")}).${output ?? first?.name ?? ""}`,
    ].join("\n");
    const program = library.compile(text, { models, readBytes: () => bytes });
    const values = Object.fromEntries(
      types.map(([name, type]) => {
        const { cells = new Float32Array(), shape = [] } = inputs[name] ?? {};
        const axes = shape.map((_, axis) => `d${axis}`);
        return [
          name,
          cells instanceof BigInt64Array
            ? library.Tensor.from(type, cells, { axes })
            : library.Tensor.from(type, cells, { axes }),
        ];
      }),
    );
    return {
      run: async () => program.run(values).data as Float32Array, // outputs of these models are floats
      close: async () => undefined,
    };
  },
};

/** The tokens of a text for the sentence transformer. */
const transformerInputs = (length: number): NetFile["inputs"] => {
  const tokens = (token: (at: number) => number) => ({
    shape: [1, length],
    cells: BigInt64Array.from({ length }, (_, at) => BigInt(token(at))),
  });
  return {
    input_ids: tokens((at) => 1000 + ((at * 37) % 9000)),
    attention_mask: tokens(() => 1),
    token_type_ids: tokens(() => 0),
  };
};

async function compare(net: NetFile, contenders: readonly Contender[], output?: string): Promise<void> {
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const own = await ours.open(net, output);
  const result = await own.run();
  const first = performance.now() - start;
  const memory = process.memoryUsage.rss() - before;
  const rows: Row[] = [];
  const open = await Promise.all(
    contenders.map(async (each) => ({ name: each.name, ...(await each.open(net, output)) })),
  );
  for (const each of open) {
    const other = await each.run();
    const largest = Array.from(result).reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? Number.NaN))),
      0,
    );
    const scale = Array.from(result).reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
    if (!(largest <= 2e-3 * scale) || other.length !== result.length) {
      console.log(`${net.name}: ${each.name} has other values, by ${largest} of ${scale}`);
      process.exitCode = 1;
    }
  }
  rows.push(...(await timed([{ name: "ours", run: own.run }, ...open], turns)));
  const size = net.bytes.length / 1e6;
  console.log(rowText(net.name, rows));
  console.log(
    `${"".padEnd(28)} file ${size.toFixed(1)} MB, import and first run ${first.toFixed(0)} ms, memory ${(memory / 1e6).toFixed(0)} MB`,
  );
  for (const each of open) await each.close();
}

const peers = runtimes();
for (const { name, make } of netMakers) if (pattern.test(name)) await compare(make(), peers);
const transformer = join(settings.minilm, "model.onnx");
if (pattern.test("MiniLM") && settings.minilm !== "" && existsSync(transformer)) {
  const bytes = readFileSync(transformer);
  for (const length of [16, 64, 256])
    await compare(
      { name: `MiniLM, ${length} tokens`, bytes, inputs: transformerInputs(length) },
      peers,
      "sentence_embedding",
    );
} else if (pattern.test("MiniLM"))
  console.log("MiniLM is not there: --minilm names the folder that test/models/minilm/minilm.py makes");
if (pattern.test("LightGBM")) await timeForest(settings.python, models, turns);
