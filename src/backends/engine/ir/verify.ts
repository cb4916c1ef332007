import { cellsOf } from "../../../language/values/shape.js";
import { unfinished } from "../finishing.js";
import { verifyLayout } from "../layouts/input-layout.js";
import { verifyMemory } from "../passes/place.js";
import type { Plan } from "../plan/plan.js";
import { reachOf } from "../values/gather.js";
import { cellsFound } from "../values/ranking.js";
import { linesOf } from "../values/scan.js";
import { targetOf } from "../values/scatter.js";
import { type Buffer, type BufferAccess, cellsIn } from "../values/value.js";
import { coversAll, rangeOf } from "./coverage.js";
import type { BufferLoop, LoopStep, PlanStep, StepBlock, StepGroup } from "./step.js";
import { readOnce, readsOf, requestedBuffers } from "./step-reads.js";

/**
 * Sees that a plan is sound before it is compiled: every cell that a step reads was written before it, in every run that
 * comes to the step; accesses stay within their buffers; bodies use what was computed before; no loop reads what it
 * writes. So no run can show cells that it did not compute. What is wrong is a defect of Sphex.
 * @throws Error which says what.
 */
export function verify(plan: Plan): void {
  for (const layout of plan.inputs.values()) if (layout !== undefined) verifyLayout(layout);
  const verifier = new Verifier(plan);
  for (const stage of plan.stages) {
    verifier.block(stage);
    if (stage.request !== undefined)
      for (const buffer of requestedBuffers(stage.request)) verifier.available(buffer);
  }
  for (const { value } of plan.results ?? []) {
    verifier.available(value.source.access.slot);
    verifier.access(
      value.source.access,
      value.axes.map(({ size }) => size),
    );
  }
  verifyMemory(plan, plan.memory);
}

class Verifier {
  /** Computed buffers that are whole. */
  private written = new Set<Buffer>();
  /** What each group reads from outside, and which buffers are whole after it. */
  private readonly groups = new Map<
    StepGroup,
    { readonly reads: Set<Buffer>; readonly written: Set<Buffer> }
  >();
  /** What the group that is gone through reads of what was whole before it. */
  private outside: { readonly reads: Set<Buffer>; written: ReadonlySet<Buffer> } | undefined;

  constructor(private readonly plan: Plan) {}

  /** Whether the block goes on to its end. */
  block({ steps }: StepBlock): boolean {
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at];
      if (step === undefined) continue;
      if (step.kind === "refuse") return false;
      if (step.kind === "loop") at += this.loops(steps, at) - 1;
      else this.step(step);
    }
    return true;
  }

  /** Loops one behind the other that write to the same buffer write all of it together; how many there are. */
  private loops(steps: readonly PlanStep[], from: number): number {
    const loops: BufferLoop[] = [];
    let written: Buffer | undefined;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at];
      if (step?.kind !== "loop" || (written !== undefined && step.writes !== written)) break;
      written = step.writes;
      this.loop(step.loop, written);
      if (step.isSegmented === true) this.segmented(step, steps[at + 1]);
      loops.push(step.loop);
    }
    if (written === undefined) throw new Error("a loop writes to a buffer");
    if (!coversAll(loops, written.length)) fail("loops leave cells of their buffer unwritten");
    this.write(written);
    return loops.length;
  }

  /** What a loop sums for the one behind it nothing else reads. */
  private segmented({ writes }: LoopStep, next: PlanStep | undefined): void {
    if (next?.kind !== "loop" || !readsOf(next).includes(writes) || !readOnce(this.plan).has(writes))
      fail("sums over segments are read by more than the next loop");
  }

  private loop(loop: BufferLoop, written: Buffer): void {
    const { axes, sources, body, target } = loop;
    const sizes = axes.map(({ size }) => size);
    if (target.slot !== written) fail("a loop writes elsewhere than it says");
    if (target.cellType !== written.cellType) fail("a loop writes cells of another type than its buffer's");
    this.access(target, sizes);
    for (const source of sources) {
      if (source.slot === written) fail("a loop reads what it writes");
      this.available(source.slot);
      this.access(source, sizes);
    }
    this.body(loop, body);
    if (loop.finish === undefined) return;
    const [, second] = unfinished(loop);
    if (loop.aggregator === undefined || second.axes.length === 0)
      fail("a loop finishes what it does not fold");
    this.body(second, second.body);
  }

  private body({ axes, sources }: BufferLoop, body: BufferLoop["body"]): void {
    for (const [at, instruction] of body.entries()) {
      const operands = operandsOf(instruction);
      if (operands.some((operand) => operand < 0 || operand >= at)) fail("an instruction uses a later one");
      if (instruction.op === "read" && sources[instruction.source] === undefined)
        fail("a body reads no source");
      if (instruction.op === "index" && axes[instruction.axis] === undefined) fail("a body asks for no axis");
    }
    if (body.length === 0) fail("a loop computes nothing");
  }

  private step(step: Exclude<PlanStep, { kind: "loop" | "refuse" }>): void {
    for (const buffer of readsOf(step)) this.available(buffer);
    switch (step.kind) {
      case "branch":
        this.access(step.condition, []);
        this.branches(step.yes, step.no, step.writes);
        break;
      case "demand":
        this.demand(step.group);
        return;
      case "contraction": {
        const rows = [step.left, step.right].map(({ strides }) => strides.length);
        if (rows.some((axes) => axes !== 1)) fail("a sparse contraction is of rows");
        break;
      }
      case "forest":
        for (const { access } of step.numbers) this.access(access, step.sizes);
        if (cellsOf(step.sizes) !== step.writes.length)
          fail("a forest is walked for another number of cells than its buffer has");
        break;
      case "call":
        for (const { access, axes } of step.call.operands)
          this.access(access, [...step.call.outer, ...axes.map(({ size }) => size)]);
        if (
          cellsIn(step.call.outer.map((size) => ({ size }))) * step.call.node.type.blockSize !==
          step.writes.length
        )
          fail("a call writes another number of cells than its buffer has");
        break;
      case "ranking":
        this.access(step.cells, [...step.ranking.outer, ...step.ranking.line]);
        if (typeof step.lastRank === "object") this.access(step.lastRank, []);
        if (cellsFound(step.ranking) !== step.writes.length)
          fail("a ranking finds another number of cells than its buffer has");
        break;
      case "gather": {
        const { sizes, labels } = step.gather;
        for (const { access } of labels) {
          this.access(access, sizes);
          if (access.cellType !== "double") fail("a label is a double");
        }
        const reach = reachOf(step.gather);
        this.access(reach.access, reach.sizes);
        if (reach.access.cellType !== step.writes.cellType) fail("a gather copies cells of another type");
        if (cellsOf(sizes) !== step.writes.length)
          fail("a gather copies another number of cells than its buffer has");
        break;
      }
      case "scatter": {
        const { sizes, cells } = step.scatter;
        const [label] = step.scatter.labels;
        this.access(cells, sizes);
        this.access(label.access, sizes);
        if (label.access.cellType !== "double") fail("a label is a double");
        const target = targetOf(step.scatter, step.writes);
        this.access(target.access, target.sizes);
        break;
      }
      case "scan": {
        const { scan, writes } = step;
        this.access(scan.cells, scan.sizes);
        if (writes.cellType !== "double") fail("a scan writes doubles");
        if (linesOf(scan) * scan.results !== writes.length)
          fail("a scan writes another number of cells than its buffer has");
        break;
      }
      case "thresholdSum": {
        const { sum, writes } = step;
        const line = [...sum.outer, sum.line];
        this.access(sum.keys, line);
        this.access(sum.cells, line);
        this.access(sum.thresholds, [...sum.outer, ...sum.results]);
        if (writes.cellType !== "double") fail("sums by thresholds are doubles");
        if (cellsOf(sum.outer) * cellsOf(sum.results) !== writes.length)
          fail("there are other sums by thresholds than its buffer has cells");
        break;
      }
      case "range":
        break;
    }
    this.write(step.writes);
  }

  /** Both branches compute the buffer, or refuse. */
  private branches(yes: StepBlock, no: StepBlock, written: Buffer): void {
    const before = this.written;
    const outside = this.outside?.written;
    for (const branch of [yes, no]) {
      this.written = new Set(before);
      // What one branch demands the other may read from outside.
      if (this.outside !== undefined && outside !== undefined) this.outside.written = outside;
      if (this.block(branch) && !this.written.has(written)) fail("a branch does not compute its buffer");
      if (branch.steps.some((step) => isLastingIn(step, written)))
        fail("cells last that the other branch writes");
    }
    this.written = before;
    if (this.outside !== undefined && outside !== undefined) this.outside.written = outside;
  }

  private demand(group: StepGroup): void {
    const checked = this.groups.get(group);
    if (checked !== undefined) {
      for (const buffer of checked.reads) this.available(buffer);
      for (const buffer of checked.written) this.written.add(buffer);
      this.supply(checked.written);
      return;
    }
    const [before, enclosing] = [this.written, this.outside];
    const reads = new Set<Buffer>();
    this.written = new Set(before);
    this.outside = { reads, written: before };
    this.block(group);
    const written = new Set([...this.written].filter((buffer) => !before.has(buffer)));
    this.groups.set(group, { reads, written });
    this.outside = enclosing;
    for (const buffer of reads) if (enclosing?.written.has(buffer) === true) enclosing.reads.add(buffer);
    this.supply(written);
  }

  /** What a group computes by demanding another it does not read from outside, though it may be there already. */
  private supply(buffers: ReadonlySet<Buffer>): void {
    if (this.outside === undefined) return;
    this.outside.written = new Set([...this.outside.written].filter((buffer) => !buffers.has(buffer)));
  }

  available(buffer: Buffer): void {
    if (this.outside?.written.has(buffer) === true) this.outside.reads.add(buffer);
    const isMissing = buffer.origin.kind === "computed" && buffer.length > 0 && !this.written.has(buffer);
    if (isMissing) fail("cells are read that no step wrote");
  }

  access(access: BufferAccess, sizes: readonly number[]): void {
    const { slot, cellType, strides } = access;
    if (strides.length !== sizes.length) fail("an access has another number of axes than its loop");
    if (cellType !== slot.cellType) fail("an access is of another cell type than its buffer");
    const range = rangeOf(access, sizes);
    if (range !== undefined && (range.first < 0 || range.last >= slot.length))
      fail(`cells ${range.first} to ${range.last} of ${slot.length} are accessed`);
  }

  private write(buffer: Buffer): void {
    if (this.written.has(buffer)) fail("a buffer is computed twice");
    this.written.add(buffer);
  }
}

const isLastingIn = (step: PlanStep, buffer: Buffer): boolean =>
  step.kind === "loop" && step.lasting !== undefined && step.writes === buffer;

function operandsOf(instruction: BufferLoop["body"][number]): readonly number[] {
  if (instruction.op === "apply") return instruction.arguments;
  if (instruction.op === "select") return [instruction.condition, instruction.yes, instruction.no];
  return instruction.op === "store" ? [instruction.value] : [];
}

function fail(reason: string): never {
  throw new Error(`the plan is not sound: ${reason}`);
}
