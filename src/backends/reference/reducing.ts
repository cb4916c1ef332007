import type { NodeOf } from "../../language/core/operations.js";
import {
  type AggregatorName,
  aggregators,
  type Fold,
  type Ranking,
} from "../../language/scalar/aggregators.js";
import type { Span } from "../../language/source/span.js";
import type { Dimension } from "../../language/types/type.js";
import { Rows } from "../../language/values/data/rows.js";
import { element, intAt, numberAt } from "../../language/values/element.js";
import { offsetsOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Meter, Steps } from "../meter.js";
import { labelsIn, stridesAlong } from "./axes.js";
import type { EvaluationContext, ReferenceValue } from "./context.js";
import { sortedPositions } from "./sorting.js";
import { allow, storedRows } from "./storing.js";

/**
 * reduce: cells that agree in the remaining dimensions form a group, in canonical order; each group that has a cell is
 * aggregated. A dense result has zeros where there was none.
 */
export function* reduce(run: EvaluationContext, node: NodeOf<"reduce">): Steps<ReferenceValue> {
  const tensor = run.tensor(node.tensor);
  const { type, span } = node;
  const sizes = type.indexed.map(({ name }) => sizeOf(tensor.type.indexed, tensor.sizes, name));
  allow(run, type, sizes, tensor.rows, span);
  const retained = type.mapped.map(({ name }) => name);
  const names = tensor.type.indexed.map(({ name }) => name);
  const target = offsetsOf(tensor.sizes, stridesAlong({ type, sizes }, names), tensor.rows);

  const rows = new Rows(type, sizes);
  const groups = new Map<Float64Array, CellGroup[]>();
  for (let row = 0; row < tensor.rows; row++) {
    const block = rows.block(labelsIn(tensor, row, retained));
    const blockGroups = groups.get(block) ?? Array.from(block, () => groupOf(node.aggregator));
    groups.set(block, blockGroups);
    for (let cell = 0; cell < tensor.blockCells; cell++) {
      element(blockGroups, numberAt(target, cell)).add(tensor.at(row * tensor.blockCells + cell));
      if (run.options.meter.spend(1, span)) yield;
    }
  }
  for (const [block, blockGroups] of groups) {
    for (const [at, group] of blockGroups.entries()) {
      if (group.count > 0) block[at] = yield* group.value(run.options.meter, span);
      if (run.options.meter.spend(1, span)) yield;
    }
  }
  return yield* storedRows(run, rows, span);
}

/** The sum of all cells of a tensor. */
export function* sumOf(tensor: Tensor, meter: Meter, span: Span): Steps<number> {
  const group = groupOf("sum");
  for (let at = 0; at < tensor.data.length; at++) group.add(tensor.at(at));
  return yield* group.value(meter, span);
}

/** The cells of a group, as far as the aggregator must remember them. */
interface CellGroup {
  readonly count: number;
  add(cell: number): void;
  value(meter: Meter, span: Span): Steps<number>;
}

function groupOf(name: AggregatorName): CellGroup {
  const aggregator: Fold | Ranking = aggregators[name];
  return "step" in aggregator ? new FoldedGroup(aggregator) : new RankedGroup(aggregator);
}

class FoldedGroup implements CellGroup {
  count = 0;
  private total: number;
  private lost = 0;

  constructor(private readonly fold: Fold) {
    this.total = fold.start ?? 0;
  }

  add(cell: number): void {
    const isStart = this.count++ === 0 && this.fold.start === undefined;
    const total = isStart ? cell : this.fold.step(this.total, cell);
    // Of two terms the smaller one loses digits; without this a long sum would drift (D16).
    const [large, small] = Math.abs(this.total) >= Math.abs(cell) ? [this.total, cell] : [cell, this.total];
    if (this.fold.compensated && Number.isFinite(total)) this.lost += large - total + small;
    this.total = total;
  }

  // biome-ignore lint/correctness/useYield: all steps were taken when the cells came
  *value(): Steps<number> {
    const total = Number.isFinite(this.total) && this.lost !== 0 ? this.total + this.lost : this.total;
    return this.fold.finish?.(total, this.count) ?? total;
  }
}

class RankedGroup implements CellGroup {
  private readonly cells: number[] = [];

  constructor(private readonly ranking: Ranking) {}

  get count(): number {
    return this.cells.length;
  }

  add(cell: number): void {
    this.cells.push(cell);
  }

  *value(meter: Meter, span: Span): Steps<number> {
    const { cells } = this;
    if (cells.some(Number.isNaN)) return Number.NaN;
    const compare = (left: number, right: number): number =>
      element(cells, left) - element(cells, right) || 0;
    const positions = yield* sortedPositions(cells.length, compare, meter, span);
    return this.ranking.ofSorted((rank) => element(cells, intAt(positions, rank)), cells.length);
  }
}

/** The size of a dimension that is there. */
function sizeOf(dimensions: readonly Dimension[], sizes: readonly number[], name: string): number {
  return element(
    sizes,
    dimensions.findIndex((each) => each.name === name),
  );
}
