import type { LiteralCell, NodeOf } from "../../../language/core/operations.js";
import { cellTypes, writeCell } from "../../../language/types/cell.js";
import { element, entry, intAt } from "../../../language/values/element.js";
import { LabelIndex } from "../../../language/values/labels/label-index.js";
import { boundSizes, lengthOf, valueIn } from "../values/tensor-value.js";
import { type Buffer, type LoopDraft, stored, type Value } from "../values/value.js";
import type { PlanState } from "./plan-state.js";
import { type Planned, unsupported } from "./planned.js";
import type { Scope } from "./scope.js";

/** A literal of more computed cells than these would be as many loops. */
const mostComputed = 256;

/**
 * literal: a buffer with the cells that are constant, copied first if there are any, and a loop for each that is computed.
 * The labels are written in the program, so that they are known while planning.
 */
export function literal(node: NodeOf<"literal">, state: PlanState, scope: Scope): Planned {
  const { type, cells, span } = node;
  if (!type.isBound) return unsupported("a literal of unbound size");
  const { index, rowOf } = rowsOf(node);
  const values = cells.map((cell) => ({
    value: scope.value(cell.value),
    at: rowOf(cell) * type.blockSize + cell.offset,
  }));
  const computed = values.filter(({ value }) => value.source.kind !== "constant");
  if (computed.length > mostComputed) return unsupported("a literal of many computed cells");
  if (computed.some(({ value }) => value.axes.length > 0)) return unsupported("a literal in a body");
  const sizes = boundSizes(type);
  const count = lengthOf(sizes, index);
  state.allow(count, span);
  const template = cellTypes[type.cellType].allocate(count);
  for (const { value, at } of values)
    if (value.source.kind === "constant") writeCell(type.cellType, template, at, value.source.value);
  const slot: Buffer = { cellType: type.cellType, length: count, origin: { kind: "cells", cells: template } };
  const templateCells = stored({ slot, cellType: type.cellType, offset: 0, strides: [1] });
  const templateAxes = [{ size: count, isReduced: false }];
  const copyLoop: LoopDraft = {
    kind: "loop",
    axes: templateAxes,
    source: templateCells,
    offset: 0,
    strides: [1],
  };
  const isTemplate = computed.length < count;
  const loops = [...(isTemplate ? [copyLoop] : []), ...computed.map(({ value, at }) => oneCell(value, at))];
  const buffer = state.storage.buffer(type.cellType, count, { kind: "loops", loops }, span);
  return valueIn(computed.length === 0 ? slot : buffer, type, sizes, index);
}

const oneCell = ({ source }: Value, offset: number): LoopDraft => ({
  kind: "loop",
  axes: [],
  source,
  offset,
  strides: [],
});

/** The rows that the cells lie in, and which of them a cell's labels name. */
function rowsOf({ type, cells }: NodeOf<"literal">): {
  readonly index: LabelIndex | undefined;
  readonly rowOf: (cell: LiteralCell) => number;
} {
  if (type.isDense) return { index: undefined, rowOf: () => 0 };
  const key = (labels: readonly string[]): string => JSON.stringify(labels);
  const distinct = [...new Map(cells.map(({ labels }) => [key(labels), labels])).values()];
  const { index, order } = LabelIndex.ofUnsorted(distinct, type.mapped.length);
  const rows = new Map(
    distinct.map((_, row) => [key(element(distinct, order === undefined ? row : intAt(order, row))), row]),
  );
  return { index, rowOf: ({ labels }) => entry(rows, key(labels)) };
}
