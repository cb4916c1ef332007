import { type Dimension, indexed, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { type Expression, expressionOf } from "../expression.js";

/**
 * Cells of other tensors, moved along their dimensions: beyond their borders there are none, which the engine computes by
 * themselves, and where they are the same in all runs, once.
 */
export const borders: readonly Form[] = [
  {
    name: "border",
    weight: 5,
    whenLarge: 12,
    fits: ({ type }) => type.isDense && type.isBound && type.rank > 0,
    make: border,
  },
  {
    // What is behind may have no cells.
    name: "border, and more behind it",
    weight: 5,
    whenLarge: 12,
    fits: ({ type, scope }) => scope.isOpen && type.isDense && type.indexed.filter(isUnbound).length === 1,
    make: (goal, builder) => {
      const { choice } = builder;
      const { type } = goal;
      const bound = type.withDimensions(
        type.dimensions.map((each) => (isUnbound(each) ? indexed(each.name, choice.between(1, 4)) : each)),
      );
      const [along] = type.indexed.filter(isUnbound);
      if (along === undefined) return undefined;
      const behind = builder.leaf({ ...goal, type: TensorType.of(type.cellType, [along]) });
      return expressionOf(
        "concat",
        type,
      )`concat(${border({ ...goal, type: bound }, builder)}, ${behind}, ${along.name})`;
    },
  },
];

const isUnbound = ({ kind, size }: Dimension): boolean => kind === "indexed" && size === undefined;

function border(goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  const { type } = goal;
  const [first, second] = [cellOf(goal, builder), cellOf(goal, builder)];
  const { name, size = 1 } = choice.oneOf(type.dimensions);
  const bodies = [
    expressionOf("slice", TensorType.scalar)`${first}`,
    expressionOf("operator", TensorType.scalar)`${first} ${choice.oneOf(["+", "*", "-"])} ${second}`,
    expressionOf("if", TensorType.scalar)`if(${name} < ${choice.between(0, size)}, ${first}, ${second})`,
    expressionOf("operator", TensorType.scalar)`${first} + ${builder.number()}`,
  ];
  return expressionOf("generate", type)`${`${type}`}(${choice.oneOf(bodies)})`;
}

/** A cell of a tensor that has most of the dimensions, and lies before, behind or beside what it is a cell of. */
function cellOf(goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  const { cellType, dimensions } = goal.type;
  const most = choice.some(dimensions, 80);
  const shared = most.length === 0 ? dimensions : most;
  const labels = shared.map((each) => labelOf(each, choice.percent(50), builder));
  const type = TensorType.of(
    cellType,
    labels.map(({ dimension }) => dimension),
  );
  const source = builder.part(goal, type);
  const at = labels.map(({ dimension, label }) => `${dimension.name}:(${label})`).join();
  return expressionOf("slice", TensorType.scalar)`(${source}){${at}}`;
}

/** A dimension of another tensor, and which of its labels an index of this one stands for. */
function labelOf(
  { name, size = 1 }: Dimension,
  isMoved: boolean,
  { choice }: Builder,
): { readonly dimension: Dimension; readonly label: string } {
  if (!isMoved) return { dimension: indexed(name, size), label: name };
  const other = Math.max(1, size + choice.between(-2, 1));
  const by = choice.between(1, other);
  const label = choice.oneOf([
    `${name} - ${by}`,
    `${name} - ${by}`,
    `${name} + ${by}`,
    `${size - 1} - ${name}`,
  ]);
  return { dimension: indexed(name, other), label };
}
