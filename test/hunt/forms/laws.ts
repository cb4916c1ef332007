import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";
import { mappedFrom } from "./elementwise.js";

/** What an optimiser has another expression for: chance alone would seldom write it. */

type Shape = (part: Expression, again: Expression, goal: Goal) => Expression;
const of = (goal: Goal, form: string) => expressionOf(form, goal.type);

/** Operators beside a number. */
const beside = [
  ...[
    "* 1",
    "* (-1)",
    "/ 1",
    "/ 4",
    "- 0",
    "- (-0)",
    "+ (-0)",
    "+ 0",
    "^ 2",
    "^ 1",
    "^ (-1)",
    "^ 0",
    "^ 0.5",
  ],
  ...["* 0", "!= 0", "== 0", "- (-3)", "/ 0", "% 1"],
];
const before = ["1 *", "(-1) *", "(-0) +", "0 +", "0 -", "0 *", "1 /", "2 ^"];
const nested = [
  ...["square(-", "square(abs(", "abs(-", "abs(abs(", "relu(relu(", "floor(floor(", "ceil(ceil(", "-(-"],
  ...["!(!", "abs(relu(", "sqrt(square("],
];

const shapes: readonly Shape[] = [
  ...beside.map(
    (text): Shape =>
      (part, _, goal) =>
        of(goal, "operator")`(${part} ${text})`,
  ),
  ...before.map(
    (text): Shape =>
      (part, _, goal) =>
        of(goal, "operator")`(${text} ${part})`,
  ),
  ...nested.map((text): Shape => {
    const brackets = ")".repeat(text.split("(").length - 1);
    return (part, _, goal) => of(goal, text.split("(")[0] || "prefix")`(${text}${part}${brackets})`;
  }),
  ...["max", "min"].map(
    (name): Shape =>
      (part, again, goal) =>
        of(goal, name)`${name}(${part}, (${again}))`,
  ),
  ...["+", "-", "*", "/", "==", "!="].map(
    (operator): Shape =>
      (part, again, goal) =>
        of(goal, "operator")`(${part} ${operator} ${again})`,
  ),
  ...["==", "!=", "<"].map(
    (operator): Shape =>
      (part, again, goal) =>
        of(goal, "operator")`(!(${part} ${operator} ${again}))`,
  ),
  (part, again, goal) => of(goal, "operator")`(${part} + -(${again}))`,
  (part, again, goal) => of(goal, "operator")`(${part} - -(${again}))`,
];

export const laws: readonly Form[] = [
  {
    name: "law",
    weight: 5,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const part = builder.part(goal, goal.type);
      const again = builder.choice.percent(50) ? part : builder.part(goal, goal.type);
      return builder.choice.oneOf(shapes)(part, again, goal);
    },
  },
  {
    name: "truth",
    weight: 1,
    fits: ({ type }) => type.isScalar,
    make: (goal, builder) => {
      const condition = builder.scalar(goal);
      const isTurned = builder.choice.percent(30) ? "!" : "";
      return expressionOf("if", goal.type)`if(${isTurned}(${condition}), 1, 0)`;
    },
  },
  {
    name: "two casts",
    weight: 1,
    fits: ({ type }) => !type.isScalar,
    make: (goal, builder) => twoCasts(goal, builder),
  },
];

function twoCasts(goal: Goal, builder: Builder): Expression {
  const { type } = goal;
  const between = builder.choice.oneOf(["double", "float", "bfloat16", "int8", "half", "int"]);
  const part = builder.part(
    goal,
    mappedFrom({ ...goal, type: TensorType.of("float", type.dimensions) }, builder),
  );
  return expressionOf("cell_cast", type)`cell_cast(cell_cast(${part}, ${between}), ${type.cellType})`;
}
