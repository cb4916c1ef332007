import type { Node } from "../../../language/core/operations.js";
import type { Slices } from "../../../language/limits/slices.js";
import type { Span } from "../../../language/source/span.js";
import { cellTypes, readCell } from "../../../language/types/cell.js";
import { copyCells } from "../../../language/values/data/array-cells.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { wholeLabel } from "../../../language/values/text.js";
import type { Steps } from "../../meter.js";
import type { RunContext } from "../../run-context.js";
import { numbered } from "../ir/numbering.js";
import type { StepBlock } from "../ir/step.js";
import { stepsWithin } from "../ir/step-reads.js";
import { hasLayout, type InputLayout } from "../layouts/input-layout.js";
import { indexOf } from "../layouts/label-indexes.js";
import type { Plan } from "../plan/plan.js";
import type { Outcome, Request } from "../plan/planned.js";
import type { Buffer } from "../values/value.js";
import { type BlockContext, CompiledBlock, type CompiledGroup, type RunCount } from "./blocks.js";
import { smallCells } from "./marshalling.js";
import { CallRunner } from "./reference-call.js";
import { VaryingInput } from "./replays/input-binder.js";
import { numberReplay } from "./replays/number-replay.js";
import { type Replay, SlotReplay } from "./replays/replay.js";
import { type Batch, type ResultReader, resultReaders, resultTensors } from "./results/results.js";
import { rowsWithCells } from "./retained-rows.js";
import { Frame, PlanSlot, type TableBlocks } from "./slots.js";
import { type Compilation, lower, lowerSegments, type Machine } from "./tiered-step.js";

/** What plans are compiled with. */
export interface CompileOptions {
  readonly machine: Machine;
  readonly compilation: Compilation;
  readonly batch: Batch | undefined;
  readonly watch?: BlockContext["watch"];
}

/** What all stages of a plan share. */
export interface PlanMemory extends CompileOptions {
  readonly tables: TableBlocks;
  readonly runs: RunCount;
  /** The bytes of all slots that steps write to. */
  bytes: number;
  /** The latest expression for which a step was compiled. */
  span: Span;
  /** The run that the plan is used for now. */
  current: RunContext;
}

/** An input as a stage knows it: for tensors of this layout. */
interface StageInput {
  readonly layout: InputLayout;
  /** Absent where no step reads its cells. */
  readonly buffer: Buffer | undefined;
}

/** The outcome of a stage in a run; with the tensor, where the reference computed one. */
export interface StageOutcome {
  readonly outcome: Outcome;
  readonly tensor?: Tensor;
}

/** The last stage of a plan, compiled: what is bound, run, and taken. Earlier stages of the plan have their own. */
export class CompiledStage {
  /** Inputs that no earlier stage has. */
  readonly inputs: readonly StageInput[];
  readonly results: readonly ResultReader[] | undefined;
  readonly request: Request | undefined;
  /** Slots that no earlier stage has. */
  readonly own: PlanSlot[] = [];
  /** Of those, the slots of cells that come from outside of the plan. */
  readonly outside: PlanSlot[] = [];
  private readonly block: CompiledBlock;
  private readonly frame: Frame;
  private readonly slots: (PlanSlot | undefined)[];
  /** The slots of earlier stages whose cells come from outside of the plan. */
  private readonly outsideBefore: readonly PlanSlot[];
  private readonly absentInputs: readonly string[];
  private readonly onceBuffers = new Set<Buffer>();
  /** Buffers some of whose cells last from run to run. */
  private readonly lastingBuffers = new Set<Buffer>();
  /** Buffers of what the reference found in this run, which no earlier stage reads. */
  private readonly outcomeBuffers: readonly { readonly buffer: Buffer; readonly node: Node }[];

  constructor(
    readonly plan: Plan,
    private readonly memory: PlanMemory,
    before: CompiledStage | undefined,
  ) {
    const numbers = numbered(plan);
    const stage = plan.stages.at(-1);
    if (stage === undefined) throw new Error("a plan has a stage");
    this.collectLasting(stage);
    this.slots = [...(before?.slots ?? [])];
    this.outsideBefore = before === undefined ? [] : [...before.outsideBefore, ...before.outside];
    this.frame = new Frame(numbers, plan.memory, this.slots, (buffer) => this.createdSlot(buffer));
    this.block = new CompiledBlock(stage, this.context());
    this.request = stage.request;
    const buffers = [...numbers.keys()];
    const isNew = (name: string): boolean => before === undefined || !before.plan.inputs.has(name);
    const newInputs = [...plan.inputs].filter(([name]) => isNew(name));
    this.absentInputs = newInputs.flatMap(([name, layout]) => (layout === undefined ? [name] : []));
    const inputs = newInputs.flatMap(([name, layout]) => {
      const buffer = buffers.find(({ origin }) => origin.kind === "input" && origin.name === name);
      return layout === undefined ? [] : [{ layout, buffer }];
    });
    this.inputs = before === undefined ? inputs : [...inputs, ...this.lateInputs(before, buffers)];
    this.outcomeBuffers = buffers.flatMap((buffer, number) => {
      const isRead = before?.slots[number] !== undefined;
      return buffer.origin.kind === "outcome" && !isRead ? [{ buffer, node: buffer.origin.node }] : [];
    });
    const slotOf = (buffer: Buffer): PlanSlot => this.frame.slotOf(buffer).load();
    const { machine, batch } = memory;
    this.results = plan.results && resultReaders(plan.results, slotOf, machine.arena, batch);
  }

  /** Inputs whose layouts, but not cells, an earlier stage used. */
  private lateInputs(before: CompiledStage, buffers: readonly Buffer[]): readonly StageInput[] {
    return buffers.flatMap((buffer): StageInput[] => {
      if (buffer.origin.kind !== "input") return [];
      const { name } = buffer.origin;
      const layout = before.plan.inputs.get(name);
      return layout === undefined || before.reads(name) ? [] : [{ layout, buffer }];
    });
  }

  private reads(name: string): boolean {
    return this.slots.some((slot) => slot?.input === name);
  }

  private context(): BlockContext {
    const { memory } = this;
    const { machine, compilation, tables } = memory;
    return {
      arena: machine.arena,
      emitsCode: machine.compiled.length > 0,
      lower: (loop) => lower(loop, machine, compilation),
      lowerSegments: (summing, reading) => lowerSegments(summing, reading, machine, compilation),
      tables,
      slotOf: (buffer) => this.frame.slotOf(buffer).load(),
      unloadedSlotOf: (buffer) => this.frame.slotOf(buffer),
      outsideBlocks: () => [...this.outsideBefore, ...this.outside].map(({ block }) => block),
      current: () => memory.current,
      allow: ({ length }, span) => {
        memory.span = span;
        memory.current.meter.allow(length, span);
      },
      runs: memory.runs,
      groups: new Map<number, CompiledGroup>(),
      watch: memory.watch,
    };
  }

  /** The buffers of steps that are not repeated, and of those that may not be. */
  private collectLasting({ steps }: StepBlock): void {
    for (const step of stepsWithin(steps)) {
      if ("writes" in step && step.isOnce) this.onceBuffers.add(step.writes);
      if (step.kind === "loop" && step.lasting !== undefined) this.lastingBuffers.add(step.writes);
    }
  }

  private createdSlot(buffer: Buffer): PlanSlot {
    const { cellType, length, origin } = buffer;
    const { machine, current } = this.memory;
    const { arena } = machine;
    // Inputs and constants are there already; large ones stay where they are.
    if (origin.kind !== "input" && origin.kind !== "constant") {
      const bytes = length * cellTypes[cellType].width;
      current.meter.store(bytes, this.memory.span);
      this.memory.bytes += bytes;
    }
    const slot = (): PlanSlot => {
      switch (origin.kind) {
        case "input":
          return new PlanSlot(
            arena,
            cellType,
            length,
            origin.isFixed,
            true,
            origin.isFixed ? current.input(origin.name) : undefined,
            origin.name,
          );
        case "constant":
          return new PlanSlot(arena, cellType, length, true, true, origin.tensor);
        case "cells": {
          const createdSlot = new PlanSlot(arena, cellType, length, true, false);
          copyCells(origin.cells, createdSlot.block.cells);
          return createdSlot;
        }
        case "outcome":
          return new PlanSlot(arena, cellType, length, false, false);
        case "computed": {
          const isOnce = this.onceBuffers.has(buffer);
          const owner = this.lastingBuffers.has(buffer) ? {} : undefined;
          return new PlanSlot(arena, cellType, length, isOnce, false, undefined, undefined, owner);
        }
      }
    };
    const createdSlot = slot();
    this.own.push(createdSlot);
    // Those of constants are retained as long as the plan is.
    if (createdSlot.isOutside && createdSlot.constant === undefined) this.outside.push(createdSlot);
    return createdSlot;
  }

  /** Whether a run's inputs have the layouts that the stage is for. */
  fits(run: RunContext): boolean {
    for (const name of this.absentInputs) if (run.input(name) !== undefined) return false;
    for (const { layout } of this.inputs) {
      const tensor = run.input(layout.name);
      if (tensor === undefined || !hasLayout(tensor, layout)) return false;
    }
    return true;
  }

  /** Puts what a run gives, and what the reference found in it, where the steps read it; in slices where that is large. */
  *bind(run: RunContext, outcomeTensors: ReadonlyMap<Node, Tensor>): Slices<void> {
    // What leaves with a result of a later stage may have been computed in this one.
    for (const slot of this.own) if (slot.isTransferred) slot.refill();
    for (const { layout, buffer } of this.inputs) {
      const tensor = run.input(layout.name);
      if (tensor === undefined || buffer === undefined) continue;
      const slot = this.frame.slotOf(buffer);
      if (slot.isFixed) continue;
      if (slot.length > smallCells) yield* slot.bindSlices(tensor);
      else slot.bind(tensor);
    }
    for (const { buffer, node } of this.outcomeBuffers) {
      const tensor = outcomeTensors.get(node);
      if (tensor === undefined) throw new Error("a stage comes after those that tell its outcomes");
      copyCells(tensor.data, this.frame.slotOf(buffer).block.cells);
    }
  }

  /** The inputs that each run brings, with their slots. */
  varyingInputs(): readonly VaryingInput[] {
    return this.inputs.flatMap(({ layout, buffer }) => {
      if (layout.isFixed) return [];
      return [new VaryingInput(layout, buffer === undefined ? undefined : this.frame.slotOf(buffer))];
    });
  }

  /** Whether each run brings these inputs: none of them is fixed. */
  isVaried(names: readonly string[]): boolean {
    return !this.inputs.some(({ layout }) => layout.isFixed && names.includes(layout.name));
  }

  /** The results of the run, each a tensor of its own. */
  resultTensors(): readonly Tensor[] {
    if (this.results === undefined) throw new Error("the last stage has results");
    return resultTensors(this.results);
  }

  /** Repeats runs of the plan for such inputs; absent where there is more than this stage, or no whole run yet. */
  replay(inputs: readonly VaryingInput[]): Replay | undefined {
    const { results } = this;
    const steps = this.block.repeated;
    if (results === undefined || steps === undefined) return undefined;
    return numberReplay(inputs, steps, results) ?? new SlotReplay(inputs, steps, results, this.memory.runs);
  }

  runInSlices(run: RunContext): Steps<void> {
    return this.block.runInSlices(run.meter);
  }

  /** What the stage's request is answered with in this run. */
  *outcome(run: RunContext): Steps<StageOutcome> {
    const { request, frame } = this;
    if (request === undefined) throw new Error("the last stage asks nothing");
    if (request.kind === "tensor") {
      const runner = new CallRunner(request.call, (buffer) => frame.slotOf(buffer));
      const tensor = yield* runner.tensor(run);
      const index = tensor.type.isDense ? undefined : indexOf(tensor);
      return { outcome: { sizes: tensor.sizes, index }, tensor };
    }
    const { access } = request;
    const { cells } = frame.slotOf(access.slot).block;
    if (request.kind === "rows") {
      return { outcome: rowsWithCells(access, request.rows, cells) };
    }
    const number = readCell(access.cellType, cells, access.offset);
    return { outcome: request.kind === "truth" ? number !== 0 : wholeLabel(number) };
  }

  release(): void {
    for (const slot of this.own) slot.release();
  }
}
