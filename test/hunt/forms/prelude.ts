import { type Dimension, indexed, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf, isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";
import { mappedFrom, sidesOf } from "./elementwise.js";

/** Functions that are written in the language, or by tables beside it. */

/** A form that needs a dimension of the goal. */
const along = (
  name: string,
  make: (goal: Goal, builder: Builder, dimension: Dimension) => Expression | undefined,
): Form => ({
  name,
  weight: 1,
  fits: ({ type }) => isComputed(type) && type.rank > 0,
  make: (goal, builder) => make(goal, builder, builder.choice.oneOf(goal.type.dimensions)),
});

const normalizers = ["softmax", "l1_normalize", "l2_normalize", "argmax", "argmin"].map((name) =>
  along(name, (goal, builder, dimension) => {
    const tensor = builder.part(goal, mappedFrom(goal, builder));
    return expressionOf(name, goal.type)`${name}(${tensor}, ${dimension.name})`;
  }),
);

/** The sides of a join that is summed along one more dimension, which both have. */
function factors(
  goal: Goal,
  builder: Builder,
  isDense = false,
): { left: Expression; right: Expression; over: string } | undefined {
  const over = builder.dimensions.other(goal.type.names, isDense, true);
  if (over === undefined) return undefined;
  const [left, right] = sidesOf(goal, builder).map((type) =>
    TensorType.of(goal.type.isScalar ? "double" : type.isScalar ? goal.type.cellType : type.cellType, [
      ...type.dimensions,
      over,
    ]),
  );
  if (left === undefined || right === undefined) return undefined;
  if (cellsOf(left) * cellsOf(right) > goal.budget * 20) return undefined;
  return { left: builder.part(goal, left), right: builder.part(goal, right), over: over.name };
}

export const prelude: readonly Form[] = [
  ...normalizers,
  {
    name: "matmul",
    weight: 4,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const found = factors(goal, builder);
      if (found === undefined) return undefined;
      return expressionOf("matmul", goal.type)`matmul(${found.left}, ${found.right}, ${found.over})`;
    },
  },
  {
    name: "xw_plus_b",
    weight: 1,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const found = factors(goal, builder);
      if (found === undefined) return undefined;
      const bias = builder.part(goal, goal.type);
      return expressionOf(
        "xw_plus_b",
        goal.type,
      )`xw_plus_b(${found.left}, ${found.right}, ${bias}, ${found.over})`;
    },
  },
  {
    name: "distance",
    weight: 1,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const found = factors(goal, builder, true);
      if (found === undefined) return undefined;
      const name = builder.choice.oneOf(["euclidean_distance", "cosine_similarity"]);
      return expressionOf(name, goal.type)`${name}(${found.left}, ${found.right}, ${found.over})`;
    },
  },
  {
    name: "top",
    weight: 2,
    fits: ({ type }) => type.isSparse && isComputed(type),
    make: (goal, builder) => {
      const count = builder.choice.percent(50)
        ? builder.number(builder.choice.below(4))
        : builder.scalar(goal);
      const tensor = builder.part(goal, mappedFrom(goal, builder));
      return expressionOf("top", goal.type)`top(${count}, ${tensor})`;
    },
  },
  {
    name: "expand",
    weight: 1,
    fits: ({ type }) => isComputed(type) && type.rank > 1 && type.indexed.some(({ size }) => size === 1),
    make: (goal, builder) => {
      const { type } = goal;
      const dimension = builder.choice.oneOf(type.indexed.filter(({ size }) => size === 1));
      const source = type.withDimensions(type.dimensions.filter((each) => each !== dimension));
      return expressionOf("expand", type)`expand(${builder.part(goal, source)}, ${dimension.name})`;
    },
  },
  {
    name: "unpack_bits",
    weight: 1,
    fits: ({ type }) => type.isBound && (type.indexed.at(-1)?.size ?? 0) % 8 === 0 && type.indexed.length > 0,
    make: (goal, builder) => {
      const { type } = goal;
      const last = type.indexed.at(-1);
      if (last?.size === undefined) return undefined;
      const packed = type.dimensions.map((each) =>
        each === last ? indexed(last.name, (last.size ?? 8) / 8) : each,
      );
      const tensor = builder.part(goal, TensorType.of("int8", packed));
      const order = builder.choice.oneOf(["big", "little"]);
      return expressionOf("unpack_bits", type)`unpack_bits(${tensor}, ${type.cellType}, ${order})`;
    },
  },
];
