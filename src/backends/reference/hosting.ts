import type { NodeOf } from "../../language/core/operations.js";
import type { Tensor } from "../../language/values/tensor.js";
import { hostCallSteps, type Steps } from "../meter.js";
import { type EvaluationContext, type ReferenceValue, unboxed } from "./context.js";

/** A function of the host: its result for copies of the arguments, which it may keep as long as it likes. */
export function* host(run: EvaluationContext, node: NodeOf<"host">): Steps<ReferenceValue> {
  const { function: operation, span } = node;
  const { meter } = run.options;
  const values = node.arguments.map((each) => run.tensor(each).copy());
  const returned = operation.call(values, span);
  const result = isTensor(returned) ? returned : yield* settled(returned, node);
  if (!isTensor(returned) && node.depends === 0) run.options.promised?.(node, unboxed(result));
  const cells = result.rows * result.blockCells;
  meter.allow(cells, span, result.rows);
  const work = values.reduce((sum, { rows, blockCells }) => sum + rows * blockCells, hostCallSteps + cells);
  if (meter.spend(work, span)) yield;
  return unboxed(result);
}

const isTensor = (returned: Tensor | Promise<Tensor>): returned is Tensor => !(returned instanceof Promise);

/** Waits for what the host promised. */
function* settled(promise: Promise<Tensor>, node: NodeOf<"host">): Steps<Tensor> {
  const settlement: { result?: Tensor } = {};
  const awaited = promise.then((result) => {
    settlement.result = result;
  });
  yield { promise: awaited, name: node.function.name, span: node.span };
  if (settlement.result === undefined) throw new Error("a run goes on when what it waits for is there");
  return settlement.result;
}
