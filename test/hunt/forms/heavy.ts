import type { CellType } from "../../../src/language/types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { isComputed } from "../dimensions.js";
import { assembled, type Expression, expressionOf } from "../expression.js";
import { labelOf, labelText } from "../values.js";
import { forest } from "./forests.js";

/** What takes so much work that a plan has steps of its own for it; by itself, and as a branch of a choice. */

/** Sizes of axes that are summed over: so many products together that it pays to take them apart. */
const summedSizes: readonly (readonly number[])[] = [[20_011], [203, 160], [37, 40, 31]];

/** The sum of a product of three to five tensors, each of which has some of the dimensions, in a chain or not. */
function chain(goal: Goal, builder: Builder): Expression | undefined {
  const { choice } = builder;
  const { type } = goal;
  if (!type.isDense || !type.isBound || type.blockSize > 12) return undefined;
  const summed = choice.shuffled(choice.oneOf(summedSizes)).map((size, at) => indexed(`n${at}`, size));
  const count = choice.oneOf([3, 3, 3, 4, 5]);
  const lists = Array.from({ length: count }, (): Dimension[] => []);
  for (const [at, each] of summed.entries())
    for (const list of [lists[at], lists[at + 1]]) if (choice.percent(85)) list?.push(each);
  for (const each of type.dimensions) choice.oneOf(lists).push(each);
  const missing = summed.filter((each) => lists.every((list) => !list.includes(each)));
  lists[0]?.push(...missing);
  const cellType = type.isScalar ? choice.oneOf(["double", "float"] as const) : type.cellType;
  const factors = lists.map((dimensions) => factorOf(TensorType.of(cellType, dimensions), goal, builder));
  const product = factors.flatMap((each, at) => (at === 0 ? [each] : [" * ", each]));
  const names = summed.map(({ name }) => name).join(", ");
  return assembled("sum", type, ["reduce(", assembled("product", type, product), `, sum, ${names})`]);
}

/** A tensor whose cells are small whole numbers, so that sums of products of them are exact. */
function factorOf(type: TensorType, goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  if (type.isScalar) return builder.number(choice.between(1, 3));
  const indexes = type.names.map((name) => `${name} * ${choice.between(1, 5)}`).join(" + ");
  const scalar = choice.percent(50) ? builder.leaf({ ...goal, type: TensorType.scalar }) : builder.number(1);
  return choice.percent(15)
    ? expressionOf("generate", type)`${`${type}`}(${scalar})`
    : expressionOf("generate", type)`${`${type}`}((${indexes}) % 5 - ${choice.below(3)} + ${scalar})`;
}

/** A sum of products of sparse tensors that share some of their dimensions. */
function sparseProduct(goal: Goal, builder: Builder): Expression | undefined {
  const { choice, dimensions } = builder;
  const { type } = goal;
  if (!type.isScalar && !type.isSparse) return undefined;
  const names = dimensions
    .others(type.names, 6, false, true)
    .filter(({ kind }) => kind === "mapped")
    .map(({ name }) => name);
  const shared = names.slice(0, choice.oneOf([1, 1, 2]));
  if (shared.length === 0) return undefined;
  const own: [string[], string[]] = [[...shared], [...shared]];
  for (const name of [...type.names, ...names.slice(shared.length, shared.length + 1)])
    choice.oneOf(own).push(name);
  const cellType = type.isScalar ? choice.oneOf(["double", "float"] as const) : type.cellType;
  const [left, right] = own.map((each) =>
    sparse(
      TensorType.of(
        cellType,
        each.map((name) => mapped(name)),
      ),
      goal,
      builder,
    ),
  );
  if (left === undefined || right === undefined) return undefined;
  const over = [...new Set(own.flat())].filter((name) => !type.names.includes(name));
  return expressionOf("sum", type)`reduce(${left} * ${right}, sum, ${over.join(", ")})`;
}

function sparse(type: TensorType, goal: Goal, builder: Builder): Expression {
  const { choice } = builder;
  if (choice.percent(60)) return builder.part(goal, type);
  const rows = new Set(
    Array.from({ length: choice.between(1, 9) }, () =>
      type.names.map((name) => `${name}:${labelText(labelOf(choice))}`).join(),
    ),
  );
  const cells = [...rows].map((address) => `{${address}}:${choice.between(-3, 5)}`);
  return assembled("literal", type, [`${type}:{${cells.join()}}`]);
}

/**
 * A dot product beyond the length at which it is cut into pieces. Most cells are the same number, for the reference takes
 * few steps to find them.
 */
function longDot(goal: Goal, builder: Builder): Expression | undefined {
  const { choice } = builder;
  if (!goal.type.isScalar || !choice.percent(20)) return undefined;
  const cellType: CellType = choice.oneOf(["double", "float"]);
  const length = choice.oneOf([131_072, 135_001]);
  const typeOf = (size: number): TensorType => TensorType.of(cellType, [indexed("n", size)]);
  // What is concatenated is stored.
  const side = (): Expression => {
    const few = choice.between(1, 9_000);
    const [different, same] = [`${typeOf(few)}(n % ${choice.between(2, 7)})`, `${typeOf(length - few)}(2)`];
    const [first, second] = choice.shuffled([different, same]);
    return expressionOf("concat", typeOf(length))`concat(${`${first}`}, ${`${second}`}, n)`;
  };
  const scalar = builder.leaf(goal);
  return expressionOf("sum", goal.type)`reduce(${side()} * ${side()}, sum, n) * ${scalar}`;
}

const kinds = [chain, sparseProduct, sparseProduct, forest, forest, longDot];

const heavy = (goal: Goal, builder: Builder): Expression | undefined => {
  const kind = builder.choice.oneOf(kinds);
  return kind === forest && !goal.type.isScalar ? undefined : kind(goal, builder);
};

export const heavies: readonly Form[] = [
  {
    name: "heavy",
    weight: 0.3,
    whenLarge: 2,
    fits: ({ type, scope }) => isComputed(type) && scope.isOpen,
    make: (goal, builder) => {
      const one = heavy(goal, builder);
      if (one === undefined || builder.choice.percent(40)) return one;
      const condition = builder.scalar(goal);
      const other = builder.choice.percent(50) ? heavy(goal, builder) : undefined;
      const branches = builder.choice.shuffled([one, other ?? builder.part(goal, goal.type)]);
      return assembled("if", goal.type, [
        "if(",
        condition,
        ", ",
        ...branches.flatMap((each, at) => (at === 0 ? [each] : [", ", each])),
        ")",
      ]);
    },
  },
];
