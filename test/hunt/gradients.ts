import { cellTypes } from "../../src/language/types/cell.js";
import { type Dimension, TensorType } from "../../src/language/types/type.js";
import type { Variable } from "./builder.js";
import type { Choice } from "./choice.js";
import { cellsOf } from "./dimensions.js";
import { assembled, type Expression } from "./expression.js";
import type { Program } from "./program.js";

/** How many cells the derivative of a tensor in a tensor may have, about. */
const mostCells = 400;

/**
 * The program with derivatives of its results in inputs and named values as further results. Not every program has them: the
 * checker refuses those of a few operations.
 */
export function withGradients(program: Program, choice: Choice): Program {
  const named = program.definitions.filter(({ parameters, typeParameters }) =>
    [parameters, typeParameters].every(({ length }) => length === 0),
  );
  const variables: readonly Variable[] = [
    ...program.inputs,
    ...named.map(({ name, body }) => ({ name, type: body.type })),
  ];
  if (variables.length === 0) return program;
  const derivatives = program.results.map((result) => {
    const variable = choice.oneOf(variables);
    const first = derivative(result, variable, choice);
    if (!choice.percent(20)) return first;
    const squares = assembled("sum", TensorType.scalar, ["reduce(square(", first, "), sum)"]);
    return derivative(squares, choice.oneOf(variables), choice);
  });
  return { ...program, results: [...program.results, ...derivatives] };
}

/** A derivative of a tensor: the gradient of its sum, that of all its cells, or the derivative in a direction. */
function derivative(result: Expression, variable: Variable, choice: Choice): Expression {
  const { name, type } = variable;
  const reference = assembled("name", type, [name]);
  const all = cellsOf(result.type) * cellsOf(type);
  if (all <= mostCells && choice.percent(20)) {
    const dimensions = [...type.dimensions, ...renamedApart(result.type.dimensions, type)];
    const gradientType = decayed(TensorType.of(type.cellType, dimensions));
    return assembled("gradient", gradientType, ["gradient(", result, ", ", reference, ")"]);
  }
  if (choice.percent(20))
    return assembled("jvp", decayed(result.type), ["jvp(", result, ", ", reference, ", ", reference, ")"]);
  const sum = assembled("sum", TensorType.scalar, ["reduce(", result, ", sum)"]);
  return assembled("gradient", decayed(type), ["gradient(", sum, ", ", reference, ")"]);
}

const decayed = (type: TensorType): TensorType => type.withCells(cellTypes[type.cellType].decaysTo);

/** Dimensions of a result beside those of a variable: those that both have get a number. */
const renamedApart = (dimensions: readonly Dimension[], { names }: TensorType): Dimension[] => {
  const taken = new Set([...names, ...dimensions.map(({ name }) => name)]);
  return dimensions.map((dimension) => {
    if (!names.includes(dimension.name)) return dimension;
    let number = 1;
    while (taken.has(`${dimension.name}${number}`)) number++;
    taken.add(`${dimension.name}${number}`);
    return { ...dimension, name: `${dimension.name}${number}` };
  });
};
