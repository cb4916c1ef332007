import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gather } from "./contenders.js";
import { type Growth, grow, growing, growthOf } from "./growth.js";
import { machineOf, machineText } from "./machine.js";
import { type Manner, outcomeOf } from "./outcomes.js";
import { installPeers } from "./peers/installed.js";
import { type Repeated, repeated } from "./repeats.js";
import { beginningText, growthText, markdown, type Outcome, outcomeText, repeatedText } from "./report.js";
import { type Begun, beginnings } from "./start.js";
import { widen } from "./wide.js";
import { elementwise } from "./workloads/elementwise.js";
import { nets } from "./workloads/nets.js";
import { products } from "./workloads/products.js";
import { scalars } from "./workloads/scalars.js";
import { sparseWork } from "./workloads/sparse.js";
import { tokens } from "./workloads/tokens.js";
import { views } from "./workloads/views.js";

/** Times every workload through the public library, against the peers that are there. README.md says how to read it. */

const { values: settings } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    peers: { type: "boolean", default: false },
    wide: { type: "boolean", default: false },
    json: { type: "string" },
    markdown: { type: "boolean", default: false },
    rounds: { type: "string", default: "10" },
    milliseconds: { type: "string", default: "25" },
    backend: { type: "string", default: "engine" },
    "growth-of": { type: "string" },
  },
});

if (settings["growth-of"] !== undefined) {
  await grow(settings["growth-of"]);
  process.exit(0);
}

const manner: Manner = {
  effort: { rounds: Number(settings.rounds), milliseconds: Number(settings.milliseconds) },
  options: { backend: settings.backend },
  isWide: settings.wide && widen(),
};
// What is to be read by a program goes to stdout alone.
const say = settings.json === "-" ? console.error : console.log;
const pattern = new RegExp(settings.only, "i");

if (settings.peers) installPeers();
const field = await gather();
const machine = machineOf(field);
if (settings.wide && !manner.isWide) say("this Node has no wide vectors: going on without them");
say(machineText(machine));
if (machine.load > 1)
  say(`the machine is busy (load ${machine.load.toFixed(1)}): trust the ratios, not the times`);

const workloads = [...products, ...elementwise, ...nets, ...tokens, ...sparseWork, ...views, ...scalars()];
const outcomes: Outcome[] = [];
for (const workload of workloads.filter(({ name }) => pattern.test(name))) {
  const outcome = await outcomeOf(workload, field, manner);
  say(`\n${outcomeText(outcome)}`);
  outcomes.push(outcome);
}
field.python?.stop();

const growths: Growth[] = [];
for (const each of growing.filter(({ name }) => pattern.test(`growth of ${name}`))) {
  const growth = await growthOf(each);
  say(`\n${growthText(growth)}`);
  growths.push(growth);
}

const started: Begun[] = [];
for (const each of beginnings.filter(({ name }) => pattern.test(`start: ${name}`))) {
  const found = { ...each, found: each.find() };
  say(`\n${beginningText(found)}`);
  started.push(found);
}

const repeats: Repeated[] = [];
for await (const each of repeated(pattern)) {
  say(`\n${repeatedText(each)}`);
  repeats.push(each);
}

const missed = outcomes.flatMap(({ verdicts }) => verdicts.filter(({ isMet }) => !isMet)).length;
const problems = outcomes.flatMap((each) => each.problems).length;
say(`\n${outcomes.length} workloads; ${missed} targets missed; ${problems} failures and disagreements`);
if (settings.json !== undefined) {
  const all = { machine, isWide: manner.isWide, outcomes, growths, started, repeats };
  const text = `${JSON.stringify(all, undefined, 2)}\n`;
  if (settings.json === "-") process.stdout.write(text);
  else writeFileSync(settings.json, text);
}
if (settings.markdown) say(`\n${markdown(outcomes, machine)}`);
// Peers have threads that would keep the process.
process.exit(problems > 0 ? 1 : 0);
