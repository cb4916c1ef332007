import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { anyCells, cellsOf, cellsThatDecayTo } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";

/** What computes with the dense blocks of a tensor. */
export const subspaces: readonly Form[] = [
  {
    name: "map_subspaces",
    weight: 6,
    fits: () => true,
    make: (goal, builder) => {
      const { choice, dimensions } = builder;
      const { type, scope } = goal;
      const body = type.withDimensions(type.indexed);
      const more = dimensions.others(type.names, choice.below(3), true, !scope.isOpen);
      // In a body an unbound tensor can only come from the block.
      const shared = type.indexed.filter(({ size }) => size === undefined || choice.percent(60));
      const decays = body.isScalar && !type.isScalar;
      if (decays && type.cellType !== "double" && type.cellType !== "float") return undefined;
      const cellType = decays ? cellsThatDecayTo(type.cellType, choice) : anyCells(choice);
      const source = TensorType.of(cellType, [...type.mapped, ...shared, ...more]);
      const tensor = builder.part(goal, source);
      const inner = block(source, body, goal, builder);
      return expressionOf("map_subspaces", type)`map_subspaces(${tensor}, ${inner})`;
    },
  },
  {
    name: "filter_subspaces",
    weight: 4,
    fits: ({ type }) => type.mapped.length > 0,
    make: (goal, builder) => {
      const { type } = goal;
      const { choice } = builder;
      const result = choice.percent(50)
        ? TensorType.scalar
        : TensorType.of(
            anyCells(choice),
            type.indexed.filter(({ size }) => size !== undefined),
          );
      const tensor = builder.part(goal, type);
      const inner = block(type, result, goal, builder);
      return expressionOf("filter_subspaces", type)`filter_subspaces(${tensor}, ${inner})`;
    },
  },
];

/** A lambda of the dense blocks of a tensor. */
function block(source: TensorType, result: TensorType, goal: Goal, builder: Builder): Expression {
  const name = builder.fresh("b");
  const parameter = { name, type: source.withDimensions(source.indexed) };
  const scope = builder.scopeOfLambda(goal, [parameter]);
  const blocks = cellsOf(source.withDimensions(source.mapped));
  const body = builder.part(goal, result, scope, goal.budget / blocks);
  return expressionOf("lambda", result)`f(${name})(${body})`;
}
