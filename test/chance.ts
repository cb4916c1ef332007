/**
 * How often a law is tried. The same cases come every time, so that a build does not fail by chance; another SEED in
 * the environment tries others.
 */
export const tries = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns,
  seed: Number(process.env.SEED ?? 20191208),
});
