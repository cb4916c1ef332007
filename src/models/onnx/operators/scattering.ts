import { element } from "../../../language/values/element.js";
import { indexesAt } from "../../../language/values/shape.js";
import { axesFrom, axisName, cellsIn, dimensionsOf, type Shape, sizeAt } from "../axes.js";
import { generate, number, reduce } from "../expression.js";
import type { Numbers } from "../file/numbers.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, insideCell } from "../operand.js";
import type { Value } from "../value.js";
import { withinRange } from "../whole-numbers.js";
import { checkBeside, mostComparisons, withinAxis } from "./indexing.js";
import { reshaped } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that put elements where other elements say. */

/** Tables of more elements would be larger than most weights. */
const mostTabled = 2 ** 24;

/** What the updates of one element make of it: none, or all of them with what was there. */
const combinations: Readonly<
  Record<
    string,
    {
      aggregator: string;
      neutral: number;
      combine: (x: string, all: string) => string;
      /** Whether whole numbers may become greater than their type has them. */
      mayOverflow?: true;
    }
  >
> = {
  add: { aggregator: "sum", neutral: 0, combine: (x, all) => `${x} + ${all}`, mayOverflow: true },
  mul: { aggregator: "prod", neutral: 1, combine: (x, all) => `${x} * ${all}`, mayOverflow: true },
  max: { aggregator: "max", neutral: Number.NEGATIVE_INFINITY, combine: (x, all) => `max(${x}, ${all})` },
  min: { aggregator: "min", neutral: Number.POSITIVE_INFINITY, combine: (x, all) => `min(${x}, ${all})` },
};

/** The same of truths: a sum is whether there is any, and a product whether all are. */
const combinationsOfTruths: typeof combinations = {
  ...combinations,
  add: { aggregator: "max", neutral: 0, combine: (x, all) => `max(${x}, ${all})` },
};

interface Scattering {
  readonly count: number;
  /** Whether an update, counted by a name, is for the element at these indexes. */
  readonly hits: (indexes: readonly string[], update: string) => string;
  /** The element of an update. */
  readonly update: (indexes: readonly string[], update: string) => string;
  /** For each element the last update for it, or -1, where the indexes are constant; nothing where they are not. */
  readonly last: () => Value | undefined;
}

/** An index along an axis as it counts from the start. */
function fromStart(node: NodeImport, index: number, size: number): number {
  if (index < -size || index >= size) node.refuse({ kind: "index", index, size });
  return index < 0 ? index + size : index;
}

/** The last updates of elements where constant indexes say them: pairs of a flat index and an update, in the order of the updates. */
function lastOf(
  node: NodeImport,
  shape: Shape,
  pairs: () => Iterable<readonly [at: number, update: number]>,
): Value | undefined {
  if (cellsIn(shape) > mostTabled) return undefined;
  const last = new Float64Array(cellsIn(shape)).fill(-1);
  for (const [at, update] of pairs()) last[at] = update;
  return node.table("last", last, shape, "int64");
}

/** Updates of elements: each element looks for the updates that are for it. Of several the last one counts, or all of them. */
function scatter(node: NodeImport, x: Value, scattering: Scattering): void {
  const { count, hits, update } = scattering;
  const reduction = node.text("reduction", "none");
  const chosen = (last: Value): void => {
    const text = generated(x.shape, x.element, (at) => {
      const position = elementAt(last, at);
      return `if(${position} >= 0, ${update(at, position)}, ${elementAt(x, at)})`;
    });
    node.define(text, x.shape, x.element);
  };
  const tabled = reduction === "none" ? scattering.last() : undefined;
  if (tabled !== undefined) return chosen(tabled);
  const name = "s";
  if (count * cellsIn(x.shape) > mostComparisons) node.refuse("many duplicates");
  const indexes = x.shape.map((size, axis) => (size === 1 ? "0" : axisName(x.shape.length, axis)));
  const dimensions = [...(count === 1 ? [] : [{ name, size: count }]), ...dimensionsOf(x.shape)];
  const each = count === 1 ? "0" : name;
  const over = count === 1 ? [] : [name];
  const combination = (x.element === "bool" ? combinationsOfTruths : combinations)[reduction];
  if (combination !== undefined) {
    const body = `if(${hits(indexes, each)}, ${update(indexes, each)}, ${number(combination.neutral)})`;
    const all = reduce(combination.aggregator, generate(insideCell(x.element), dimensions, body), over);
    const text = combination.combine(x.text, all);
    const within = combination.mayOverflow === true ? withinRange(text, x.element) : text;
    return void node.define(within, x.shape, x.element);
  }
  if (reduction !== "none") node.refuse({ kind: "attribute", name: "reduction", value: reduction });
  const found = reduce(
    "max",
    generate("double", dimensions, `if(${hits(indexes, each)}, ${each}, -1)`),
    over,
  );
  chosen(node.intermediate("last", found, x.shape, "int64"));
}

/** Where each element of constant indexes puts an update: at its own indexes, but along one axis where it says. */
function* elementPairs(
  node: NodeImport,
  shape: Shape,
  axis: number,
  indexes: { readonly shape: Shape; readonly numbers: Numbers },
): Generator<readonly [number, number]> {
  for (const [at, index] of Array.from(indexes.numbers).entries()) {
    const own = indexesAt(at, indexes.shape);
    const target = own.with(axis, fromStart(node, index, sizeAt(shape, axis)));
    yield [flatAt(shape, target), element(own, axis)];
  }
}

/** Where each row of constant indexes puts an update. */
function* rowPairs(node: NodeImport, leading: Shape, numbers: Numbers): Generator<readonly [number, number]> {
  const { length: depth } = leading;
  const all = Array.from(numbers);
  for (let update = 0; update * depth < all.length; update++) {
    const row = all.slice(update * depth, (update + 1) * depth);
    const target = row.map((index, axis) => fromStart(node, index, sizeAt(leading, axis)));
    yield [flatAt(leading, target), update];
  }
}

const flatAt = (shape: Shape, indexes: readonly number[]): number =>
  indexes.reduce((flat, index, axis) => flat * sizeAt(shape, axis) + index, 0);

const scatterElements: Become = (node) => {
  const [x, indexes, updates] = [node.input(0), node.input(1), node.input(2)];
  const axis = node.axis(node.integer("axis", 0), x.shape.length);
  const size = sizeAt(x.shape, axis);
  checkBeside(node, x, indexes, axis);
  node.checkFit(`${indexes.shape}` === `${updates.shape}`, [indexes, updates]);
  const along = (at: readonly string[], update: string): string[] =>
    at.map((each, position) => (position === axis ? update : each));
  const { numbers } = indexes;
  scatter(node, x, {
    count: sizeAt(indexes.shape, axis),
    last: () =>
      numbers && lastOf(node, x.shape, () => elementPairs(node, x.shape, axis, { ...indexes, numbers })),
    hits: (at, update) => {
      const inside = at.flatMap((each, position) =>
        position !== axis && sizeAt(indexes.shape, position) < sizeAt(x.shape, position)
          ? [`${each} < ${indexes.shape[position]}`]
          : [],
      );
      const index = withinAxis(node, indexes, elementAt(indexes, along(at, update)), size);
      return [...inside, `${index} == ${at[axis] ?? "0"}`].join(" && ");
    },
    update: (at, update) => elementAt(updates, along(at, update)),
  });
};

const scatterND: Become = (node) => {
  const [x, indexes, updates] = [node.input(0), node.input(1), node.input(2)];
  const outer = indexes.shape.slice(0, -1);
  const depth = sizeAt(indexes.shape, outer.length);
  const count = cellsIn(outer);
  node.checkFit(`${updates.shape}` === `${[...outer, ...x.shape.slice(depth)]}`, [x, indexes, updates]);
  const listed = (value: Value, suffix: string, rest: Shape): Value =>
    node.intermediate(suffix, reshaped(node, value, [count, ...rest]), [count, ...rest], value.element, [
      value,
    ]);
  const { numbers } = indexes;
  const leading = x.shape.slice(0, depth);
  const rows = listed(indexes, "indexes", [depth]);
  const values = listed(updates, "updates", x.shape.slice(depth));
  scatter(node, x, {
    count,
    last: () =>
      numbers &&
      lastOf(node, [...leading, ...x.shape.slice(depth).map(() => 1)], () =>
        rowPairs(node, leading, numbers),
      ),
    hits: (at, update) =>
      axesFrom(0, depth)
        .map((axis) => {
          const index = elementAt(rows, [update, `${axis}`]);
          const column = { at: axis, count: depth };
          return `${withinAxis(node, rows, index, sizeAt(x.shape, axis), column)} == ${at[axis] ?? "0"}`;
        })
        .join(" && "),
    update: (at, update) => elementAt(values, [update, ...at.slice(depth)]),
  });
};

// biome-ignore format: a table
export const scattering: OperatorTable = {
  Scatter:         { 9: scatterElements },
  ScatterElements: { 11: scatterElements },
  ScatterND:       { 11: scatterND },
};
