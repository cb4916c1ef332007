import { type Dimension, TensorType } from "../../../src/language/types/type.js";
import type { Builder, Form, Goal } from "../builder.js";
import { cellsOf } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";

/** Sums of cells that are picked where an index is a number: gathers over the index, and scatters over what the numbers are for. */
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
      return sumOf(goal, builder, { index, over, cells, label });
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
  const { choice } = builder;
  const { type, budget } = goal;
  if (over.length === 0) return undefined;
  const all = [...type.dimensions, ...over.filter((each) => each !== index)];
  if (cellsOf(TensorType.of("double", all)) > 4 * budget) return undefined;
  const number = builder.part(goal, TensorType.of("double", label));
  const isWhole = choice.percent(80);
  const labels = isWhole ? expressionOf("call", number.type)`floor(abs(${number}))` : number;
  const indexes = `tensor(${index.name}[${index.size}])(${index.name})`;
  const indicator = expressionOf("operator", type)`(${indexes} == ${labels})`;
  const names = over.map(({ name }) => name).join(", ");
  // Without cells it is how many labels there are.
  if (cells.length === 0 && choice.percent(50)) return expressionOf("sum", type)`sum(${indicator}, ${names})`;
  const picked = builder.part(goal, TensorType.of(choice.oneOf(["double", "float", "int8"]), cells));
  return expressionOf("sum", type)`sum(join(${picked}, ${indicator}, f(a,b)(if(b == 0, 0, a))), ${names})`;
}
