import type { Node, NodeOf } from "../../../language/core/operations.js";
import { element, intAt } from "../../../language/values/element.js";
import { wholeLabel } from "../../../language/values/text.js";
import { selectRows } from "../sparse/select.js";
import { combined } from "../values/arithmetic.js";
import { factorAxis } from "../values/axes.js";
import { movedBy, rowAt, rowsOf } from "../values/rows.js";
import { viewed } from "../values/source.js";
import type { Tables } from "../values/tables.js";
import {
  type Axis,
  type AxisImage,
  type BufferStride,
  cellsIn,
  constant,
  type FactorAxis,
  stored,
  type Value,
} from "../values/value.js";
import { gather } from "./gathering.js";
import { type IndexSum, indexSum, marginOf } from "./index-sums.js";
import { lookUpIndexes, lookUpNames, type SliceLabel, varyingLabels } from "./labels.js";
import { numberedRows } from "./numbered-rows.js";
import { labelsAround } from "./padding.js";
import type { PlanState } from "./plan-state.js";
import {
  isUnsupported,
  isValue,
  type Pending,
  type Planned,
  type Unsupported,
  unsupported,
} from "./planned.js";
import type { Scope } from "./scope.js";

/**
 * slice: cells at a partial address. A label that is the same everywhere makes a view; one that differs along a hidden
 * axis, as in the body of a generator, makes a view, a strided read or a gather of it.
 */
export function slice(node: NodeOf<"slice">, state: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  const labels = new Map<string, SliceLabel>();
  const sums = new Map<string, IndexSum>();
  const gathered = new Map<string, Node>();
  for (const { dimension, label } of node.at) {
    if (typeof label !== "string" && isQuicklyGathered(node, value, dimension, scope.value(label))) {
      gathered.set(dimension, label);
      continue;
    }
    const labelled = typeof label === "string" ? textOf(label) : computedLabel(node, label, state, scope);
    if (labelled.kind === "pending") return labelled;
    if (labelled.kind === "unsupported") {
      if (typeof label === "string" || !hasNumbers(value, dimension)) return labelled;
      gathered.set(dimension, label);
    } else if (labelled.kind === "sum") sums.set(dimension, labelled);
    else labels.set(dimension, labelled);
  }
  if (gathered.size === 0) {
    const strided = sums.size > 0 ? windowed(node, value, labels, sums, state) : undefined;
    if (strided === undefined) return view(node, value, labels, state);
    if (!isUnsupported(strided)) return strided;
  }
  for (const { dimension, label } of node.at)
    if (sums.has(dimension) && typeof label !== "string") gathered.set(dimension, label);
  const sliced = view(node, value, labels, state);
  return isValue(sliced) ? gather(node, sliced, gathered, state, scope) : sliced;
}

/** Whether the labels of a dimension are numbers, so that cells may tell which are read. */
const hasNumbers = (value: Value, dimension: string): boolean =>
  value.axes.some(({ name }) => name === dimension) || numberedRows(value, dimension) !== undefined;

/** So many cells are copied in less time than it takes to plan another slice. */
const mostCopied = 10_000;

/** Whether few stored cells are at one label that a run tells: the plan is the same for all labels then. */
function isQuicklyGathered(
  { type }: NodeOf<"slice">,
  value: Value,
  dimension: string,
  label: Value,
): boolean {
  if (label.axes.length > 0 || label.source.kind === "constant") return false;
  if (!type.isDense || value.source.kind !== "stored") return false;
  const at = numberedRows(value, dimension)?.at;
  const axis = at === undefined ? value.axes.find(({ name }) => name === dimension) : value.axes[at];
  return axis !== undefined && cellsIn(value.axes) <= mostCopied * axis.size;
}

/** A slice at labels that are found while planning, each for itself. */
function view(
  node: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, SliceLabel>,
  state: PlanState,
): Planned {
  const sliced = new SlicedAxes(state.storage.tables);
  for (const axis of value.axes) {
    const image =
      axis.factor === undefined ? sliced.indexed(axis, labels.get(axis.name)) : sliced.rows(axis, labels);
    if (isUnsupported(image)) return image;
    sliced.images.push(image);
  }
  const { axes, images, conditions, isAbsent } = sliced;
  if (isAbsent) return absent(node, axes);
  if (conditions.length > 0 && !node.type.isDense) return unsupported("slices of which some have no rows");
  const cells = viewed(axes, value.source, images);
  return conditions.reduce(
    (masked, condition) => combined({ op: "select" }, [condition, masked, constant(0)]),
    cells,
  );
}

/**
 * A slice at labels that are sums of terms: the cells are stored, and read with a stride for each term. Since what is read beyond would be
 * other cells, there are zeros around them where some labels are not there.
 */
function windowed(
  node: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, SliceLabel>,
  sums: ReadonlyMap<string, IndexSum>,
  state: PlanState,
): Planned {
  const { storage } = state;
  const found: IndexSum[] = [];
  for (const axis of value.axes) {
    if (axis.factor !== undefined) return unsupported("labels that several axes decide, of rows");
    const label = sums.get(axis.name) ?? sumOf(labels.get(axis.name), axis);
    if (label === undefined) return unsupported("labels that several axes decide, one without an index");
    found.push(label);
  }
  const margins = found.map((label, at) => marginOf(label, element(value.axes, at).size));
  const isWithin = margins.every(({ before, behind }) => before === 0 && behind === 0);
  const around = isWithin ? undefined : labelsAround(value, margins);
  if (!isWithin && around === undefined)
    return unsupported("labels that several axes decide, many of them absent");
  const read = around === undefined ? value : view(node, value, around, state);
  if (!isValue(read)) return read;
  const { source } = storage.store(read, node.tensor.type.cellType, node.span);
  const strided = new StridedAxes(storage.tables, source.access.offset);
  for (const [at, label] of found.entries()) {
    const base = label.base + element(margins, at).before;
    if (!strided.add(element(source.access.strides, at), { ...label, base }))
      return unsupported("labels that several axes decide, of rows in another order");
  }
  const { axes, offset, strides } = strided;
  return { axes, source: stored({ ...source.access, offset, strides }) };
}

/** A label of one axis, or of none, as a sum; nothing of an axis without an index. */
function sumOf(label: SliceLabel | undefined, axis: Axis): IndexSum | undefined {
  if (label === undefined) {
    const rows = { first: 0, step: 1, length: axis.size };
    return { kind: "sum", base: 0, terms: [{ axis, rows }] };
  }
  if (label.kind === "uniform") return { kind: "sum", base: Number(label.text), terms: [] };
  if (label.axis.size === 0) return undefined;
  const rows = label.even ?? rowsOf(Int32Array.from(label.numbers));
  const base = rowAt(rows, 0);
  return { kind: "sum", base, terms: [{ axis: label.axis, rows: movedBy(rows, -base) }] };
}

/** The axes of a strided read, each once however many terms it has. */
class StridedAxes {
  readonly axes: Axis[] = [];
  readonly strides: BufferStride[] = [];
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly tables: Tables,
    public offset: number,
  ) {}

  /** Adds what the labels of an axis with this stride are read at. False where the stride is no number. */
  add(stride: BufferStride, { base, terms }: IndexSum): boolean {
    if (typeof stride !== "number") return false;
    this.offset += stride * base;
    for (const { axis, rows } of terms) {
      if (axis.name === undefined) return false;
      const at = this.positions.get(axis.name) ?? this.axes.push(axis) - 1;
      this.positions.set(axis.name, at);
      this.strides[at] = this.tables.sum(this.strides[at] ?? none, this.tables.along(stride, rows).stride);
    }
    return true;
  }
}

/** The stride of an axis that nothing was read along. */
const none: BufferStride = 0;

/** What is not there is 0 in a scalar or a dense result, and leaves no row in one with mapped dimensions. */
function absent({ type }: NodeOf<"slice">, axes: readonly Axis[]): Planned {
  return type.isDense ? { axes, source: constant(0).source } : unsupported("a slice without rows");
}

const textOf = (text: string): SliceLabel => ({ kind: "uniform", text });

function computedLabel(
  node: NodeOf<"slice">,
  label: Node,
  state: PlanState,
  scope: Scope,
): SliceLabel | IndexSum | Pending | Unsupported {
  const value = scope.value(label);
  if (value.axes.length > 1) return indexSum(label, scope, state.storage.tables);
  if (value.axes.length > 0) return varyingLabels(value, state.storage.tables);
  if (value.source.kind === "constant") return textOf(wholeLabel(value.source.value));
  if (label.depends !== 0 || scope.isBody) return unsupported("a label that cells decide, in a body");
  const { access } = state.storage.store(value, "double", label.span).source;
  const request = { kind: "label", node: label, access } as const;
  const text = state.requests.outcome(request, node);
  return text === undefined ? { kind: "pending", request } : textOf(text);
}

/** The row of each label of a dictionary, in the only column of an index; −1 of those that it does not have. */
function rowsOfIds(column: Int32Array, labels: number): Int32Array {
  const rows = new Int32Array(labels).fill(-1);
  for (let row = 0; row < column.length; row++) rows[intAt(column, row)] = row;
  return rows;
}

/** The axes of a slice, as those of the sliced value are gone through. */
class SlicedAxes {
  readonly axes: Axis[] = [];
  readonly images: AxisImage[] = [];
  /** Which indexes of hidden axes have a label that is there. */
  readonly conditions: Value[] = [];
  isAbsent = false;
  /** Of the indexed axes, by their names. */
  private readonly positions = new Map<string, number>();

  constructor(private readonly tables: Tables) {}

  /** The image of an indexed axis, at a label or at none. */
  indexed(axis: Axis, label: SliceLabel | undefined): AxisImage | Unsupported {
    if (label === undefined) return { axis: this.addAxis(axis) };
    if (label.kind === "uniform") {
      const index = Number(label.text);
      const isPresent = index >= 0 && index < axis.size;
      if (!isPresent) this.isAbsent = true;
      return { at: isPresent ? index : 0 };
    }
    const lookup = lookUpIndexes(label, axis.size, this.tables);
    if (isUnsupported(lookup)) return lookup;
    if (lookup.condition !== undefined) this.conditions.push(lookup.condition);
    return { axis: this.addAxis(label.axis), rows: lookup.rows };
  }

  /** The image of a factor, of which some dimensions have labels. */
  rows(axis: FactorAxis, labels: ReadonlyMap<string, SliceLabel>): AxisImage | Unsupported {
    const { factor } = axis;
    const texts = new Map<string, string>();
    for (const name of factor.names) {
      const label = labels.get(name);
      if (label?.kind === "varying") return this.lookUpRow(axis, label);
      if (label !== undefined) texts.set(name, label.text);
    }
    if (texts.size === 0) return { axis: this.addAxis(axis) };
    const selected = selectRows(factor, texts);
    if (selected.factor !== undefined)
      return { axis: this.addAxis(factorAxis(selected.factor)), rows: selected.rows };
    const [row = this.absentRow()] = selected.rows;
    return { at: row };
  }

  /** A label for each index of a hidden axis: rows are found one by one, of factors of that dimension alone. */
  private lookUpRow(
    { factor }: FactorAxis,
    label: Extract<SliceLabel, { kind: "varying" }>,
  ): AxisImage | Unsupported {
    const [dictionary] = factor.index.dictionaries;
    const [column] = factor.index.columns;
    if (factor.names.length > 1 || dictionary === undefined || column === undefined)
      return unsupported("computed labels of several mapped dimensions");
    if (factor.index.rows === 0) return { at: this.absentRow() };
    const rows = rowsOfIds(column, dictionary.size);
    const rowOf = (text: string): number => {
      const id = dictionary.id(text);
      return id < 0 ? -1 : intAt(rows, id);
    };
    const lookup = lookUpNames(label, factor.index.rows, rowOf, this.tables);
    if (isUnsupported(lookup)) return lookup;
    if (lookup.condition !== undefined) this.conditions.push(lookup.condition);
    return { axis: this.addAxis(label.axis), rows: lookup.rows };
  }

  /** Any row: what is absent is not read. */
  private absentRow(): number {
    this.isAbsent = true;
    return 0;
  }

  /** Where an axis is; one that is there already is the same. */
  private addAxis(axis: Axis): number {
    const at = axis.factor === undefined ? this.positions.get(axis.name) : this.positionOf(axis);
    if (at !== undefined) return at;
    const added = this.axes.push(axis) - 1;
    if (axis.factor === undefined) this.positions.set(axis.name, added);
    return added;
  }

  private positionOf({ factor }: FactorAxis): number | undefined {
    const names = factor.names.join();
    const at = this.axes.findIndex(
      (each) => each.factor?.index === factor.index && each.factor.names.join() === names,
    );
    return at < 0 ? undefined : at;
  }
}
