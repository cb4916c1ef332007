import { type Access, distanceAlong, type Instruction, type Loop } from "../loop.js";

/** The same loop without axes that have one place: nothing goes along them, but a table may say where that place is. */
export function compact(loop: Loop): Loop {
  const kept = [...loop.axes.keys()].filter((at) => loop.axes[at]?.size !== 1);
  if (kept.length === loop.axes.length) return loop;
  const access = (from: Access): Access => {
    let { offset } = from;
    for (const [at, step] of from.steps.entries())
      if (loop.axes[at]?.size === 1) offset += distanceAlong(step, 0);
    return { ...from, offset, steps: kept.map((at) => from.steps[at] ?? 0) };
  };
  const instruction = (each: Instruction): Instruction => {
    if (each.op !== "place") return each;
    const axis = kept.indexOf(each.axis);
    return axis < 0 ? { op: "constant", value: 0 } : { op: "place", axis };
  };
  return {
    ...loop,
    axes: kept.map((at) => loop.axes[at] ?? { size: 1, isReduced: false }),
    sources: loop.sources.map(access),
    body: loop.body.map(instruction),
    target: access(loop.target),
  };
}
