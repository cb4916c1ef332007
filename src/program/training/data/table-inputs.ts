import { atOnce } from "../../../language/limits/slices.js";
import { indexed, type TensorType } from "../../../language/types/type.js";
import { indexIn } from "../../../language/values/address.js";
import { storedCells } from "../../../language/values/data/array-cells.js";
import { element } from "../../../language/values/element.js";
import { Tensor } from "../../../language/values/tensor.js";

/** A table whose rows are the items that are learnt from, in whatever format. It reports what is wrong with its values. */
export interface TrainingTable {
  readonly rows: number;
  readonly has: (column: string) => boolean;
  /** The names of all columns. */
  readonly columns: () => Iterable<string>;
  /** A number for each row. */
  readonly numbers: (column: string) => ArrayLike<number>;
  /** A label for each row. */
  readonly labels: (column: string) => readonly string[];
  /** It has no rows. */
  readonly refuseRows: () => void;
  /** It is about none of the inputs, which have these columns among others. */
  readonly refuseColumns: (expected: readonly string[]) => void;
  /** Of the columns of an input it lacks this one, or has it in addition. */
  readonly refusePart: (column: string, columns: readonly string[]) => void;
  /** The labels that are read up to a row need too many cells. */
  readonly refuseCells: (column: string, row: number, count: number, most: number) => void;
}

/** The most cells of an input with labels, each of which has a cell for each item. */
const mostCells = 50_000_000;

/** Of columns that no table has, so many are told. */
const mostTold = 5;

/** The inputs that a table is about: all of their columns are in it. */
export function inputsIn(
  table: TrainingTable,
  inputs: ReadonlyMap<string, TensorType>,
): Record<string, Tensor> {
  const tensors = [...inputs].flatMap(([name, type]): [string, Tensor][] => {
    const tensor = inputIn(table, name, type);
    return tensor === undefined ? [] : [[name, tensor]];
  });
  if (tensors.length === 0) refuseOthers(table, inputs);
  else if (table.rows === 0) table.refuseRows();
  return Object.fromEntries(tensors);
}

/** Tells of a table that has no column of any input. */
function refuseOthers(table: TrainingTable, inputs: ReadonlyMap<string, TensorType>): void {
  const expected = [...inputs].flatMap(([name, type]) => itemsOf(name, type)?.columns ?? []);
  if (!expected.some((column) => table.has(column)) && expected.length > 0)
    table.refuseColumns(expected.slice(0, mostTold));
}

/** The dimension of the items of an input, and the columns with what each of them has; nothing for an input that no table is about. */
function itemsOf(name: string, type: TensorType) {
  const [row, ...others] = type.indexed.filter(({ size }) => size === undefined);
  if (row === undefined || others.length > 0) return undefined;
  if (type.mapped.length > 0) return type.rank === 2 ? { row, columns: [name] } : undefined;
  const [fixed, ...more] = type.indexed.filter((each) => each !== row);
  if (more.length > 0) return undefined;
  const columns =
    fixed === undefined ? [name] : Array.from({ length: fixed.size ?? 1 }, (_, at) => `${name}[${at}]`);
  return { row, columns };
}

/** Where a table has columns that are called as those of an input with several numbers an item are, one that it lacks, or has and must not. */
function wrongPart(table: TrainingTable, name: string, columns: readonly string[]): string | undefined {
  if (columns[0] === name) return undefined;
  const own = new Set(columns);
  const found = [...table.columns()].filter((each) => isPart(each, name));
  const extra = found.find((each) => !own.has(each));
  return extra ?? (found.length === 0 ? undefined : columns.find((each) => !table.has(each)));
}

const isPart = (column: string, name: string): boolean =>
  column.startsWith(`${name}[`) &&
  column.endsWith("]") &&
  indexIn(column.slice(name.length + 1, -1)) !== undefined;

function inputIn(table: TrainingTable, name: string, type: TensorType): Tensor | undefined {
  const items = itemsOf(name, type);
  if (items === undefined) return undefined;
  const { row, columns: names } = items;
  const wrong = wrongPart(table, name, names);
  if (wrong !== undefined) return void table.refusePart(wrong, names);
  if (!names.every((each) => table.has(each))) return undefined;
  const count = table.rows;
  const sized = type.withDimensions(
    type.dimensions.map((each) => (each === row ? indexed(row.name, count) : each)),
  );
  if (type.mapped.length > 0) return indicator(table, name, sized);
  const columns = names.map((each) => table.numbers(each));
  const cells = columns.length;
  const isRowFirst = sized.names[0] === row.name;
  const values = Float64Array.from({ length: count * cells }, (_, at) => {
    const [item, cell] = isRowFirst
      ? [Math.floor(at / cells), at % cells]
      : [at % count, Math.floor(at / count)];
    return element(columns, cell)[item] ?? Number.NaN;
  });
  return Tensor.from(sized, atOnce(storedCells(sized.cellType, values)));
}

/** A cell of 1 for each row, at its label. */
function indicator(table: TrainingTable, column: string, type: TensorType): Tensor | undefined {
  const { rows } = table;
  const blocks = new Map<string, Float64Array>();
  for (const [row, label] of table.labels(column).entries()) {
    const block = blocks.get(label) ?? new Float64Array(rows);
    block[row] = 1;
    blocks.set(label, block);
    if (blocks.size * rows > mostCells)
      return void table.refuseCells(column, row, blocks.size * rows, mostCells);
  }
  return Tensor.from(type, blocks);
}
