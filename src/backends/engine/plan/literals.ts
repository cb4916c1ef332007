import type { NodeOf } from "../../../language/core/operations.js";
import { cellTypes, writeCell } from "../../../language/types/cell.js";
import { LabelIndex } from "../../../language/values/label-index.js";
import type { Step } from "../loop.js";
import { copyCells, valueIn } from "../marshalling.js";
import type { Planner } from "./planner.js";
import type { Scope } from "./scope.js";
import { NoWay } from "./signals.js";
import type { Value } from "./value.js";

/** A literal of more computed cells than these would be as many steps. */
const mostSteps = 256;

/**
 * literal: a block with the cells that are known, copied first, and a step for each that is computed. The labels are
 * written in the program, so that they are known while planning.
 */
export function literal(node: NodeOf<"literal">, planner: Planner, scope: Scope): Value {
  const { type, cells, span } = node;
  if (!type.isBound) throw new NoWay();
  const values = cells.map((cell) => ({ ...cell, value: scope.value(cell.value) }));
  const computed = values.filter(({ value }) => value.source.kind !== "constant");
  if (computed.length > mostSteps || computed.some(({ value }) => value.axes.length > 0)) throw new NoWay();
  const { index, rowOf } = rowsOf(node);
  const rows = index?.rows ?? 1;
  const count = rows * type.blockSize;
  const slot = planner.slot(type.cellType, count, span);
  const known = planner.recorder.block(type.cellType, count);
  copyCells(cellTypes[type.cellType].allocate(count), known.cells);
  for (const { labels, offset, value } of values) {
    if (value.source.kind === "constant")
      writeCell(type.cellType, known.cells, rowOf(labels) * type.blockSize + offset, value.source.value);
  }
  const template = { slot: { block: known, isFixed: true }, cellType: type.cellType, offset: 0, steps: [1] };
  const parts: ReturnType<Planner["stepOf"]>[] = [copying(planner, template, slot, count)];
  for (const { labels, offset, value } of computed) {
    const at = rowOf(labels) * type.blockSize + offset;
    const target = { slot, cellType: type.cellType, offset: at, steps: [] };
    parts.push(planner.stepOf({ axes: [], target }, value.source));
  }
  // The parts are the same in every run together, or not at all.
  const reads = parts.flatMap((part) => part.reads);
  for (const { step } of parts) planner.recorder.add(step, span, reads, slot);
  return valueIn(
    slot,
    type,
    type.indexed.map(({ size }) => size ?? 0),
    index,
  );
}

type Template = Parameters<Planner["stepOf"]>[0]["target"];

function copying(
  planner: Planner,
  template: Template,
  slot: Template["slot"],
  count: number,
): { step: Step; reads: readonly Template["slot"][] } {
  const target = { ...template, slot };
  return planner.stepOf(
    { axes: [{ size: count, isReduced: false }], target },
    { kind: "stored", access: template },
  );
}

/** The rows that the cells lie in, and which a cell's labels are. */
function rowsOf({ type, cells }: NodeOf<"literal">): {
  index: LabelIndex | undefined;
  rowOf: (labels: readonly string[]) => number;
} {
  if (type.isDense) return { index: undefined, rowOf: () => 0 };
  const key = (labels: readonly string[]): string => JSON.stringify(labels);
  const distinct = [...new Map(cells.map(({ labels }) => [key(labels), labels])).values()];
  const { index, order } = LabelIndex.sorting(distinct, type.mapped.length);
  const rows = new Map(distinct.map((_, row) => [key(distinct[order?.[row] ?? row] ?? []), row]));
  return { index, rowOf: (labels) => rows.get(key(labels)) ?? 0 };
}
