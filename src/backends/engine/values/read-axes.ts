import { element } from "../../../language/values/element.js";
import { viewed } from "./source.js";
import type { Axis, AxisImage, Operand, Source, Value } from "./value.js";

/** Which axes of a value its cells depend on: along the others all are the same, as in what a broadcast tensor alone is computed from. */

/** The axes that the cells of a value depend on. */
export function readAxes({ axes, source }: Value): readonly Axis[] {
  const read = new ReadAxes().of(source);
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

/** The positions of the axes that sources depend on; a source that several have is looked at once. */
class ReadAxes {
  private readonly cached = new Map<Source, ReadonlySet<number>>();

  of(source: Source): ReadonlySet<number> {
    const before = this.cached.get(source);
    if (before !== undefined) return before;
    const found = this.found(source);
    this.cached.set(source, found);
    return found;
  }

  private found(source: Source): ReadonlySet<number> {
    switch (source.kind) {
      case "constant":
        return new Set();
      case "index":
        return new Set([source.axis]);
      case "stored":
        return new Set([...source.access.strides.keys()].filter((at) => source.access.strides[at] !== 0));
      case "computed":
        return new Set(source.operands.flatMap((operand) => this.ofOperand(operand)));
    }
  }

  private ofOperand({ source, images }: Operand): readonly number[] {
    const own = [...this.of(source)];
    if (images === undefined) return own;
    return own.flatMap((at) => {
      const image = element(images, at);
      return "axis" in image ? [image.axis] : [];
    });
  }
}
