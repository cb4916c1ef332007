import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { startThreads, type Threads } from "../../src/program/threads.js";
import { disagreements, ways as waysToRun } from "../agreement.js";
import { caseFiles, linesOf } from "../case-files.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { faults, loops, summary } from "../engine/contractions.js";
import { Choice } from "../hunt/choice.js";
import { disagreementOf } from "../hunt/disagreement.js";
import { programOf } from "../hunt/program.js";
import { Reference } from "../hunt/reference.js";
import { Subject } from "../hunt/runs.js";
import { ways } from "../hunt/ways.js";
import { denseTrial, sparseTrial } from "./products.js";
import type { Trial } from "./trial.js";

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** All that is tried. Each is a matter of milliseconds. */
export function* trials(seed: number, threadScript: string): Generator<Trial> {
  for (const number of numbers(0, 150)) yield hunted(seed, number, false);
  yield* caseTrials();
  for (const number of numbers(0, 15)) yield hunted(seed, number, true);
  for (const number of numbers(0, 60)) yield denseTrial(seed + number);
  for (const number of numbers(0, 60)) yield sparseTrial(seed + number);
  yield* contractionTrials(seed);
  yield* conformanceTrials();
  for (const number of numbers(150, 500)) yield hunted(seed, number, false);
  let started: Promise<Threads> | undefined;
  for (const number of numbers(15, 30)) {
    const { name, run } = hunted(seed, number, true);
    const withThreads = async (): Promise<string | undefined> => {
      started ??= startThreads({ count: 2, start: () => new Worker(threadScript) });
      await started;
      return run();
    };
    yield { name: `${name} on two threads`, run: withThreads };
  }
}

/** All that is tried where thresholds are low: programs of the hunt that are tried nowhere else. */
export function* lowTrials(seed: number): Generator<Trial> {
  for (const number of numbers(1000, 1400)) yield hunted(seed, number, false);
}

/** A program of the hunt, in the ways whose turn it is, but for the one that is not the engine. */
const hunted = (seed: number, number: number, isLarge: boolean): Trial => ({
  name: `${isLarge ? "large program" : "program"} ${number}`,
  run: () => {
    const choice = new Choice(seed + number * 7919);
    const own = choice.seed();
    const subject = Subject.ifSound(programOf(own, isLarge));
    if (subject === undefined) return undefined;
    const reference = new Reference(subject);
    if (reference.takesLong([0, 1, 2])) return undefined;
    for (const way of ways) {
      if (choice.below(way.oneOf) > 0 || way.name === "naively") continue;
      const found = disagreementOf(way, way.answers(subject, new Choice(own), reference), reference);
      if (found !== undefined) return `${found.kind}, ${found.way}: ${found.message}`;
    }
    return undefined;
  },
});

/** Our own cases, in all ways. */
function* caseTrials(): Generator<Trial> {
  for (const file of caseFiles)
    for (const [at, { expression, inputs, dialects, value }] of linesOf(file).entries()) {
      const [dialect] = dialects;
      if (value === undefined || dialect === undefined) continue;
      yield {
        name: `case ${at + 1} of ${file}`,
        run: () => disagreements(waysToRun, expression, inputs, { dialect })[0],
      };
    }
}

/** One of so many cases of other engines. */
const sampled = 20;

function* conformanceTrials(): Generator<Trial> {
  for (const suite of ["engine", "random", "docs", "playground", "java-eval"])
    if (hasCases(suite))
      for (const [at, { expr, vars = {} }] of casesOf(suite).entries())
        if (at % sampled === 0)
          yield {
            name: `case ${at} of ${suite}`,
            run: () => disagreements(waysToRun, expr, inputsOf(vars), { dialect: "vespa" })[0],
          };
}

/** Loops that are contractions, against a plain loop. */
function* contractionTrials(seed: number): Generator<Trial> {
  for (const number of numbers(0, 120))
    yield {
      name: `contraction ${number}`,
      run: () => {
        const [loop] = fc.sample(loops, { seed: seed + number, numRuns: 1 });
        if (loop === undefined) return undefined;
        const options = {
          wide: number % 5 === 0,
          fixed: [[], [0], [1], [0, 1]][number % 4] ?? [],
          cuts: number % 3 === 0 ? [1, 2] : [],
        };
        const [fault] = faults(loop, options) ?? [];
        return fault === undefined ? undefined : `${fault} in ${summary(loop)}`;
      },
    };
}
