import type { CellType } from "../../../../language/types/cell.js";
import {
  axesFrom,
  axisName,
  cellsIn,
  dimensionsOf,
  namesOf,
  type SizedDimension,
  sizeAt,
} from "../../axes.js";
import { generate, number, reduce, rename } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, insideCell } from "../../operand.js";
import type { Value } from "../../value.js";
import { isWholeValue } from "../../whole-numbers.js";
import { flatIndex } from "../reshaping.js";
import type { Become, OperatorTable } from "../table.js";
import {
  conditions,
  isBeyond,
  kernelDimensions,
  padded,
  positions,
  readPositions,
  stepDimensions,
  type Windows,
  windowsOf,
} from "./windows.js";

/** Operators that make one element of all in a window. */

interface Pool {
  readonly windows: Windows;
  readonly shape: number[];
  /** The elements of each window, with others where it reaches beyond what is there. */
  readonly elements: (outside: string) => string;
  /** Something for each element of each window, for every batch and channel. */
  readonly each: (body: string, cells?: CellType) => string;
  readonly names: readonly string[];
}

function poolOf(node: NodeImport, x: Value): Pool {
  const [batch, channels, ...spatial] = node.withAxes(x.shape, 2);
  const kernel =
    node.integers("kernel_shape") ?? node.refuse({ kind: "attribute missing", name: "kernel_shape" });
  const windows = windowsOf(node, spatial, kernel);
  const rank = x.shape.length;
  const elements = (outside: string): string => {
    const around = padded(node, x, windows, outside);
    return each(elementAt(around, [axisName(rank, 0), axisName(rank, 1), ...readPositions(windows)]));
  };
  const outer = dimensionsOf([batch, channels, ...spatial]).filter(({ name }) => name <= axisName(rank, 1));
  const dimensions = [...outer, ...stepDimensions(windows), ...kernelDimensions(windows)];
  const each = (body: string, cells = insideCell(x.element)): string => generate(cells, dimensions, body);
  return {
    windows,
    shape: [batch, channels, ...windows.steps],
    elements,
    each,
    names: kernelDimensions(windows).map(({ name }) => name),
  };
}

const maxPool: Become = (node) => {
  const x = node.input(0);
  const { windows, shape, elements, each, names } = poolOf(node, x);
  const outside = isWholeValue(x) ? "-128" : "-1 / 0";
  const window = elements(outside);
  const result = node.define(reduce("max", window, names), shape, x.element);
  if (!node.isUsed(1)) return;
  const rank = x.shape.length;
  const isColumnFirst = node.integer("storage_order", 0) === 1;
  const at = [
    sizeAt(shape, 0) === 1 ? "0" : axisName(rank, 0),
    sizeAt(shape, 1) === 1 ? "0" : axisName(rank, 1),
  ];
  const [sizes, indexes] = [windows.spatial, positions(windows).map((each) => `(${each})`)];
  const flat = flatIndex([...x.shape.slice(0, 2), cellsIn(sizes)], [...at, `(${flatIndex(sizes, indexes)})`]);
  // Where a window reaches beyond what is there, nothing is found, even if all in it is as little as what is put there.
  const inside = conditions(windows);
  const position = inside.length === 0 ? flat : `if(${inside.join(" && ")}, ${flat}, 1 / 0)`;
  const first = `join(${window} == ${result.text}, ${each(position, "double")}, f(a, b)(if(a != 0, b, 1 / 0)))`;
  const index = reduce("min", first, names);
  node.define(isColumnFirst ? columnFirst(index, sizes) : index, shape, "int64", 1);
};

/** Indexes whose last axis runs fastest, as indexes whose first one of these axes does. */
function columnFirst(index: string, sizes: readonly number[]): string {
  const count = cellsIn(sizes);
  const terms = sizes.map((size, at) => {
    const [step, stride] = [cellsIn(sizes.slice(at + 1)), cellsIn(sizes.slice(0, at))];
    return `(floor(a / ${step}) - floor(a / ${step * size}) * ${size}) * ${stride}`;
  });
  return `map(${index}, f(a)(${[`floor(a / ${count}) * ${count}`, ...terms].join(" + ")}))`;
}

const averagePool: Become = (node) => {
  const x = node.input(0);
  const { windows, shape, elements, names } = poolOf(node, x);
  const counts = (inside: readonly string[]): string => {
    const dimensions: SizedDimension[] = [...stepDimensions(windows), ...kernelDimensions(windows)];
    return reduce(
      "sum",
      generate("float", dimensions, inside.length === 0 ? "1" : inside.join(" && ")),
      names,
    );
  };
  const sum = reduce("sum", elements("0"), names);
  const inside = conditions(windows);
  if (node.integer("count_include_pad", 0) === 0) {
    // A window whose cells lie apart may have none but padding: then ONNX Runtime has 0.
    const count = `max(1, ${counts(inside)})`;
    const text = inside.length === 0 ? reduce("avg", elements("0"), names) : `${sum} / ${count}`;
    return void node.define(text, shape, x.element);
  }
  // Padding counts, but not what a last window reaches beyond it.
  const ends = windows.spatial.map((size, at) => size + sizeAt(windows.after, at));
  const padded = positions(windows).flatMap((position, at) =>
    isBeyond(windows, at, sizeAt(ends, at)) ? [`${position} < ${ends[at]}`] : [],
  );
  node.define(`${sum} / ${padded.length === 0 ? cellsIn(windows.kernel) : counts(padded)}`, shape, x.element);
};

const lpPool: Become = (node) => {
  const x = node.input(0);
  const { shape, elements, names } = poolOf(node, x);
  const power = node.integer("p", 2);
  const sum = reduce("sum", `map(${elements("0")}, f(a)(pow(abs(a), ${power})))`, names);
  node.define(`pow(${sum}, ${number(1 / power)})`, shape, x.element);
};

const globalPool =
  (text: (x: string, names: readonly string[], node: NodeImport) => string): Become =>
  (node) => {
    const x = node.input(0);
    const axes = axesFrom(2, x.shape.length);
    const shape = x.shape.map((size, axis) => (axis < 2 ? size : 1));
    node.define(text(x.text, namesOf(x.shape, axes), node), shape, x.element);
  };

const globalNorm = globalPool((x, names, node) => {
  const power = node.integer("p", 2);
  return `pow(${reduce("sum", `map(${x}, f(a)(pow(abs(a), ${power})))`, names)}, ${number(1 / power)})`;
});

/** Puts elements back where a pooling took them from, once where windows overlap and several took the same; all else is 0. */
const maxUnpool: Become = (node) => {
  const [x, indexes, listed] = [node.input(0), node.input(1), node.optional(2)];
  const [batch, channels, ...spatial] = node.withAxes(x.shape, 2);
  node.checkFit(`${x.shape}` === `${indexes.shape}`, [x, indexes]);
  const kernel = node.integers("kernel_shape") ?? [];
  const strides = node.integers("strides") ?? kernel.map(() => 1);
  const pads = node.integers("pads") ?? axesFrom(0, 2 * kernel.length).map(() => 0);
  const plain = spatial.map(
    (size, at) =>
      (size - 1) * sizeAt(strides, at) -
      sizeAt(pads, at) -
      sizeAt(pads, at + kernel.length) +
      sizeAt(kernel, at),
  );
  const shape = listed === undefined ? [batch, channels, ...plain] : node.numbers(listed, "output_shape");
  // The indexes count the elements of the plain size, whatever the size that is asked for.
  const target = [batch, channels, ...plain];
  const own = dimensionsOf(x.shape).map(({ name }) => [name, `e_${name}`] as const);
  const renamed = (value: Value): string => rename(value.text, own);
  const position = generated(target, "int64", (at) => flatIndex(target, at));
  const isFrom = `${renamed(indexes)} == ${position}`;
  const found = `join(${isFrom}, ${renamed(x)}, f(a, b)(if(a != 0, b, -1 / 0)))`;
  const names = own.map(([, name]) => name);
  const back = `where(${reduce("max", isFrom, names)}, ${reduce("max", found, names)}, 0)`;
  if (`${shape}` === `${target}`) return void node.define(back, shape, x.element);
  const small = node.intermediate("unpooled", back, target, x.element);
  const text = generated(shape, x.element, (at) => {
    const inside = at.flatMap((index, axis) =>
      sizeAt(target, axis) < sizeAt(shape, axis) ? [`${index} < ${target[axis]}`] : [],
    );
    return `if(${inside.join(" && ")}, ${elementAt(small, at)}, 0)`;
  });
  node.define(text, shape, x.element);
};

// biome-ignore format: a table
export const pooling: OperatorTable = {
  AveragePool:       { 1: averagePool },
  GlobalAveragePool: { 1: globalPool((x, names) => reduce("avg", x, names)) },
  GlobalLpPool:      { 1: globalNorm },
  GlobalMaxPool:     { 1: globalPool((x, names) => reduce("max", x, names)) },
  LpPool:            { 1: lpPool },
  MaxPool:           { 1: maxPool },
  MaxUnpool:         { 9: maxUnpool },
};
