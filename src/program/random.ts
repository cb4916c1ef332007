import { requireNumber } from "../language/source/arguments.js";

/**
 * A uniform source from 0 up to 1 that gives the same numbers for the same seed on every machine (the generator is
 * SplitMix32: a counter, mixed).
 */
export function uniform(seed: number): () => number {
  requireNumber("uniform", seed);
  let counter = seed | 0;
  const next = (): number => {
    counter = (counter + 0x9e3779b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  // 53 random bits: the high 27 of one number and the high 26 of the next.
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
}
