import { type Access, type Instruction, type Loop, offsetAlong } from "../loop.js";

/** The same loop without axes of size 1; the entry of a table along one is added to the offset. */
export function squeezeAxes(loop: Loop): Loop {
  const remaining = [...loop.axes.keys()].filter((at) => loop.axes[at]?.size !== 1);
  if (remaining.length === loop.axes.length) return loop;
  const access = (from: Access): Access => {
    let { offset } = from;
    for (const [at, stride] of from.strides.entries())
      if (loop.axes[at]?.size === 1) offset += offsetAlong(stride, 0);
    return { ...from, offset, strides: remaining.map((at) => from.strides[at] ?? 0) };
  };
  const instruction = (each: Instruction): Instruction => {
    if (each.op !== "index") return each;
    const axis = remaining.indexOf(each.axis);
    return axis < 0 ? { op: "constant", value: 0 } : { op: "index", axis };
  };
  return {
    ...loop,
    axes: remaining.map((at) => loop.axes[at] ?? { size: 1, isReduced: false }),
    sources: loop.sources.map(access),
    body: loop.body.map(instruction),
    target: access(loop.target),
  };
}
