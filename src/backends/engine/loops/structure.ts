import type { Access, Loop } from "../loop.js";
import { inlineFunctions } from "./functions.js";
import type { Nest } from "./nest.js";

/** What kernels are told apart by, how long they may be, and how fast they are. */

/** The most addresses that a kernel of a loop with axes takes, and its longest body: it is one function. */
export const mostAccesses = 200;
export const longestBody = 4000;

/** How many instructions compute something. */
export const operationsOf = (body: Loop["body"]): number =>
  body.filter(({ op }) => op !== "read" && op !== "constant").length;

/** About how many operations of a loop take a microsecond: those that are an instruction or two, and the others. */
const paces = { quick: 3000, slow: 400 };

/** Of the operations of a nest how many take a microsecond. */
export function paceOf({ body }: Nest): number {
  const count = Math.max(operationsOf(body), 1);
  const slowOnes = body.filter((each) => each.op === "apply" && inlineFunctions[each.function].isLong).length;
  return count / ((count - slowOnes) / paces.quick + slowOnes / paces.slow);
}

/** What tells kernels apart: all but where the cells are, and how far the outermost axis goes. */
export function structureOf(nest: Nest): string {
  const access = ({ cellType, strides }: Access): string =>
    `${cellType}(${strides.map((stride) => (typeof stride === "number" ? stride : "t")).join()})`;
  const number = (_: string, value: unknown): unknown =>
    Object.is(value, -0) ? "-0" : typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
  return [
    nest.axes.map(({ size, isOuter }, at) => `${at === 0 ? "" : size}${isOuter ? "p" : "f"}`).join(),
    nest.lanes,
    nest.aggregator,
    nest.isAccumulating,
    access(nest.target),
    nest.sources.map(access).join(),
    JSON.stringify(nest.body, number),
  ].join(";");
}
