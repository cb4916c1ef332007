import { intAt } from "../../../language/values/element.js";

/** For each index of an axis, a row of another: one by one in a table, or evenly spaced. */
export type AxisRows = Int32Array | Progression;

/** Evenly spaced rows: the first one, and how far each is from the one before. */
export interface Progression {
  readonly first: number;
  readonly step: number;
  readonly length: number;
}

export const isTable = (rows: AxisRows): rows is Int32Array => rows instanceof Int32Array;

export const rowAt = (rows: AxisRows, index: number): number =>
  isTable(rows) ? intAt(rows, index) : rows.first + rows.step * index;

/** Whether all rows are among so many; there is one at least. */
export function isWithinSize(rows: AxisRows, size: number): boolean {
  const [least, greatest] = extremesOf(rows);
  return least >= 0 && greatest < size;
}

/** Whether each index is its own row. */
export const isIndexItself = (rows: AxisRows | undefined): boolean =>
  rows === undefined || (!isTable(rows) && rows.first === 0 && rows.step === 1);

/** Whether two lists have the same rows, of the same axis. */
export function areSameRows(rows: AxisRows, others: AxisRows): boolean {
  if (isTable(rows)) return isTable(others) && rows.every((row, index) => row === others[index]);
  return !isTable(others) && rows.first === others.first && rows.step === others.step;
}

/** The rows, each so much further on. */
export function movedBy(rows: AxisRows, distance: number): AxisRows {
  if (isTable(rows)) return rows.map((row) => row + distance);
  return { ...rows, first: rows.first + distance };
}

/** The least and the greatest of some rows. */
export function extremesOf(rows: AxisRows): [least: number, greatest: number] {
  if (!isTable(rows)) {
    const [first, last] = [rowAt(rows, 0), rowAt(rows, rows.length - 1)];
    return [Math.min(first, last), Math.max(first, last)];
  }
  let [least, greatest] = [intAt(rows, 0), intAt(rows, 0)];
  for (let at = 1; at < rows.length; at++) {
    const row = intAt(rows, at);
    if (row < least) least = row;
    if (row > greatest) greatest = row;
  }
  return [least, greatest];
}

const spacings = new WeakMap<Int32Array, { readonly even: Progression | undefined }>();

/** The rows of a table as a progression, where they are one. */
export function evenRows(table: Int32Array): Progression | undefined {
  const before = spacings.get(table);
  if (before !== undefined) return before.even;
  const even = spacingOf(table);
  spacings.set(table, { even });
  return even;
}

/** The rows of a table, as two numbers where they are evenly spaced. */
export const rowsOf = (table: Int32Array): AxisRows => evenRows(table) ?? table;

function spacingOf(table: Int32Array): Progression | undefined {
  if (table.length === 0) return undefined;
  const first = intAt(table, 0);
  const step = table.length > 1 ? intAt(table, 1) - first : 0;
  for (let at = 2; at < table.length; at++) if (intAt(table, at) !== first + step * at) return undefined;
  return { first, step, length: table.length };
}

/** AxisRows of rows; the same table for the same two, so that equal accesses are recognised. */
export function composedRows(inner: AxisRows | undefined, outer: AxisRows | undefined): AxisRows | undefined {
  if (inner === undefined) return outer;
  if (outer === undefined) return inner;
  if (isTable(inner)) return isTable(outer) ? tableOfTables(inner, outer) : tableAlong(inner, outer);
  if (isTable(outer)) return tableBehind(inner, outer);
  return { first: rowAt(inner, outer.first), step: inner.step * outer.step, length: outer.length };
}

const ofTables = new WeakMap<Int32Array, WeakMap<Int32Array, Int32Array>>();

function tableOfTables(inner: Int32Array, outer: Int32Array): Int32Array {
  const ofInner = ofTables.get(inner) ?? new WeakMap<Int32Array, Int32Array>();
  ofTables.set(inner, ofInner);
  const table = ofInner.get(outer) ?? outer.map((row) => intAt(inner, row));
  ofInner.set(outer, table);
  return table;
}

/** Of a table and a progression, by what the progression is and which of the two comes first. */
const ofProgressions = new WeakMap<Int32Array, Map<string, Int32Array>>();

/** The rows of a table at even distances. */
export function tableAlong(table: Int32Array, rows: Progression): Int32Array {
  const pick = (_: number, at: number): number => intAt(table, rowAt(rows, at));
  return derivedTable(table, `along ${keyOf(rows)}`, () => new Int32Array(rows.length).map(pick));
}

/** Evenly spaced rows, at the indexes that a table has. */
function tableBehind(rows: Progression, table: Int32Array): Int32Array {
  return derivedTable(table, `behind ${keyOf(rows)}`, () => table.map((index) => rowAt(rows, index)));
}

function derivedTable(table: Int32Array, key: string, make: () => Int32Array): Int32Array {
  const derived = ofProgressions.get(table) ?? new Map<string, Int32Array>();
  ofProgressions.set(table, derived);
  const made = derived.get(key) ?? make();
  derived.set(key, made);
  return made;
}

const keyOf = ({ first, step, length }: Progression): string => `${first} ${step} ${length}`;
