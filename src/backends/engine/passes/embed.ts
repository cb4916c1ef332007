import { listUnder } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import { cellsOf, indexesAt, stridesOf } from "../../../language/values/shape.js";
import { type BufferLoop, isRepeated, type LoopStep, type PlanStep, type PlanSteps } from "../ir/step.js";
import { onlyStage, readOnce } from "../ir/step-reads.js";
import type { Buffer, BufferAccess } from "../values/value.js";

/**
 * A buffer all of whose cells are copied to cells of another one, and which nothing else reads, is not stored: the loops that compute it
 * write to the other one, where the copy was. So what is put together of many parts, a concatenation of concatenations, is written once.
 *
 * As `finish`, this depends on who reads a buffer, and so is done in plans of one stage only.
 */
export function embed(plan: PlanSteps): PlanSteps {
  const stage = onlyStage(plan);
  if (stage === undefined) return plan;
  const placed: (readonly PlanStep[])[] = stage.steps.map((step) => [step]);
  const once = readOnce(plan);
  const writers = writersIn(stage.steps);
  for (const [at, step] of stage.steps.entries()) {
    const copy = copyOf(step);
    if (copy === undefined || !once.has(copy.from.slot)) continue;
    const positions = writers.get(copy.from.slot) ?? [];
    const loops = positions.flatMap((position) => element(placed, position));
    const moved = loops.map((each) => embedded(each, copy));
    if (moved.length === 0 || !moved.every((each) => each !== undefined)) continue;
    for (const position of positions) placed[position] = [];
    placed[at] = moved;
  }
  return { ...plan, stages: [{ ...stage, steps: placed.flat() }] };
}

/** Where the steps are that write to each buffer. */
function writersIn(steps: readonly PlanStep[]): ReadonlyMap<Buffer, readonly number[]> {
  const writers = new Map<Buffer, number[]>();
  for (const [at, step] of steps.entries()) if ("writes" in step) listUnder(writers, step.writes).push(at);
  return writers;
}

/** From where to where all cells of a buffer are copied, and how they lie. */
interface Copy {
  readonly sizes: readonly number[];
  readonly from: BufferAccess;
  readonly to: BufferAccess;
}

/** The copy that a step is, if it is no more than that, and each cell of what it reads has one of its own. */
function copyOf(step: PlanStep): Copy | undefined {
  if (step.kind !== "loop" || !isRepeated(step)) return undefined;
  const { axes, sources, body, target, aggregator } = step.loop;
  const [from, ...more] = sources;
  const isPlain = body.every(({ op }) => op === "read" || op === "store") && body.length <= 2;
  if (from === undefined || more.length > 0 || !isPlain || aggregator !== undefined) return undefined;
  if (from.cellType !== target.cellType || from.cellType !== from.slot.cellType) return undefined;
  const isStored = body.every((each) => each.op !== "store" || each.cellType === target.cellType);
  const copy = { sizes: axes.map(({ size }) => size), from, to: target };
  return isStored && isOfAll(copy) ? copy : undefined;
}

/** Whether a copy goes through all cells of what it reads, once each, and has no table: that of one index may lead elsewhere, too. */
function isOfAll({ sizes, from, to }: Copy): boolean {
  const own = descending(from, sizes);
  const dense = stridesOf(own.map((axis) => element(sizes, axis)));
  return (
    from.offset === 0 &&
    cellsOf(sizes) === from.slot.length &&
    own.every((axis, at) => from.strides[axis] === dense[at]) &&
    [...from.strides, ...to.strides].every((stride) => typeof stride === "number")
  );
}

/** The axes of more than one index, those along which cells are farthest apart first. */
const descending = ({ strides }: BufferAccess, sizes: readonly number[]): readonly number[] =>
  [...sizes.keys()]
    .filter((axis) => sizes[axis] !== 1)
    .sort((one, other) => Number(strides[other]) - Number(strides[one]));

/** A step that computes cells of a buffer where a copy puts them; nothing where it cannot. */
function embedded(step: PlanStep, copy: Copy): LoopStep | undefined {
  if (step.kind !== "loop" || !isRepeated(step)) return undefined;
  const target = along(step.loop, copy);
  return target && { ...step, writes: copy.to.slot, loop: { ...step.loop, target } };
}

/** The target of a loop, seen through a copy. */
function along({ axes, target }: BufferLoop, { sizes, from, to }: Copy): BufferAccess | undefined {
  const { slot } = to;
  const own = descending(from, sizes);
  // Cells that lie as they did need no look at how they are reached.
  if (own.every((axis) => from.strides[axis] === to.strides[axis]))
    return { ...target, slot, offset: target.offset + to.offset };
  // The cells that are copied lie one behind the other, as `isOfAll` has seen.
  const indexes = indexesAt(
    target.offset,
    own.map((axis) => element(sizes, axis)),
  );
  const strides = target.strides.map((stride, at) => {
    const { size } = element(axes, at);
    if (typeof stride !== "number") return undefined;
    if (size === 1 || stride === 0) return 0;
    const position = own.findIndex((axis) => from.strides[axis] === stride);
    if (position < 0) return undefined;
    const axis = element(own, position);
    return element(indexes, position) + size <= element(sizes, axis) ? to.strides[axis] : undefined;
  });
  if (!strides.every((stride) => typeof stride === "number")) return undefined;
  const offset = own.reduce(
    (sum, axis, at) => sum + element(indexes, at) * Number(to.strides[axis]),
    to.offset,
  );
  return { ...target, slot, offset, strides };
}
