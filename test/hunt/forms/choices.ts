import { cellTypes } from "../../../src/language/types/cell.js";
import type { Dimension } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { assembled, type Expression, expressionOf } from "../expression.js";

/** What is one of several expressions. */
export const choices: readonly Form[] = [
  {
    name: "if",
    weight: 7,
    fits: () => true,
    make: (goal, builder) => {
      const { type } = goal;
      const condition = builder.scalar(goal);
      return expressionOf(
        "if",
        type,
      )`if(${condition}, ${branch(goal, builder)}, ${builder.part(goal, type)})`;
    },
  },
  {
    name: "switch",
    weight: 2,
    fits: () => true,
    make: (goal, builder) => {
      const { type } = goal;
      const cases = Array.from({ length: builder.choice.between(1, 2) }, () => [
        ...["case ", builder.scalar(goal), ": ", branch(goal, builder), ", "],
      ]);
      const value = builder.scalar(goal);
      const pieces = [
        "switch (",
        value,
        ") { ",
        ...cases.flat(),
        "default: ",
        builder.part(goal, type),
        " }",
      ];
      return assembled("switch", type, pieces);
    },
  },
];

/** A branch of the type, or of one that the type generalises. */
function branch(goal: Goal, builder: Builder): Expression {
  const { choice, dimensions } = builder;
  const { type } = goal;
  if (type.isScalar || choice.percent(70)) return builder.part(goal, type);
  const cellType = choice.percent(50) ? type.cellType : choice.oneOf(cellTypes[type.cellType].holds);
  const bound = (each: Dimension): Dimension =>
    each.kind === "mapped" || each.size !== undefined || choice.percent(50)
      ? each
      : { ...each, size: dimensions.size() };
  return builder.part(goal, type.withDimensions(type.dimensions.map(bound)).withCells(cellType));
}
