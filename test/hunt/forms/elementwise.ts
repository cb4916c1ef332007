import { type Dimension, indexed, mapped, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { scalars } from "../builder.js";
import { cellsOf, cellsThatDecayTo, cellsThatUnify, isComputed } from "../dimensions.js";
import { assembled, type Expression, expressionOf, listed } from "../expression.js";
import { exactFunctions, functionsOfTwo, inexactFunctionsOfOne } from "../functions.js";

/** What computes each cell from one or two others. */

export const operators = [
  "+",
  "+",
  "-",
  "*",
  "*",
  "/",
  "%",
  "==",
  "!=",
  "<",
  ">",
  "<=",
  ">=",
  "&&",
  "||",
  "~=",
  "^",
];

/** The type of what is mapped to this one. */
export const mappedFrom = ({ type }: Goal, { choice }: Builder): TensorType =>
  type.withCells(cellsThatDecayTo(type.cellType, choice));

/** A lambda of so many scalars, which is called so many times. */
export function lambdaOfScalars(goal: Goal, builder: Builder, arity: number, calls: number): Expression {
  const names = Array.from({ length: arity }, () => builder.fresh("p"));
  const scope = builder.scopeOfLambda(goal, scalars(names));
  const body = builder.scalar(goal, scope, goal.budget / calls);
  return expressionOf("lambda", TensorType.scalar)`f(${names.join()})(${body})`;
}

/** The types of two tensors whose join is of this type: each dimension is of one, or of both. */
export function sidesOf(goal: Goal, builder: Builder): [TensorType, TensorType] {
  const { type } = goal;
  const { choice } = builder;
  const [left, right]: [Dimension[], Dimension[]] = [[], []];
  for (const each of type.dimensions) {
    const side = choice.weighted([0, 1, 2], (at) => [2, 2, 5][at] ?? 0);
    if (side !== 1) left.push(each);
    if (side === 0) continue;
    right.push(side === 2 && choice.percent(5) ? reaching(each, goal.scope.isOpen, builder) : each);
  }
  const swap = choice.percent(50);
  const [first, second] = swap ? [right, left] : [left, right];
  const [one, other] = cellsThatUnify(type.cellType, choice);
  // A scalar has no say in the cell type.
  const own = cellsThatDecayTo(type.cellType, choice);
  return [
    TensorType.of(second.length === 0 ? own : one, first),
    TensorType.of(first.length === 0 ? own : other, second),
  ];
}

/** A dimension whose overlap with this one is this one: the overlap of two sizes is the smaller one (D2). */
function reaching(dimension: Dimension, isOpen: boolean, { choice }: Builder): Dimension {
  const { kind, name, size } = dimension;
  if (kind === "mapped" || size === undefined) return dimension;
  return isOpen && choice.percent(50) ? indexed(name) : indexed(name, size + 1);
}

const sides = (goal: Goal, builder: Builder): [Expression, Expression] => {
  const [left, right] = sidesOf(goal, builder);
  return [builder.part(goal, left), builder.part(goal, right)];
};

const computed = ({ type }: Goal): boolean => isComputed(type);

export const elementwise: readonly Form[] = [
  {
    name: "operator",
    weight: 16,
    fits: computed,
    make: (goal, builder) => {
      const [left, right] = sides(goal, builder);
      return expressionOf("operator", goal.type)`(${left} ${builder.choice.oneOf(operators)} ${right})`;
    },
  },
  {
    name: "scalar function of two",
    weight: 5,
    fits: computed,
    make: (goal, builder) => {
      const name = builder.choice.oneOf(functionsOfTwo);
      const [left, right] = sides(goal, builder);
      // A bare name could be read as a dimension.
      return expressionOf(name, goal.type)`${name}(${left}, (${right} + 0))`;
    },
  },
  {
    name: "scalar function",
    weight: 7,
    fits: computed,
    make: (goal, builder) => {
      const { choice } = builder;
      const name = choice.oneOf(choice.percent(65) ? exactFunctions : inexactFunctionsOfOne);
      const tensor = builder.part(goal, mappedFrom(goal, builder));
      return expressionOf(name, goal.type)`${name}(${tensor})`;
    },
  },
  {
    name: "prefix",
    weight: 2,
    fits: computed,
    make: (goal, builder) => {
      const tensor = builder.part(goal, mappedFrom(goal, builder));
      return expressionOf("prefix", goal.type)`(${builder.choice.oneOf(["-", "!"])}${tensor})`;
    },
  },
  {
    name: "map",
    weight: 5,
    fits: computed,
    make: (goal, builder) => {
      const type = mappedFrom(goal, builder);
      const tensor = builder.part(goal, type);
      return expressionOf(
        "map",
        goal.type,
      )`map(${tensor}, ${lambdaOfScalars(goal, builder, 1, cellsOf(type))})`;
    },
  },
  {
    name: "join",
    weight: 5,
    fits: computed,
    make: (goal, builder) => {
      const [left, right] = sides(goal, builder);
      const body = lambdaOfScalars(goal, builder, 2, cellsOf(goal.type));
      return expressionOf("join", goal.type)`join(${left}, ${right}, ${body})`;
    },
  },
  {
    name: "merge",
    weight: 5,
    fits: computed,
    make: (goal, builder) => {
      const { type } = goal;
      const [one, other] = cellsThatUnify(type.cellType, builder.choice);
      const left = builder.part(goal, type.withCells(one));
      const mayBeUnbound = goal.scope.isOpen && builder.choice.percent(10);
      const unbound = ({ kind, name }: Dimension): Dimension =>
        kind === "mapped" ? mapped(name) : indexed(name);
      const rightType = mayBeUnbound ? type.withDimensions(type.dimensions.map(unbound)) : type;
      const right = builder.part(goal, rightType.withCells(other));
      const body = lambdaOfScalars(goal, builder, 2, cellsOf(type));
      return expressionOf("merge", type)`merge(${left}, ${right}, ${body})`;
    },
  },
  {
    name: "in",
    weight: 2,
    fits: computed,
    make: (goal, builder) => {
      const tensor = builder.part(goal, mappedFrom(goal, builder));
      const items = Array.from({ length: builder.choice.between(0, 2) }, () => builder.scalar(goal));
      return assembled("in", goal.type, ["(", tensor, " in [", ...listed(items), "])"]);
    },
  },
];
