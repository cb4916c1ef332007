import type { Numbers } from "../../kernels/numbers.js";

/** The double nearest to π/2 in two halves: products with either half of another double are exact. */
export const halfPiHigh = 1.570796325802803;
export const halfPiLow = 9.920935184482005e-10;

interface PartsOfPi {
  /** π/2 in parts with so few digits that products with whole numbers are exact while they are below a limit, and a rest. */
  readonly half: readonly [number, number, number, number];
  /** Angles are small below: of fewer quarter turns than the limit. */
  readonly largeFrom: number;
  /** π/4 without its last two digits, so that small multiples are exact, and a rest. */
  readonly quarter: readonly [number, number];
  /** π/2 as the nearest number, and a rest. */
  readonly nearest: readonly [number, number];
}

// biome-ignore format: a table of numbers
export const partsOfDouble: PartsOfPi = {
  half: [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32], largeFrom: 2 ** 20,
  quarter: [0.7853981633974483, 3.061616997868383e-17],
  nearest: [Math.PI / 2, 6.123233995736766e-17],
};

// biome-ignore format: a table of numbers
const partsOfFloat: PartsOfPi = {
  half: [1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5633440682570896e-12], largeFrom: 2 ** 12,
  quarter: [0.785398006439209, 1.5695824e-07],
  nearest: [1.5707963705062866, -4.371139e-08],
};

export const partsOfPi = ({ isDouble }: Numbers): PartsOfPi => (isDouble ? partsOfDouble : partsOfFloat);
