import type { Span } from "../../../language/source/span.js";
import type { Branch, Buffer, LoopDraft, Producer, Source } from "../values/value.js";

/** Which buffers producers read. Loops are asked for as they will be: with parts of their sources stored. */
export class ProducerReads {
  private readonly ofLoops = new WeakMap<LoopDraft, readonly Buffer[]>();

  constructor(readonly prepare: (draft: LoopDraft, span: Span) => LoopDraft) {}

  /** What a producer reads in the block where it stands: of a choice the condition, and not what branches read. */
  of(producer: Producer, span: Span): readonly Buffer[] {
    switch (producer.kind) {
      case "loops":
        return distinct(producer.loops.map((loop) => this.ofLoop(loop, span)));
      case "contraction":
        return [producer.left.slot, producer.right.slot];
      case "forest":
        return distinct(producer.numbers.map(({ access }) => [access.slot]));
      case "range":
        return producer.buffers;
      case "branch":
        return [producer.condition.slot];
      case "call":
        return distinct(producer.call.operands.map(({ access }) => [access.slot]));
    }
  }

  /** What a branch reads. */
  ofBranch(branch: Branch, span: Span): readonly Buffer[] {
    return branch.kind === "loop" ? this.ofLoop(branch, span) : [];
  }

  /** All that a producer reads, in whichever block. */
  all(producer: Producer, span: Span): readonly Buffer[] {
    const own = this.of(producer, span);
    if (producer.kind !== "branch") return own;
    return distinct([own, this.ofBranch(producer.yes, span), this.ofBranch(producer.no, span)]);
  }

  /** The buffers that a loop reads, in the order in which it comes to them. */
  private ofLoop(loop: LoopDraft, span: Span): readonly Buffer[] {
    const cached = this.ofLoops.get(loop);
    if (cached !== undefined) return cached;
    const buffers = new Set<Buffer>();
    const open: Source[] = [this.prepare(loop, span).source];
    const seen = new Set<Source>(open);
    for (let source = open.pop(); source !== undefined; source = open.pop()) {
      if (source.kind === "stored") buffers.add(source.access.slot);
      if (source.kind !== "computed") continue;
      for (const { source: operand } of [...source.operands].reverse()) {
        if (!seen.has(operand)) open.push(operand);
        seen.add(operand);
      }
    }
    const result = [...buffers];
    this.ofLoops.set(loop, result);
    return result;
  }
}

function distinct(lists: readonly (readonly Buffer[])[]): readonly Buffer[] {
  const [only] = lists;
  return only !== undefined && lists.length === 1 ? only : [...new Set(lists.flat())];
}
