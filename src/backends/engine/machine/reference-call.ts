import { bitsOf, reaches } from "../../../language/core/operations.js";
import { writeCell } from "../../../language/types/cell.js";
import { copyCells } from "../../../language/values/data/array-cells.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Steps } from "../../meter.js";
import { boxed, Evaluation, type ReferenceValue, unboxed } from "../../reference/evaluation.js";
import type { RunContext } from "../../run-context.js";
import type { Slot } from "../loop.js";
import { drawsRandom } from "../plan/runs/draws.js";
import { offsetAlong } from "../values/tables.js";
import { type Buffer, type CallOperand, cellsIn, type ReferenceCall } from "../values/value.js";
import { ResultLayout } from "./results/result-layout.js";

const hostCalls = bitsOf(["host"]);

/** Runs a call of the reference: for each index of its outer axes from stored operands. */
export class CallRunner {
  private readonly count: number;

  constructor(
    private readonly call: ReferenceCall,
    private readonly slotOf: (buffer: Buffer) => Slot,
  ) {
    this.count = cellsIn(call.outer.map((size) => ({ size })));
  }

  /** Writes what the reference finds to a slot, whose cells lie as those of the outer axes and then the node's type. */
  *run(run: RunContext, target: Slot, isRandom: boolean): Steps<void> {
    const { node } = this.call;
    const { blockSize, cellType } = node.type;
    // An operand that is the same at all indexes is read once: its cells may be many.
    const shared = new Map<CallOperand, ReferenceValue>();
    for (let index = 0; index < this.count; index++) {
      const value = isRandom ? yield* this.drawn(run) : yield* this.value(run, index, shared);
      const { cells } = target.block;
      if (typeof value === "number") writeCell(cellType, cells, index * blockSize, value);
      else copyCells(value.data, cells.subarray(index * blockSize, (index + 1) * blockSize));
      if (run.meter.spend(1, node.span)) yield;
    }
  }

  /** The tensor that the reference finds, of a node without outer axes. */
  *tensor(run: RunContext): Steps<Tensor> {
    const { node } = this.call;
    return boxed(yield* this.drawn(run), node.type);
  }

  private *drawn(run: RunContext): Steps<ReferenceValue> {
    const { node } = this.call;
    const value = run.drawn.get(node) ?? (yield* this.value(run, 0));
    run.drawn.set(node, value);
    return value;
  }

  private *value(
    run: RunContext,
    index: number,
    shared = new Map<CallOperand, ReferenceValue>(),
  ): Steps<ReferenceValue> {
    const { meter, random } = run;
    const { bytes } = meter;
    const evaluation: Evaluation = new Evaluation({
      meter,
      random,
      input: function* (name, span) {
        const tensor = run.input(name);
        if (tensor !== undefined) return unboxed(tensor);
        return yield* evaluation.value(run.defaultOf(name, span));
      },
      promised: (call, value) => run.drawn.set(call, value),
    });
    const { node, operands, readsInputs } = this.call;
    const mayDraw = readsInputs || drawsRandom(node);
    if (mayDraw || reaches(node, hostCalls))
      for (const [drawn, value] of run.drawn) evaluation.define(drawn, value);
    for (const operand of operands) {
      const value = shared.get(operand) ?? this.operandAt(operand, index);
      if (this.isSame(operand)) shared.set(operand, value);
      evaluation.define(operand.node, value);
    }
    const value = yield* evaluation.value(node);
    if (mayDraw) this.remember(evaluation, run);
    meter.bytes = bytes; // it is copied to a slot, which was counted
    return value;
  }

  /** Retains what was found by chance for the rest of the run, but for operands: their cells lie in slots, which are used again. */
  private remember(evaluation: Evaluation, { drawn }: RunContext): void {
    const operands = new Set(this.call.operands.map(({ node }) => node));
    for (const [node, value] of evaluation.closed())
      if (!operands.has(node) && drawsRandom(node)) drawn.set(node, value);
  }

  /** Whether an operand has the same cells at each index of the outer axes. */
  private isSame({ access }: CallOperand): boolean {
    return this.call.outer.every((_, at) => access.strides[at] === 0);
  }

  /** The cells of an operand at an index of all outer axes. */
  private operandAt({ node: { type }, axes, access }: CallOperand, index: number): ReferenceValue {
    const { outer } = this.call;
    let [offset, remaining] = [access.offset, index];
    for (let at = outer.length - 1; at >= 0; at--) {
      const [size, stride] = [outer[at], access.strides[at]];
      if (size === undefined || stride === undefined) throw new Error("each outer axis has a stride");
      offset += offsetAlong(stride, remaining % size);
      remaining = Math.floor(remaining / size);
    }
    const { block } = this.slotOf(access.slot);
    const inner = { ...access, offset, strides: access.strides.slice(outer.length) };
    return unboxed(new ResultLayout(type, { axes, access: inner }).tensor({ block }));
  }
}
