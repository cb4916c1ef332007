import { postOrder } from "../../../language/source/depth-first.js";
import { element } from "../../../language/values/element.js";
import { viewed } from "./source.js";
import type { Axis, AxisImage, Operand, Source, Value } from "./value.js";

/** Which axes of a value its cells depend on: along the others all are the same, as in what a broadcast tensor alone is computed from. */

/** The axes that the cells of a value depend on. */
export function readAxes({ axes, source }: Value): readonly Axis[] {
  const read = positionsRead(source);
  return axes.filter((_, at) => read.has(at));
}

/** The value at the first index of some axes that it does not depend on, and without them. */
export function withoutAxes(value: Value, dropped: readonly Axis[]): Value {
  const axes = value.axes.filter((axis) => !dropped.includes(axis));
  const images = value.axes.map((axis): AxisImage => {
    const at = axes.indexOf(axis);
    return at < 0 ? { at: 0 } : { axis: at };
  });
  return viewed(axes, value.source, images);
}

/** The positions of the axes that each source depends on: a source that many have is looked at once. */
const cached = new WeakMap<Source, ReadonlySet<number>>();
const none: ReadonlySet<number> = new Set();

function positionsRead(source: Source): ReadonlySet<number> {
  const operandsOf = (each: Source): readonly Source[] =>
    each.kind === "computed" && !cached.has(each) ? each.operands.map((operand) => operand.source) : [];
  if (!cached.has(source))
    for (const each of postOrder([source], operandsOf))
      if (!cached.has(each)) cached.set(each, new Set(readBy(each)));
  return cached.get(source) ?? none;
}

function readBy(source: Source): readonly number[] {
  switch (source.kind) {
    case "constant":
      return [];
    case "index":
      return [source.axis];
    case "stored":
      return [...source.access.strides.keys()].filter((at) => source.access.strides[at] !== 0);
    case "computed":
      return source.operands.flatMap(readThrough);
  }
}

/** Of an operand whose source was looked at before. */
function readThrough({ source, images }: Operand): readonly number[] {
  const own = [...(cached.get(source) ?? none)];
  if (images === undefined) return own;
  return own.flatMap((at) => {
    const image = element(images, at);
    return "axis" in image ? [image.axis] : [];
  });
}
