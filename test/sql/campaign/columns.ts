import type { Template } from "../../../src/backends/sql/expressions/scalar-expression.js";
import { type CellType, cellTypes } from "../../../src/language/types/cell.js";
import type { Tensor } from "../../../src/language/values/tensor.js";
import type { Choice } from "../../hunt/choice.js";
import type { Row } from "./rows.js";

/** The types of columns in the words of an engine. */
export interface ColumnTypes {
  /** Of texts. */
  readonly texts: readonly string[];
  /** The type whose values are these texts alone; nothing where there is none. */
  readonly enumeration: ((texts: readonly string[]) => string) | undefined;
  /** A text of which others are taken to be equal; absent where there is none. */
  readonly folded?: Template;
  /** Of texts without blanks behind them that are no longer than this; absent where there is none. */
  readonly padded?: (length: number) => string;
  /** Of what is written in one way, each with what it shows. */
  readonly written: Readonly<Record<(typeof forms)[number][0], readonly string[]>>;
  /** Of whole numbers. */
  readonly integers: readonly IntegerType[];
  /** Of others that can hold an index. */
  readonly indexes: readonly string[];
  /** Of any double. */
  readonly numbers: readonly string[];
  /** Of 0 and 1. */
  readonly truths: readonly string[];
  /** Of numbers with three digits after the point. */
  readonly decimals: readonly string[];
  readonly cells: Readonly<Partial<Record<CellType, string>>>;
  /** A type that may be NULL, and those of arrays of so many. */
  readonly nullable: (type: string) => string;
  readonly arrays: (type: string, length: number) => readonly [string, ...string[]];
  /** Whether an array may be NULL. */
  readonly hasNullArrays: boolean;
}

/** The texts that columns of dates, times, identifiers, truths and fractions show. */
const forms = [
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["time", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ["moment", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{5}[1-9]$/],
  ["zoned", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/],
  ["clock", /^\d\d:\d\d:\d\d$/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ["truth", /^(?:true|false)$/],
  ["hundredth", /^-?(?:0|[1-9]\d*)\.\d[1-9]$/],
  ["half", /^-?(?:0|[1-9]\d*)\.5$/],
] as const;

/** A type of whole numbers, and the least and the greatest of them. */
export interface IntegerType {
  readonly name: string;
  readonly least: bigint;
  readonly most: bigint;
}

/** Types of whole numbers of so many bits, with a sign or without. */
export const signed = (types: Readonly<Record<string, number>>): readonly IntegerType[] =>
  Object.entries(types).map(([name, bits]) => {
    const half = 2n ** BigInt(bits - 1);
    return { name, least: -half, most: half - 1n };
  });
export const unsigned = (types: Readonly<Record<string, number>>): readonly IntegerType[] =>
  Object.entries(types).map(([name, bits]) => ({ name, least: 0n, most: 2n ** BigInt(bits) - 1n }));

/** The names of the types that hold all of these. */
const holding = (types: readonly IntegerType[], numbers: readonly bigint[]): readonly string[] =>
  types
    .filter(({ least, most }) => numbers.every((each) => least <= each && each <= most))
    .map(({ name }) => name);

/** A column that labels or indexes are put into, as the cast of what is put there. */
export function addressType(
  labels: readonly (string | number | undefined)[],
  isIndex: boolean,
  types: ColumnTypes,
  choice: Choice,
): Template {
  const hasNull = labels.some((each) => each === undefined);
  const { folded } = types;
  if (!isIndex && folded !== undefined && choice.percent(10)) return folded;
  const type = addressTypeName(labels, isIndex, types, choice);
  return castTo(hasNull ? types.nullable(type) : type);
}

const castTo =
  (type: string): Template =>
  (x) =>
    `CAST(${x} AS ${type})`;

function addressTypeName(
  labels: readonly (string | number | undefined)[],
  isIndex: boolean,
  types: ColumnTypes,
  choice: Choice,
): string {
  if (isIndex) {
    const indexes = labels.map((each) => BigInt(each ?? 0));
    return choice.oneOf([...holding(types.integers, indexes), ...types.indexes]);
  }
  const texts = labels.filter((each) => typeof each === "string");
  const integers = texts.every(isInteger) ? holding(types.integers, texts.map(BigInt)) : [];
  if (texts.length > 0 && integers.length > 0 && choice.percent(50)) return choice.oneOf(integers);
  const own = forms.flatMap(([form, pattern]) =>
    texts.every((each) => pattern.test(each)) ? types.written[form] : [],
  );
  if (texts.length > 0 && own.length > 0 && choice.percent(70)) return choice.oneOf(own);
  const { enumeration } = types;
  if (enumeration !== undefined && texts.length > 0 && choice.percent(15))
    return enumeration([...new Set(texts)]);
  if (
    types.padded !== undefined &&
    texts.every((each) => each !== "" && each.trimEnd() === each) &&
    choice.percent(20)
  )
    return types.padded(Math.max(1, ...texts.map((each) => Array.from(each).length)) + choice.below(3));
  return choice.oneOf(types.texts);
}

const isInteger = (label: string): boolean => /^(?:0|-?[1-9]\d*)$/.test(label);

/** A column that the cells of rows are put into, each as it is, or all of a block in an array. */
export function cellType(
  tensor: Tensor,
  isBlock: boolean,
  rows: readonly Row[],
  types: ColumnTypes,
  choice: Choice,
): Template {
  const type = cellTypeName(tensor, rows, types, choice);
  const hasNull = rows.some(({ cells }) => cells?.includes(undefined) !== false);
  const cell = hasNull ? types.nullable(type) : type;
  return castTo(isBlock ? choice.oneOf(types.arrays(cell, tensor.blockCells)) : cell);
}

function cellTypeName({ type }: Tensor, rows: readonly Row[], types: ColumnTypes, choice: Choice): string {
  const cells = rows.flatMap((row) => row.cells ?? []).filter((cell) => cell !== undefined);
  const own = types.cells[type.cellType];
  const { store } = cellTypes[type.cellType];
  const isEach = (test: (cell: number) => boolean): boolean =>
    cells.every((cell) => test(cell) && !Object.is(cell, -0));
  // A repeated row has other numbers.
  const isOwn = cells.every((cell) => Object.is(store(cell), cell));
  return choice.oneOf([
    ...types.numbers,
    ...(own !== undefined && isOwn ? [own, own] : []),
    ...(isEach((cell) => Number.isSafeInteger(cell))
      ? choice.some(holding(types.integers, cells.map(BigInt)))
      : []),
    ...(isEach((cell) => cell === 0 || cell === 1) ? types.truths : []),
    ...(isEach((cell) => Number.isSafeInteger(cell * 1000)) ? types.decimals : []),
  ]);
}
