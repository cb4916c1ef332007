import type { Slices } from "../../../language/limits/slices.js";
import type { Span } from "../../../language/source/span.js";
import { finish, type Meter, type Steps } from "../../meter.js";
import type { RunContext } from "../../run-context.js";
import type { BufferLoop, CallStep, ContractionStep, LoopStep } from "../ir/step.js";
import type { Loop, Slot, Step } from "../loop.js";
import type { Arena, Block } from "../memory/arena.js";
import { type NumberArray, type RowCells, sumProducts } from "../sparse/product-sums.js";
import type { Buffer, BufferAccess } from "../values/value.js";
import { CallRunner } from "./reference-call.js";
import type { TableBlocks } from "./slots.js";

/** What steps are compiled with. */
export interface StepContext {
  readonly arena: Arena;
  /** Whether code may be made at run time. */
  readonly emitsCode: boolean;
  readonly lower: (loop: Loop) => Step;
  readonly lowerSegments: (summing: Loop, reading: Loop) => Step;
  readonly tables: TableBlocks;
  readonly slotOf: (buffer: Buffer) => Slot;
  /** A slot whose cells may not be in a block yet: where that is asked for while arrays of other slots are read, these may become invalid. */
  readonly unloadedSlotOf: (buffer: Buffer) => Slot;
  /** The blocks of cells that come from outside of the plan. */
  readonly outsideBlocks: () => readonly Block[];
  readonly current: () => RunContext;
}

/** A step that can be run, with the expression that it works for. */
export interface CompiledStep {
  readonly step: Step;
  readonly span: Span;
  readonly isOnce: boolean;
  /** Does the same as the step, with pauses, where the step itself cannot be divided. */
  readonly runInSlices?: (() => Steps<void>) | undefined;
}

export function compiledLoop({ loop, span, isOnce, lasting }: LoopStep, context: StepContext): CompiledStep {
  const { slotOf, unloadedSlotOf } = context;
  const step = context.lower(bound(loop, context, unloadedSlotOf));
  for (const { slot } of loop.sources) if (unloadedSlotOf(slot) !== step.packed) slotOf(slot);
  if (lasting === undefined) return { step, span, isOnce };
  return { step: new LastingStep(step, slotOf(loop.target.slot), lasting), span, isOnce };
}

/** A loop over the slots of its buffers. */
function bound(loop: BufferLoop, { tables }: StepContext, slotOf: StepContext["slotOf"]): Loop {
  const access = (from: BufferAccess) => tables.access(from, slotOf(from.slot));
  return { ...loop, sources: loop.sources.map(access), target: access(loop.target) };
}

/** Sums over segments and the loop behind it, which alone reads them: the first as a step that leaves all to the second. */
export function compiledSegments(
  summing: LoopStep,
  reading: LoopStep,
  context: StepContext,
): readonly [CompiledStep, CompiledStep] {
  const { span, isOnce } = reading;
  const ofSlots = ({ loop }: LoopStep): Loop => bound(loop, context, context.slotOf);
  const step = context.lowerSegments(ofSlots(summing), ofSlots(reading));
  // It is not repeated, and does nothing the first time.
  const left: Step = { extent: 1, work: 0, run: () => {}, description: "summed in the next step" };
  return [
    { step: left, span: summing.span, isOnce: true },
    { step, span, isOnce },
  ];
}

/** A step whose cells last: it is done where the memory of its target has them still. */
class LastingStep implements Step {
  constructor(
    private readonly step: Step,
    private readonly target: Slot,
    private readonly number: number,
  ) {}

  get extent(): number {
    return this.step.extent;
  }

  get work(): number {
    return this.step.work;
  }

  get threads(): number {
    return this.step.threads ?? 1;
  }

  get description(): string {
    return this.step.description;
  }

  readonly run = (from: number, to: number): void => {
    const { notes } = this.target.block;
    if (notes.has(this.number)) return;
    const isLast = to >= this.step.extent; // which may be another once it has run
    this.step.run(from, to);
    if (isLast) notes.add(this.number);
  };
}

/** Does the work of a step in slices, of which each does so much of it. */
export function* runSlices(
  slices: Slices<void>,
  { work }: Step,
  workOfSlice: number,
  meter: Meter,
  span: Span,
): Steps<void> {
  const count = Math.ceil(work / workOfSlice);
  for (let each = slices.next(); each.done !== true; each = slices.next()) {
    meter.spend(work / count, span);
    yield;
  }
}

/** How many products are made between two chances to pause. */
const productsAtOnce = 1_000_000;

export function compiledContraction(
  { contraction, left, right, isFloat, writes, span, isOnce }: ContractionStep,
  { slotOf }: StepContext,
): CompiledStep {
  const { products, groups } = contraction;
  const [ofLeft, ofRight, target] = [slotOf(left.slot), slotOf(right.slot), slotOf(writes)];
  const parts = Math.max(1, Math.min(groups, Math.ceil(products / productsAtOnce)));
  const groupOf = (part: number): number => Math.floor((part * groups) / parts);
  const step: Step = {
    extent: parts,
    work: products * 2,
    description: `sparse contraction: ${products} products into ${writes.length} rows`,
    run: (from, to) => {
      const operands = {
        left: cellsOf(left, ofLeft),
        right: cellsOf(right, ofRight),
        target: { cells: numbersIn(target), start: 0, row: 1 },
      };
      sumProducts(contraction, { ...operands, isFloat }, groupOf(from), groupOf(to));
    },
  };
  return { step, span, isOnce };
}

export const numbersIn = ({ block }: Slot): NumberArray => block.cells as NumberArray; // steps besides loops read no bits of numbers

function cellsOf({ offset, strides: [row = 1] }: BufferAccess, slot: Slot): RowCells {
  if (typeof row !== "number") throw new Error("the rows of a contraction lie evenly");
  return { cells: numbersIn(slot), start: offset, row };
}

export function compiledCall(
  { call, isRandom, writes, span, isOnce }: CallStep,
  context: StepContext,
): CompiledStep {
  const { arena, outsideBlocks, current, slotOf } = context;
  const target = slotOf(writes);
  const runner = new CallRunner(call, slotOf);
  const runInSlices = (): Steps<void> =>
    arena.reading(outsideBlocks(), runner.run(current(), target, isRandom));
  const times =
    writes.length > call.node.type.blockSize ? `, ${writes.length / call.node.type.blockSize} times` : "";
  const step: Step = {
    extent: 1,
    work: writes.length,
    description: `${call.node.op}, by the reference${times}`,
    run: () => finish(runInSlices()),
  };
  return { step, span, isOnce, runInSlices };
}
