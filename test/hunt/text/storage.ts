/** How each type of cells stores a number (4.2 of the language, and D8). */

const names = ["double", "float", "bfloat16", "int8", "short", "int", "long", "half"] as const;
export type CellName = (typeof names)[number];

export const isCellName = (text: string): text is CellName => names.some((each) => each === text);

/** In what the results of computing with such cells are stored. */
export const decayed: Readonly<Record<CellName, CellName>> = {
  double: "double",
  float: "float",
  bfloat16: "float",
  int8: "float",
  half: "float",
  short: "float",
  int: "double",
  long: "double",
};

const smaller: Readonly<Record<CellName, readonly CellName[]>> = {
  double: names,
  float: ["bfloat16", "int8", "half", "short"],
  bfloat16: ["int8"],
  int8: [],
  half: ["int8"],
  short: ["int8"],
  int: ["short", "int8"],
  long: ["int", "short", "int8"],
};

/** Whether a type of cells holds all numbers of another. */
export const holdsAll = (one: CellName, other: CellName): boolean =>
  one === other || smaller[one].includes(other);

const bits = new DataView(new ArrayBuffer(4));

/** The float before the fraction is cut off after 7 bits. */
function bfloat16(value: number): number {
  if (Number.isNaN(value)) return value;
  bits.setFloat32(0, value);
  bits.setUint16(2, 0);
  return bits.getFloat32(0);
}

/** Rounds to a fraction of 10 bits, of two neighbours to the even one; beyond 65504 to infinity. */
function half(value: number): number {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return value;
  let exponent = -14;
  while (size >= 2 ** (exponent + 1)) exponent++;
  const unit = 2 ** (exponent - 10);
  const below = Math.floor(size / unit);
  const rest = size / unit - below;
  const count = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  const rounded = count * unit > 65504 ? Number.POSITIVE_INFINITY : count * unit;
  return value < 0 ? -rounded : rounded;
}

/** The lowest bits of a whole number, as a number with a sign. */
const wrapped = (value: number, width: number): number =>
  Number.isFinite(value) ? Number(BigInt.asIntN(width, BigInt(Math.trunc(value)))) : 0;

/** By way of a float and of an int of 32 bits, which stays within its range. */
function int8(value: number): number {
  const single = Math.fround(value);
  return Number.isNaN(single) ? 0 : wrapped(Math.min(Math.max(single, -(2 ** 31)), 2 ** 31 - 1), 8);
}

export const stores: Readonly<Record<CellName, (value: number) => number>> = {
  double: (value) => value,
  float: Math.fround,
  bfloat16,
  int8,
  short: (value) => wrapped(value, 16),
  int: (value) => wrapped(value, 32),
  long: (value) => wrapped(value, 64),
  half,
};
