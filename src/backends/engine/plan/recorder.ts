import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import type { Meter, Steps } from "../../meter.js";
import { type Arena, type Block, MemoryFull } from "../arena.js";
import type { Slot, Step } from "../loop.js";

/** A slot of a plan: its room is known, and whether what is in it stays the same in every run. */
export interface PlanSlot extends Slot {
  readonly cellType: CellType;
  readonly length: number;
  isFixed: boolean;
}

/** A step with the place in the text that it works for. */
export interface PlanStep {
  readonly step: Step;
  readonly span: Span;
  readonly reads: readonly Slot[];
  readonly writes: PlanSlot;
  /** Does the same as the step in one piece, with pauses, where the step itself cannot be divided. */
  readonly slowly?: (() => Steps<void>) | undefined;
}

/** Is told of every step that is run while a plan is made, those among them that are run but once. */
export interface StepWatch {
  readonly begins: (step: PlanStep) => void;
  readonly ends: (step: PlanStep) => void;
}

/** How much work is done between two looks at the clock, or two chances to pause. */
const pieceWork = 250_000;

/**
 * The steps of a plan in their order. While a plan is made its steps are run too, in time for whatever looks at a value;
 * those that work on fixed slots only are run once and for all.
 */
export class Recorder {
  readonly steps: PlanStep[] = [];
  readonly slots: PlanSlot[] = [];
  /** Steps that have not been run yet. */
  private waiting: PlanStep[] = [];

  constructor(
    private readonly arena: Arena,
    private readonly watch?: StepWatch,
  ) {}

  /** Room for so many cells, of which nobody knows yet what is in them. */
  slot(cellType: CellType, length: number): PlanSlot {
    const slot: PlanSlot = { cellType, length, isFixed: false, block: this.block(cellType, length) };
    this.slots.push(slot);
    return slot;
  }

  block(cellType: CellType, length: number): Block {
    const block = this.arena.allocate(cellType, length);
    if (block === undefined) throw new MemoryFull();
    return block;
  }

  add(step: Step, span: Span, reads: readonly Slot[], writes: PlanSlot, slowly?: PlanStep["slowly"]): void {
    const isFixed = reads.every((slot) => "isFixed" in slot && slot.isFixed === true);
    const planned: PlanStep = { step, span, reads, writes, slowly };
    writes.isFixed = isFixed;
    this.waiting.push(planned);
    if (!isFixed) this.steps.push(planned);
  }

  /** Whether the cells of a slot are what they will be in this run. */
  get isUpToDate(): boolean {
    return this.waiting.length === 0;
  }

  /** Runs what has not been run yet. */
  *flush(meter: Meter): Steps<void> {
    const waiting = this.waiting;
    this.waiting = [];
    for (const step of waiting) {
      this.watch?.begins(step);
      yield* runStep(step, meter);
      this.watch?.ends(step);
    }
  }

  /** How far the recording is, to go back to if a way turns out not to lead anywhere. */
  get mark(): { readonly steps: number; readonly waiting: number } {
    return { steps: this.steps.length, waiting: this.waiting.length };
  }

  back({ steps, waiting }: { readonly steps: number; readonly waiting: number }): void {
    this.steps.length = steps;
    this.waiting.length = Math.min(waiting, this.waiting.length);
  }
}

/** Runs a step in pieces, so that limits hold and others may work between them. */
export function* runStep({ step, span, slowly }: PlanStep, meter: Meter): Steps<void> {
  if (slowly !== undefined) return yield* slowly();
  const { extent, work, threads = 1 } = step;
  const share = (threads * pieceWork * Math.max(extent, 1)) / Math.max(work, 1);
  const parts = Math.max(threads, Math.floor(share));
  let from = 0;
  do {
    const to = Math.min(from + parts, extent);
    if (meter.spend((work * (to - from)) / Math.max(extent, 1), span)) yield;
    step.run(from, to);
    from = to;
  } while (from < extent);
}
