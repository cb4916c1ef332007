import type { Template } from "../../../src/backends/sql/scalar-expression.js";
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
  /** Of whole numbers, the widest first. */
  readonly integers: readonly string[];
  /** Of others that can hold an index. */
  readonly indexes: readonly string[];
  /** Of any double. */
  readonly numbers: readonly string[];
  /** Of whole numbers that are not below 0. */
  readonly naturals: readonly string[];
  /** Of 0 and 1. */
  readonly truths: readonly string[];
  /** Of numbers with three digits after the point. */
  readonly decimals: readonly string[];
  readonly cells: Readonly<Partial<Record<CellType, string>>>;
  /** A type that may be NULL, and one of arrays. */
  readonly nullable: (type: string) => string;
  readonly array: (type: string) => string;
  /** Whether an array may be NULL. */
  readonly hasNullArrays: boolean;
}

/** The texts that columns of dates, times and identifiers show. */
const forms = [
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["time", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
] as const;

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
  if (isIndex) return choice.oneOf([...types.integers, ...types.indexes]);
  const texts = labels.filter((each) => typeof each === "string");
  if (texts.length > 0 && texts.every(isInteger) && choice.percent(30)) return choice.oneOf(types.integers);
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

const isInteger = (label: string): boolean => Number.isInteger(Number(label)) && `${Number(label)}` === label;

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
  return castTo(isBlock ? types.array(cell) : cell);
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
    ...(isEach((cell) => Number.isSafeInteger(cell)) ? types.integers.slice(0, 1) : []),
    ...(isEach((cell) => Number.isSafeInteger(cell) && cell >= 0) ? types.naturals : []),
    ...(isEach((cell) => cell === 0 || cell === 1) ? types.truths : []),
    ...(isEach((cell) => Number.isSafeInteger(cell * 1000)) ? types.decimals : []),
  ]);
}
