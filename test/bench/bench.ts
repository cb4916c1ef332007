import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { difference } from "./agreement.js";
import type { Contender } from "./contender.js";
import { type Field, gather, ours, peersOf } from "./contenders.js";
import { Draw } from "./draw.js";
import { machineOf, machineText } from "./machine.js";
import { installPeers } from "./peers/installed.js";
import { markdown, type Outcome, outcomeText } from "./report.js";
import { type Effort, measure } from "./rounds.js";
import { verdictOf } from "./verdict.js";
import type { Workload } from "./workload.js";
import { elementwise } from "./workloads/elementwise.js";
import { nets } from "./workloads/nets.js";
import { products } from "./workloads/products.js";
import { scalars } from "./workloads/scalars.js";
import { sparseWork } from "./workloads/sparse.js";
import { tokens } from "./workloads/tokens.js";
import { views } from "./workloads/views.js";

/** Times every workload through the public library, against the peers that are there. See README.md. */

const { values: settings } = parseArgs({
  options: {
    only: { type: "string" },
    peers: { type: "boolean", default: false },
    wide: { type: "boolean", default: false },
    json: { type: "string" },
    markdown: { type: "boolean", default: false },
    rounds: { type: "string", default: "10" },
    milliseconds: { type: "string", default: "25" },
    backend: { type: "string" },
  },
});

const effort: Effort = { rounds: Number(settings.rounds), milliseconds: Number(settings.milliseconds) };
const isWide = settings.wide;
if (settings.peers) installPeers();

const field = await gather();
const machine = machineOf(field);
// What is to be read by a program goes to stdout alone.
const say = settings.json === "-" ? console.error : console.log;
say(machineText(machine));
if (machine.load > 1)
  say(`the machine is busy (load ${machine.load.toFixed(1)}): trust the ratios, not the times`);

const workloads = [...products, ...elementwise, ...nets, ...tokens, ...sparseWork, ...views, ...scalars()];
const pattern = new RegExp(settings.only ?? "", "i");
const outcomes: Outcome[] = [];
for (const workload of workloads.filter(({ name }) => pattern.test(name))) {
  const outcome = await outcomeOf(workload, field);
  say(`\n${outcomeText(outcome)}`);
  outcomes.push(outcome);
}
field.python?.stop();

const missed = outcomes.flatMap(({ verdicts }) => verdicts.filter(({ isMet }) => !isMet)).length;
say(`\n${outcomes.length} workloads; ${missed} targets missed`);
if (settings.json !== undefined) {
  const text = `${JSON.stringify({ machine, isWide, outcomes }, undefined, 2)}\n`;
  if (settings.json === "-") process.stdout.write(text);
  else writeFileSync(settings.json, text);
}
if (settings.markdown) say(`\n${markdown(outcomes, machine)}`);
process.exit(0);

async function outcomeOf(workload: Workload, peers: Field): Promise<Outcome> {
  const { name } = workload;
  const expression =
    workload.expression.length > 200 ? `${workload.expression.slice(0, 200)}…` : workload.expression;
  const inputs = workload.given(new Draw(1));
  const problems: string[] = [];
  const agreed: Contender[] = [];
  try {
    const our = ours(workload, inputs, settings.backend === undefined ? {} : { backend: settings.backend });
    const answer = await our.answer();
    agreed.push(our);
    for (const peer of await peersOf(workload, inputs, peers)) {
      const found = difference(workload, inputs, answer, await peer.answer());
      if (found === undefined) agreed.push(peer);
      else problems.push(`DISAGREES with ${peer.name}: ${found}`);
    }
  } catch (error) {
    problems.push(`FAILED: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
  }
  const measured = await measure(agreed, effort).catch((error) => {
    problems.push(`FAILED: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    return [];
  });
  const verdicts = (workload.targets ?? []).flatMap((each) => verdictOf(each, measured, isWide) ?? []);
  return { name, expression, measured, verdicts, problems };
}
