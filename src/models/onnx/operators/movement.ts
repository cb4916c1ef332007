import { element } from "../../../language/values/element.js";
import { axesFrom, axisName, replaced, type Shape, sizeAt } from "../axes.js";
import { divided, number, parenthesised, remainder, scaled, shifted, total } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, insideCell, moved } from "../operand.js";
import type { Value } from "../value.js";
import { flatten, reshape } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators that put the elements of their input elsewhere, and compute nothing. */

const transpose: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const listed = node.integers("perm") ?? [];
  const order = listed.length > 0 ? listed : axesFrom(0, rank).reverse();
  if (`${[...order].sort((a, b) => a - b)}` !== `${axesFrom(0, rank)}`)
    node.refuse({ kind: "attribute", name: "perm", value: `${order}` });
  node.define(
    moved(x, rank, (axis) => order.indexOf(axis)),
    order.map((axis) => sizeAt(x.shape, axis)),
    x.element,
  );
};

const squeeze: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const listed = node.listed(1, "axes")?.map((axis) => node.axis(axis, rank));
  const removed = listed ?? axesFrom(0, rank).filter((axis) => x.shape[axis] === 1);
  node.checkFit(
    removed.every((axis) => x.shape[axis] === 1),
    [x],
  );
  const remaining = axesFrom(0, rank).filter((axis) => !removed.includes(axis));
  const shape = remaining.map((axis) => sizeAt(x.shape, axis));
  node.define(
    moved(x, shape.length, (axis) => remaining.indexOf(axis)),
    shape,
    x.element,
  );
};

const unsqueeze: Become = (node) => {
  const x = node.input(0);
  const listed = node.listed(1, "axes") ?? [];
  const rank = x.shape.length + listed.length;
  const added = listed.map((axis) => node.axis(axis, rank));
  const old = axesFrom(0, rank).filter((axis) => !added.includes(axis));
  const shape = axesFrom(0, rank).map((axis) =>
    added.includes(axis) ? 1 : sizeAt(x.shape, old.indexOf(axis)),
  );
  node.define(
    moved(x, rank, (axis) => old[axis] ?? axis),
    shape,
    x.element,
  );
};

const concat: Become = (node) => {
  const values = node.allInputs.filter((each) => each.numbers?.length !== 0);
  const [first] = values;
  if (first === undefined) return node.alias(node.input(0));
  const rank = first.shape.length;
  const axis = node.axis(node.integer("axis", 1), rank);
  const name = axisName(rank, axis);
  const others = ({ shape }: Value): string => `${replaced(shape, axis, 0)}`;
  node.checkFit(
    values.every((each) => others(each) === others(first)),
    values,
  );
  // An operand that lacks a dimension is repeated along it, and none of ONNX's is: other sizes are the same.
  const [text = "", ...rest] = values.map((each) => each.text);
  const joined = rest.reduce((left, right) => `concat(${left}, ${right}, ${name})`, text);
  const size = values.reduce((sum, { shape }) => sum + sizeAt(shape, axis), 0);
  const cell = insideCell(first.element);
  const shape = replaced(first.shape, axis, size);
  // A number alone has no dimension, and stays a double.
  const isMixed = rest.length > 0 && values.some(({ text }) => /^[(\d]/.test(text)) && cell === "float";
  node.define(isMixed ? `cell_cast(${joined}, float)` : joined, shape, first.element);
};

/** The sizes of the parts that an axis is split into. */
function splitSizes(node: NodeImport, size: number): number[] {
  const listed = node.listed(1, "split");
  if (listed !== undefined && listed.length > 0) return listed;
  const count = node.integer("num_outputs", node.proto.output.length);
  const part = Math.ceil(size / count);
  return axesFrom(0, count).map((at) => Math.min(part, size - at * part));
}

const split: Become = (node) => {
  const x = node.input(0);
  const axis = node.axis(node.integer("axis", 0), x.shape.length);
  const sizes = splitSizes(node, sizeAt(x.shape, axis));
  if (sizes.reduce((sum, size) => sum + size, 0) !== x.shape[axis])
    node.refuse({ kind: "shapes", shapes: [x.shape, sizes] });
  let start = 0;
  for (const [position, size] of sizes.entries()) {
    const shape = replaced(x.shape, axis, size);
    const first = start;
    const text = generated(shape, x.element, (indexes) =>
      elementAt(
        x,
        indexes.map((index, at) => (at === axis ? shifted(index, first) : index)),
      ),
    );
    if (node.isUsed(position)) node.define(text, shape, x.element, position);
    start += size;
  }
};

const slice: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const starts = node.listed(1, "starts") ?? [];
  const ends = node.listed(2, "ends") ?? [];
  const axes = (node.listed(3, "axes") ?? axesFrom(0, starts.length)).map((axis) => node.axis(axis, rank));
  const steps = node.listed(4, "steps") ?? starts.map(() => 1);
  for (const [purpose, list] of Object.entries({ starts, ends, steps }))
    node.asMany(list, purpose, axes.length);
  const shape = [...x.shape];
  const ranges = new Map<number, { first: number; step: number }>();
  for (const [at, axis] of axes.entries()) {
    const size = sizeAt(x.shape, axis);
    const step = element(steps, at);
    const [least, most] = step > 0 ? [0, size] : [-1, size - 1];
    const bounded = (index: number, low: number): number => {
      const from = index < 0 ? index + size : index;
      return Math.min(Math.max(from, low), most);
    };
    const first = bounded(element(starts, at), Math.max(least, 0));
    const end = bounded(element(ends, at), least);
    shape[axis] = Math.max(0, Math.ceil((end - first) / step));
    ranges.set(axis, { first, step });
  }
  const text = generated(shape, x.element, (indexes) =>
    elementAt(
      x,
      indexes.map((index, axis) => {
        const { first, step } = ranges.get(axis) ?? { first: 0, step: 1 };
        if (step === 1) return shifted(index, first);
        return step > 0
          ? shifted(scaled(index, step), first)
          : index === "0"
            ? `${first}`
            : `${first} - ${scaled(index, -step)}`;
      }),
    ),
  );
  node.define(text, shape, x.element);
};

const expand: Become = (node) => {
  const x = node.input(0);
  const target = node.numbers(node.input(1), "shape");
  const shape = node.broadcast([x, { ...x, shape: target }]);
  node.define(expanded(x, shape), shape, x.element);
};

/** A value repeated along the axes of a shape that it lacks. */
function expanded(x: Value, shape: Shape): string {
  const offset = shape.length - x.shape.length;
  const isNew = (axis: number): boolean =>
    shape[axis] !== 1 && (axis < offset || x.shape[axis - offset] === 1);
  if (!shape.some((_, axis) => isNew(axis))) return moved(x, shape.length, (axis) => axis + offset);
  return generated(shape, x.element, (indexes) => elementAt(x, indexes.slice(Math.max(0, offset))));
}

const tile: Become = (node) => {
  const x = node.input(0);
  if (node.opset < 6) return node.refuse({ kind: "opset", since: 6 });
  const repeats = node.numbersOf(node.input(1), "repeats", x.shape.length);
  const shape = x.shape.map((size, axis) => size * sizeAt(repeats, axis));
  const text = generated(shape, x.element, (indexes) =>
    elementAt(
      x,
      indexes.map((index, axis) => (repeats[axis] === 1 ? index : remainder(index, sizeAt(x.shape, axis)))),
    ),
  );
  node.define(text, shape, x.element);
};

/** Where an element beside those of an axis is taken from. */
const padIndexes: Readonly<Record<string, (index: string, size: number, before: number) => string>> = {
  edge: (index, size) => `max(0, min(${size - 1}, ${index}))`,
  wrap: (index, size, before) => `(${index} + ${size * (1 + Math.ceil(before / size))}) % ${size}`,
  reflect: (index, size, before) => {
    const period = Math.max(1, 2 * (size - 1));
    const ahead = period * (1 + Math.ceil(before / period));
    return `${size - 1} - abs((${index} + ${ahead}) % ${period} - ${size - 1})`;
  },
};

const pad: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const listed =
    node.listed(1, "pads") ??
    node.integers("paddings") ??
    node.refuse({ kind: "attribute missing", name: "pads" });
  const axesInput = node.optional(3);
  const axes =
    axesInput === undefined
      ? axesFrom(0, rank)
      : node.numbers(axesInput, "axes").map((axis) => node.axis(axis, rank));
  node.asMany(listed, "pads", 2 * axes.length);
  const padding = (axis: number, start: number): number =>
    axes.includes(axis) ? sizeAt(listed, start + axes.indexOf(axis)) : 0;
  const before = axesFrom(0, rank).map((axis) => padding(axis, 0));
  const after = axesFrom(0, rank).map((axis) => padding(axis, axes.length));
  const value = node.optional(2)?.text ?? number(node.float("value", 0));
  const mode = node.text("mode", "constant");
  if (mode === "constant") return definePadded(node, x, before, after, value);
  const outside = node.choice("mode", padIndexes, mode);
  const shape = paddedShape(x, before, after);
  const text = generated(shape, x.element, (indexes) => {
    const folded = indexes.map((index, axis) => {
      const [first, last] = [sizeAt(before, axis), sizeAt(after, axis)];
      if (first === 0 && last === 0) return index;
      // What is cut off is not there to be repeated.
      const [added, cut] = [Math.max(0, first), Math.max(0, -first)];
      const size = sizeAt(x.shape, axis) - cut - Math.max(0, -last);
      return shifted(outside(shifted(index, -added), size, added), cut);
    });
    return elementAt(x, folded);
  });
  node.define(text, shape, x.element);
};

const paddedShape = (x: Value, before: Shape, after: Shape): number[] =>
  x.shape.map((size, axis) => size + sizeAt(before, axis) + sizeAt(after, axis));

/** A value with so many elements of another value around it; less than none are cut off. */
function definePadded(node: NodeImport, x: Value, before: Shape, after: Shape, value: string): void {
  const shape = paddedShape(x, before, after);
  const text = generated(shape, x.element, (indexes) => {
    const inner = indexes.map((index, axis) => shifted(index, -sizeAt(before, axis)));
    const conditions = indexes.flatMap((index, axis) => [
      ...(sizeAt(before, axis) > 0 ? [`${index} >= ${before[axis]}`] : []),
      ...(sizeAt(after, axis) > 0 ? [`${index} < ${sizeAt(before, axis) + sizeAt(x.shape, axis)}`] : []),
    ]);
    return conditions.length === 0
      ? elementAt(x, inner)
      : `if(${conditions.join(" && ")}, ${elementAt(x, inner)}, ${value})`;
  });
  node.define(text, shape, x.element);
}

/** Whether of a channel the depth is the outermost part, and the element of a block the innermost; or the other way round. */
const hasDepthOutermost = { DCR: false, CRD: true };

const depthToSpace: Become = (node) => {
  const x = node.input(0);
  const block = node.requiredInteger("blocksize");
  const [batch, channels, height, width] = node.withAxes(x.shape, 4);
  const depth = channels / block / block;
  const shape = [batch, depth, height * block, width * block];
  const isDepthOutermost = node.choice("mode", hasDepthOutermost, "DCR");
  const text = generated(shape, x.element, ([n = "0", c = "0", h = "0", w = "0"]) => {
    const inBlock = total([scaled(remainder(h, block), block), remainder(w, block)]);
    const channel = isDepthOutermost
      ? total([scaled(c, block * block), inBlock])
      : total([scaled(inBlock, depth), c]);
    return elementAt(x, [n, channel, divided(h, block), divided(w, block)]);
  });
  node.define(text, shape, x.element);
};

const spaceToDepth: Become = (node) => {
  const x = node.input(0);
  const block = node.requiredInteger("blocksize");
  const isDepthOutermost = node.choice("mode", hasDepthOutermost, "DCR");
  const [batch, channels, height, width] = node.withAxes(x.shape, 4);
  const shape = [batch, channels * block * block, height / block, width / block];
  const text = generated(shape, x.element, ([n = "0", c = "0", h = "0", w = "0"]) => {
    const [channel, row, column] = isDepthOutermost
      ? [divided(c, block * block), remainder(divided(c, block), block), remainder(c, block)]
      : [remainder(c, channels), divided(c, channels * block), remainder(divided(c, channels), block)];
    return elementAt(x, [n, channel, total([scaled(h, block), row]), total([scaled(w, block), column])]);
  });
  node.define(text, shape, x.element);
};

/** The triangle of each matrix on or above a diagonal, or on or below it. */
const triangle: Become = (node) => {
  const x = node.input(0);
  const diagonal = node.optional(1);
  const offset = diagonal === undefined ? 0 : node.number(diagonal, "k");
  const order = node.integer("upper", 1) === 1 ? ">=" : "<=";
  const text = generated(x.shape, x.element, (indexes) => {
    const [row = "0", column = "0"] = indexes.slice(-2);
    return `if(${column} - ${parenthesised(row)} ${order} ${number(offset)}, ${elementAt(x, indexes)}, 0)`;
  });
  node.define(text, x.shape, x.element);
};

const reverseSequence: Become = (node) => {
  const [x, lengths] = [node.input(0), node.input(1)];
  const batch = node.integer("batch_axis", 1);
  const time = node.integer("time_axis", 0);
  node.checkFit(`${lengths.shape}` === `${x.shape[batch]}`, [x, lengths]);
  const text = generated(x.shape, x.element, (indexes) => {
    const length = elementAt(lengths, [indexes[batch] ?? "0"]);
    const index = indexes[time] ?? "0";
    const reversed = `if(${index} < ${length}, ${length} - 1 - ${index}, ${index})`;
    return elementAt(
      x,
      indexes.map((each, axis) => (axis === time ? reversed : each)),
    );
  });
  node.define(text, x.shape, x.element);
};

const centerCropPad: Become = (node) => {
  const x = node.input(0);
  const rank = x.shape.length;
  const target = node.numbers(node.input(1), "shape");
  const axes = node.integers("axes")?.map((axis) => node.axis(axis, rank)) ?? axesFrom(0, rank);
  const added = x.shape.map((size, axis) => (target[axes.indexOf(axis)] ?? size) - size);
  // What is cut off or added, half of it in front, the smaller half if it is odd.
  const before = added.map((count) => Math.trunc(count / 2));
  const after = added.map((count, axis) => count - sizeAt(before, axis));
  definePadded(node, x, before, after, "0");
};

// biome-ignore format: a table
export const movement: OperatorTable = {
  CenterCropPad:   { 18: centerCropPad },
  Concat:          { 1: concat },
  DepthToSpace:    { 1: depthToSpace },
  Expand:          { 8: expand },
  Flatten:         { 1: flatten },
  Pad:             { 1: pad },
  Reshape:         { 1: reshape },
  ReverseSequence: { 10: reverseSequence },
  Slice:           { 1: slice },
  SpaceToDepth:    { 1: spaceToDepth },
  Split:           { 1: split },
  Squeeze:         { 1: squeeze },
  Tile:            { 1: tile },
  Transpose:       { 1: transpose },
  Trilu:           { 14: triangle },
  Unsqueeze:       { 1: unsqueeze },
};
