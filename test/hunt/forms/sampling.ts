import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf, cellsThatDecayTo, isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";

/** Pairs of labels that there are, joined with a reduction of all pairs: the other pairs need not be reduced. */
export const sampling: readonly Form[] = [
  {
    name: "sample of all pairs",
    weight: 3,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const { choice } = builder;
      const type = withPairs(goal, builder);
      const more = type.names.filter((name) => !goal.type.names.includes(name));
      const [over] = builder.dimensions.others(type.names, 1, choice.percent(90), true);
      if (over === undefined || type.mapped.length < 2 || !isSmall(type, over, goal)) return undefined;
      const cells = (dimensions: readonly Dimension[]): TensorType =>
        TensorType.of(cellsThatDecayTo(type.cellType, choice), dimensions);
      const pairs = builder.part(goal, cells(choice.percent(90) ? type.mapped : type.dimensions));
      const [one, other] = shared(type.dimensions, builder);
      const [left, right] = [one, other].map((side) => builder.part(goal, cells([...side, over])));
      if (left === undefined || right === undefined) return undefined;
      const aggregator = choice.oneOf(["sum", "sum", "sum", "max", "count", "avg"]);
      const product = expressionOf("operator", type)`(${left} ${choice.oneOf(["*", "*", "-"])} ${right})`;
      const reduced = expressionOf(aggregator, type)`${aggregator}(${product}, ${over.name})`;
      const found = choice.percent(60) ? reduced : farther(reduced, builder.part(goal, cells([])), builder);
      const [first, second] = choice.percent(70) ? ([pairs, found] as const) : ([found, pairs] as const);
      const sampled = expressionOf(
        "operator",
        type,
      )`(${first} ${choice.oneOf(["-", "*", "+", "/"])} ${second})`;
      return more.length === 0
        ? sampled
        : expressionOf("sum", goal.type)`sum(${sampled}, ${more.join(", ")})`;
    },
  },
];

/** The type of a goal with two mapped dimensions, or more. */
function withPairs({ type }: Goal, builder: Builder): TensorType {
  const others = builder.dimensions.others(type.names, 2, false, true);
  const more = others.filter(({ kind }) => kind === "mapped").slice(0, Math.max(0, 2 - type.mapped.length));
  return TensorType.of(type.cellType, [...type.dimensions, ...more]);
}

/** Whether there are not too many cells to be reduced. */
const isSmall = (type: TensorType, over: Dimension, { budget }: Goal): boolean =>
  cellsOf(TensorType.of("double", [...type.dimensions, over])) <= 4 * budget;

/** Something that is computed of each cell of a reduction. */
function farther(reduced: Expression, number: Expression, { choice }: Builder): Expression {
  const { type } = reduced;
  if (choice.percent(50))
    return expressionOf("call", type)`${choice.oneOf(["exp", "abs", "relu"])}(${reduced})`;
  return expressionOf("operator", type)`(${number} + ${reduced})`;
}

/** The dimensions of two tensors that have all of them together, some of them both. */
function shared(dimensions: readonly Dimension[], { choice }: Builder): readonly [Dimension[], Dimension[]] {
  const sides: [Dimension[], Dimension[]] = [[], []];
  for (const each of dimensions) {
    const side = choice.weighted([0, 1, 2], (at) => (at === 2 ? 1 : 3));
    if (side !== 1) sides[0].push(each);
    if (side !== 0) sides[1].push(each);
  }
  return sides;
}
