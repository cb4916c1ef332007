import { renaming } from "../types/algebra.js";
import type { TensorType } from "../types/type.js";
import { element } from "../values/element.js";
import type { Tensor } from "../values/tensor.js";
import { fromInputs } from "./fold.js";
import { inputsOf, type Node, type NodeOf, type Table, visit } from "./operations.js";

/** The sizes of indexed dimensions, by name. */
export type Sizes = ReadonlyMap<string, number>;

/** Whether values have the same dimensions, of the same sizes. */
export const areSame = (left: Sizes | undefined, right: Sizes | undefined): boolean =>
  left === right ||
  (left?.size === right?.size && [...(left ?? [])].every(([name, size]) => right?.get(name) === size));

/** What tells the sizes of a run: those of an input, and of the value that the lambda around is called with. */
export interface RunSizes {
  readonly input: (name: string) => TensorType | undefined;
  readonly parameter?: Sizes | undefined;
}

/**
 * The sizes that a value has in a run, also along the dimensions whose sizes its type leaves open, as far as those of the inputs
 * decide them. A value without a row may have none instead: its sizes are 0.
 */
export function runSizes(root: Node, run: RunSizes): Sizes | undefined {
  const found = fromInputs<Found>(
    root,
    new Map(),
    (node) => (node.type.isBound ? [] : visit(inputsOf, node)),
    (node, of) => (node.type.isBound ? boundSizes(node.type) : visit(rules, node, { ...run, of })),
  );
  return found === "unknown" ? undefined : found;
}

type Found = Sizes | "unknown";

interface Below extends RunSizes {
  readonly of: (node: Node) => Found;
}

const boundSizes = ({ indexed }: TensorType): Sizes =>
  new Map(indexed.flatMap(({ name, size }) => (size === undefined ? [] : [[name, size]])));

/** The sizes of a tensor. */
export const sizesOf = ({ type, sizes }: Pick<Tensor, "type" | "sizes">): Sizes =>
  new Map(type.indexed.map(({ name }, at) => [name, element(sizes, at)]));

const unknown = (): Found => "unknown";

/** A row for each operation whose type may have open sizes; that of a generator has none. */
const rules: Table<[Below], Found> = {
  constant: ({ value }) => sizesOf(value),
  input: ({ name }, { input }) => {
    const type = input(name);
    return type?.isBound === true ? boundSizes(type) : "unknown";
  },
  parameter: ({ level }, { parameter }) => (level === 1 ? (parameter ?? "unknown") : "unknown"),
  random: unknown,
  apply: unknown,
  select: ({ yes, no }, { of }) => same(of(yes), of(no)),
  map: ({ tensor }, { of }) => of(tensor),
  reduce: (node, { of }) => remaining(node, of(node.tensor)),
  join: (node, { of }) => ofBoth(node, of, Math.min),
  merge: (node, { of }) => ofBoth(node, of, Math.max),
  rename: ({ from, to, tensor }, { of }) => {
    const [sizes, newName] = [of(tensor), renaming(from, to)];
    return sizes === "unknown" ? sizes : new Map(Array.from(sizes, ([name, size]) => [newName(name), size]));
  },
  concat: (node, { of }) => {
    const { along, pad } = node;
    const [left, right] = [of(node.left), of(node.right)];
    if (left === "unknown" || right === "unknown") return "unknown";
    const both = ofBoth(node, of, pad ? Math.max : Math.min);
    // One that lacks the dimension has a cell along it.
    const length = (left.get(along) ?? 1) + (right.get(along) ?? 1);
    return both === "unknown" ? both : new Map([...both, [along, length]]);
  },
  generate: unknown,
  slice: (node, { of }) => remaining(node, of(node.tensor)),
  literal: unknown,
  cast: ({ tensor, type }, { of }) => {
    const sizes = of(tensor);
    return sizes === "unknown" ? sizes : new Map([...sizes, ...boundSizes(type)]);
  },
  order: ({ tensor }, { of }) => of(tensor),
  mapSubspaces: ({ tensor, lambda, type }, { of, input }) => {
    const sizes = of(tensor);
    if (sizes === "unknown") return sizes;
    const inner = lambda.body.type.isBound
      ? boundSizes(lambda.body.type)
      : runSizes(lambda.body, { input, parameter: sizes });
    return inner === undefined ? "unknown" : remaining({ type }, inner);
  },
  filterSubspaces: ({ tensor }, { of }) => of(tensor),
  host: unknown,
};

/** The sizes along the dimensions that a value still has. */
function remaining({ type }: Pick<Node, "type">, sizes: Found): Found {
  if (sizes === "unknown") return sizes;
  return new Map([...sizes].filter(([name]) => type.dimension(name) !== undefined));
}

function same(left: Found, right: Found): Found {
  if (left === "unknown" || right === "unknown") return "unknown";
  return areSame(left, right) ? left : "unknown";
}

/** The sizes of a type that has them, and of both sides where it leaves them open. */
function ofBoth(
  node: NodeOf<"join" | "merge" | "concat">,
  of: Below["of"],
  common: (left: number, right: number) => number,
): Found {
  const [left, right] = [of(node.left), of(node.right)];
  if (left === "unknown" || right === "unknown") return "unknown";
  const sizes = node.type.indexed.map(({ name, size }): [string, number] => {
    const [one, other] = [left.get(name), right.get(name)];
    return [
      name,
      size ?? (one === undefined || other === undefined ? (one ?? other ?? 0) : common(one, other)),
    ];
  });
  return new Map(sizes);
}
