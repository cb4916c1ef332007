import { cellTypes } from "../../../language/types/cell.js";
import { compareLabels } from "../../../language/values/data/rows.js";
import { element, floatAt, numberAt } from "../../../language/values/element.js";
import { cellsOf } from "../../../language/values/shape.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { Labels } from "../../../language/values/tensor-storage.js";
import { touchedInput } from "../statements/training-text.js";

/**
 * What a step changes of tensors that have the labels of one variable: the rows that its gradient touches. An optimiser computes each row
 * by itself, whatever its labels are, so that it is given those rows alone, under labels that stand for them, and rows of zeros besides,
 * up to a count that many steps share: all of these are one plan.
 */
class TouchedRows {
  private readonly labels: Labels;
  private readonly standIns: Labels;
  private readonly mappings = new Map<Labels | undefined, RowMapping>();

  /** Those of a gradient, which has a row for each row of the variable that it may touch. */
  constructor(private readonly gradient: Tensor) {
    const { labels } = gradient;
    const rows = touchedRows(gradient);
    this.labels = rows.map((row) => element(labels, row));
    this.mappings.set(labels, { rows, labels, old: undefined, all: rows });
    this.standIns = standInsFor(this.labels.length, gradient.type.mapped.length);
  }

  /** The gradient's rows. */
  get ofGradient(): Tensor {
    return this.of(this.gradient);
  }

  /** The rows of a tensor, which are zeros where it has none; of no tensor, all of them are. */
  of(tensor: Tensor | undefined): Tensor {
    const { type, sizes } = this.gradient;
    const ownType = tensor?.type ?? type;
    const data = cellTypes[ownType.cellType].allocate(this.standIns.length * cellsOf(sizes));
    const part = Tensor.of(ownType, sizes, this.standIns, data);
    if (tensor !== undefined)
      for (const [at, row] of this.mappingIn(tensor.labels).rows.entries())
        if (row !== undefined) copyRow(tensor, row, part, at);
    return part;
  }

  /** A tensor with what has become of its rows, and with those that it did not have. */
  changed(tensor: Tensor | undefined, next: Tensor): Tensor {
    const { labels, old, all } = this.mappingIn(tensor?.labels);
    const { type, sizes, blockCells } = next;
    if (tensor !== undefined && tensor.type.cellType !== type.cellType)
      throw new Error("rows of other cells would be other numbers");
    const isSame = tensor !== undefined && old === undefined;
    const data = isSame ? tensor.data.slice() : cellTypes[type.cellType].allocate(labels.length * blockCells);
    const whole = Tensor.of(type, sizes, labels, data);
    if (tensor !== undefined) for (const [row, at] of old?.entries() ?? []) copyRow(tensor, row, whole, at);
    for (const [at, row] of all.entries()) copyRow(next, at, whole, row);
    return whole;
  }

  /** Where they are among other labels. Tensors that have the same list of labels have the same list afterwards. */
  private mappingIn(own: Labels | undefined): RowMapping {
    const mapping = this.mappings.get(own) ?? mappingOf(this.labels, own ?? []);
    this.mappings.set(own, mapping);
    return mapping;
  }
}

/** Where the rows of some labels are among the labels of a tensor. */
interface RowMapping {
  /** For each, its row, if there is one. */
  readonly rows: readonly (number | undefined)[];
  /** The labels of the tensor, and those of them that it lacks; the same list where it lacks none. */
  readonly labels: Labels;
  /** Where each row of the tensor is among all; absent where they stay where they are. */
  readonly old: readonly number[] | undefined;
  /** Where each of the labels is among all. */
  readonly all: readonly number[];
}

function mappingOf(touched: Labels, own: Labels): RowMapping {
  const rows = touched.map((labels) => rowOf(own, labels));
  if (rows.every((row) => row !== undefined)) return { rows, labels: own, old: undefined, all: rows };
  const labels: (readonly string[])[] = [];
  const [old, all]: [number[], number[]] = [[], []];
  // Both are sorted.
  for (let [at, next] = [0, 0]; at < own.length || next < touched.length; ) {
    const [mine, other] = [own[at], touched[next]];
    const order = mine === undefined ? 1 : other === undefined ? -1 : compareLabels(mine, other);
    if (order <= 0) old[at++] = labels.length;
    if (order >= 0) all[next++] = labels.length;
    labels.push((order <= 0 ? mine : other) ?? []);
  }
  return { rows, labels, old, all };
}

/** The rows that the gradients of a step touch: as inputs, and of all tensors that they change. */
export function touchedBy(
  gradients: Readonly<Record<string, Tensor>>,
  tensorsByGradient: ReadonlyMap<string, readonly string[]>,
) {
  const inputs: Record<string, Tensor> = {};
  const rowsOf = new Map<string, TouchedRows>();
  for (const [name, gradient] of Object.entries(gradients)) {
    const tensors = tensorsByGradient.get(name);
    const rows = tensors && new TouchedRows(gradient);
    inputs[touchedInput(name)] = rows?.ofGradient ?? gradient;
    if (rows !== undefined) for (const each of tensors ?? []) rowsOf.set(each, rows);
  }
  return {
    /** What the gradients are where they touch something, for the run that assigns. */
    inputs,
    of: (state: ReadonlyMap<string, Tensor>): ReadonlyMap<string, Tensor> =>
      new Map([...state, ...[...rowsOf].map(([name, rows]) => [name, rows.of(state.get(name))] as const)]),
    changed: (
      state: ReadonlyMap<string, Tensor>,
      assigned: Readonly<Record<string, Tensor>>,
    ): Readonly<Record<string, Tensor>> =>
      Object.fromEntries(
        Object.entries(assigned).map(([name, next]) => [
          name,
          rowsOf.get(name)?.changed(state.get(name), next) ?? next,
        ]),
      ),
  };
}

/** Copies a row to one of another tensor, which has cells of the same type. */
function copyRow(from: Tensor, row: number, to: Tensor, toRow: number): void {
  const { blockCells } = from;
  const [source, target] = [from.data, to.data] as [Float64Array, Float64Array]; // of one kind, whichever that is
  for (let at = 0; at < blockCells; at++)
    target[toRow * blockCells + at] = numberAt(source, row * blockCells + at);
}

/** The row of some labels, by halving: rows are in the order of their labels. */
function rowOf(labels: Labels, labelsOfRow: readonly string[]): number | undefined {
  let [first, end] = [0, labels.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const order = compareLabels(element(labels, middle), labelsOfRow);
    if (order === 0) return middle;
    if (order < 0) first = middle + 1;
    else end = middle;
  }
  return undefined;
}

/** The rows of a tensor in which a cell is not 0. */
function touchedRows(tensor: Tensor): readonly number[] {
  const { rows, blockCells, data } = tensor;
  // The numbers of these stand in the array itself, where reading each by a call takes longer.
  const cellAt =
    data instanceof Float32Array
      ? (at: number) => floatAt(data, at)
      : data instanceof Float64Array
        ? (at: number) => numberAt(data, at)
        : (at: number) => tensor.at(at);
  const touched: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let at = row * blockCells; at < (row + 1) * blockCells; at++)
      if (cellAt(at) !== 0) {
        touched.push(row);
        break;
      }
  return touched;
}

/** Rows are given in multiples of so many. */
const rowsTogether = 32;

const standIns = new Map<string, Labels>();
const mostStandIns = 32;

/** Labels for at least so many rows, of some mapped dimensions: the same ones each time, so that a plan knows them. */
function standInsFor(count: number, width: number): Labels {
  const rows = Math.max(1, Math.ceil(count / rowsTogether)) * rowsTogether;
  const key = `${rows} ${width}`;
  const labels =
    standIns.get(key) ??
    Array.from({ length: rows }, (_, row) => {
      const label = `${row}`.padStart(10, "0");
      return Array.from({ length: width }, () => label);
    });
  standIns.delete(key);
  standIns.set(key, labels);
  const [oldest = ""] = standIns.keys();
  if (standIns.size > mostStandIns) standIns.delete(oldest);
  return labels;
}
