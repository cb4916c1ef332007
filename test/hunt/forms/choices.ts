import { cellTypes } from "../../../src/language/types/cell.js";
import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import { type Builder, type Form, type Goal, nothingPassed } from "../builder.js";
import { isComputed } from "../dimensions.js";
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
  {
    name: "chain of choices",
    weight: 1,
    fits: ({ type, scope }) => isComputed(type) && scope.isOpen && scope.variables.length === 0,
    make: (goal, builder) => {
      if (!builder.mayDefine) return undefined;
      let value = named(builder.part(goal, goal.type), builder);
      for (let left = builder.choice.between(2, 6); left > 0; left--)
        value = named(choiceOf(value, goal, builder), builder);
      return value;
    },
  },
];

function named(body: Expression, builder: Builder): Expression {
  const { type } = body;
  const name = builder.fresh("v");
  builder.definitions.push({ name, parameters: [], ...nothingPassed, body });
  return builder.reference({ name, type });
}

/** A choice whose branches, and often whose condition, are made of one value: choices of these share what the others need. */
function choiceOf(value: Expression, goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  const { type } = value;
  const operand = (): Expression =>
    choice.oneOf([() => value, () => builder.number(), () => builder.leaf(goal)])();
  const branchOf = (): Expression =>
    choice.percent(25)
      ? value
      : assembled("operator", type, ["(", value, ` ${choice.oneOf(["+", "-", "*"])} `, operand(), ")"]);
  const condition = choice.percent(60)
    ? assembled("operator", TensorType.scalar, ["reduce(", value, ", max) > ", builder.number()])
    : builder.scalar({ ...goal, depth: 2 });
  return choice.percent(70)
    ? expressionOf("if", type)`if(${condition}, ${branchOf()}, ${branchOf()})`
    : expressionOf(
        "switch",
        type,
      )`switch (${condition}) { case 0: ${branchOf()}, case 1: ${branchOf()}, default: ${branchOf()} }`;
}

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
