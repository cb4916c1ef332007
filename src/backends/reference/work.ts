import { fromInputs } from "../../language/core/fold.js";
import { inputsOf, lambdaOf, type Node, type Table, visit } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";

/**
 * How much work a value is at most, known before anything is computed: who runs a graph only once asks this, since a few
 * cells are found sooner than planned.
 */

/** The most cells that a value has, and the most that are read and written for it and for all that it is computed from. */
interface Bound {
  readonly cells: number;
  readonly work: number;
}

/** What the cells of a value depend on: those of each operand, of one value of its lambda, and of what is outside of the graph. */
interface Parts extends Surroundings {
  readonly cells: (operand: Node) => number;
  readonly body: Bound;
}

/** The inputs of a program; the cells of the tensor whose parts a lambda gets. */
interface Surroundings {
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly divided: number;
}

/** The most cells of a value whose type does not say how many it has. */
const mostCells: Table<[Parts], number> = {
  constant: ({ value }) => value.rows * value.blockCells,
  input: ({ name }, { inputs }) => cellsOf(inputs.get(name)),
  parameter: (_, { divided }) => divided,
  random: () => 1,
  apply: () => 1,
  select: ({ yes, no }, { cells }) => Math.max(cells(yes), cells(no)),
  map: ({ tensor }, { cells }) => cells(tensor),
  reduce: ({ tensor }, { cells }) => cells(tensor),
  join: ({ left, right }, { cells }) => cells(left) * cells(right),
  merge: ({ left, right }, { cells }) => cells(left) + cells(right),
  rename: ({ tensor }, { cells }) => cells(tensor),
  concat: ({ left, right, type }, { cells }) => cells(left) * cells(right) * blockOf(type),
  generate: ({ type }) => blockOf(type),
  slice: ({ tensor }, { cells }) => cells(tensor),
  literal: ({ cells, type }) => cells.length * blockOf(type),
  cast: ({ tensor }, { cells }) => cells(tensor),
  order: ({ tensor }, { cells }) => cells(tensor),
  mapSubspaces: ({ tensor }, { cells, body }) => cells(tensor) * body.cells,
  filterSubspaces: ({ tensor }, { cells }) => cells(tensor),
  host: () => Number.POSITIVE_INFINITY,
};

/** The most work that the values of these nodes are together, in cells; infinite, or no number, where no bound is known. */
export function workOf(roots: readonly Node[], inputs: ReadonlyMap<string, Tensor>): number {
  return roots.reduce((work, root) => work + boundOf(root, { inputs, divided: 1 }).work, 0);
}

/** A node that several others use is counted for each of them. */
function boundOf(root: Node, around: Surroundings): Bound {
  const below = (node: Node): readonly Node[] => visit(inputsOf, node);
  return fromInputs<Bound>(root, new Map(), below, (node, of) => {
    const operands = below(node).map(of);
    const divided = operands.reduce((most, { cells }) => Math.max(most, cells), 1);
    const body = bodyOf(node, of, { ...around, divided });
    const cells =
      node.type.isDense && node.type.isBound
        ? node.type.blockSize
        : visit(mostCells, node, { ...around, cells: (operand) => of(operand).cells, body });
    const work = Math.max(cells, divided) * (1 + body.work);
    return { cells, work: operands.reduce((all, each) => all + each.work, work) };
  });
}

/** What is computed again for each cell, or each part, of a value. */
function bodyOf(node: Node, of: (operand: Node) => Bound, around: Surroundings): Bound {
  if (node.op === "generate") return of(node.body);
  const lambda = lambdaOf(node);
  return lambda === undefined ? { cells: 0, work: 0 } : boundOf(lambda.body, around);
}

const blockOf = (type: TensorType): number => (type.isBound ? type.blockSize : Number.POSITIVE_INFINITY);

/** Of an input that is missing, whose default is not looked at, there is no bound. */
const cellsOf = (input: Tensor | undefined): number =>
  input === undefined ? Number.POSITIVE_INFINITY : input.rows * input.blockCells;
