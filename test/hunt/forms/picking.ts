import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";

/**
 * Sums of cells that are picked where an index is a number, gathers over the index, and scatters over what the numbers are for; where
 * one index is before or behind another, running folds; or where keys are below or above thresholds.
 */
export const picking: readonly Form[] = [
  {
    name: "scatter",
    weight: 3,
    fits: ({ type }) => type.cellType === "double" && type.indexed.some(isBound),
    make: (goal, builder) => {
      const index = builder.choice.oneOf(goal.type.indexed.filter(isBound));
      const over = builder.dimensions.others(goal.type.names, builder.choice.oneOf([1, 1, 2]), false, true);
      const rest = goal.type.dimensions.filter((each) => each !== index);
      const [cells, label] = sides([...rest, ...over], builder);
      if (builder.choice.percent(70)) return sumOf(goal, builder, { index, over, cells, label });
      if (!isSmall(goal, over)) return undefined;
      return extremeOf(goal, builder, labelIndicator(goal, builder, { index, label }), { over, cells });
    },
  },
  {
    name: "gather by an indicator",
    weight: 2,
    fits: ({ type }) => type.cellType === "double" && !type.isScalar,
    make: (goal, builder) => {
      const [index] = builder.dimensions.others(goal.type.names, 1, true, true);
      if (index === undefined) return undefined;
      const [cells, label] = sides(goal.type.dimensions, builder);
      return sumOf(goal, builder, { index, over: [index], cells: [...cells, index], label });
    },
  },
  {
    name: "running fold",
    weight: 3,
    fits: ({ type }) => type.cellType === "double" && type.indexed.some(isBound),
    make: (goal, builder) => {
      const { choice } = builder;
      const index = choice.oneOf(goal.type.indexed.filter(isBound));
      const [summed] = builder.dimensions.others(goal.type.names, 1, true, true);
      if (summed === undefined || !isSmall(goal, [summed])) return undefined;
      const rest = goal.type.dimensions.filter((each) => each !== index);
      const cells = choice.percent(80) ? [...rest, summed] : rest;
      const indexes = [summed, index].map(({ name, size }) => `tensor(${name}[${size}])(${name})`);
      const [left = "", right = ""] = choice.percent(50) ? indexes : indexes.toReversed();
      const comparison = choice.oneOf(["<", "<=", ">", ">="]);
      const indicator = expressionOf("operator", goal.type)`(${left} ${comparison} ${right})`;
      if (choice.percent(60)) return sumOfPicked(goal, builder, indicator, { over: [summed], cells });
      return foldOfPicked(goal, builder, indicator, { over: [summed], cells });
    },
  },
  {
    name: "sum by thresholds",
    weight: 3,
    fits: ({ type }) => type.cellType === "double" && !type.isScalar,
    make: (goal, builder) => {
      const { choice } = builder;
      const [summed] = builder.dimensions.others(goal.type.names, 1, choice.percent(70), true);
      if (summed === undefined || !isSmall(goal, [summed])) return undefined;
      const [ofKeys, ofThresholds] = sides(goal.type.dimensions, builder);
      // Compared with a number, floats make floats.
      const ofCells = ofThresholds.length > 0 ? choice.oneOf(["double", "float"] as const) : "double";
      const keys = builder.part(goal, TensorType.of(ofCells, [...ofKeys, summed]));
      const thresholds = builder.part(goal, TensorType.of("double", ofThresholds));
      const isWhole = choice.percent(60); // so that some are equal
      const compared = [keys, thresholds].map((each) =>
        isWhole ? expressionOf("call", each.type)`floor(${each})` : each,
      );
      const [left, right] = choice.percent(50) ? compared : compared.toReversed();
      if (left === undefined || right === undefined) return undefined;
      const comparison = choice.oneOf(["<", "<=", ">", ">=", "=="]);
      const indicator = expressionOf("operator", goal.type)`(${left} ${comparison} ${right})`;
      const cells = choice.percent(80) ? [...ofKeys, summed] : ofKeys;
      return sumOfPicked(goal, builder, indicator, { over: [summed], cells });
    },
  },
];

const isBound = ({ size }: Dimension): boolean => size !== undefined;

/** The dimensions of cells and of their labels: each is one of either, or of both. */
function sides(dimensions: readonly Dimension[], { choice }: Builder): [Dimension[], Dimension[]] {
  const lists: [Dimension[], Dimension[]] = [[], []];
  for (const each of dimensions) {
    const side = choice.weighted([0, 1, 2], (at) => (at === 2 ? 2 : 3));
    if (side !== 1) lists[0].push(each);
    if (side !== 0) lists[1].push(each);
  }
  return lists;
}

interface Parts {
  readonly index: Dimension;
  readonly over: readonly Dimension[];
  readonly cells: readonly Dimension[];
  readonly label: readonly Dimension[];
}

function sumOf(goal: Goal, builder: Builder, { index, over, cells, label }: Parts): Expression | undefined {
  const others = over.filter((each) => each !== index);
  if (over.length === 0 || !isSmall(goal, others)) return undefined;
  return sumOfPicked(goal, builder, labelIndicator(goal, builder, { index, label }), { over, cells });
}

/** Whether an index is a label, which mostly is a whole number. */
function labelIndicator(
  goal: Goal,
  builder: Builder,
  { index, label }: Pick<Parts, "index" | "label">,
): Expression {
  const { choice } = builder;
  const number = builder.part(goal, TensorType.of("double", label));
  const isWhole = choice.percent(80);
  const labels = isWhole ? expressionOf("call", number.type)`floor(abs(${number}))` : number;
  const indexes = `tensor(${index.name}[${index.size}])(${index.name})`;
  return expressionOf("operator", goal.type)`(${indexes} == ${labels})`;
}

/** Whether there are not too many cells to be summed. */
const isSmall = ({ type, budget }: Goal, over: readonly Dimension[]): boolean =>
  cellsOf(TensorType.of("double", [...type.dimensions, ...over])) <= 4 * budget;

/** The sum of cells where an indicator is 1, in one of the ways in which people write it. */
function sumOfPicked(
  goal: Goal,
  builder: Builder,
  indicator: Expression,
  { over, cells }: Pick<Parts, "over" | "cells">,
): Expression {
  const { choice } = builder;
  const { type } = goal;
  const names = over.map(({ name }) => name).join(", ");
  // Without cells it is how often it is 1.
  if (cells.length === 0 && choice.percent(50)) return expressionOf("sum", type)`sum(${indicator}, ${names})`;
  const picked = builder.part(goal, TensorType.of(choice.oneOf(["double", "float", "int8"]), cells));
  const way = choice.oneOf(["choice", "product", "products", "where"]);
  if (way === "product") return expressionOf("sum", type)`sum(${picked} * ${indicator}, ${names})`;
  if (way === "products") return expressionOf("sum", type)`sum(0.5 * (${indicator} * ${picked}), ${names})`;
  if (way === "where") return expressionOf("sum", type)`sum(where(${indicator}, ${picked}, 0), ${names})`;
  return expressionOf("sum", type)`sum(join(${picked}, ${indicator}, f(a,b)(if(b == 0, 0, a))), ${names})`;
}

/** The greatest or least cell of those where an indicator is 1, and mostly of nothing else. */
function extremeOf(
  goal: Goal,
  builder: Builder,
  indicator: Expression,
  { over, cells }: Pick<Parts, "over" | "cells">,
): Expression {
  const { choice } = builder;
  const [aggregator, start] = choice.oneOf([
    ["max", "-1/0"],
    ["min", "1/0"],
  ] as const);
  const otherwise = choice.percent(80) ? start : "0";
  const { type } = goal;
  const picked = builder.part(
    goal,
    TensorType.of(choice.oneOf(["double", "double", "float", "int8"]), cells),
  );
  const names = over.map(({ name }) => name).join(", ");
  return expressionOf(
    aggregator,
    type,
  )`${aggregator}(where(${indicator}, ${picked}, ${otherwise}), ${names})`;
}

/** Another fold of cells where an indicator is 1, or where it is 0, and of a number elsewhere. */
function foldOfPicked(
  goal: Goal,
  builder: Builder,
  indicator: Expression,
  { over, cells }: Pick<Parts, "over" | "cells">,
): Expression {
  const { choice } = builder;
  const { type } = goal;
  const aggregator = choice.oneOf(["max", "max", "min", "prod", "avg"]);
  const otherwise = aggregator === "prod" ? "1" : choice.oneOf(["0", "-1/0", "1/0", "2", "-3"]);
  const picked = builder.part(goal, TensorType.of(choice.oneOf(["double", "float", "int8"]), cells));
  const [yes, no] = choice.percent(70) ? ["a", otherwise] : [otherwise, "a"];
  const names = over.map(({ name }) => name).join(", ");
  return expressionOf(
    aggregator,
    type,
  )`${aggregator}(join(${picked}, ${indicator}, f(a,b)(if(b != 0, ${yes}, ${no}))), ${names})`;
}
