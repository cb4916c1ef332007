import { element, intAt, numberAt } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { operandsOf } from "./kinds.js";

/**
 * What of a program is computed where. Most instructions stand where they are used. What is used more than once, and is
 * more than a few instructions, is computed before, and stored. Where a function would get too long for V8, parts
 * that are used once become functions of their own.
 */
export interface ProgramPlan {
  /** For each instruction whose value is stored, its slot; in an order in which each uses earlier ones only. */
  readonly slots: ReadonlyMap<number, number>;
  readonly slotCount: number;
  /** Whether there are several functions. */
  readonly isCut: boolean;
  /** Instructions that are functions of their own. */
  readonly outlined: readonly number[];
  /** The stored instructions, as many together as make a function. */
  readonly batches: readonly (readonly number[])[];
}

/** More instructions than this in one function make its compilation slow. */
const mostInstructions = 2000;
/** Values of so few instructions are computed again rather than stored. */
const fewInstructions = 4;
/** Expressions are not nested deeper than this: writing them takes that many calls within each other. */
const maximumDepth = 150;

export function planOf(body: readonly Instruction[]): ProgramPlan {
  const uses = new Int32Array(body.length);
  for (const instruction of body)
    for (const operand of operandsOf(instruction)) uses[operand] = intAt(uses, operand) + 1;
  const sizes = new Float64Array(body.length);
  const depths = new Int32Array(body.length);
  const slots = new Map<number, number>();
  const outlined: number[] = [];
  const slotSizes: number[] = [];
  const last = body.length - 1;
  let total = 0;
  for (const [at, instruction] of body.entries()) {
    let size = 1;
    let depth = 0;
    for (const operand of operandsOf(instruction)) {
      size += numberAt(sizes, operand);
      depth = Math.max(depth, intAt(depths, operand) + 1);
    }
    const isSimple = instruction.op === "read" || instruction.op === "constant" || instruction.op === "index";
    const isStored =
      !isSimple && at !== last && ((intAt(uses, at) > 1 && size > fewInstructions) || depth > maximumDepth);
    if (isStored) {
      slots.set(at, slots.size);
      slotSizes.push(size);
    }
    const isOutlined = !isStored && at !== last && size > mostInstructions;
    if (isOutlined) outlined.push(at);
    if (isStored || isOutlined || at === last) total += size;
    sizes[at] = isStored || isOutlined ? 1 : size;
    depths[at] = isStored || isOutlined ? 0 : depth;
  }
  const isCut = total > mostInstructions;
  const batches = isCut ? batched([...slots.keys()], slotSizes) : [];
  return { slots, slotCount: isCut ? slots.size : 0, isCut, outlined: isCut ? outlined : [], batches };
}

/** Stored instructions of these sizes, as many in each batch as make a function. */
function batched(stored: readonly number[], sizes: readonly number[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let budget = 0;
  for (const [slot, at] of stored.entries()) {
    const size = element(sizes, slot);
    if (size > budget || batches.length === 0) {
      batches.push([]);
      budget = mostInstructions;
    }
    batches.at(-1)?.push(at);
    budget -= size;
  }
  return batches;
}
