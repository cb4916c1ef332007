import type { NodeImport } from "../../node.js";
import { elementAt, generated } from "../../operand.js";
import type { Value } from "../../value.js";
import { dynamicallyQuantised } from "../quantisation.js";

/** The weights of recurrent networks, and what values are multiplied with them as. */

/** The input that has weights: those for the sequence, or for the output of the step before. */
export type WeightsInput = 1 | 2;

/** A value as it is multiplied with weights, and what scales the sums. */
interface Operand {
  readonly value: Value;
  readonly scale: Value;
  /** The scale of the weights: one for each direction, or for each unit of each gate, too. */
  readonly weightScale: Value;
}

export interface RecurrentWeights {
  /** For each direction a row of weights for each unit of each gate. */
  readonly of: (position: WeightsInput) => Value;
  /** Nothing where a value is multiplied as it is. */
  readonly operand: (value: Value, position: WeightsInput) => Operand | undefined;
}

export const plainWeights = (node: NodeImport): RecurrentWeights => ({
  of: (position) => node.input(position),
  operand: () => undefined,
});

/** Bytes that stand for weights, in columns and not in rows; what they are multiplied with becomes bytes, too, each time. */
export function quantisedWeights(node: NodeImport): RecurrentWeights {
  const centred = { 1: centredRows(node, 1), 2: centredRows(node, 2) };
  return {
    of: (position) => centred[position],
    operand: (x, position) => {
      const inner = (suffix: string) => (text: string) => node.intermediate(suffix, text, [], "float", [x]);
      const { text, scale, zero } = dynamicallyQuantised(node, x, inner("scale"), inner("zero"));
      const value = node.intermediate("bytes", `${text} - ${zero.text}`, x.shape, x.element, [x]);
      return { value, scale, weightScale: node.input(scaleOf(position)) };
    },
  };
}

const scaleOf = (position: WeightsInput): number => (position === 1 ? 8 : 10);

/** The weights without their zero point, which floats hold exactly. */
function centredRows(node: NodeImport, position: WeightsInput): Value {
  const [weights, zero] = [node.input(position), node.input(scaleOf(position) + 1)];
  const [directions, width, rows] = node.withAxes(weights.shape, 3);
  const isFitting = [`${[directions]}`, `${[directions, rows]}`];
  for (const each of [zero, node.input(scaleOf(position))])
    node.checkFit(isFitting.includes(`${each.shape}`), [weights, each]);
  const shape = [directions, rows, width];
  const text = generated(
    shape,
    "float",
    ([direction = "0", row = "0", column = "0"]) =>
      `${elementAt(weights, [direction, column, row])} - ${elementAt(zero, [direction, row])}`,
  );
  return node.intermediate("centred", text, shape, "float", [weights, zero]);
}
