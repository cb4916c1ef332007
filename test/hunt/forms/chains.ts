import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { isComputed } from "../dimensions.js";
import { assembled, listed } from "../expression.js";
import { mappedFrom, operators } from "./elementwise.js";

/** Operators without brackets: what they are operators of is for the language to say, and is of the same type whatever it is. */
export const chains: readonly Form[] = [
  {
    name: "chain",
    weight: 8,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const { choice } = builder;
      const count = choice.between(2, 5);
      // One operand has the dimensions of all.
      const whole = choice.below(count);
      const links = Array.from({ length: count }, (_, at) => [
        ...(at === 0 ? [] : [` ${choice.oneOf(operators)} `]),
        choice.oneOf(["", "", "", "-", "!"]),
        builder.part(goal, at === whole ? mappedFrom(goal, builder) : TensorType.scalar),
        ...(choice.percent(15) ? membership(goal, builder) : []),
      ]);
      return assembled("chain", goal.type, ["(", ...links.flat(), ")"]);
    },
  },
];

/** Whether what is on the left is one of some numbers. */
function membership(goal: Goal, builder: Builder): Parameters<typeof assembled>[2] {
  const items = Array.from({ length: builder.choice.between(1, 2) }, () => builder.scalar(goal));
  return [" in [", ...listed(items), "]"];
}
