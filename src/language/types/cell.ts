/**
 * Cell types: how wide a cell is, what storing a number in it does, and how two types combine.
 *
 * Vespa has four (`double float bfloat16 int8`); the Paper's `short int long half` are further rows and `byte` is
 * another name of `int8`. Arithmetic never stays in a narrow type: it decays to `float` or `double`.
 */

export const cellTypeNames = ["double", "float", "bfloat16", "int8", "short", "int", "long", "half"] as const;

/** How the cells of a tensor are stored. */
export type CellType = (typeof cellTypeNames)[number];

/** Cells in their own width. bfloat16 and half are the bits of each cell, long is exact within ±2^53. */
export type CellArray =
  | Float64Array
  | Float32Array
  | Uint16Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array;

/** Whether this machine keeps cells as most files do: the lowest byte of each first. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** How a number is stored in an array whose elements are no numbers of such cells: as bits, or as a bigint. */
interface Encoding {
  readonly encode: (value: number) => number | bigint;
  readonly decode: (element: number | bigint) => number;
}

interface CellTypeRow {
  /** Bytes of one cell. */
  readonly width: number;
  /** Whether Vespa has the type. */
  readonly vespa: boolean;
  /** Whether cells are whole numbers, and are written so. */
  readonly whole: boolean;
  /** The cell type of a value computed from such cells. */
  readonly decaysTo: "float" | "double";
  /** The types whose every value this type can hold: what may be assigned to it. */
  readonly holds: readonly CellType[];
  /** The number that a cell holds after `value` was stored in it. */
  readonly store: (value: number) => number;
  /** A zeroed array of so many cells. */
  readonly allocate: (cells: number) => CellArray;
  /** Absent where the elements of that array are the numbers. */
  readonly encoding?: Encoding;
}

const bfloat16: Encoding = { encode: toBfloat16, decode: (bits) => fromBfloat16(Number(bits)) };
const half: Encoding = { encode: toHalf, decode: (bits) => fromHalf(Number(bits)) };
const long: Encoding = { encode: toLong, decode: fromLong };

// biome-ignore format: a table
export const cellTypes: Readonly<Record<CellType, CellTypeRow>> = {
  double:   { width: 8, vespa: true,  whole: false, decaysTo: "double", holds: cellTypeNames,                      store: (value) => value,            allocate: (n) => new Float64Array(n) },
  float:    { width: 4, vespa: true,  whole: false, decaysTo: "float",  holds: ["float", "bfloat16", "int8", "half", "short"], store: Math.fround,     allocate: (n) => new Float32Array(n) },
  bfloat16: { width: 2, vespa: true,  whole: false, decaysTo: "float",  holds: ["bfloat16", "int8"],               store: (value) => fromBfloat16(toBfloat16(value)), allocate: (n) => new Uint16Array(n), encoding: bfloat16 },
  int8:     { width: 1, vespa: true,  whole: true,  decaysTo: "float",  holds: ["int8"],                           store: toInt8,                      allocate: (n) => new Int8Array(n) },
  half:     { width: 2, vespa: false, whole: false, decaysTo: "float",  holds: ["half", "int8"],                   store: (value) => fromHalf(toHalf(value)), allocate: (n) => new Uint16Array(n), encoding: half },
  short:    { width: 2, vespa: false, whole: true,  decaysTo: "float",  holds: ["short", "int8"],                  store: (value) => (value << 16) >> 16, allocate: (n) => new Int16Array(n) },
  int:      { width: 4, vespa: false, whole: true,  decaysTo: "double", holds: ["int", "short", "int8"],           store: (value) => value | 0,        allocate: (n) => new Int32Array(n) },
  long:     { width: 8, vespa: false, whole: true,  decaysTo: "double", holds: ["long", "int", "short", "int8"],   store: (value) => Number(toLong(value)), allocate: (n) => new BigInt64Array(n), encoding: long },
};

/** The cell type of a name as it is written; `byte` is `int8`. Nothing for any other name. */
export function cellTypeNamed(name: string): CellType | undefined {
  return name === "byte" ? "int8" : cellTypeNames.find((each) => each === name);
}

/** The cell type of what is computed from cells of this type. */
export function decay(type: CellType): CellType {
  return cellTypes[type].decaysTo;
}

/** The cell type that two tensors of rank above 0 agree on. */
export function unify(left: CellType, right: CellType): CellType {
  if (left === right) return left;
  return decay(left) === "double" || decay(right) === "double" ? "double" : "float";
}

/** The cell type of `if` with branches of these types: the one that holds the other, or what they unify to. */
export function largest(left: CellType, right: CellType): CellType {
  if (cellTypes[left].holds.includes(right)) return left;
  return cellTypes[right].holds.includes(left) ? right : unify(left, right);
}

/** Reads a cell as a number. */
export function readCell(type: CellType, cells: CellArray, at: number): number {
  const cell = cells[at] ?? 0;
  const { encoding } = cellTypes[type];
  return encoding === undefined ? Number(cell) : encoding.decode(cell);
}

/** Stores a number in a cell, by the rule of its type. */
export function writeCell(type: CellType, cells: CellArray, at: number, value: number): void {
  const { encoding, store } = cellTypes[type];
  const element = encoding === undefined ? store(value) : encoding.encode(value);
  (cells as { [at: number]: number | bigint })[at] = element; // what an array of this type holds
}

/** Stores all numbers, each by the rule of the type. Doubles are not copied. */
export function storeCells(type: CellType, numbers: Float64Array): CellArray {
  if (type === "double") return numbers;
  const cells = cellTypes[type].allocate(numbers.length);
  // None of them is absent: a callback for each takes four times as long.
  for (let at = 0; at < numbers.length; at++) writeCell(type, cells, at, numbers[at] ?? 0);
  return cells;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Rounds to float, then drops the low 16 bits; a NaN stays one whatever its payload. */
function toBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  scratch.setFloat32(0, value);
  return scratch.getUint16(0);
}

function fromBfloat16(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/** Rounded to float, as both of Vespa's engines do, then toward zero, saturated to 32 bits, of which the low byte stays. */
function toInt8(value: number): number {
  const whole = Math.min(Math.max(Math.trunc(Math.fround(value)), -0x80000000), 0x7fffffff);
  return (whole << 24) >> 24;
}

/** Toward zero, modulo 2^64; what is not finite is 0. */
function toLong(value: number): bigint {
  return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : 0n;
}

/** The largest number that a cell of long holds: the next one is 2^63. */
const mostLong = 2 ** 63 - 2 ** 10;

/** The nearest number that the type holds: one that is stored again must not come out with the other sign. */
function fromLong(cell: number | bigint): number {
  return Math.min(Number(cell), mostLong);
}

/** IEEE binary16, rounded once and to even, straight from the double. */
function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(Math.max(size, 2 ** -24))), -14);
  // Below 2^-14 the spacing stays 2^-24; log2 may be one too high just under a power of two, which rounds alike.
  const steps = roundToEven(size / 2 ** (exponent - 10));
  return sign | (((exponent + 14) << 10) + steps);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
