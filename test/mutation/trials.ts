import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { SphexError } from "../../src/language/source/problem.js";
import { startThreads } from "../../src/program/threads.js";
import { disagreements, ways as waysToRun } from "../agreement.js";
import { caseFiles, linesOf } from "../case-files.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { faults, loops, summary } from "../contractions.js";
import { Choice } from "../hunt/choice.js";
import { disagreementOf, Reference } from "../hunt/disagreement.js";
import { allowBlocks } from "../hunt/memory.js";
import { programOf } from "../hunt/program.js";
import { Subject } from "../hunt/runs.js";
import { ways } from "../hunt/ways.js";

/** Something to try, and what is wrong then; nothing where all is well. */
export interface Trial {
  readonly name: string;
  readonly run: () => string | undefined;
}

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** All that is tried, what finds most first. Each is a matter of milliseconds. */
export async function* trials(seed: number, threadScript: string): AsyncGenerator<Trial> {
  for (const number of numbers(0, 150)) yield hunted(seed, number, false);
  yield* caseTrials();
  for (const number of numbers(0, 15)) yield hunted(seed, number, true);
  yield* contractionTrials(seed);
  yield* conformanceTrials();
  for (const number of numbers(150, 500)) yield hunted(seed, number, false);
  const threads = await startThreads({ count: 2, start: () => new Worker(threadScript) });
  for (const number of numbers(15, 30)) yield hunted(seed, number, true);
  await threads.stop();
}

/** More blocks of memory than a program of the hunt ever takes. */
const manyBlocks = 1500;

/** A program of the hunt, in the ways whose turn it is, but for the one that is not the engine. */
const hunted = (seed: number, number: number, isLarge: boolean): Trial => ({
  name: `${isLarge ? "large program" : "program"} ${number}`,
  run: () => {
    const choice = new Choice(seed + number * 7919);
    const own = choice.seed();
    const subject = subjectOf(own, isLarge);
    if (subject === undefined) return undefined;
    const reference = new Reference(subject);
    for (const way of ways) {
      if (choice.below(way.oneOf) > 0 || way.name === "naively") continue;
      allowBlocks(manyBlocks);
      const found = disagreementOf(way, way.answers(subject, new Choice(own)), reference);
      if (found !== undefined) return `${found.kind}, ${found.way}: ${found.message}`;
    }
    return undefined;
  },
});

function subjectOf(seed: number, isLarge: boolean): Subject | undefined {
  try {
    return Subject.of(programOf(seed, isLarge));
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

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
  for (const [at, loop] of fc.sample(loops, { seed, numRuns: 200 }).entries())
    yield {
      name: `contraction ${at}`,
      run: () => {
        const found = faults(loop, { fixed: at % 2 === 0, cuts: at % 3 === 0 ? [1, 2] : [] }) ?? [];
        return found.length === 0 ? undefined : `${found[0]} in ${JSON.stringify(summary(loop))}`;
      },
    };
}
