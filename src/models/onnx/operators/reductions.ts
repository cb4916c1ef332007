import { axesFrom, axisName, cellsIn, dimensionsOf, flattened, namesOf, sizeAt, without } from "../axes.js";
import { filled, generate, reduce, rename } from "../expression.js";
import { type ElementType, isWhole } from "../file/element-type.js";
import type { NodeImport } from "../node.js";
import { insideCell } from "../operand.js";
import type { Value } from "../value.js";
import { fitting, withinRange } from "../whole-numbers.js";
import { flatIndex } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that make one element of all along some axes, or compare each with those. */

/** The text of a reduction over these dimensions. */
type Reduction = (x: string, names: readonly string[], value: Value) => string;

/** The axes that an input or an attribute lists, counted from the left; all of them where none does. */
function reducedAxes(node: NodeImport, x: Value): number[] | "none" {
  const rank = x.shape.length;
  const listed = node.listed(1, "axes");
  if (listed === undefined || listed.length === 0)
    return node.integer("noop_with_empty_axes", 0) === 1 ? "none" : axesFrom(0, rank);
  return listed.map((axis) => node.axis(axis, rank));
}

/** Says what an output is that has lost axes, or keeps them with size 1. */
function defineReduced(
  node: NodeImport,
  x: Value,
  axes: readonly number[],
  text: (names: readonly string[]) => string,
  element: ElementType,
): Value {
  const { shape } = x;
  const reduced = text(namesOf(shape, axes));
  if (node.integer("keepdims", 1) === 1) return node.define(reduced, flattened(shape, axes), element);
  const remaining = axesFrom(0, shape.length).filter((axis) => !axes.includes(axis));
  const pairs = remaining.flatMap((axis, at) =>
    shape[axis] === 1 ? [] : [[axisName(shape.length, axis), axisName(remaining.length, at)] as const],
  );
  return node.define(rename(reduced, pairs), without(shape, axes), element);
}

const reduction =
  (text: Reduction, ofNothing: number): Become =>
  (node) => {
    const x = node.input(0);
    const axes = reducedAxes(node, x);
    if (axes === "none") return void node.define(text(x.text, [], x), x.shape, x.element);
    if (cellsIn(x.shape) === 0) return ofNoElement(node, x, axes, ofNothing);
    defineReduced(node, x, axes, (names) => text(x.text, names, x), x.element);
  };

function ofNoElement(node: NodeImport, x: Value, axes: readonly number[], value: number): void {
  const keeps = node.integer("keepdims", 1) === 1;
  const shape = keeps ? flattened(x.shape, axes) : without(x.shape, axes);
  node.constant(new Float64Array(cellsIn(shape)).fill(value), shape, x.element);
}

const sum =
  (of: (x: string) => string): Reduction =>
  (x, names, { element }) =>
    withinRange(reduce("sum", of(x), names), element);

/** A function of a sum, which may have fractions. */
const ofSum =
  (name: string, of: (x: string) => string): Reduction =>
  (x, names, { element }) =>
    fitting(`${name}(${reduce("sum", of(x), names)})`, element);

const mean: Reduction = (x, names, { element }) => fitting(reduce("avg", x, names), element);

const logSumExp: Reduction = (x, names, { element }) => {
  if (names.length === 0) return x;
  const largest = isWhole(element) ? reduce("max", x, names) : `finite(${reduce("max", x, names)})`;
  return fitting(`log(${reduce("sum", `exp(${x} - ${largest})`, names)}) + ${largest}`, element);
};

const itself = (x: string): string => x;

/** The index of a greatest or least element along an axis: 0 where the first is NaN, so that there always is one. */
function indexOfBest(x: Value, index: string, name: string): string {
  return isWhole(x.element) ? index : `unless_nan(${index}, ${x.text}{${name}:0})`;
}

/** The index of the greatest or least element along an axis; of several the first, unless the last is asked for. */
const argument =
  (aggregator: "max" | "min"): Become =>
  (node) => {
    const x = node.input(0);
    const axis = node.axis(node.integer("axis", 0), x.shape.length);
    const size = sizeAt(x.shape, axis);
    const isLast = node.integer("select_last_index", 0) === 1;
    const text = (names: readonly string[]): string => {
      const [name] = names;
      if (name === undefined) return filled(x.text, 0);
      const equal = `${x.text} == ${reduce(aggregator, x.text, names)}`;
      const index = `tensor(${name}[${size}])(${name})`;
      const candidates = `join(${equal}, ${index}, f(a, b)(if(a != 0, b, ${isLast ? -1 : size})))`;
      return indexOfBest(x, reduce(isLast ? "max" : "min", candidates, names), name);
    };
    defineReduced(node, x, [axis], text, "int64");
  };

/** The axes that a softmax is over: one, and before opset 13 all from one on. */
function softmaxAxes(node: NodeImport, x: Value): string[] {
  const rank = x.shape.length;
  const first = node.axis(node.integer("axis", node.opset < 13 ? 1 : -1), rank);
  return namesOf(x.shape, node.opset < 13 ? axesFrom(first, rank) : [first]);
}

const softmax =
  (name: "stable_softmax" | "log_softmax"): Become =>
  (node) => {
    const x = node.input(0);
    const names = softmaxAxes(node, x);
    const [only] = names;
    if (only === undefined)
      return void node.define(`${x.text} * 0${name === "log_softmax" ? "" : " + 1"}`, x.shape, x.element);
    if (names.length === 1) return void node.define(`${name}(${x.text}, ${only})`, x.shape, x.element);
    const shift = node.intermediate(
      "shifted",
      `${x.text} - ${reduce("max", x.text, names)}`,
      x.shape,
      x.element,
    );
    const exponentials = reduce("sum", `exp(${shift.text})`, names);
    const text =
      name === "log_softmax"
        ? `${shift.text} - log(${exponentials})`
        : `exp(${shift.text}) / ${exponentials}`;
    node.define(text, x.shape, x.element);
  };

/** 1 where the greatest element along the axes lies, the first of several, and 0 elsewhere. */
const hardmax: Become = (node) => {
  const x = node.input(0);
  const names = softmaxAxes(node, x);
  if (names.length === 0) return void node.define(filled(x.text, 1), x.shape, x.element);
  const dimensions = dimensionsOf(x.shape).filter(({ name }) => names.includes(name));
  const sizes = dimensions.map(({ size }) => size);
  const index = generate("double", dimensions, flatIndex(sizes, names));
  const isGreatest = `${x.text} == ${reduce("max", x.text, names)}`;
  const first = reduce(
    "min",
    `join(${isGreatest}, ${index}, f(a, b)(if(a != 0, b, ${cellsIn(sizes)})))`,
    names,
  );
  node.define(`cell_cast(${first} == ${index}, ${insideCell(x.element)})`, x.shape, x.element);
};

/** Sums or products of all elements up to each along an axis. */
const cumulative =
  (aggregator: "sum" | "prod"): Become =>
  (node) => {
    const x = node.input(0);
    const axis = node.axis(node.number(node.input(1), "axis"), x.shape.length);
    const size = sizeAt(x.shape, axis);
    const isExclusive = node.integer("exclusive", 0) === 1;
    const neutral = aggregator === "sum" ? 0 : 1;
    if (size === 1) {
      if (isExclusive) node.define(filled(x.text, neutral), x.shape, x.element);
      else node.alias(x);
      return;
    }
    const name = axisName(x.shape.length, axis);
    const order = node.integer("reverse", 0) === 1 ? ">" : "<";
    const mask = `tensor<float>(k[${size}], ${name}[${size}])(k ${order}${isExclusive ? "" : "="} ${name})`;
    const terms = `join(rename(${x.text}, ${name}, k), ${mask}, f(a, b)(if(b != 0, a, ${neutral})))`;
    node.define(withinRange(reduce(aggregator, terms, ["k"]), x.element), x.shape, x.element);
  };

// biome-ignore format: a table
export const reductions: OperatorTable = {
  ArgMax:          { 1: argument("max") },
  ArgMin:          { 1: argument("min") },
  CumProd:         { 26: cumulative("prod") },
  CumSum:          { 11: cumulative("sum") },
  Hardmax:         { 1: hardmax },
  LogSoftmax:      { 1: softmax("log_softmax") },
  ReduceL1:        { 1: reduction(sum((x) => `abs(${x})`), 0) },
  ReduceL2:        { 1: reduction(ofSum("sqrt", (x) => `${x} * ${x}`), 0) },
  ReduceLogSum:    { 1: reduction(ofSum("log", itself), Number.NEGATIVE_INFINITY) },
  ReduceLogSumExp: { 1: reduction(logSumExp, Number.NEGATIVE_INFINITY) },
  ReduceMax:       { 1: reduction((x, names) => reduce("max", x, names), Number.NEGATIVE_INFINITY) },
  ReduceMean:      { 1: reduction(mean, Number.NaN) },
  ReduceMin:       { 1: reduction((x, names) => reduce("min", x, names), Number.POSITIVE_INFINITY) },
  ReduceProd:      { 1: reduction((x, names) => reduce("prod", x, names), 1) },
  ReduceSum:       { 1: reduction(sum(itself), 0) },
  ReduceSumSquare: { 1: reduction(sum((x) => `${x} * ${x}`), 0) },
  Softmax:         { 1: softmax("stable_softmax") },
};
