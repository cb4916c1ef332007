import { type Dimension, indexed, TensorType } from "../../../src/language/types/type.js";
import type { Form } from "../builder.js";
import { anyCells, isComputed } from "../dimensions.js";
import { expressionOf } from "../expression.js";
import { mappedFrom } from "./elementwise.js";

/** Whether a dimension can be of two parts. */
const isLong = ({ size = 2 }: Dimension): boolean => size > 1;

/** What has the cells of other tensors, elsewhere or stored otherwise. */
export const shaping: readonly Form[] = [
  {
    name: "rename",
    weight: 7,
    fits: ({ type }) => type.rank > 0,
    make: (goal, builder) => {
      const { choice, dimensions } = builder;
      const { type } = goal;
      const isFree = ({ kind, size }: Dimension): boolean =>
        goal.scope.isOpen || kind === "mapped" || size !== undefined;
      const names = choice.some(type.dimensions.filter(isFree), 60).map(({ name }) => name);
      if (names.length === 0) return undefined;
      // Names that others have are swapped; those that nobody has are new.
      const fresh = dimensions.others(type.names, 2, false, false).map(({ name }) => name);
      const pool = choice.shuffled([...names, ...choice.some(fresh)]).slice(0, names.length);
      const from = names.map((name, at) => pool[at] ?? name);
      const source = type.withDimensions(
        type.dimensions.map(
          (each): Dimension => ({ ...each, name: from[names.indexOf(each.name)] ?? each.name }),
        ),
      );
      if (new Set(source.names).size < source.rank) return undefined;
      const tensor = builder.part(goal, source);
      const list = (all: readonly string[]): string => (all.length === 1 ? `${all[0]}` : `(${all.join()})`);
      return expressionOf("rename", type)`rename(${tensor}, ${list(from)}, ${list(names)})`;
    },
  },
  {
    name: "concat",
    weight: 8,
    fits: ({ type }) => type.indexed.some(isLong),
    make: (goal, builder) => {
      const { choice } = builder;
      const { type } = goal;
      const along = choice.oneOf(type.indexed.filter(isLong));
      const first = choice.between(1, (along.size ?? 2) - 1);
      // One of both sides of an unbound dimension must be unbound.
      const sizes =
        along.size === undefined
          ? choice.shuffled([undefined, choice.oneOf([undefined, 1, 2])])
          : [first, along.size - first];
      const others = type.dimensions.filter(({ name }) => name !== along.name);
      const sides: [Dimension[], Dimension[]] = [[], []];
      for (const each of others) {
        const isUnbound = each.kind === "indexed" && each.size === undefined;
        const side = choice.weighted([0, 1, 2], (at) => [2, 2, isUnbound ? 0 : 6][at] ?? 0);
        if (side !== 1) sides[0].push(each);
        // Where sizes differ the shorter side is filled up (D3).
        const isShorter = side === 2 && (each.size ?? 0) > 1 && choice.percent(5);
        if (side !== 0) sides[1].push(isShorter ? { ...each, size: (each.size ?? 0) - 1 } : each);
      }
      const [left, right] = sides.map((dimensions, at) => {
        const size = sizes[at];
        const lacks = size === 1 && choice.percent(40);
        return TensorType.of(type.cellType, lacks ? dimensions : [...dimensions, indexed(along.name, size)]);
      });
      if (left === undefined || right === undefined) return undefined;
      // Two scalars make doubles.
      if (left.isScalar && right.isScalar && type.cellType !== "double") return undefined;
      return expressionOf(
        "concat",
        type,
      )`concat(${builder.part(goal, left)}, ${builder.part(goal, right)}, ${along.name})`;
    },
  },
  {
    name: "cell_cast",
    weight: 4,
    fits: () => true,
    make: (goal, builder) => {
      const { type } = goal;
      const source = type.isScalar ? type : type.withCells(anyCells(builder.choice));
      return expressionOf("cell_cast", type)`cell_cast(${builder.part(goal, source)}, ${type.cellType})`;
    },
  },
  {
    name: "cell_order",
    weight: 3,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const tensor = builder.part(goal, mappedFrom(goal, builder));
      const order = builder.choice.oneOf(["max", "min"]);
      return expressionOf("cell_order", goal.type)`cell_order(${tensor}, ${order})`;
    },
  },
];
