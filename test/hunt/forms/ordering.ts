import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf, isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";
import { labelOf, labelText } from "../values.js";
import { mappedFrom } from "./elementwise.js";

/** What compares the cells of a tensor with each other: ranks, pairs of cells along a dimension, and what is chosen by an order. */

/** How a pair of cells counts, in terms of one of the others and a cell itself. */
const pairs = [
  ...["{o} < {c}", "{o} > {c}", "{c} <= {o}", "{c} >= {o}", "{o} == {c}", "{o} != {c}"],
  ...["0.5 * ({o} > {c}) + 0.5 * ({o} >= {c})", "({o} < {c}) - ({o} > {c})", "1 - ({c} > {o})"],
  ...["({c} > {o}) * 3", "!({o} < {c})", "({o} < {c}) / ({o} <= {c})", "({o} == {c}) && ({c} <= {o})"],
  ...["max({o}, {c})", "{o} * {c}", "abs({o} - {c})"],
];

const isRanked = ({ type }: Goal): boolean => isComputed(type) && type.rank > 0;

/** A cell's text that stands more than once: a name, or an expression that is shared. */
const rankable = (goal: Goal, builder: Builder): Expression => builder.part(goal, mappedFrom(goal, builder));

/** A tensor of the goal's dimensions and one more, which has few cells. */
function wider(
  goal: Goal,
  builder: Builder,
): { readonly wide: TensorType; readonly over: Dimension } | undefined {
  const over = builder.dimensions.other(goal.type.names, false, true);
  if (over === undefined) return undefined;
  const cellType = goal.type.isScalar ? "double" : goal.type.cellType;
  const wide = TensorType.of(cellType, [...goal.type.dimensions, over]);
  return cellsOf(wide) > goal.budget ? undefined : { wide, over };
}

const inLanguage = ["descending_rank", "discount"].map(
  (name): Form => ({
    name,
    weight: 2,
    fits: isRanked,
    make: (goal, builder) => {
      const { name: along } = builder.choice.oneOf(goal.type.dimensions);
      return expressionOf(name, goal.type)`${name}(${rankable(goal, builder)}, ${along})`;
    },
  }),
);

const measures = ["auc", "rank_auc", "dcg", "ndcg"].map(
  (name): Form => ({
    name,
    weight: 1,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const found = wider(goal, builder);
      if (found === undefined) return undefined;
      const [scores, labels] = [builder.part(goal, found.wide), builder.part(goal, found.wide)];
      return expressionOf(name, goal.type)`${name}(${scores}, ${labels}, ${found.over.name})`;
    },
  }),
);

export const ordering: readonly Form[] = [
  ...inLanguage,
  ...measures,
  {
    name: "pairs along a dimension",
    weight: 4,
    fits: isRanked,
    make: (goal, builder) => {
      const { choice } = builder;
      const { name } = choice.oneOf(goal.type.dimensions);
      const other = builder.fresh("e");
      const cells = rankable(goal, builder);
      const [before = "", ...after] = choice.oneOf(pairs).split(/(?=\{)/);
      const pieces = [before, ...after].map((text) => {
        const others = expressionOf("rename", goal.type)`rename(${cells}, ${name}, ${other})${text.slice(3)}`;
        const own = expressionOf("parentheses", goal.type)`(${cells})${text.slice(3)}`;
        const plain = expressionOf("text", goal.type)`${text}`;
        return text.startsWith("{o}") ? others : text.startsWith("{c}") ? own : plain;
      });
      const body = pieces.reduce((all, each) => expressionOf("operator", goal.type)`${all}${each}`);
      const aggregator = choice.oneOf(["sum", "sum", "sum", "avg", "max", "count", "median"]);
      return expressionOf(aggregator, goal.type)`reduce(${body}, ${aggregator}, ${other})`;
    },
  },
  {
    name: "product with its own copy",
    weight: 2,
    fits: ({ type }) => isComputed(type) && alike(type) !== undefined,
    make: (goal, builder) => {
      const pair = alike(goal.type);
      const over = builder.dimensions.other(goal.type.names, false, true);
      if (pair === undefined || over === undefined) return undefined;
      const [one, other] = builder.choice.shuffled(pair);
      if (one === undefined || other === undefined) return undefined;
      const rest = goal.type.dimensions.filter((each) => each !== other);
      const cells = builder.part(goal, TensorType.of(goal.type.cellType, [...rest, over]));
      const copy = expressionOf("rename", goal.type)`rename(${cells}, ${one.name}, ${other.name})`;
      return expressionOf("sum", goal.type)`sum(${cells} * ${copy}, ${over.name})`;
    },
  },
  {
    name: "the largest along a dimension",
    weight: 2,
    fits: ({ type }) => type.isSparse && isComputed(type) && type.rank > 0,
    make: (goal, builder) => {
      const { choice } = builder;
      const { name } = choice.oneOf(goal.type.dimensions);
      const cells = builder.part(goal, goal.type);
      const [aggregator, comparison] = choice.oneOf([
        ...([
          ["max", ">="],
          ["min", "<="],
          ["avg", ">"],
        ] as const),
        ...([
          ["median", ">="],
          ["count", "<"],
        ] as const),
      ]);
      const isChosen = expressionOf(
        "operator",
        goal.type,
      )`(${cells} ${comparison} reduce(${cells}, ${aggregator}, ${name}))`;
      return expressionOf(
        "filter_subspaces",
        goal.type,
      )`(${cells} * filter_subspaces(${isChosen}, f(chosen)(chosen)))`;
    },
  },
  {
    name: "a quantile",
    weight: 2,
    fits: ({ type }) => type.isScalar,
    make: (goal, builder) => {
      const { choice } = builder;
      const found = wider(goal, builder);
      if (found === undefined) return undefined;
      const cells = builder.part(goal, found.wide);
      const share = choice.oneOf(["0.25", "0.5", "0.9", "0", "1"]);
      const place = expressionOf("call", goal.type)`floor(${share} * (count(${cells}) - 1))`;
      const order = choice.oneOf(["max", "min"]);
      return expressionOf(
        "a quantile",
        goal.type,
      )`sum(where(cell_order(${cells}, ${order}) == ${place}, ${cells}, 0))`;
    },
  },
  {
    name: "top of each block",
    weight: 1,
    fits: ({ type }) => type.isSparse && isComputed(type) && type.rank > 1,
    make: (goal, builder) => {
      const dimension = builder.choice.oneOf(goal.type.dimensions);
      const count = builder.scalar(goal);
      const label = labelText(labelOf(builder.choice));
      const cells = builder.part(goal, goal.type);
      const line = expressionOf("slice", goal.type)`${cells}{${dimension.name}:${label}}`;
      const best = expressionOf("top", goal.type)`top(abs(${count}), ${line})`;
      return expressionOf("operator", goal.type)`(${cells} * ${best})`;
    },
  },
];

/** Two dimensions of a type that are of one kind and size: one may be the other's copy. */
function alike({ dimensions }: TensorType): readonly [Dimension, Dimension] | undefined {
  for (const [at, one] of dimensions.entries())
    for (const other of dimensions.slice(at + 1))
      if (one.kind === other.kind && one.size === other.size) return [one, other];
  return undefined;
}
