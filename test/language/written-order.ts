import fc from "fast-check";
import type { CellType } from "../../src/index.js";

/**
 * A tensor as plain data, and the rule of axes as plain code: where a type is declared, arrays have its indexed dimensions in the
 * order in which it is written, and labels are levels outside of them. Nothing of the library is used here.
 */

export interface WrittenDimension {
  readonly name: string;
  /** Of a mapped dimension its labels, of an indexed one its indexes as texts. */
  readonly labels: readonly string[];
  readonly isMapped: boolean;
}

export interface Written {
  readonly cellType: CellType;
  /** In the order of the declaration. */
  readonly dimensions: readonly WrittenDimension[];
}

const names = ["out", "in", "B", "a", "k"];

/** Dimensions of equal sizes most of the time, so that nothing but the rule tells them apart. */
const dimension = (name: string): fc.Arbitrary<WrittenDimension> =>
  fc.oneof(
    fc.constantFrom(2, 2, 2, 1, 3).map((size) => ({
      name,
      isMapped: false,
      labels: Array.from({ length: size }, (_, at) => `${at}`),
    })),
    fc.constantFrom(["q", "p"], ["p", "q"], ["10", "9"]).map((labels) => ({ name, isMapped: true, labels })),
  );

export const written: fc.Arbitrary<Written> = fc
  .record({
    cellType: fc.constantFrom<CellType>("double", "double", "float", "int8", "short", "int", "long"),
    own: fc.shuffledSubarray(names, { minLength: 1, maxLength: 4 }),
  })
  .chain(({ cellType, own }) =>
    fc.tuple(...own.map(dimension)).map((dimensions) => ({ cellType, dimensions })),
  );

export const isDense = ({ dimensions }: Written): boolean => dimensions.every(({ isMapped }) => !isMapped);
export const arrayAxes = ({ dimensions }: Written): readonly WrittenDimension[] =>
  dimensions.filter(({ isMapped }) => !isMapped);
export const labelLevels = ({ dimensions }: Written): readonly WrittenDimension[] =>
  dimensions.filter(({ isMapped }) => isMapped);

/** The type as it is declared. */
export function typeText({ cellType, dimensions }: Written): string {
  const own = dimensions.map(({ name, isMapped, labels }) =>
    isMapped ? `${name}{}` : `${name}[${labels.length}]`,
  );
  return `tensor${cellType === "double" ? "" : `<${cellType}>`}(${own.join(",")})`;
}

export type PlainAddress = Readonly<Record<string, string>>;

/** All addresses, the last of these dimensions fastest. */
export function addresses(dimensions: readonly WrittenDimension[]): readonly PlainAddress[] {
  const [first, ...others] = dimensions;
  if (first === undefined) return [{}];
  const inner = addresses(others);
  return first.labels.flatMap((label) => inner.map((each) => ({ [first.name]: label, ...each })));
}

/** The cell of an address: another number for each, far from symmetrical, and small enough for an `int8`. */
export const cellAt = ({ dimensions }: Written, address: PlainAddress): number =>
  1 + dimensions.reduce((cell, { name, labels }) => 3 * cell + labels.indexOf(address[name] ?? ""), 0);

const sorted = (dimensions: readonly WrittenDimension[]): readonly WrittenDimension[] =>
  [...dimensions].sort((a, b) => (a.name < b.name ? -1 : 1));

/** Vespa's forms of JSON have the dimensions in the order of their names. */
export const canonical = (each: Written): Written => ({ ...each, dimensions: sorted(each.dimensions) });

/** All cells of one block along the axes of arrays. */
export const flat = (each: Written, outer: PlainAddress = {}): readonly number[] =>
  addresses(arrayAxes(each)).map((inner) => cellAt(each, { ...outer, ...inner }));

export type PlainNested = number | readonly PlainNested[] | { readonly [label: string]: PlainNested };

/** Objects by label, and within them arrays. */
export function nested(each: Written, outer: PlainAddress = {}): PlainNested {
  const level = [...labelLevels(each), ...arrayAxes(each)].find(({ name }) => outer[name] === undefined);
  if (level === undefined) return cellAt(each, outer);
  const entries = level.labels.map(
    (label) => [label, nested(each, { ...outer, [level.name]: label })] as const,
  );
  return level.isMapped ? Object.fromEntries(entries) : entries.map(([, inner]) => inner);
}

/** Every cell with its address, in an order of its own: what it is to be in the end. */
export const cellsOf = (
  each: Written,
): readonly { readonly address: PlainAddress; readonly value: number }[] =>
  addresses(sorted(each.dimensions)).map((address) => ({ address, value: cellAt(each, address) }));

/** An array of NumPy of doubles, in either of its orders. */
export function npy(each: Written, isFortran: boolean): Uint8Array {
  const axes = arrayAxes(each);
  const order = isFortran ? [...axes].reverse() : axes;
  const cells = addresses(order).map((address) => cellAt(each, address));
  const shape = `(${axes.map(({ labels }) => `${labels.length},`).join(" ")})`;
  const header = `{'descr': '<f8', 'fortran_order': ${isFortran ? "True" : "False"}, 'shape': ${shape}, }`;
  const padded = `${header.padEnd(64 * Math.ceil((header.length + 11) / 64) - 11)}\n`;
  const bytes = new Uint8Array(10 + padded.length + 8 * cells.length);
  bytes.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, padded.length & 255, padded.length >> 8]);
  bytes.set(new TextEncoder().encode(padded), 10);
  bytes.set(new Uint8Array(Float64Array.from(cells).buffer), 10 + padded.length);
  return bytes;
}

/** The cells of such an array by the positions of its axes, and its shape. */
export function readNpy(bytes: Uint8Array): {
  readonly shape: readonly number[];
  readonly cells: readonly number[];
} {
  const length = (bytes[8] ?? 0) + 256 * (bytes[9] ?? 0);
  const header = new TextDecoder().decode(bytes.subarray(10, 10 + length));
  if (!header.includes("'<f8'") || header.includes("True")) throw new Error(`another array: ${header}`);
  const shape = (/\(([^)]*)\)/.exec(header)?.[1] ?? "").split(",").filter((each) => each.trim() !== "");
  const cells = [...new Float64Array(bytes.slice(10 + length).buffer)];
  return { shape: shape.map(Number), cells };
}

export const cellsJson = (each: Written): string => JSON.stringify({ cells: cellsOf(each) });
/** The cells of Vespa's forms are in the order of the names, whatever the declaration. */
export const valuesJson = (each: Written): string => JSON.stringify({ values: vespaFlat(each) });
export const vespaFlat = (each: Written, outer = {}): readonly number[] =>
  addresses(arrayAxes(canonical(each))).map((address) => cellAt(each, { ...address, ...outer }));
export const blocksJson = (each: Written): string => {
  const [level] = labelLevels(each);
  if (level === undefined) throw new Error("blocks have labels");
  return JSON.stringify({
    blocks: Object.fromEntries(
      level.labels.map((label) => [label, vespaFlat(each, { [level.name]: label })]),
    ),
  });
};
export const flatJsonByLabel = (each: Written): string => {
  const byLabel = Object.entries(nested(each));
  return JSON.stringify(Object.fromEntries(byLabel.map(([label, inner]) => [label, [inner].flat(Infinity)])));
};
