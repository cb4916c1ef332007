import { element, intAt } from "../../../language/values/element.js";
import { type BufferLoop, isRepeated, type LoopStep, type PlanStep, type PlanSteps } from "../ir/step.js";
import { onlyStage, readOnce } from "../ir/step-reads.js";
import type { Buffer, BufferAccess } from "../values/value.js";

/**
 * Sums of neighbouring rows, segment by segment, that one loop alone reads come right before that loop: the machine may then run the two as
 * one, which stores no sums. So it is with the gradient of a sparse variable, whose cells of one label lie behind each other.
 *
 * As `finish`, this depends on who reads a buffer, and so is done in plans of one stage only.
 */
export function segment(plan: PlanSteps): PlanSteps {
  const stage = onlyStage(plan);
  if (stage === undefined) return plan;
  const sums = sumsOver(stage.steps);
  if (sums.size === 0) return plan;
  const once = readOnce(plan);
  const pairs = new Map<LoopStep, LoopStep>(); // from what reads sums to what computes them
  for (const [at, step] of stage.steps.entries()) {
    const before = stage.steps[at - 1];
    if (step.kind !== "loop" || !isRepeated(step)) continue;
    // Loops that write to one buffer are behind each other.
    if (before?.kind === "loop" && before.writes === step.writes) continue;
    const isSummed = ({ slot }: BufferAccess): boolean => {
      const summing = once.has(slot) ? sums.get(slot) : undefined;
      return summing !== undefined && isReadBySegment(summing.loop, step.loop);
    };
    const last = step.loop.sources.findLast(isSummed);
    const summing = last === undefined ? undefined : sums.get(last.slot);
    if (summing !== undefined) pairs.set(step, summing);
  }
  const moved = new Set(pairs.values());
  const steps = stage.steps.flatMap((step): readonly PlanStep[] => {
    if (step.kind !== "loop") return [step];
    const summing = pairs.get(step);
    if (summing !== undefined) return [{ ...summing, isSegmented: true }, step];
    return moved.has(step) ? [] : [step];
  });
  return { ...plan, stages: [{ ...stage, steps }] };
}

/** By what they write to, the loops that sum over segments. */
function sumsOver(steps: readonly PlanStep[]): ReadonlyMap<Buffer, LoopStep> {
  const sums = new Map<Buffer, LoopStep>();
  for (const step of steps)
    if (step.kind === "loop" && isRepeated(step) && isOfSegments(step.loop)) sums.set(step.writes, step);
  return sums;
}

/** Whether a loop sums neighbouring indexes of its outermost axis into one row of its target each, all rows in their order. */
function isOfSegments(loop: BufferLoop): boolean {
  const { aggregator, axes, target, finish, body } = loop;
  const [table, inner] = target.strides;
  const [rows, cells] = axes;
  if (aggregator !== "sum" || finish !== undefined || axes.length > 2 || rows === undefined) return false;
  if (table === undefined || typeof table === "number" || target.offset !== 0) return false;
  if (body.some(({ op }) => op === "index")) return false;
  if (cells !== undefined && inner !== 1) return false;
  const width = innerSize(loop);
  let last = 0;
  for (let at = 0; at < rows.size; at++) {
    const offset = intAt(table, at);
    if (offset !== last && (at === 0 || offset !== last + width)) return false;
    last = offset;
  }
  return rows.size > 0 && last + width === target.slot.length;
}

/** Whether a loop reads the sums of another at the same indexes, each in one of them. */
function isReadBySegment(summing: BufferLoop, reading: BufferLoop): boolean {
  const { aggregator, axes, sources, body, target } = reading;
  const [rows] = axes;
  const width = innerSize(summing);
  if (aggregator !== undefined || rows === undefined || axes.length !== summing.axes.length) return false;
  if (rows.size * width !== summing.target.slot.length || innerSize(reading) !== width) return false;
  if (body.some(({ op }) => op === "index")) return false;
  const isEven = [...sources, target].every(
    ({ strides }) => strides.length < 2 || typeof strides[1] === "number",
  );
  return isEven && sources.every((access) => access.slot !== summing.target.slot || isWhole(access, width));
}

/** How many cells a row has. */
const innerSize = ({ axes }: BufferLoop): number => (axes.length > 1 ? element(axes, 1).size : 1);

function isWhole({ offset, strides }: BufferAccess, width: number): boolean {
  const [row, cell] = strides;
  return offset === 0 && row === width && (cell === undefined || cell === 1);
}
