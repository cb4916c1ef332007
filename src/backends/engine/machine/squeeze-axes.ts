import { element } from "../../../language/values/element.js";
import { type Access, type Instruction, type Loop, offsetAlong } from "../loop.js";

/** The same loop without axes of size 1; the entry of a table along one is added to the offset. */
export function squeezeAxes(loop: Loop): Loop {
  const isSingle = loop.axes.map(({ size }) => size === 1);
  const remaining = [...loop.axes.keys()].filter((at) => !isSingle[at]);
  if (remaining.length === loop.axes.length) return loop;
  const access = (from: Access): Access => {
    let { offset } = from;
    for (const [at, stride] of from.strides.entries()) if (isSingle[at]) offset += offsetAlong(stride, 0);
    return { ...from, offset, strides: remaining.map((at) => element(from.strides, at)) };
  };
  const instruction = (each: Instruction): Instruction => {
    if (each.op !== "index") return each;
    const axis = remaining.indexOf(each.axis);
    return axis < 0 ? { op: "constant", value: 0 } : { op: "index", axis };
  };
  return {
    ...loop,
    axes: remaining.map((at) => element(loop.axes, at)),
    sources: loop.sources.map(access),
    body: loop.body.map(instruction),
    target: access(loop.target),
  };
}
