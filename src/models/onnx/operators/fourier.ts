import { axisName, replaced, type Shape, sizeAt } from "../axes.js";
import { number, reduce, rename } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, renamed } from "../operand.js";
import type { Value } from "../value.js";
import type { Become, OperatorTable } from "./table.js";

/** Fourier transforms, as products with matrices of cosines and sines. The last axis has real parts, and imaginary ones where there are any. */

interface FourierTransform {
  readonly axis: number;
  /** The length of a period, where it is another one than that of the axis. */
  readonly length: number | undefined;
  readonly isInverse: boolean;
  /** Whether of a transform of real numbers half is enough. */
  readonly isOneSided: boolean;
}

/** The elements of an axis that a period has: it may be shorter. */
function withinPeriod(node: NodeImport, x: Value, axis: number, length: number): Value {
  if (sizeAt(x.shape, axis) <= length) return x;
  const shape = replaced(x.shape, axis, length);
  return node.intermediate(
    "period",
    generated(shape, x.element, (at) => elementAt(x, at)),
    shape,
    x.element,
    [x],
  );
}

function defineTransform(
  node: NodeImport,
  input: Value,
  { axis, length, isInverse, isOneSided }: FourierTransform,
): void {
  const isReal = isInverse && isOneSided;
  const count = sizeAt(input.shape, axis);
  const period = length ?? (isReal ? 2 * (count - 1) : count);
  const x = withinPeriod(node, input, axis, isReal ? Math.floor(period / 2) + 1 : period);
  const terms = sizeAt(x.shape, axis);
  const results = isOneSided && !isInverse ? Math.floor(period / 2) + 1 : period;
  node.few(terms * results);
  const rank = x.shape.length;
  const [name, last] = [axisName(rank, axis), axisName(rank, rank - 1)];
  const isComplex = sizeAt(x.shape, rank - 1) === 2;
  /** The waves as a value of their own, so that they are computed once. */
  const tableOf = (wave: "cos" | "sin"): string => {
    const text = generated([terms, results], x.element, ([k = "0", j = "0"]) => {
      const isOwn = period % 2 === 0 ? `${k} == 0 || ${k} == ${period / 2}` : `${k} == 0`;
      const weight = isReal && terms > 1 ? ` * if(${isOwn}, 1, 2)` : "";
      return `${wave}(${k} * ${j} % ${period} * ${number((2 * Math.PI) / period)})${weight}`;
    });
    return renamed(node.intermediate(wave, text, [terms, results], x.element, []), ["k", name]);
  };
  const tables = { cos: tableOf("cos"), sin: tableOf("sin") };
  const sum = (part: 0 | 1, wave: "cos" | "sin"): string => {
    const own = isComplex ? `${x.text}{${last}:${part}}` : x.text;
    const turned = terms === 1 ? own : rename(own, [[name, "k"]]);
    return reduce("sum", `${turned} * ${tables[wave]}`, terms === 1 ? [] : ["k"]);
  };
  const scale = isInverse ? ` / ${period}` : "";
  const sign = isInverse ? ["-", "+"] : ["+", "-"];
  const real = isComplex
    ? `(${sum(0, "cos")} ${sign[0]} ${sum(1, "sin")})${scale}`
    : `${sum(0, "cos")}${scale}`;
  const shape: Shape = replaced(replaced(x.shape, axis, results), rank - 1, isReal ? 1 : 2);
  if (isReal) return void node.define(real, shape, x.element, 0, [x]);
  const imaginary = isComplex
    ? `(${sum(1, "cos")} ${sign[1]} ${sum(0, "sin")})${scale}`
    : `(0 ${sign[1]} ${sum(0, "sin")})${scale}`;
  node.define(`concat(${real}, ${imaginary}, ${last})`, shape, x.element, 0, [x]);
}

const discreteFourier: Become = (node) => {
  const x = node.input(0);
  const listed = node.optional(1);
  const axes = node.optional(2);
  const written =
    axes === undefined ? node.integer("axis", node.opset < 20 ? 1 : -2) : node.number(axes, "axis");
  const axis = node.axis(written, x.shape.length);
  if (axis === x.shape.length - 1) node.refuse({ kind: "axis", axis, axes: axis });
  defineTransform(node, x, {
    axis,
    length: listed === undefined ? undefined : node.number(listed, "dft_length"),
    isInverse: node.integer("inverse", 0) === 1,
    isOneSided: node.integer("onesided", 0) === 1,
  });
};

/** Transforms of windows of a signal, one behind the other. */
const shortTimeFourier: Become = (node) => {
  const [signal, window, lengths] = [node.input(0), node.optional(2), node.optional(3)];
  const step = node.number(node.input(1), "frame_step");
  const [batches, samples, parts = 1] = node.withAxes(signal.shape, 2); // a real signal may have no axis for parts
  const length = lengths === undefined ? (window?.shape[0] ?? samples) : node.number(lengths, "frame_length");
  if (!(step >= 1 && length >= 1 && length <= samples))
    node.refuse({ kind: "shapes", shapes: [signal.shape, [length]] });
  const shape = [batches, Math.floor((samples - length) / step) + 1, length, parts];
  const text = generated(shape, signal.element, ([batch = "0", frame = "0", at = "0", part = "0"]) => {
    const sample = elementAt(signal, [batch, `${frame} * ${step} + ${at}`, part]);
    return window === undefined ? sample : `${sample} * ${elementAt(window, [at])}`;
  });
  const frames = node.intermediate("frames", text, shape, signal.element, [signal, window]);
  const isOneSided = node.integer("onesided", 1) === 1;
  defineTransform(node, frames, { axis: 2, length: undefined, isInverse: false, isOneSided });
};

// biome-ignore format: a table
export const fourier: OperatorTable = {
  DFT:  { 17: discreteFourier },
  STFT: { 17: shortTimeFourier },
};
