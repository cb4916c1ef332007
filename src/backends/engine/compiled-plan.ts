import type { CellArray } from "../../language/types/cell.js";
import { indexed, TensorType } from "../../language/types/type.js";
import type { LabelIndex } from "../../language/values/label-index.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import type { Block } from "./arena.js";
import { Layout } from "./layout.js";
import type { Machine } from "./lowering.js";
import { blockOf, copyCells, indexOf, isKept, smallCells, valueIn } from "./marshalling.js";
import { hiding, indexedAxis, renamedAxes } from "./plan/axes.js";
import { spread } from "./plan/elementwise.js";
import { type PlanSlot, type PlanStep, Recorder, runStep } from "./plan/recorder.js";
import type { Run } from "./plan/reference-fallback.js";
import type { Stored, Value } from "./plan/value.js";

/** What a run of the engine is given. */
export interface EngineRun extends Run {
  /** The tensor of an input; nothing where its default is wanted. */
  readonly input: (name: string) => Tensor | undefined;
  /** The size that inputs have along a dimension, if any does. */
  readonly sizeOf: (dimension: string) => number | undefined;
}

/** Inputs by their canonical names, as a host has them. */
export type Given = Readonly<Record<string, unknown>>;

/** An input as a plan knows it: it is for tensors of these sizes and labels. */
interface Bound {
  readonly name: string;
  readonly type: TensorType;
  readonly sizes: readonly number[];
  readonly index: LabelIndex | undefined;
  readonly slot: PlanSlot;
}

interface Wanted {
  readonly type: TensorType;
  readonly layout: Layout;
  readonly stored: Stored;
}

const wanted = (type: TensorType, axes: Value["axes"], stored: Stored): Wanted => ({
  type,
  layout: new Layout(type, { axes, access: stored.access }),
  stored,
});

/** Beyond so many bytes in use, results are copied out of the arena, and inputs do not stay there. */
export const mostBytesLent = 2 ** 29;

/** The steps of a plan, to be run again for other inputs of the same sizes and labels. */
export class Replay {
  steps: readonly PlanStep[] = [];
  /** The run that the plan is used for now. */
  current: Run;
  private readonly bound: Bound[] = [];
  private readonly absent = new Set<string>();
  private readonly results: Wanted[] = [];
  /** Has the slots of inputs and constants. */
  readonly recorder: Recorder;
  private readonly values = new Map<string, Value>();
  private readonly known = new Set<string>();
  private seen: Given | undefined;
  private readonly own = new Map<PlanSlot, Block>();
  /** Whether a run goes on, and others wait for nothing of it. */
  isBusy = false;
  /** Whether random numbers are drawn: every run begins their sequence anew. */
  hasChance = false;
  /** Slots whose blocks left with a result. */
  private readonly given = new Set<PlanSlot>();
  /** Slots whose blocks some result has looked at where they lie. */
  private readonly looked = new Set<object>();

  constructor(
    private readonly machine: Machine,
    private readonly first: EngineRun,
    private readonly fixed: ReadonlySet<string>,
    /** A dimension that inputs may have over and above their types, and then so have the results. */
    private readonly batch: string | undefined,
  ) {
    this.current = first;
    this.recorder = new Recorder(machine.arena);
  }

  /** The value of an input while the plan is made. */
  input(name: string, type: TensorType): Value | undefined {
    const known = this.values.get(name);
    if (known !== undefined) return known;
    const tensor = this.first.input(name);
    if (tensor === undefined) {
      this.absent.add(name);
      return undefined;
    }
    const index = type.isDense ? undefined : indexOf(tensor);
    const slot = this.slotFor(tensor);
    slot.isFixed = this.fixed.has(name);
    const whole = valueIn(slot, tensor.type, tensor.sizes, index);
    const isBatch = this.batch !== undefined && type.dimension(this.batch) === undefined;
    // The program does not see a dimension that its inputs do not have for it.
    const value = isBatch ? { ...whole, axes: renamedAxes(whole.axes, this.hidden) } : whole;
    if (!slot.isFixed) this.bound.push({ name, type: tensor.type, sizes: tensor.sizes, index, slot });
    if (!slot.isFixed) this.known.add(name);
    this.values.set(name, value);
    return value;
  }

  constant(tensor: Tensor): Value {
    if (tensor.type.isScalar) return { axes: [], source: { kind: "constant", value: tensor.at(0) } };
    const slot = this.slotFor(tensor);
    slot.isFixed = true;
    return valueIn(slot, tensor.type, tensor.sizes, tensor.type.isDense ? undefined : indexOf(tensor));
  }

  /** A slot with the cells of a tensor: the tensor's own block if it is large. */
  private slotFor(tensor: Tensor): PlanSlot {
    const { length } = tensor.data;
    const { cellType } = tensor.type;
    if (length > smallCells && this.mayKeep(tensor))
      return { cellType, length, isFixed: false, block: blockOf(this.machine.arena, tensor) };
    const slot = this.recorder.slot(cellType, length);
    if (length > smallCells) this.own.set(slot, slot.block);
    copyCells(tensor.data, slot.block.cells);
    return slot;
  }

  /** Whether a tensor's cells may stay in the arena: only the collector gives their memory back, some time. */
  private mayKeep(tensor: Tensor): boolean {
    const { arena } = this.machine;
    return arena.bytesInUse <= mostBytesLent || isKept(arena, tensor);
  }

  result(value: Value, type: TensorType): void {
    if (value.source.kind !== "stored") throw new Error("a result was not stored");
    const { batch, first } = this;
    const stored = value.source;
    const batches = batch === undefined ? undefined : first.sizeOf(batch);
    if (batch === undefined || batches === undefined) {
      this.results.push(wanted(type, value.axes, stored));
      return;
    }
    const axes = renamedAxes(value.axes, this.naming.show);
    const hasAxis = axes.some(({ name }) => name === batch);
    const whole = hasAxis
      ? { axes, source: stored }
      : spread({ axes, source: stored }, [indexedAxis(batch, batches), ...axes]);
    if (whole.source.kind !== "stored") throw new Error("a stored value seen through more axes is stored");
    const wider = TensorType.of(type.cellType, [...type.dimensions, indexed(batch, batches)]);
    this.results.push(wanted(wider, whole.axes, whole.source));
  }

  private readonly naming = hiding();
  private readonly hidden = (name: string): string => (name === this.batch ? this.naming.hide(name) : name);

  /** Whether a run's inputs have the sizes and labels that the plan is for. */
  fits(given: EngineRun): boolean {
    if (this.isBusy) return false;
    for (const name of this.absent) if (given.input(name) !== undefined) return false;
    return this.bound.every(({ name, type, sizes, index }) => {
      const tensor = given.input(name);
      return tensor !== undefined && hasLayout(tensor, type, sizes, index);
    });
  }

  /** The results for values that need no other form; nothing where one does, or is missing, or nobody knows it. */
  again(given: Given): readonly Tensor[] | undefined {
    if (this.isBusy || this.hasChance || !this.names(given)) return undefined;
    this.refill();
    const { bound, steps } = this;
    for (let at = 0; at < bound.length; at++) {
      const each = bound[at] as Bound; // this and the next line stay within their lists
      if (!this.put(each, given[each.name])) return undefined;
    }
    for (let at = 0; at < steps.length; at++) {
      const { step } = steps[at] as PlanStep;
      step.run(0, step.extent);
    }
    return this.take();
  }

  /**
   * Whether just the inputs of the plan are given. An object that was seen before and has as many names has the same
   * ones, or lacks an input.
   */
  private names(given: Given): boolean {
    if (this.seen === given && Object.keys(given).length === this.known.size) return true;
    let count = 0;
    for (const name in given) {
      if (!this.known.has(name)) return false;
      count++;
    }
    if (count !== this.known.size) return false;
    this.seen = given;
    return true;
  }

  /** Puts a value in the slot of an input, if it is of the right form. */
  private put({ type, sizes, index, slot }: Bound, value: unknown): boolean {
    if (typeof value === "number") {
      if (!type.isScalar) return false;
      slot.block.cells[0] = value;
      return true;
    }
    if (value instanceof Tensor) {
      if (!hasLayout(value, type, sizes, index)) return false;
      this.fill(slot, value);
      return true;
    }
    const { cells } = slot.block;
    if (!ArrayBuffer.isView(value) || index !== undefined || value.constructor !== cells.constructor)
      return false;
    const array = value as CellArray; // of the same kind as the cells
    if (array.length !== slot.length) return false;
    if (slot.length > smallCells) slot.block = this.ownBlock(slot);
    copyCells(array, slot.block.cells);
    return true;
  }

  /** The block that an input's arrays are copied to; tensors bring their own. */
  private ownBlock(slot: PlanSlot): Block {
    const known = this.own.get(slot) ?? this.recorder.block(slot.cellType, slot.length);
    this.own.set(slot, known);
    return known;
  }

  private fill(slot: PlanSlot, tensor: Tensor): void {
    if (slot.length > smallCells) {
      const isKept = this.mayKeep(tensor);
      slot.block = isKept ? blockOf(this.machine.arena, tensor) : this.ownBlock(slot);
      if (isKept) return;
    }
    copyCells(tensor.data, slot.block.cells);
  }

  *run(given: EngineRun): Steps<readonly Tensor[]> {
    this.isBusy = true;
    try {
      this.current = given;
      this.bind(given);
      for (const step of this.steps) yield* runStep(step, given.meter);
      return this.take();
    } finally {
      this.isBusy = false;
    }
  }

  private bind(given: EngineRun): void {
    for (const { name, slot } of this.bound) {
      const tensor = given.input(name);
      if (tensor === undefined) continue;
      this.fill(slot, tensor);
    }
    this.refill();
  }

  /** Gives slots new blocks whose old ones left with results. */
  private refill(): void {
    if (this.given.size === 0) return;
    for (const slot of this.given) slot.block = this.recorder.block(slot.cellType, slot.length);
    this.given.clear();
  }

  /** The results as tensors of their own: small ones are copied, large ones leave with their blocks. */
  take(): readonly Tensor[] {
    const { results } = this;
    if (results.length === 1) return [this.taken(results[0] as Wanted)]; // the usual case, without a closure
    return results.map((result) => this.taken(result));
  }

  private taken({ type, layout, stored: { access } }: Wanted): Tensor {
    const { slot } = access;
    const { block } = slot;
    if (type.isScalar) return Tensor.scalar(block.cells[access.offset] as number, type); // scalars are doubles
    const { arena } = this.machine;
    const isLent = this.isLent(slot);
    const isOwn = this.own.get(slot as PlanSlot) === block;
    // Memory that only the collector gives back must not run out before it comes.
    const isScarce = (!isLent || isOwn) && arena.bytesInUse > mostBytesLent;
    if (block.length <= smallCells || isScarce) return layout.tensor({ copy: block.cells.slice() });
    this.looked.add(slot);
    if (isLent) {
      // The next run's cells must not be seen in this one's result.
      if (isOwn) this.own.delete(slot as PlanSlot);
      return layout.tensor({ block });
    }
    const isAlone = this.results.filter((each) => each.stored.access.slot === slot).length === 1;
    this.given.add(slot as PlanSlot); // all slots of steps are the plan's
    return layout.tensor({ block }, isAlone ? () => arena.dispose(block) : undefined);
  }

  /** Gives back the memory of slots whose cells no result looks at: the plan is not used again. */
  release(slots: Iterable<PlanSlot>, tables: Iterable<Block>): void {
    const { arena } = this.machine;
    for (const slot of slots) if (this.isOnlyOurs(slot)) arena.dispose(slot.block);
    for (const [slot, block] of this.own) if (!this.looked.has(slot)) arena.dispose(block);
    const isTabled = this.results.some(
      ({ stored: { access } }) =>
        !isOfPlan(access.slot) || access.steps.some((step) => typeof step !== "number"),
    );
    if (!isTabled) for (const table of tables) arena.dispose(table);
  }

  /** Whether a slot's block is neither a tensor's nor looked at by a result. */
  private isOnlyOurs(slot: PlanSlot): boolean {
    if (slot.length <= smallCells || this.own.get(slot) === slot.block) return true;
    const isTensors = this.bound.some((each) => each.slot === slot);
    return !isTensors && !this.given.has(slot) && !(this.looked.has(slot) && slot.isFixed);
  }

  /** Whether a slot's block is another's, or the same in all runs: nobody will write to it. */
  private isLent(slot: object): boolean {
    if (!isOfPlan(slot) || slot.isFixed) return true;
    return this.bound.some((each) => each.slot === slot);
  }
}

/** Whether a slot is one of steps and inputs, rather than a table. */
const isOfPlan = (slot: object): slot is PlanSlot => "isFixed" in slot;

/** Whether a tensor's cells lie as those of the one that a plan was made for. */
function hasLayout(
  tensor: Tensor,
  type: TensorType,
  sizes: readonly number[],
  index: LabelIndex | undefined,
): boolean {
  if (!tensor.type.equals(type)) return false;
  if (type.isDense && type.isBound) return true;
  if (sizes.some((size, at) => size !== tensor.sizes[at])) return false;
  return index === undefined || indexOf(tensor) === index;
}
