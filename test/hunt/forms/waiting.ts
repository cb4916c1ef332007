import { type Dimension, indexed, TensorType } from "../../../src/language/types/type.js";
import {
  type Builder,
  closedScope,
  type Form,
  type Goal,
  inner,
  scalars,
  type Variable,
} from "../builder.js";
import { cellsOf, cellsThatUnify, isComputed } from "../dimensions.js";
import { type Expression, expressionOf } from "../expression.js";
import { mappedFrom, sidesOf } from "./elementwise.js";

/**
 * Lambdas that see scalars of the program, and compute with tensors: of what has an open size, they wait for the sizes of the inputs of a
 * run.
 */
export const waiting: readonly Form[] = [
  {
    name: "waiting map",
    weight: 16,
    fits: waits,
    make: (goal, builder) => {
      const type = mappedFrom(goal, builder);
      const body = bodyOf(goal, builder, ["v"], cellsOf(type));
      return body && expressionOf("map", goal.type)`map(${builder.part(goal, type)}, ${body})`;
    },
  },
  {
    name: "waiting join",
    weight: 12,
    fits: waits,
    make: (goal, builder) => {
      const name = builder.choice.oneOf(["join", "join", "merge"]);
      const types = name === "join" ? sidesOf(goal, builder) : cellsOfSides(goal, builder);
      const [left, right] = types.map((each) => builder.part(goal, each));
      const body = bodyOf(goal, builder, ["v", "w"], cellsOf(goal.type));
      if (left === undefined || right === undefined || body === undefined) return undefined;
      return expressionOf(name, goal.type)`${name}(${left}, ${right}, ${body})`;
    },
  },
];

const isUnbound = ({ kind, size }: Dimension): boolean => kind === "indexed" && size === undefined;

/** Whether a lambda of cells of the goal may wait: in a lambda around it there would be sizes. */
function waits({ type, scope }: Goal): boolean {
  return isComputed(type) && scope.isOpen && scope.variables.length === 0 && type.indexed.some(isUnbound);
}

const cellsOfSides = ({ type }: Goal, { choice }: Builder): readonly TensorType[] =>
  cellsThatUnify(type.cellType, choice).map((each) => type.withCells(each));

/** A lambda of these parameters that reduces a tensor, of which each cell is made of them and of a scalar of the program. */
function bodyOf(
  goal: Goal,
  builder: Builder,
  letters: readonly string[],
  calls: number,
): Expression | undefined {
  const { choice } = builder;
  const around = [numberOfProgram(goal, builder), numberOfProgram(goal, builder)].flatMap(
    (each) => each ?? [],
  );
  const [first] = around;
  const parameters = scalars(letters.map((letter) => builder.fresh(letter)));
  const [over] = builder.dimensions.others(goal.type.names, 1, true, true);
  if (over === undefined || first === undefined) return undefined;
  const seen = new Map([...around, ...parameters].map((each) => [each.name, each]));
  const type = TensorType.of("double", [indexed(over.name, Math.min(over.size ?? 2, 4))]);
  const scope = inner(closedScope([...seen.values()]), scalars(type.names));
  const cell = builder.scalar(goal, scope, goal.budget / calls);
  const [number, parameter] = [first, choice.oneOf(parameters)].map((each) => builder.reference(each));
  if (number === undefined || parameter === undefined) return undefined;
  const body = expressionOf("operator", TensorType.scalar)`${cell} * ${number} + ${parameter}`;
  const generated = expressionOf("generate", type)`${`${type}`}(${body})`;
  const aggregator = choice.oneOf(["sum", "sum", "max", "avg"]);
  const reduced = expressionOf(aggregator, TensorType.scalar)`reduce(${generated}, ${aggregator})`;
  return expressionOf(
    "lambda",
    TensorType.scalar,
  )`f(${parameters.map(({ name }) => name).join()})(${reduced})`;
}

/** A scalar that has a name in the program: an input, unless there is one already, or no more may be. */
function numberOfProgram(goal: Goal, builder: Builder): Variable | undefined {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { form, type, words } = builder.leaf({ ...goal, type: TensorType.scalar });
    if (form === "name") return { name: words.join(""), type };
  }
  return undefined;
}
