import { element } from "../../../language/values/element.js";
import { type BufferLoop, isRepeated, type LoopStep, type PlanStep, type PlanSteps } from "../ir/step.js";
import { onlyStage, readOnce } from "../ir/step-reads.js";
import type { Instruction } from "../loop.js";
import type { Buffer, BufferAccess } from "../values/value.js";

/**
 * A sum of products whose cells are read once, each for the one cell that is made of it, is not stored: the loop that sums
 * computes what becomes of it, a bias and a limit say, while the sum is at hand. It does so where the other loop was.
 *
 * This depends on who reads a buffer, and so is done in plans of one stage only, as a plan that continues one begins with the same steps.
 */
export function finish(plan: PlanSteps): PlanSteps {
  const stage = onlyStage(plan);
  if (stage === undefined) return plan;
  const steps: (PlanStep | undefined)[] = [...stage.steps];
  const sums = sumsReadOnce(plan, stage.steps);
  for (const [at, step] of stage.steps.entries()) {
    if (step.kind !== "loop" || !isRepeated(step)) continue;
    // The last one, since what it adds to others is there by then.
    for (const { slot } of step.loop.sources.toReversed()) {
      const sum = sums.get(slot);
      const loop = sum === undefined ? undefined : finished(sum.step.loop, step.loop);
      if (sum === undefined || loop === undefined) continue;
      steps[sum.at] = undefined;
      steps[at] = { ...step, loop };
      break;
    }
  }
  return { ...plan, stages: [{ ...stage, steps: steps.filter((step) => step !== undefined) }] };
}

interface StoredSum {
  readonly at: number;
  readonly step: LoopStep;
}

/** Buffers that one loop computes as sums of products, and one step reads. */
function sumsReadOnce(plan: PlanSteps, steps: readonly PlanStep[]): ReadonlyMap<Buffer, StoredSum> {
  const sums = new Map<Buffer, StoredSum>();
  const once = readOnce(plan);
  const written = new Set<Buffer>();
  for (const [at, step] of steps.entries()) {
    if (step.kind !== "loop" || step.isOnce) continue;
    if (written.has(step.writes)) sums.delete(step.writes);
    else if (once.has(step.writes) && isSumOfProducts(step.loop)) sums.set(step.writes, { at, step });
    written.add(step.writes);
  }
  return sums;
}

/** Whether it sums the products of two cells each. */
function isSumOfProducts({ aggregator, body, axes }: BufferLoop): boolean {
  const [first, second, product, stored] = body;
  return (
    aggregator === "sum" &&
    axes.some(({ isReduced }) => isReduced) &&
    body.length <= 4 &&
    first?.op === "read" &&
    second?.op === "read" &&
    product?.op === "apply" &&
    product.function === "multiply" &&
    (stored === undefined || stored.op === "store")
  );
}

/** The loop of a sum that does what another does with each cell of it; nothing where the other does not go through its cells as it does. */
function finished(
  sum: BufferLoop,
  { axes, sources, body, target, aggregator }: BufferLoop,
): BufferLoop | undefined {
  if (aggregator !== undefined || target.cellType !== sum.target.cellType) return undefined;
  const moving = movingAxes(sum);
  const own = [...axes.keys()].filter((axis) => axes[axis]?.size !== 1);
  const isSameWay = (axis: number, at: number): boolean =>
    element(axes, element(own, at)).size === element(sum.axes, axis).size;
  if (moving.length === 0 || own.length !== moving.length || !moving.every(isSameWay)) return undefined;
  const isSum = ({ slot }: BufferAccess): boolean => slot === sum.target.slot;
  const along = (access: BufferAccess): BufferAccess => ({
    ...access,
    strides: sum.axes.map((_, axis) => {
      const at = moving.indexOf(axis);
      return at < 0 ? 0 : element(access.strides, element(own, at));
    }),
  });
  const moved = sources.map(along);
  const isEach = moving.length === sum.axes.filter(({ isReduced, size }) => !isReduced && size !== 1).length;
  const isWhole = moved.every(
    (access) =>
      !isSum(access) || (access.offset === sum.target.offset && areSame(access, sum.target, moving)),
  );
  const isEven = [...sources, target, sum.target].every(({ strides }) =>
    strides.every((each) => typeof each === "number"),
  );
  const isDistinct = moving.every((axis) => along(target).strides[axis] !== 0);
  if (!isEach || !isWhole || !isEven || !isDistinct || body.some(({ op }) => op === "index"))
    return undefined;
  const finish = bodyOfFinish(body, sources, sum.sources.length, isSum);
  if (finish === undefined) return undefined;
  return {
    ...sum,
    sources: [...sum.sources, ...moved.filter((access) => !isSum(access))],
    target: along(target),
    finish: finish.length === 0 ? undefined : finish,
  };
}

/** Axes of more than one index along which the target moves. */
const movingAxes = ({ axes, target }: BufferLoop): readonly number[] =>
  [...axes.keys()].filter((axis) => {
    const { size, isReduced } = element(axes, axis);
    return !isReduced && size !== 1 && target.strides[axis] !== 0;
  });

const areSame = (one: BufferAccess, other: BufferAccess, axes: readonly number[]): boolean =>
  axes.every((axis) => one.strides[axis] === other.strides[axis]);

/** The body where reads of the sum are instruction 0, and other sources come after those of the sum; empty where the cells are copied. */
function bodyOfFinish(
  body: readonly Instruction[],
  sources: readonly BufferAccess[],
  before: number,
  isSum: (access: BufferAccess) => boolean,
): readonly Instruction[] | undefined {
  const finish: Instruction[] = [];
  const numbers: number[] = [];
  const at = (number: number): number => element(numbers, number);
  const others = sources.flatMap((access, source) => (isSum(access) ? [] : [source]));
  for (const instruction of body) {
    if (instruction.op === "read" && isSum(element(sources, instruction.source))) numbers.push(0);
    else numbers.push(finish.push(moved(instruction)));
  }
  return numbers.at(-1) === finish.length ? finish : undefined;

  function moved(instruction: Instruction): Instruction {
    switch (instruction.op) {
      case "read":
        return { op: "read", source: before + others.indexOf(instruction.source) };
      case "apply":
        return { ...instruction, arguments: instruction.arguments.map(at) };
      case "select": {
        const { condition, yes, no } = instruction;
        return { op: "select", condition: at(condition), yes: at(yes), no: at(no) };
      }
      case "store":
        return { ...instruction, value: at(instruction.value) };
      case "constant":
      case "index":
        return instruction;
    }
  }
}
