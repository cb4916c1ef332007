import { isNear } from "../../src/language/values/near.js";
import type { Inputs } from "./inputs.js";
import type { Answer, Workload } from "./workload.js";

/** Whether two answers are the same cells, as far as the workload lets them differ; otherwise what differs. */
export function difference(
  { tolerance, tolerances = {} }: Workload,
  peer: string,
  inputs: Inputs,
  ours: Answer,
  theirs: Answer,
): string | undefined {
  const [left, right] = [cellsOf(ours), cellsOf(theirs)];
  if (left.length !== right.length) return `${left.length} cells and ${right.length}`;
  const isNarrow = Object.values(inputs).some(({ cells }) => !(cells instanceof Float64Array));
  let largest = 0;
  for (const each of left) if (Number.isFinite(each)) largest = Math.max(largest, Math.abs(each));
  const own = new Map(Object.entries(tolerances)).get(peer);
  const allowed = (own ?? tolerance ?? (isNarrow ? 1e-5 : 1e-12)) * largest;
  for (const [at, each] of left.entries()) {
    const other = right[at] ?? 0;
    if (!isNear(each, other, allowed)) return `cell ${at} is ${each} and ${other}`;
  }
  return undefined;
}

type Numbers = Float64Array | Float32Array | number[];

function cellsOf(answer: Answer): Numbers {
  if (typeof answer === "number") return [answer];
  if (answer instanceof Float32Array || answer instanceof Float64Array) return answer;
  if ("get" in answer) {
    const sorted = [...answer].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, value]) => value);
  }
  return Array.from(answer);
}
