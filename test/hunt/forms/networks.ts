import { type Dimension, indexed, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import type { Choice } from "../choice.js";
import { isComputed } from "../dimensions.js";
import { assembled, type Expression, expressionOf } from "../expression.js";

/**
 * Layers as neural networks have them: products of matrices, and what becomes of each sum. What a plan does with all of a layer
 * at once needs so much to fit that other forms seldom come by it.
 */
export const networks: readonly Form[] = [
  {
    name: "network",
    weight: 4,
    whenLarge: 40,
    fits: ({ type, scope }) =>
      scope.isOpen && isComputed(type) && type.isDense && type.isBound && type.names.length > 0,
    make: network,
  },
];

/** Whole groups of lanes, and not. */
const sizes = [2, 3, 4, 4, 7, 8, 8, 12, 16, 24];

/** The type of what a network gives for each item of a batch. */
export const networkType = (choice: Choice): TensorType =>
  TensorType.of(
    choice.percent(75) ? "float" : "double",
    choice.shuffled(["x", "y", "z"]).flatMap((name, at) => {
      const isThere = at === 0 || choice.percent(at === 1 ? 80 : 15);
      return isThere ? [indexed(name, choice.oneOf(sizes))] : [];
    }),
  );

function network(goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  const { cellType, dimensions } = goal.type;
  const leaf = (all: readonly Dimension[]): Expression =>
    builder.leaf({ ...goal, type: TensorType.of(cellType, all) });
  const last = choice.oneOf(dimensions);
  const items = dimensions.filter((each) => each !== last);
  const [first, ...more] = Array.from({ length: choice.oneOf([1, 1, 2, 3]) }, (_, at) =>
    indexed(`n${at}`, choice.oneOf(sizes)),
  );
  let input = first ?? last;
  let values = leaf([...items, input]);
  for (const output of [...more, last]) {
    const type = TensorType.of(cellType, [...items, output]);
    const sum = expressionOf("sum", type)`reduce((${values} * ${leaf([input, output])}), sum, ${input.name})`;
    values = layer(sum, leaf(choice.oneOf([[output], [output], items, [...items, output], []])), choice);
    input = output;
  }
  return values;
}

/** What may become of a sum, with a number for each cell, or each along some of its dimensions. */
const layers = [
  "relu(SUM + BIAS)",
  "max(SUM * BIAS, 0)",
  "min(max(SUM + BIAS, 0), 6)",
  "abs(SUM) - BIAS",
  "BIAS - SUM * 2",
  "sqrt(square(SUM) + 1) / 2 + BIAS",
  // Functions that kernels of products leave to others.
  "sigmoid(SUM + BIAS)",
];

function layer(sum: Expression, bias: Expression, choice: Choice): Expression {
  const pieces = choice.oneOf(layers).split(/(SUM|BIAS)/);
  const parts = pieces.map((piece) => (piece === "SUM" ? sum : piece === "BIAS" ? bias : piece));
  return assembled("operator", sum.type, ["(", ...parts, ")"]);
}
