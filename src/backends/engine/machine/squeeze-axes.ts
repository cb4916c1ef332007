import { element } from "../../../language/values/element.js";
import { type Access, type Instruction, type Loop, offsetAlong } from "../loop.js";

/** The same loop without axes of size 1, from one of them on; the entry of a table along one is added to the offset. */
export function squeezeAxes(loop: Loop, from = 0): Loop {
  const isSingle = loop.axes.map(({ size }, at) => size === 1 && at >= from);
  const remaining = [...loop.axes.keys()].filter((at) => !isSingle[at]);
  if (remaining.length === loop.axes.length) return loop;
  const access = (each: Access): Access => {
    let { offset } = each;
    for (const [at, stride] of each.strides.entries()) if (isSingle[at]) offset += offsetAlong(stride, 0);
    return { ...each, offset, strides: remaining.map((at) => element(each.strides, at)) };
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
