import { writeFileSync } from "node:fs";
import { Companion } from "./companion.js";
import { type EpochCost, epochCosts, epochText } from "./epochs.js";
import { type GradientCost, gradientCosts, gradientText } from "./gradients.js";
import { type Growth, growing, growthOf } from "./growth.js";
import { buildIn } from "./library.js";
import { machineOf, machineText } from "./machine.js";
import { type Manner, outcomeOf } from "./outcomes.js";
import { installPeers } from "./peers/installed.js";
import { Python } from "./python.js";
import { type Repeated, repeated } from "./repeats.js";
import { beginningText, growthText, markdown, type Outcome, outcomeText, repeatedText } from "./report.js";
import { type Begun, beginnings } from "./start.js";
import { type TextGrowth, textGrowthOf, textGrowthText, textRows } from "./texts.js";
import { widen } from "./wide.js";
import { allWorkloads } from "./workloads/all.js";

/** What the bench is asked for, as it was written. */
export interface Settings {
  readonly only: string;
  readonly peers: boolean;
  readonly wide: boolean;
  readonly json?: string | undefined;
  readonly markdown: boolean;
  readonly rounds: string;
  readonly milliseconds: string;
  readonly backend: string;
  readonly against?: string | undefined;
  readonly ways: boolean;
}

/** Measures, prints and writes; the exit code. */
export async function runBench(settings: Settings): Promise<number> {
  // What is to be read by a program goes to stdout alone.
  const say = settings.json === "-" ? console.error : console.log;
  const pattern = new RegExp(settings.only, "i");

  if (settings.peers) installPeers();
  const field = { python: await Python.start(), companion: await Companion.start() };
  const machine = machineOf(field);
  say(machineText(machine));
  if (machine.load > 1)
    say(`the machine is busy (load ${machine.load.toFixed(1)}): trust the ratios, not the times`);

  const manner: Manner = {
    effort: { rounds: Number(settings.rounds), milliseconds: Number(settings.milliseconds) },
    options: { backend: settings.backend },
    isWide: settings.wide && widen(),
    before: settings.against === undefined ? undefined : await buildIn(settings.against),
    inAllWays: settings.ways,
  };
  if (settings.wide && !manner.isWide) say("this Node has no wide vectors: going on without them");

  const outcomes: Outcome[] = [];
  for (const workload of allWorkloads().filter(({ name }) => pattern.test(name))) {
    const outcome = await outcomeOf(workload, field, manner);
    say(`\n${outcomeText(outcome)}`);
    outcomes.push(outcome);
  }
  field.python?.stop();
  field.companion.stop();

  const growths: Growth[] = [];
  for (const each of growing.filter(({ name }) => pattern.test(`growth of ${name}`))) {
    const growth = await growthOf(each);
    say(`\n${growthText(growth)}`);
    growths.push(growth);
  }

  // All kinds of texts take an hour.
  const texts: TextGrowth[] = [];
  const kinds = settings.only === "" ? [] : textRows;
  for (const each of kinds.filter(({ name }) => pattern.test(`growth of ${name}`))) {
    const growth = await textGrowthOf(each);
    say(textGrowthText(growth));
    texts.push(growth);
  }
  if (settings.only === "")
    say(`\n${textRows.length} kinds of texts are left out: --only "growth of" measures them, in an hour`);
  if (texts.length > 0)
    say(`${texts.length} kinds of texts; ${texts.filter(({ isLinear }) => !isLinear).length} grow too fast`);

  const started: Begun[] = [];
  for (const each of beginnings.filter(({ name }) => pattern.test(`start: ${name}`))) {
    const found = { ...each, found: each.find() };
    say(`\n${beginningText(found)}`);
    started.push(found);
  }

  const gradients: GradientCost[] = [];
  for await (const each of gradientCosts(pattern, Number(settings.milliseconds), say)) {
    say(gradientText(each));
    gradients.push(each);
  }

  const epochs: EpochCost[] = [];
  for await (const each of epochCosts(pattern, say)) {
    say(epochText(each));
    epochs.push(each);
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
    const all = {
      ...{ machine, isWide: manner.isWide, outcomes, growths, texts, started, gradients, epochs, repeats },
    };
    const text = `${JSON.stringify(all, undefined, 2)}\n`;
    if (settings.json === "-") process.stdout.write(text);
    else writeFileSync(settings.json, text);
  }
  if (settings.markdown) say(`\n${markdown(outcomes, machine)}`);
  return problems > 0 ? 1 : 0;
}
