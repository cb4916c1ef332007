import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf, cellsThatDecayTo, isComputed } from "../dimensions.js";
import { assembled, type Expression, expressionOf } from "../expression.js";

/** Sums over products, differences and differing bits of tensors that have some dimensions each. */
export const contractions: readonly Form[] = [
  {
    name: "contraction",
    weight: 5,
    whenLarge: 80,
    fits: ({ type }) => isComputed(type),
    make: (goal, builder) => {
      const { choice } = builder;
      const over = builder.dimensions.others(goal.type.names, choice.oneOf([1, 1, 2]), false, true);
      const count = choice.oneOf([2, 2, 2, 3, 4]);
      // Bits differ in bytes: of other cells a number is made first.
      const kind = count > 2 ? "product" : choice.oneOf(kinds);
      const factors = factorsOf(count, over, kind === "hamming", goal, builder);
      if (over.length === 0 || factors === undefined) return undefined;
      const names = over.map(({ name }) => name).join(", ");
      return expressionOf("sum", goal.type)`reduce(${termOf(kind, factors, builder)}, sum, ${names})`;
    },
  },
];

const kinds = [
  "product",
  "product",
  "product",
  "distance",
  "distance",
  "hamming",
  "hamming",
  "weighted",
] as const;

/** Tensors that have all dimensions of the goal between them, and most of those that are summed over. */
function factorsOf(
  count: number,
  over: readonly Dimension[],
  isBytes: boolean,
  goal: Goal,
  builder: Builder,
): readonly Expression[] | undefined {
  const { choice } = builder;
  const { type } = goal;
  const lists = Array.from({ length: count }, (): Dimension[] => []);
  for (const each of [...type.dimensions, ...over]) {
    const isSummed = over.includes(each);
    const own = lists.filter(() => choice.percent(isSummed ? 80 : 40));
    for (const list of own.length === 0 ? [choice.oneOf(lists)] : own) list.push(each);
  }
  const cellType = type.isScalar
    ? choice.oneOf(["double", "double", "float", "float"] as const)
    : type.cellType;
  const same = isBytes && cellType === "float" ? "int8" : cellsThatDecayTo(cellType, choice);
  const types = lists.map((dimensions) =>
    TensorType.of(choice.percent(80) ? same : cellsThatDecayTo(cellType, choice), dimensions),
  );
  const whole = cellsOf(TensorType.of(cellType, [...type.dimensions, ...over]));
  if (whole > goal.budget * 10) return undefined;
  return types.map((each) => builder.part(goal, each));
}

function termOf(
  kind: (typeof kinds)[number],
  [first, second, ...more]: readonly Expression[],
  { choice }: Builder,
): Expression {
  const type = TensorType.scalar;
  if (first === undefined || second === undefined) throw new Error("a contraction has two factors or more");
  if (more.length > 0) return assembled("product", type, ["(", ...times([first, second, ...more]), ")"]);
  if (kind === "product") return expressionOf("product", type)`(${first} * ${second})`;
  if (kind === "hamming") return expressionOf("hamming", type)`hamming(${first}, (${second}))`;
  if (kind === "weighted") return expressionOf("product", type)`(${first} * ${second} * 0.5)`;
  const difference = expressionOf("operator", type)`(${first} - ${second})`;
  return choice.percent(50)
    ? expressionOf("square", type)`square(${difference})`
    : expressionOf("operator", type)`(${difference} ^ 2)`;
}

const times = (factors: readonly Expression[]): (Expression | string)[] =>
  factors.flatMap((each, at) => (at === 0 ? [each] : [" * ", each]));
