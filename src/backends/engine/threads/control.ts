import { intAt } from "../../../language/values/element.js";
/**
 * The words of shared memory by which threads agree on who does what; both sides read this file. A job is some parts of a
 * step, cut in chunks. Each chunk has a state: it is free, claimed, or done. The thread that turns "free" into its own number
 * does the chunk, and only then reads what the job is: as long as a chunk is claimed, the job does not change.
 */

/** Where the words are. */
export const word = {
  /** Rises when there is something to do or to read. Has a line of the cache to itself, for idle threads watch it. */
  signal: 0,
  /** How many messages were sent to each thread. */
  mail: 16,
  kernel: 17,
  from: 18,
  to: 19,
  /** Parts of a chunk. */
  size: 20,
  /** How many values the kernel is called with. */
  count: 21,
  states: 32,
  /** For each thread, how many messages it has read. */
  read: 96,
  /** For each thread, the address of its scratch memory. */
  scratch: 160,
  values: 224,
} as const;

export const mostChunks = word.read - word.states;
export const mostThreads = word.scratch - word.read;
export const mostValues = 256;
export const controlLength = word.values + mostValues;

/** States of a chunk; a number above 0 is that of the thread that is doing it. */
const free = 0;
export const done = -1;
export const failed = -2;

/** What stands among the values of a job for those that differ from chunk to chunk; no address is one of these. */
export const placeholder = { from: -1, to: -2, scratch: -3 } as const;

/** Looks at something that often before sleeping: some 20 to 50 microseconds, for the next job is often near. */
export const spins = 20_000;

/** Takes a chunk for a thread: its number, or -1 where none is free. */
export function claim(control: Int32Array, thread: number): number {
  // The calling thread begins at the front and others at the back, so that each reads memory in a row of its own.
  const isFirst = thread === 1;
  for (let turn = 0; turn < mostChunks; turn++) {
    const chunk = isFirst ? turn : mostChunks - 1 - turn;
    const at = word.states + chunk;
    if (Atomics.load(control, at) === free && Atomics.compareExchange(control, at, free, thread) === free)
      return chunk;
  }
  return -1;
}

/** The values to call a kernel with for a chunk of the job that is under way. */
export function valuesOf(control: Int32Array, chunk: number, scratch: number): number[] {
  const size = intAt(control, word.size);
  const from = intAt(control, word.from) + chunk * size;
  const to = Math.min(from + size, intAt(control, word.to));
  const values = Array.from(control.subarray(word.values, word.values + intAt(control, word.count)));
  for (const [at, value] of values.entries()) {
    if (value === placeholder.from) values[at] = from;
    else if (value === placeholder.to) values[at] = to;
    else if (value === placeholder.scratch) values[at] = scratch;
  }
  return values;
}
