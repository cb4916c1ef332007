import { element } from "../../../language/values/element.js";
import {
  axesFrom,
  axisName,
  cellsIn,
  dimensionsOf,
  replaced,
  type Shape,
  type SizedDimension,
  sizeAt,
} from "../axes.js";
import { generate, reduce } from "../expression.js";
import type { Numbers } from "../file/numbers.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, insideCell } from "../operand.js";
import type { Value } from "../value.js";
import { isWholeValue } from "../whole-numbers.js";
import { flatIndex } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that look elements up where other elements say. */

/** More comparisons than these would take longer than anybody waits. */
export const mostComparisons = 2 ** 28;

/**
 * An index along an axis, which may count from the end. Constant ones must be within the axis; where another one is not, a cell is read
 * that is not there.
 */
export function withinAxis(
  node: NodeImport,
  indexes: Value,
  text: string,
  size: number,
  column: Column = whole,
): string {
  const numbers = Array.from(indexes.numbers ?? []).filter((_, at) => at % column.count === column.at);
  const beyond = numbers.find((index) => index < -size || index >= size);
  if (beyond !== undefined) node.refuse({ kind: "index", index: beyond, size });
  const isPlain = indexes.numbers !== undefined && numbers.every((index) => index >= 0);
  return isPlain ? text : `from_end(${text}, ${size})`;
}

/** Of rows of indexes those that are for one axis. */
interface Column {
  readonly at: number;
  readonly count: number;
}

const whole: Column = { at: 0, count: 1 };

/** One element of a value; of an axis of one element, which has no dimension, 0 where a computed index is another one. */
function elementWithin(value: Value, at: readonly string[], indexes: Value, axes: readonly number[]): string {
  const element = elementAt(value, at);
  const conditions = axes.flatMap((axis) => (value.shape[axis] === 1 ? [`${at[axis] ?? "0"} == 0`] : []));
  const isCertain = indexes.numbers !== undefined || conditions.length === 0;
  return isCertain ? element : `if(${conditions.join(" && ")}, ${element}, 0)`;
}

const gather: Become = (node) => {
  const [x, indexes] = [node.input(0), node.input(1)];
  const axis = node.axis(node.integer("axis", 0), x.shape.length);
  const count = indexes.shape.length;
  const shape = [...x.shape.slice(0, axis), ...indexes.shape, ...x.shape.slice(axis + 1)];
  const text = generated(shape, x.element, (at) => {
    const index = elementAt(indexes, at.slice(axis, axis + count));
    const chosen = withinAxis(node, indexes, index, sizeAt(x.shape, axis));
    return elementWithin(x, [...at.slice(0, axis), chosen, ...at.slice(axis + count)], indexes, [axis]);
  });
  node.define(text, shape, x.element);
};

/** Refuses indexes that reach beyond a value where they lie beside it. */
export function checkBeside(node: NodeImport, x: Value, indexes: Value, axis: number): void {
  const isWithin = (size: number, at: number): boolean => at === axis || size <= sizeAt(x.shape, at);
  const isFitting = indexes.shape.length === x.shape.length && indexes.shape.every(isWithin);
  node.checkFit(isFitting, [x, indexes]);
}

const gatherElements: Become = (node) => {
  const [x, indexes] = [node.input(0), node.input(1)];
  const axis = node.axis(node.integer("axis", 0), x.shape.length);
  checkBeside(node, x, indexes, axis);
  const text = generated(indexes.shape, x.element, (at) => {
    const index = withinAxis(node, indexes, elementAt(indexes, at), sizeAt(x.shape, axis));
    const indexesOf = at.map((each, position) => (position === axis ? index : each));
    return elementWithin(x, indexesOf, indexes, [axis]);
  });
  node.define(text, indexes.shape, x.element);
};

const gatherND: Become = (node) => {
  const [x, indexes] = [node.input(0), node.input(1)];
  const batch = node.integer("batch_dims", 0);
  const outer = indexes.shape.slice(0, -1);
  const depth = sizeAt(indexes.shape, outer.length);
  node.checkFit(`${x.shape.slice(0, batch)}` === `${indexes.shape.slice(0, batch)}`, [x, indexes]);
  const shape = [...outer, ...x.shape.slice(batch + depth)];
  const text = generated(shape, x.element, (at) => {
    const chosen = axesFrom(0, depth).map((each) => {
      const index = elementAt(indexes, [...at.slice(0, outer.length), `${each}`]);
      const size = sizeAt(x.shape, batch + each);
      return withinAxis(node, indexes, index, size, { at: each, count: depth });
    });
    const indexesOf = [...at.slice(0, batch), ...chosen, ...at.slice(outer.length)];
    return elementWithin(x, indexesOf, indexes, axesFrom(batch, batch + depth));
  });
  node.define(text, shape, x.element);
};

const oneHot: Become = (node) => {
  const [indexes, values] = [node.input(0), node.input(2)];
  const depth = node.number(node.input(1), "depth");
  const rank = indexes.shape.length + 1;
  const axis = node.axis(node.integer("axis", -1), rank);
  const shape = [...indexes.shape.slice(0, axis), depth, ...indexes.shape.slice(axis)];
  const text = generated(shape, values.element, (at) => {
    const element = elementAt(
      indexes,
      at.filter((_, position) => position !== axis),
    );
    const index = isWholeValue(indexes) ? element : `trunc(${element})`;
    const hot = `from_end(${index}, ${depth}) == ${at[axis] ?? "0"}`;
    return `if(${hot}, ${elementAt(values, ["1"])}, ${elementAt(values, ["0"])})`;
  });
  node.define(text, shape, values.element);
};

/** Each element counts those before it in the order, in which NaN is last; the k with the smallest counts are the first k. */
const topK: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const axis = node.axis(node.integer("axis", -1), rank);
  const listed = node.optional(1);
  const count = listed === undefined ? node.requiredInteger("k") : node.number(listed, "k");
  const shape = replaced(x.shape, axis, count);
  const index = node.define(firstPositions(node, x, axis, shape), shape, "int64", 1);
  node.define(
    generated(shape, x.element, (at) => elementAt(x, at.with(axis, elementAt(index, at)))),
    shape,
    x.element,
  );
};

/** Where the elements lie that are first along an axis. */
function firstPositions(node: NodeImport, x: Value, axis: number, shape: Shape): string {
  const size = sizeAt(x.shape, axis);
  const beyond = node.integer("largest", 1) === 1 ? ">" : "<";
  if (size === 1) return generate("double", dimensionsOf(shape), "0");
  if (size * cellsIn(x.shape) > mostComparisons) node.refuse("many duplicates");
  const rank = x.shape.length;
  const name = axisName(rank, axis);
  const sumOf = (dimensions: readonly SizedDimension[], body: string): string =>
    `sum(${generate("double", [{ name: "k", size }, ...dimensions], body)}, k)`;
  const own = x.shape.map((each, at) => (each === 1 ? "0" : axisName(rank, at)));
  const others = own.with(axis, "k");
  const [mine, other] = [elementAt(x, own), elementAt(x, others)];
  const isNanBefore = isWholeValue(x) ? "" : ` || isNan(${mine}) && (!isNan(${other}) || k < ${name})`;
  const isBefore = `${other} ${beyond} ${mine} || ${other} == ${mine} && k < ${name}${isNanBefore}`;
  const order = node.intermediate("order", sumOf(dimensionsOf(x.shape), isBefore), x.shape, "int64");
  const position = sizeAt(shape, axis) === 1 ? "0" : name;
  return sumOf(dimensionsOf(shape), `if(${elementAt(order, others)} == ${position}, k, 0)`);
}

const dataDependent: Become = (node) => node.refuse("data-dependent");

/** The positions of the numbers that are not 0. */
const positionsOf = (numbers: Numbers): number[] =>
  Array.from(numbers).flatMap((number, at) => (number === 0 ? [] : [at]));

/** Where the elements are that are not 0: a row of indexes for each axis. */
const nonZero: Become = (node) => {
  const { numbers, shape: own } = node.input(0);
  if (numbers === undefined) return node.refuse("data-dependent", node.input(0));
  const positions = positionsOf(numbers);
  const shape = own.length === 0 ? [1] : own;
  const indexes = shape.flatMap((size, axis) => {
    const stride = cellsIn(shape.slice(axis + 1));
    return positions.map((at) => Math.floor(at / stride) % size);
  });
  node.constant(indexes, [shape.length, positions.length], "int64");
};

/** What a condition chooses along an axis, or of all elements in a row. */
const compress: Become = (node) => {
  const [x, { numbers }] = [node.input(0), node.input(1)];
  if (numbers === undefined) return node.refuse("data-dependent", node.input(1));
  const axis = node.integer("axis");
  const all = node.table("all", [-1], [1], "int64");
  const rows = axis === undefined ? node.operation("Reshape", [x, all]) : x;
  const positions = positionsOf(numbers);
  const chosen = node.table("chosen", positions, [positions.length], "int64");
  node.operation("Gather", [rows, chosen], { axis: axis ?? 0 }, 0);
};

/** Elements of small images, added where they overlap in the large one. */
const columnsToImage: Become = (node) => {
  const x = node.input(0);
  const image = node.numbers(node.input(1), "image_shape");
  const rank = image.length;
  const block = node.numbersOf(node.input(2), "block_shape", rank);
  const list = (name: string): readonly number[] =>
    node.asMany(node.integers(name) ?? image.map(() => 1), name, rank);
  const [strides, dilations] = [list("strides"), list("dilations")];
  const pads = node.asMany(node.integers("pads") ?? axesFrom(0, 2 * rank).map(() => 0), "pads", 2 * rank);
  const batch = sizeAt(x.shape, 0);
  const channels = sizeAt(x.shape, 1) / cellsIn(block);
  const shape = [batch, channels, ...image];
  const steps = image.map((size, at) => {
    const reach = element(dilations, at) * (element(block, at) - 1) + 1;
    const padded = size + element(pads, at) + element(pads, at + rank);
    return Math.floor((padded - reach) / element(strides, at)) + 1;
  });
  const names = block.map((_, at) => `k${at}`);
  const indexes = shape.map((size, axis) => (size === 1 ? "0" : axisName(shape.length, axis)));
  const kernel = names.map((name, at) => (block[at] === 1 ? "0" : name));
  const offsets = kernel.map((name, at) => `(${indexes[at + 2]} + ${pads[at]} - ${name} * ${dilations[at]})`);
  const conditions = offsets.flatMap((offset, at) => [
    `${offset} >= 0`,
    `${offset} < ${element(steps, at) * element(strides, at)}`,
    ...(strides[at] === 1 ? [] : [`${offset} % ${strides[at]} == 0`]),
  ]);
  const column = flatIndex(
    steps,
    offsets.map((offset, at) => (strides[at] === 1 ? offset : `floor(${offset} / ${strides[at]})`)),
  );
  const row = flatIndex([channels, ...block], [indexes[1] ?? "0", ...kernel]);
  const body = `if(${conditions.join(" && ")}, ${elementAt(x, [indexes[0] ?? "0", row, column])}, 0)`;
  const windows = block.flatMap((size, at) => (size === 1 ? [] : [{ name: element(names, at), size }]));
  const text = generate(insideCell(x.element), [...windows, ...dimensionsOf(shape)], body);
  node.define(
    reduce(
      "sum",
      text,
      windows.map(({ name }) => name),
    ),
    shape,
    x.element,
  );
};

// biome-ignore format: a table
export const indexing: OperatorTable = {
  Col2Im:            { 18: columnsToImage },
  Compress:          { 9: compress },
  Gather:            { 1: gather },
  GatherElements:    { 11: gatherElements },
  GatherND:          { 11: gatherND },
  NonMaxSuppression: { 10: dataDependent },
  NonZero:           { 9: nonZero },
  OneHot:            { 9: oneHot },
  TopK:              { 1: topK },
  Unique:            { 11: dataDependent },
};
