import { TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";
import { exactFunctions, functionsOfTwo } from "../functions.js";
import { mappedFrom, operators } from "./elementwise.js";

/**
 * What an optimiser may have another expression for: chance alone would seldom write it. Half of them are those that are
 * known to have one, or that are near to such and have none.
 */

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
/** Numbers beside which an operator may do nothing. */
const neutral = ["0", "(-0)", "1", "(-1)", "2", "0.5", "(-4)", "(1/0)", "(0/0)", "(-1/0)", "3"];
const before = ["1 *", "(-1) *", "(-0) +", "0 +", "0 -", "0 *", "1 /", "2 ^"];
/** Functions of functions. */
const nested = ["square(-", "square(abs(", "abs(-", "-(-", "!(!", "abs(relu(", "sqrt(square("];

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

/** The same without a table: an expression beside any number, the same one twice, a function of the same function. */
function general(part: Expression, again: Expression, goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  const number = choice.oneOf(neutral);
  const operator = choice.oneOf(operators);
  const [one, two] = [choice.oneOf(exactFunctions), choice.oneOf(functionsOfTwo)];
  switch (choice.below(6)) {
    case 0:
      return of(goal, "operator")`(${part} ${operator} ${number})`;
    case 1:
      return of(goal, "operator")`(${number} ${operator} ${part})`;
    case 2:
      return of(goal, "operator")`(${part} ${operator} ${again})`;
    case 3:
      return of(goal, two)`${two}(${part}, (${again} + 0))`;
    case 4:
      return of(goal, one)`${one}(${one}(${part}))`;
    default:
      return of(goal, one)`${one}(${choice.oneOf([...exactFunctions, "-", "!"])}(${part}))`;
  }
}

export const laws: readonly Form[] = [
  {
    name: "law",
    weight: 9,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const part = builder.part(goal, goal.type);
      const again = builder.choice.percent(50) ? part : builder.part(goal, goal.type);
      return builder.choice.percent(60)
        ? builder.choice.oneOf(shapes)(part, again, goal)
        : general(part, again, goal, builder);
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
