import type { Builder, Form, Goal } from "../builder.js";
import { inner, scalars } from "../builder.js";
import { cellsOf } from "../dimensions.js";
import { assembled, type Expression, expressionOf, listed, type Piece } from "../expression.js";
import { labelOf, labelText } from "../values.js";

/** What is made cell by cell. */
export const making: readonly Form[] = [
  {
    name: "generate",
    weight: 14,
    fits: ({ type }) => type.isDense && type.isBound && type.rank > 0,
    make: (goal, builder) => {
      const { type } = goal;
      const scope = inner(goal.scope, scalars(type.names));
      const body = builder.scalar(goal, scope, goal.budget / cellsOf(type));
      return expressionOf("generate", type)`${`${type}`}(${body})`;
    },
  },
  {
    name: "literal",
    weight: 5,
    fits: ({ type }) => type.isBound && type.rank > 0 && type.blockSize <= 8,
    make: (goal, builder) => {
      const { type } = goal;
      if (type.isDense && builder.choice.percent(70)) {
        const cells = Array.from({ length: type.blockSize }, () => cell(goal, builder, type.blockSize));
        return assembled("literal", type, [`${type}:[`, ...listed(cells), "]"]);
      }
      const cells = addresses(goal, builder).map(
        (address) => expressionOf("cell", builder.number().type)`{${address}}:${cell(goal, builder, 4)}`,
      );
      return assembled("literal", type, [`${type}:{`, ...listed(cells), "}"]);
    },
  },
  {
    name: "random",
    weight: 0.3,
    fits: ({ type }) => type.isDense && type.isBound,
    make: ({ type }) =>
      assembled("random", type, [type.isScalar ? "random(1.0)" : `${type}`.replace("tensor", "random")]),
  },
  {
    name: "range or diag",
    weight: 1,
    fits: ({ type }) => type.isDense && type.isBound && type.rank > 0,
    make: ({ type }, { choice }) => {
      const name = choice.oneOf(["range", "diag"]);
      return assembled(name, type, [`${type}`.replace("tensor", name)]);
    },
  },
];

/** A cell of so many: most are small. */
function cell(goal: Goal, builder: Builder, count: number): Expression {
  const depth = builder.choice.percent(70) ? Math.min(goal.depth, 2) : goal.depth;
  return builder.scalar({ ...goal, depth }, goal.scope, goal.budget / count);
}

/** Addresses that differ, of some cells. */
function addresses({ type }: Goal, { choice }: Builder): Piece[] {
  const found = new Set<string>();
  for (let at = choice.between(type.isDense ? 1 : 0, 3); at > 0; at--) {
    const address = type.dimensions.map(({ name, kind, size = 1 }) => {
      return `${name}:${kind === "mapped" ? labelText(labelOf(choice)) : choice.below(size)}`;
    });
    found.add(address.join());
  }
  return [...found];
}
