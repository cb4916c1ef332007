import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { and, integer, or, plus, shifted } from "./bits.js";

/** A positive number as 2ᵏ·m, with m between √½ and √2. Of what is no such number, the parts mean nothing. */
export interface Decomposition {
  /** k, as a number. */
  readonly exponent: StackValue;
  /** m - 1, exactly. */
  readonly beyondOne: StackValue;
}

interface FloatLayout {
  /** The least number that is not denormal, and what denormal ones are multiplied with. */
  readonly leastNormal: number;
  readonly scale: number;
  readonly digits: number;
  readonly bias: number;
  /** The bits of √½, and of 1 less those. */
  readonly root: number;
  readonly distance: number;
  /** The bits of 2 to the power of the digits: with a small whole number in their lowest bits, they are that much more. */
  readonly magic: number;
}

const rootOfDouble = 0x3fe6a09e00000000;
const rootOfFloat = 0x3f3504f3;

// biome-ignore format: a table
const layouts: Readonly<Record<"double" | "float", FloatLayout>> = {
  double: { leastNormal: 2 ** -1022, scale: 2 ** 54, digits: 52, bias: 1023, root: rootOfDouble, distance: 0x3ff0000000000000 - rootOfDouble, magic: 0x4330000000000000 },
  float:  { leastNormal: 2 ** -126,  scale: 2 ** 25, digits: 23, bias: 127,  root: rootOfFloat,  distance: 0x3f800000 - rootOfFloat,          magic: 0x4b000000 },
};

export function decompose(n: Numbers, x: StackValue): Decomposition {
  const { leastNormal, scale, digits, bias, root, distance, magic } =
    layouts[n.isDouble ? "double" : "float"];
  const isDenormal = n.bindMask(n.compare("lt", x, n.constant(leastNormal)));
  const normal = n.choose(isDenormal, n.multiply(x, n.constant(scale)), x);
  // Moved so that a new exponent begins where m is √½.
  const shiftedBits = n.bind(plus(n, normal, integer(n, distance)));
  const raw = or(n, shifted(n, "shr_u", shiftedBits, digits), integer(n, magic));
  const start = 2 ** digits + bias;
  const origin = n.choose(isDenormal, n.constant(start + Math.log2(scale)), n.constant(start));
  const exponent = n.bind(n.subtract(raw, origin));
  const fraction = plus(n, and(n, shiftedBits, integer(n, 2 ** digits - 1)), integer(n, root));
  return { exponent, beyondOne: n.bind(n.subtract(fraction, n.constant(1))) };
}
