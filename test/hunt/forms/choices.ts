import type { Form } from "../builder.js";
import { assembled, expressionOf } from "../expression.js";

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
      )`if(${condition}, ${builder.part(goal, type)}, ${builder.part(goal, type)})`;
    },
  },
  {
    name: "switch",
    weight: 2,
    fits: () => true,
    make: (goal, builder) => {
      const { type } = goal;
      const cases = Array.from({ length: builder.choice.between(1, 2) }, () => [
        ...["case ", builder.scalar(goal), ": ", builder.part(goal, type), ", "],
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
