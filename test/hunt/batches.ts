import { cellTypes } from "../../src/language/types/cell.js";
import { indexed, TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { type Answer, type Outcome, outcomeOf, type Run, type Subject } from "./runs.js";

/** Runs of one layout as one run of many at once. */

/** Dimensions of a batch: before most of those of a program, and behind them. */
export type BatchDimension = "batch" | "zbatch";

/** What came of each of these runs, whose inputs but for the fixed ones are passed together; nothing where there are none. */
export function manyAtOnce(
  subject: Subject,
  batch: BatchDimension,
  fixed: Readonly<Record<string, Tensor>>,
  runs: readonly Run[],
): readonly Answer[] {
  const names = subject.program.inputs.map(({ name }) => name).filter((name) => !Object.hasOwn(fixed, name));
  if (names.length === 0) return [];
  const values = runs.map((run) => subject.inputs(run));
  const together = Object.fromEntries(
    names.map((name) => [
      name,
      stacked(
        batch,
        values.flatMap((inputs) => inputs[name] ?? []),
      ),
    ]),
  );
  const outcome = outcomeOf(() => [subject.prepared(fixed).runBatch(batch, together)]);
  // Not everything can be computed for many at once.
  if (outcome.kind === "problems" && outcome.codes.startsWith("batch/")) return [];
  return runs.map((run, at) => ({ run, outcome: item(outcome, batch, at) }));
}

/** Tensors of one layout along a dimension of their number. */
function stacked(batch: BatchDimension, all: readonly Tensor[]): Tensor {
  const [one] = all;
  if (one === undefined) throw new Error("nothing to stack");
  const { cellType, dimensions } = one.type;
  const cellsOfBatch = one.type.isScalar ? "double" : cellType;
  const type = TensorType.of(cellsOfBatch, [...dimensions, indexed(batch, all.length)]);
  const sizes = type.indexed.map(({ name }) => (name === batch ? all.length : sizeOf(one, name)));
  const cells = cellTypes[type.cellType].allocate(one.data.length * all.length);
  const whole = Tensor.of(type, sizes, one.labels, cells);
  for (const [at, tensor] of all.entries())
    for (const [cell, position] of positionsOf(whole, batch, at).entries())
      cells[position] = tensor.data[cell] ?? 0;
  return whole;
}

/** What came of one of many. */
function item(outcome: Outcome, batch: BatchDimension, at: number): Outcome {
  if (outcome.kind !== "values") return outcome;
  return outcomeOf(() =>
    outcome.values.map((whole) => {
      const dimensions = whole.type.dimensions.filter(({ name }) => name !== batch);
      const type = TensorType.of(dimensions.length === 0 ? "double" : whole.type.cellType, dimensions);
      const positions = positionsOf(whole, batch, at);
      const cells = cellTypes[type.cellType].allocate(positions.length);
      for (const [cell, position] of positions.entries()) cells[cell] = whole.data[position] ?? 0;
      const sizes = type.indexed.map(({ name }) => sizeOf(whole, name));
      return Tensor.of(type, sizes, whole.labels, cells);
    }),
  );
}

const sizeOf = ({ type, sizes }: Tensor, name: string): number =>
  sizes[type.indexed.findIndex((each) => each.name === name)] ?? 0;

/** Where the cells of one of many lie, in their order. */
function positionsOf(
  { type, sizes, rows, blockCells }: Tensor,
  batch: BatchDimension,
  at: number,
): readonly number[] {
  const axis = type.indexed.findIndex(({ name }) => name === batch);
  const below = sizes.slice(axis + 1).reduce((product, size) => product * size, 1);
  const positions = Array.from({ length: rows * blockCells }, (_, position) => position);
  return positions.filter((position) => Math.floor(position / below) % (sizes[axis] ?? 1) === at);
}
