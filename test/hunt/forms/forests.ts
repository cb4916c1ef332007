import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { assembled, type Expression, expressionOf } from "../expression.js";

/** Sums of decision trees: choices within choices, whose conditions compare numbers. */
export const forests: readonly Form[] = [
  {
    name: "forest",
    weight: 1,
    fits: ({ type, scope, depth }) => type.isScalar && scope.isOpen && depth > 1,
    make: (goal, builder) => forest(goal, builder),
  },
];

export function forest(goal: Goal, builder: Builder): Expression {
  const features = Array.from({ length: 3 }, () => builder.leaf(goal));
  const trees = Array.from({ length: builder.choice.between(1, 5) }, () => tree(features, 4, builder));
  return assembled("forest", TensorType.scalar, [
    "(",
    ...trees.flatMap((each, at) => (at === 0 ? [each] : [" + ", each])),
    ")",
  ]);
}

function tree(features: readonly Expression[], depth: number, builder: Builder): Expression {
  const { choice } = builder;
  if (depth === 0 || choice.percent(10)) return builder.number();
  const operator = choice.oneOf(["<", "<", ">=", ">", "<=", "==", "!="]);
  const condition = expressionOf(
    "operator",
    TensorType.scalar,
  )`${choice.oneOf(features)} ${operator} ${builder.number()}`;
  const asked = choice.percent(10) ? expressionOf("prefix", TensorType.scalar)`!(${condition})` : condition;
  const [yes, no] = [tree(features, depth - 1, builder), tree(features, depth - 1, builder)];
  return expressionOf("if", TensorType.scalar)`if(${asked}, ${yes}, ${no})`;
}
