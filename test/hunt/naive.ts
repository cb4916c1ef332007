import {
  type Lambda,
  type Node,
  type NodeOf,
  type Table,
  visit,
} from "../../src/language/core/operations.js";
import { type AggregatorName, aggregators } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { renaming } from "../../src/language/types/algebra.js";
import { TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { wholeLabel } from "../../src/language/values/text.js";
import { type Address, type Cell, Cells, combinations } from "./cells.js";

/**
 * The language once more, so that the reference is not believed alone: cells with their addresses and nothing else. Every
 * body is computed anew for every cell, so that nothing of one can be seen in another.
 */

type Value = number | Cells;

/** What parameters are, by the level of their binder, and how inputs are found. */
interface Scope {
  readonly parameters: readonly (readonly Value[])[];
  /** An input's tensor, or the node of its default. */
  readonly input: (name: string) => Tensor | Node;
  /** Values of nodes that depend on no parameter. */
  readonly closed: Map<Node, Value>;
}

export const naively = (node: Node, input: Scope["input"]): Tensor =>
  asCells(evaluated(node, { parameters: [], input, closed: new Map() }), node.type).toTensor();

function evaluated(node: Node, scope: Scope): Value {
  const cached = node.depends === 0 ? scope.closed.get(node) : undefined;
  if (cached !== undefined) return cached;
  const value = visit(operations, node, scope);
  if (node.depends === 0) scope.closed.set(node, value);
  return value;
}

const number = (node: Node, scope: Scope): number => numberIn(evaluated(node, scope));
const cells = (node: Node, scope: Scope): Cells => asCells(evaluated(node, scope), node.type);

const numberIn = (value: Value): number => (typeof value === "number" ? value : (value.cells[0]?.value ?? 0));

const asCells = (value: Value, type: TensorType): Cells =>
  typeof value === "number" ? new Cells(type, new Map(), [{ address: {}, value }]) : value;

/** A scalar is a number while it is computed with. */
const made = (type: TensorType, sizes: ReadonlyMap<string, number>, all: readonly Cell[]): Value => {
  const value = Cells.filled(type, sizes, all);
  return type.isScalar ? numberIn(value) : value;
};

/** The body of a lambda, which sees its own parameters alone. */
const called = ({ body }: Lambda, parameters: readonly Value[], { input }: Scope): Value =>
  evaluated(body, { parameters: [[], parameters], input, closed: new Map() });

const operations: Table<[Scope], Value> = {
  constant: ({ value }) => fromTensor(value),
  input: ({ name }, { input }) => {
    const found = input(name);
    if (found instanceof Tensor) return fromTensor(found);
    return evaluated(found, { parameters: [], input, closed: new Map() });
  },
  parameter: ({ level, position }, { parameters }) => parameters[level]?.[position] ?? 0,
  random: () => {
    throw new Error("chance is not computed twice");
  },
  host: (node, scope) => {
    const returned = node.function.call(
      node.arguments.map((each) => cells(each, scope).toTensor()),
      node.span,
    );
    if (returned instanceof Promise) throw new Error("no function of the hunt is asynchronous");
    return fromTensor(returned);
  },
  apply: (node, scope) => {
    const [x = 0, y = 0] = node.arguments.map((each) => number(each, scope));
    return scalarFunctions[node.function].compute(x, y);
  },
  select: ({ condition, yes, no, type }, scope) => {
    const value = evaluated(number(condition, scope) !== 0 ? yes : no, scope);
    return typeof value === "number" ? value : made(type, value.sizes, value.cells);
  },
  map: ({ tensor, lambda, type }, scope) => {
    const { sizes, cells: all } = cells(tensor, scope);
    const change = (each: Cell): Cell => ({ ...each, value: numberIn(called(lambda, [each.value], scope)) });
    return made(type, sizes, all.map(change));
  },
  join,
  merge: ({ left, right, lambda, type }, scope) => {
    const [one, other] = [cells(left, scope), cells(right, scope)];
    const sizes = new Map(
      [...one.sizes].map(([name, size]) => [name, Math.max(size, other.sizes.get(name) ?? 0)]),
    );
    const both = one.cells.map(({ address, value }) => {
      const found = other.at(address);
      return {
        address,
        value: found === undefined ? value : numberIn(called(lambda, [value, found], scope)),
      };
    });
    return made(type, sizes, [
      ...both,
      ...other.cells.filter(({ address }) => one.at(address) === undefined),
    ]);
  },
  reduce: ({ tensor, aggregator, type }, scope) => {
    const whole = cells(tensor, scope);
    const groups = new Map<string, { address: Address; values: number[] }>();
    for (const { address, value } of whole.ordered()) {
      const rest = among(address, type.names);
      const key = JSON.stringify(rest);
      const group = groups.get(key) ?? { address: rest, values: [] };
      groups.set(key, group);
      group.values.push(value);
    }
    const all = [...groups.values()].map(({ address, values }) => ({
      address,
      value: aggregated(aggregator, values),
    }));
    return made(type, whole.sizes, all);
  },
  rename: ({ tensor, from, to, type }, scope) => {
    const { sizes, cells: all } = cells(tensor, scope);
    const newName = renaming(from, to);
    const named = <T>(entries: Iterable<readonly [string, T]>): [string, T][] =>
      [...entries].map(([name, each]) => [newName(name), each]);
    const moved = all.map(({ address, value }) => ({
      address: Object.fromEntries(named(Object.entries(address))),
      value,
    }));
    return made(type, new Map(named(sizes)), moved);
  },
  concat,
  generate: ({ level, body, type }, scope) => {
    const sizes = new Map(type.indexed.map(({ name, size = 0 }) => [name, size]));
    const all = combinations(sizes).map((address): Cell => {
      const parameters = scope.parameters.slice(0, level);
      parameters[level] = type.names.map((name) => Number(address[name]));
      return { address, value: number(body, { ...scope, parameters }) };
    });
    return made(type, sizes, all);
  },
  slice: ({ tensor, at, type }, scope) => {
    const whole = cells(tensor, scope);
    const labels = at.map(({ dimension, label }): [string, string] => [
      dimension,
      typeof label === "string" ? label : wholeLabel(number(label, scope)),
    ]);
    const found = whole.cells.filter(({ address }) =>
      labels.every(([name, label]) => address[name] === label),
    );
    return made(
      type,
      whole.sizes,
      found.map(({ address, value }) => ({ address: among(address, type.names), value })),
    );
  },
  literal: (node, scope) => {
    const { type } = node;
    const sizes = new Map(type.indexed.map(({ name, size = 0 }) => [name, size]));
    const indexes = combinations(sizes);
    const all = node.cells.map(({ labels, offset, value }): Cell => {
      const mapped = Object.fromEntries(type.mapped.map(({ name }, at) => [name, labels[at] ?? ""]));
      return { address: { ...mapped, ...indexes[offset] }, value: number(value, scope) };
    });
    return made(type, sizes, all);
  },
  cast: ({ tensor, type }, scope) => {
    const { sizes, cells: all } = cells(tensor, scope);
    return made(type, sizes, all);
  },
  order: ({ tensor, descending, type }, scope) => {
    const whole = cells(tensor, scope);
    const ranked = whole.ordered().map((each, at) => ({ ...each, at }));
    const sign = descending ? -1 : 1;
    // NaN comes last, and equal cells keep their order.
    ranked.sort((one, other) => {
      const [a, b] = [one.value, other.value].map(Number.isNaN);
      if (a || b) return Number(a) - Number(b) || one.at - other.at;
      return one.value === other.value ? one.at - other.at : sign * (one.value < other.value ? -1 : 1);
    });
    return made(
      type,
      whole.sizes,
      ranked.map(({ address }, rank) => ({ address, value: rank })),
    );
  },
  mapSubspaces: ({ tensor, lambda, type }, scope) => {
    const results = blocksOf(cells(tensor, scope)).map(({ labels, block }) => {
      const result = asCells(called(lambda, [block], scope), lambda.body.type);
      return {
        sizes: result.sizes,
        all: result.cells.map((each) => ({ ...each, address: { ...labels, ...each.address } })),
      };
    });
    // Where a size is open, a block is as large as the largest.
    const sizes = new Map<string, number>();
    for (const result of results)
      for (const [name, size] of result.sizes) sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
    return made(
      type,
      sizes,
      results.flatMap(({ all }) => all),
    );
  },
  filterSubspaces: ({ tensor, lambda, type }, scope) => {
    const whole = cells(tensor, scope);
    const chosen = blocksOf(whole).filter(({ block }) => {
      const result = asCells(called(lambda, [block], scope), lambda.body.type);
      return result.ordered().reduce((sum, { value }) => sum + value, 0) !== 0;
    });
    return made(
      type,
      whole.sizes,
      chosen.flatMap(({ all }) => all),
    );
  },
};

function join({ left, right, lambda, type }: NodeOf<"join">, scope: Scope): Value {
  const [one, other] = [cells(left, scope), cells(right, scope)];
  const common = one.type.names.filter((name) => other.type.dimension(name) !== undefined);
  const sizes = new Map([...one.sizes, ...other.sizes]);
  for (const name of common) sizes.set(name, Math.min(one.sizes.get(name) ?? 0, other.sizes.get(name) ?? 0));
  const pairs = one.cells.flatMap((each) =>
    other.cells.flatMap((match): Cell[] => {
      if (common.some((name) => each.address[name] !== match.address[name])) return [];
      const value = numberIn(called(lambda, [each.value, match.value], scope));
      return [{ address: { ...each.address, ...match.address }, value }];
    }),
  );
  return made(type, sizes, pairs);
}

function concat({ left, right, along, type }: NodeOf<"concat">, scope: Scope): Value {
  const sides = [cells(left, scope), cells(right, scope)] as const;
  const lengths = sides.map(({ sizes }) => sizes.get(along) ?? 1);
  const sizes = new Map<string, number>();
  for (const side of sides)
    for (const [name, size] of side.sizes) sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
  sizes.set(
    along,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  const names = type.mapped.map(({ name }) => name);
  // The labels of a row of one side and of a row of the other, where they agree.
  const rows = sides[0]
    .rows()
    .flatMap((one) =>
      sides[1]
        .rows()
        .flatMap((other) =>
          names.some((name) => (one[name] ?? other[name]) !== (other[name] ?? one[name]))
            ? []
            : [{ ...one, ...other }],
        ),
    );
  const all = rows.flatMap((row) =>
    combinations(sizes).flatMap((indexes): Cell[] => {
      const index = Number(indexes[along]);
      const isFirst = index < (lengths[0] ?? 0);
      const side = sides[isFirst ? 0 : 1];
      const address = { ...row, ...indexes, [along]: `${isFirst ? index : index - (lengths[0] ?? 0)}` };
      const value = side.at(among(address, side.type.names));
      return value === undefined ? [] : [{ address: { ...row, ...indexes }, value }];
    }),
  );
  return made(type, sizes, all);
}

const among = (address: Address, names: readonly string[]): Address =>
  Object.fromEntries(names.map((name) => [name, address[name] ?? ""]));

/** The dense blocks of a tensor, each with its labels. */
function blocksOf(whole: Cells): readonly { labels: Address; block: Value; all: readonly Cell[] }[] {
  const { type, sizes } = whole;
  const inner = TensorType.of(type.cellType, type.indexed);
  return whole.rows().map((labels) => {
    const all = whole.cells.filter(({ address }) =>
      type.mapped.every(({ name }) => address[name] === labels[name]),
    );
    const own = all.map(({ address, value }) => ({ address: among(address, inner.names), value }));
    return { labels, block: made(inner, sizes, own), all };
  });
}

function fromTensor(tensor: Tensor): Value {
  const sizes = new Map(tensor.type.indexed.map(({ name }, at) => [name, tensor.sizes[at] ?? 0]));
  return tensor.type.isScalar ? tensor.at(0) : new Cells(tensor.type, sizes, [...tensor.cells()]);
}

function aggregated(name: AggregatorName, values: readonly number[]): number {
  const [first = 0] = values;
  const sum = (): number => values.reduce((total, value) => total + value, 0);
  switch (name) {
    case "sum":
      return sum();
    case "avg":
      return sum() / values.length;
    case "count":
      return values.length;
    case "prod":
      return values.reduce((product, value) => product * value, 1);
    case "max":
      return values.reduce((most, value) => (value > most ? value : most), Number.NEGATIVE_INFINITY);
    case "min":
      return values.reduce((least, value) => (value < least ? value : least), Number.POSITIVE_INFINITY);
    case "median": {
      if (values.some(Number.isNaN)) return Number.NaN;
      const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      const upper = sorted[sorted.length >> 1] ?? first;
      return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? first) + upper) / 2;
    }
    default:
      throw new Error(`${name} is of another dialect: ${aggregators[name].description}`);
  }
}
