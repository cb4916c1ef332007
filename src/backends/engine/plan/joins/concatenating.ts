import type { NodeOf } from "../../../../language/core/operations.js";
import { byStorage, indexedAxis } from "../../values/axes.js";
import type { Axis, Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { type Planned, unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import { aligned } from "./aligning.js";
import { Assembly, sizeAlong } from "./assembly.js";

/** concat: two loops into one buffer, the second behind the first along a dimension. */
export function concat(node: NodeOf<"concat">, state: PlanState, scope: Scope): Planned {
  const { type, along, span } = node;
  const [left, right] = [scope.value(node.left), scope.value(node.right)];
  for (const axis of left.axes) {
    const other = right.axes.find((each) => each.name !== undefined && each.name === axis.name);
    if (axis.name !== along && other !== undefined && other.size !== axis.size)
      return unsupported("operands of different sizes");
  }
  // What is not concatenated is joined; the dimension itself is set apart meanwhile.
  const [first, second] = [sizeAlong(left, along), sizeAlong(right, along)];
  const both = aligned(state, renamed(left, along, firstMark), renamed(right, along, secondMark), span);
  const joined = both.axes.filter(({ name }) => name !== firstMark && name !== secondMark);
  const axes = [...joined, indexedAxis(along, first + second)].sort(byStorage);
  const assembly = new Assembly(state.storage, axes, type.cellType);
  assembly.addAlong(renamed(both.left, firstMark, along), along, 0);
  assembly.addAlong(renamed(both.right, secondMark, along), along, first);
  return assembly.finish(span);
}

const firstMark = "\u0000first";
const secondMark = "\u0000second";

/** The value with one indexed axis under another name. */
const renamed = (value: Value, from: string, to: string): Value => ({
  ...value,
  axes: value.axes.map((axis): Axis => (axis.name === from ? indexedAxis(to, axis.size) : axis)),
});
