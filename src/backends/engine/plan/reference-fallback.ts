import { inputsOf, lambdaOf, type Node, visit } from "../../../language/core/operations.js";
import { writeCell } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { finish, type Meter, type Steps } from "../../meter.js";
import { Evaluation, type Given, type Value as ReferenceValue } from "../../reference/evaluation.js";
import { Layout } from "../layout.js";
import { copyCells, indexOf, smallCells, valueIn } from "../marshalling.js";
import { needs } from "./needs.js";
import type { Planner } from "./planner.js";
import type { PlanSlot } from "./recorder.js";
import type { Value } from "./value.js";

/** What the reference needs of a run. */
export interface Run {
  readonly meter: Meter;
  readonly random: () => number;
  /** What was found by chance in this run: it is so in all of it. */
  readonly drawn: Map<Node, ReferenceValue>;
}

/**
 * The value of a node for which the engine has no way of its own: the reference finds it, from the cells of what the node
 * needs. Where the type tells all sizes this is a step like others; elsewhere the plan holds for this run only.
 */
export function* elsewhere(node: Node, planner: Planner, current: () => Run): Steps<Value> {
  const { scope, recorder } = planner;
  const inputs = needs(node, scope).map((input) => {
    const value = planner.store(scope.value(input), input.type.cellType, input.span);
    return { node: input, value };
  });
  const reads = inputs.flatMap(({ value: { source } }) =>
    source.kind === "stored" ? [source.access.slot] : [],
  );
  const evaluation = (): Evaluation => {
    const reference = new Evaluation(givenBy(current()));
    for (const input of inputs) reference.give(input.node, seenByReference(input.node, input.value));
    return reference;
  };
  if (node.type.isDense && node.type.isBound) {
    const sizes = node.type.indexed.map(({ size }) => size ?? 0);
    const slot = planner.slot(node.type.cellType, node.type.blockSize, node.span);
    const slowly = function* (): Steps<void> {
      const { drawn } = current();
      const value = drawn.get(node) ?? (yield* evaluation().value(node));
      if (hasChance(node)) drawn.set(node, value);
      put(slot, value);
    };
    const run = (): void => finish(slowly());
    const step = { extent: 1, work: node.type.blockSize, run, says: `${node.op}, by the reference` };
    recorder.add(step, node.span, hasChance(node) ? [slot] : reads, slot, slowly);
    return valueIn(slot, node.type, sizes, undefined);
  }
  yield* recorder.flush(planner.surroundings.meter);
  planner.isReplayable = false;
  const value = yield* evaluation().value(node);
  if (typeof value === "number") throw new Error("a scalar has a type that tells its size");
  const slot = recorder.slot(node.type.cellType, value.data.length);
  put(slot, value);
  return valueIn(slot, node.type, value.sizes, node.type.isDense ? undefined : indexOf(value));
}

const givenBy = ({ meter, random }: Run): Given => ({
  meter,
  random,
  // biome-ignore lint/correctness/useYield: nothing is asked for
  input: function* (name) {
    throw new Error(`the input ${name} was not given to the reference`);
  },
});

function put({ block, cellType }: PlanSlot, value: ReferenceValue): void {
  if (typeof value === "number") writeCell(cellType, block.cells, 0, value);
  else copyCells(value.data, block.cells);
}

/** The cells that a stored value has now. */
function seenByReference({ type }: Node, { axes, source }: Value): ReferenceValue {
  if (source.kind !== "stored") throw new Error("only stored cells can be seen from outside");
  const { access } = source;
  const { block } = access.slot;
  const isSmall = block.length <= smallCells;
  const tensor: Tensor = new Layout(type, { axes, access }).tensor(
    isSmall ? { copy: block.cells.slice() } : { block },
  );
  return type.isScalar ? tensor.at(0) : tensor;
}

const chances = new WeakMap<Node, boolean>();

/** Whether a node draws random numbers, so that it is another one each time. */
export function hasChance(root: Node): boolean {
  const known = chances.get(root);
  if (known !== undefined) return known;
  const open = [root];
  const seen = new Set<Node>(open);
  let found = false;
  for (let node = open.pop(); node !== undefined && !found; node = open.pop()) {
    found = node.op === "random";
    const lambda = lambdaOf(node);
    for (const part of [...visit(inputsOf, node), ...(lambda === undefined ? [] : [lambda.body])]) {
      if (!seen.has(part)) open.push(part);
      seen.add(part);
    }
  }
  chances.set(root, found);
  return found;
}
