/**
 * How often a law is tried. The same cases come every time, so that a build does not fail by chance; another SEED in
 * the environment tries others, and TIMES so many times as many.
 */
export const tries = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns: numRuns * Number(process.env.TIMES ?? 1),
  seed: Number(process.env.SEED ?? 20191208),
});
