import { element } from "../../../../language/values/element.js";
import { axisName, sizeAt } from "../../axes.js";
import { rename, stacked } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { renamed } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { activationsOf } from "./activations.js";
import { type Cell, gated, longShort, type State, simple } from "./cells.js";
import { batch, Direction } from "./direction.js";
import { plainWeights, quantisedWeights, type RecurrentWeights } from "./weights.js";

/**
 * Networks that go along a sequence. The language has no loop, so that the steps are written out, each as the values of one
 * element of the sequence. Within a step `y` is the batch and `z` the hidden units; gates are computed together, along `x`.
 */

/** Longer sequences would become programs that nobody waits for. */
const mostSteps = 512;

interface Run {
  /** The output of each element of the sequence, in its order. */
  readonly outputs: readonly string[];
  readonly last: State;
}

/** All steps of one direction; where the sequences have lengths of their own, the state stays from there on. */
function run(own: Direction, cell: Cell, isReverse: boolean): Run {
  const { node } = own;
  const lengths = node.optional(4);
  const steps = cell.step(own);
  const outputs: string[] = [];
  let state: State = { h: own.initial(5), c: cell === longShort ? own.initial(6) : undefined };
  for (let at = 0; at < own.steps; at++) {
    const step = isReverse ? own.steps - 1 - at : at;
    const next = steps(step, state);
    if (lengths === undefined) {
      outputs[step] = next.h?.text ?? "0";
      state = next;
      continue;
    }
    const isWithin = `(${renamed(lengths, [batch])} > ${step})`;
    const chosen = (suffix: string, value: Value | undefined, otherwise: string): Value | undefined =>
      value && own.value(suffix, `where(${isWithin}, ${value.text}, ${otherwise})`);
    outputs[step] = chosen("shown", next.h, "0")?.text ?? "0";
    state = {
      h: chosen("h", next.h, state.h?.text ?? "0"),
      c: chosen("c", next.c, state.c?.text ?? "0"),
    };
  }
  return { outputs, last: state };
}

const directions: Readonly<Record<string, readonly boolean[]>> = {
  forward: [false],
  reverse: [true],
  bidirectional: [false, true],
};

/** Refuses inputs that are not of the sizes which the sequence and the first weights have. */
function checkInputs(
  node: NodeImport,
  { of }: RecurrentWeights,
  gates: number,
  directions: number,
  isBatchFirst: boolean,
): void {
  const [x, weights] = [node.input(0), of(1)];
  const [first, second, width] = node.withAxes(x.shape, 3);
  const batches = isBatchFirst ? first : second;
  const rows = sizeAt(weights.shape, 1);
  const units = rows / gates;
  const state = isBatchFirst ? [batches, directions, units] : [directions, batches, units];
  const shapes = [
    [first, second, width],
    [directions, rows, width],
    [directions, rows, units],
    [directions, 2 * rows],
    [batches],
    ...[state, state],
    [directions, 3 * units],
  ];
  for (const [position, shape] of shapes.entries()) {
    const value = position === 1 || position === 2 ? of(position) : node.optional(position);
    if (value !== undefined) node.checkFit(`${value.shape}` === `${shape}`, [x, weights, value]);
  }
}

const recurrent =
  (cell: Cell, weightsOf = plainWeights): Become =>
  (node) => {
    const name = node.text("direction", "forward").toLowerCase();
    const reversed = Object.hasOwn(directions, name) ? directions[name] : undefined;
    if (reversed === undefined) return node.refuse({ kind: "attribute", name: "direction", value: name });
    const { length: count } = reversed;
    const isBatchFirst = node.integer("layout", 0) === 1;
    const steps = sizeAt(node.input(0).shape, isBatchFirst ? 1 : 0) * count;
    if (steps > mostSteps) node.refuse({ kind: "too long", most: mostSteps });
    const weights = weightsOf(node);
    checkInputs(node, weights, cell.gates, count, isBatchFirst);
    const activations = activationsOf(node, cell.activations, count);
    const all = reversed.map(
      (_, at) => new Direction(node, at, cell.gates, element(activations, at), weights),
    );
    const runs = all.map((own, at) => run(own, cell, element(reversed, at)));
    const [own] = all;
    if (own === undefined) return;
    defineOutputs(node, own, runs, isBatchFirst);
  };

function defineOutputs(node: NodeImport, own: Direction, runs: readonly Run[], isBatchFirst: boolean): void {
  const { batches, steps, units } = own;
  const { element } = node.input(0);
  const count = runs.length;
  // Within a step y is the batch and z the units; before them lie the sequence, as w, and the directions, as x.
  if (node.isUsed(0)) {
    const along = runs.map(({ outputs }) => stacked(outputs, axisName(4, 0)));
    const text = stacked(along, axisName(4, 1));
    const shape = isBatchFirst ? [batches, steps, count, units] : [steps, count, batches, units];
    node.define(isBatchFirst ? reordered(text, [steps, count, batches], 4) : text, shape, element);
  }
  const lasts = runs.map(({ last }) => last);
  const shape = isBatchFirst ? [batches, count, units] : [count, batches, units];
  for (const [position, values] of [
    [1, lasts.map(({ h }) => h)],
    [2, lasts.map(({ c }) => c)],
  ] as const) {
    if (!node.isUsed(position)) continue;
    const text = stacked(
      values.map((value) => value?.text ?? "0"),
      axisName(3, 0),
    );
    node.define(isBatchFirst ? reordered(text, [count, batches], 3) : text, shape, element, position);
  }
}

/** The last of some leading axes, which is the batch, comes first. */
function reordered(text: string, sizes: readonly number[], rank: number): string {
  const last = sizes.length - 1;
  const pairs = sizes.map(
    (_, axis) => [axisName(rank, axis), axisName(rank, axis === last ? 0 : axis + 1)] as const,
  );
  return rename(
    text,
    pairs.filter((_, axis) => sizes[axis] !== 1),
  );
}

// biome-ignore format: a table
export const recurrence: OperatorTable = {
  GRU:                                 { 7: recurrent(gated) },
  LSTM:                                { 7: recurrent(longShort) },
  RNN:                                 { 7: recurrent(simple) },
  "com.microsoft.DynamicQuantizeLSTM": { 1: recurrent(longShort, quantisedWeights) },
};
