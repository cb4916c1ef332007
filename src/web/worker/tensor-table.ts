import { shortNumber, type Tensor } from "../../index.js";
import type { TableWindow } from "../protocol.js";
import { TableAxis } from "./table-axis.js";
import { type CompleteView, escapedLabels, labelsAlong } from "./table-view.js";

/** The most cells of a part of a table. */
const mostCells = 20_000;

/** A tensor as a table of rows and columns, of which parts are made as they are asked for. */
export class TensorTable {
  private readonly rows: TableAxis;
  private readonly columns: TableAxis;
  /** Rows of the tensor by the combination of labels down and across; a dense tensor has one. */
  private readonly tensorRows: Map<number, number> | undefined;
  /** How far apart cells are along each indexed dimension, and where the slice begins. */
  private readonly strides: readonly number[];
  private readonly start: number;

  constructor(
    private readonly tensor: Tensor,
    private readonly view: CompleteView,
  ) {
    const { type, sizes, labels } = tensor;
    const mappedAt = (name: string): number => type.mapped.findIndex((each) => each.name === name);
    const indexedAt = (name: string): number => type.indexed.findIndex((each) => each.name === name);
    const slices = Object.entries(view.slices);
    const slicedLabels = slices.flatMap(([name, label]) => {
      const at = mappedAt(name);
      return at < 0 ? [] : [{ at, label }];
    });
    const isShown = (row: readonly string[]): boolean =>
      slicedLabels.every(({ at, label }) => row[at] === label);
    const axis = (names: readonly string[]): TableAxis => {
      const [mapped, indexed] = [mappedAt, indexedAt].map((of) => names.map(of).filter((at) => at >= 0));
      return new TableAxis(tensor, mapped ?? [], indexed ?? [], isShown);
    };
    this.rows = axis(view.rows);
    this.columns = axis(view.columns);
    this.strides = sizes.map((_, at) => sizes.slice(at + 1).reduce((product, size) => product * size, 1));
    this.start = slices.reduce((sum, [name, label]) => {
      const stride = this.strides[indexedAt(name)];
      return stride === undefined ? sum : sum + stride * Number(label);
    }, 0);
    this.tensorRows = type.mapped.length === 0 ? undefined : this.rowsByLabels(labels, isShown);
  }

  private rowsByLabels(
    labels: Tensor["labels"],
    isShown: (labels: readonly string[]) => boolean,
  ): Map<number, number> {
    const found = new Map<number, number>();
    const across = this.columns.combinationOf(Math.max(0, this.columns.count - 1)) + 1;
    for (const [row, each] of labels.entries())
      if (isShown(each)) found.set(this.rows.position(each) * across + this.columns.position(each), row);
    return found;
  }

  window(rows: readonly [number, number], columns: readonly [number, number]): TableWindow {
    const { cellType } = this.tensor.type;
    const number = (position: number): number => this.tensor.at(position);
    const [rowStart, rowEnd] = within(rows, this.rows.count);
    const [columnStart, columnEnd] = within(columns, this.columns.count);
    const height = Math.min(rowEnd - rowStart, Math.floor(mostCells / Math.max(1, columnEnd - columnStart)));
    const lines = (start: number, count: number): readonly number[] =>
      Array.from({ length: Math.max(0, count) }, (_, at) => start + at);
    const [down, across] = [lines(rowStart, height), lines(columnStart, columnEnd - columnStart)];
    const numbers = new Float64Array(down.length * across.length).fill(Number.NaN);
    const texts: (string | undefined)[] = [];
    for (const row of down)
      for (const column of across) {
        const position = this.position(row, column);
        if (position !== undefined) numbers[texts.length] = number(position);
        texts.push(position === undefined ? undefined : shortNumber(number(position), cellType));
      }
    const rowLabels = down.map((line) => this.rows.labels(line));
    const columnLabels = across.map((line) => this.columns.labels(line));
    const choices = Object.fromEntries(
      Object.keys(this.view.slices).map((name) => [name, labelsAlong(this.tensor, name)]),
    );
    return {
      ...{ view: this.view, choices },
      rowCount: this.rows.count,
      columnCount: this.columns.count,
      ...{ rowStart, columnStart, texts, numbers, rowLabels, columnLabels },
      escaped: escapedLabels([...rowLabels, ...columnLabels, ...Object.values(choices)]),
    };
  }

  /** Where the cell of a row and a column lies in the tensor; undefined where there is none. */
  private position(row: number, column: number): number | undefined {
    const { rows, columns, strides, tensor } = this;
    let position = this.start;
    for (const [axis, line] of [
      [rows, row],
      [columns, column],
    ] as const)
      for (const [at, index] of axis.indexes(line).entries())
        position += index * (strides[axis.indexed[at] ?? 0] ?? 0);
    if (this.tensorRows === undefined) return position < tensor.data.length ? position : undefined;
    const across = columns.combinationOf(Math.max(0, columns.count - 1)) + 1;
    const found = this.tensorRows.get(rows.combinationOf(row) * across + columns.combinationOf(column));
    return found === undefined ? undefined : found * tensor.blockCells + position;
  }
}

/** A range that lies within so many lines. */
function within([start, end]: readonly [number, number], count: number): readonly [number, number] {
  const from = Math.max(0, Math.min(Math.floor(start), count));
  return [from, Math.max(from, Math.min(Math.ceil(end), count))];
}
