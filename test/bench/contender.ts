import { setImmediate } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import type { Inputs } from "./inputs.js";
import type { Python } from "./python.js";
import type { Answer } from "./workload.js";

/** Somebody who computes a workload: once to see what comes out, and for some time to see how long it takes. */
export interface Contender {
  readonly name: string;
  /** Asked for before anything is timed. */
  readonly answer: () => Promise<Answer>;
  /** Microseconds of a call, measured many times within so many milliseconds. */
  readonly sample: (milliseconds: number) => Promise<readonly number[]>;
}

/** What is timed here, with what makes cells of its result. */
export interface Script<T, R = T> {
  readonly run: () => T;
  readonly answer: (result: R) => Answer;
  /** Gives back what the collector does not see; within the time, since others give theirs back as well. */
  readonly release?: (result: R) => void;
}

/** Stretches shorter than this many microseconds are not measured one by one. */
const stretch = 50;

export function script<T>(name: string, { run, answer, release }: Script<T>): Contender {
  const whole = release === undefined ? run : () => release(run());
  return {
    name,
    answer: async () => answer(run()),
    sample: async (milliseconds) => {
      const times: number[] = [];
      const calls = callsIn(timeOf(whole, 1));
      const end = performance.now() + milliseconds;
      while (times.length === 0 || performance.now() < end) times.push(timeOf(whole, calls));
      await settle();
      return times;
    },
  };
}

/**
 * A loop without a pause: the mean of its calls, with all that the collector does in between. It is the time of processors,
 * on all threads of the process: on a busy machine, a loop waits more often than a call.
 */
export function sustained<T>(name: string, { run, answer }: Script<T>): Contender {
  return {
    name,
    answer: async () => answer(run()),
    sample: async (milliseconds) => {
      const callsPerTurn = callsIn(timeOf(run, 1));
      const start = process.cpuUsage();
      const end = performance.now() + milliseconds * 8;
      let calls = 0;
      for (; calls === 0 || performance.now() < end; calls += callsPerTurn) timeOf(run, callsPerTurn);
      const { user, system } = process.cpuUsage(start);
      await settle();
      return [(user + system) / calls];
    },
  };
}

/** The same for what gives promises. */
export function patientScript<T>(name: string, { run, answer, release }: Script<Promise<T>, T>): Contender {
  return {
    name,
    answer: async () => answer(await run()),
    sample: async (milliseconds) => {
      const times: number[] = [];
      const measured = async (calls: number): Promise<number> => {
        const start = performance.now();
        for (let call = 0; call < calls; call++) {
          const result = await run();
          release?.(result);
        }
        return ((performance.now() - start) * 1000) / calls;
      };
      const calls = callsIn(await measured(1));
      const end = performance.now() + milliseconds;
      while (times.length === 0 || performance.now() < end) times.push(await measured(calls));
      await settle();
      return times;
    },
  };
}

export function pythonScript(name: string, python: Python, inputs: Inputs, code: Code): Contender {
  return {
    name,
    answer: async () => {
      await python.give(inputs);
      await python.define(name, code.before, code.run);
      return python.answer(code.answer);
    },
    sample: (milliseconds) => python.time(name, milliseconds),
  };
}

interface Code {
  readonly before: string;
  readonly run: string;
  readonly answer: string;
}

const callsIn = (microseconds: number): number =>
  Math.max(1, Math.floor(stretch / Math.max(microseconds, 0.01)));

let retained: unknown;

function timeOf(run: () => unknown, calls: number): number {
  const start = performance.now();
  for (let call = 0; call < calls; call++) retained = run();
  return ((performance.now() - start) * 1000) / calls;
}

/** Whatever the last result was: it is looked at, so that it has to be computed. */
export const lastResult = (): unknown => retained;

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void; // the flag gives it

/** What others left behind is collected outside of their time and ours. */
export async function settle(): Promise<void> {
  retained = undefined;
  collect();
  await setImmediate();
  await setImmediate();
}
