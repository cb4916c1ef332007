import type { Span } from "../../../language/source/span.js";
import { entry } from "../../../language/values/element.js";
import type { Draft, DraftStage } from "../passes/draft.js";
import { FixedBuffers } from "../passes/fixed-buffers.js";
import { drawsRandom } from "../plan/runs/draws.js";
import { readsOfBranch, readsOfProducer } from "../values/producer-reads.js";
import type { Branch, Buffer, BufferAccess, LoopDraft, Producer } from "../values/value.js";
import { bodyOf } from "./body.js";
import { Placement, type Site } from "./placement.js";
import { splitLoops } from "./splitting.js";
import type { BufferLoop, PlanStep, Stage } from "./step.js";

/** The steps of all stages, in their order. */
export function ordered(draft: Draft): readonly Stage[] {
  const schedule = new Schedule(draft);
  return draft.stages.map((stage) => schedule.stage(stage));
}

/**
 * Puts what computes buffers in an order: each buffer before its first reader, in the innermost block that holds all of
 * its readers, and no buffer that no result needs. What only one branch of a choice needs stands in that branch; what
 * several branches need, and nothing else, is a group, which the first branch that is taken computes.
 */
class Schedule {
  /** Buffers whose steps stand in a stage that was scheduled before, so that all later ones have them. */
  private readonly done = new Set<Buffer>();
  private readonly fixed: FixedBuffers;
  private groups = 0;

  constructor(private readonly draft: Draft) {
    this.fixed = new FixedBuffers(draft);
  }

  /** The steps that compute these buffers, as far as earlier stages have not. */
  stage({ targets, request, problems }: DraftStage): Stage {
    if (problems !== undefined) return { steps: [{ kind: "refuse", problems }], request };
    return { steps: this.steps(targets), request };
  }

  private steps(targets: readonly Buffer[]): readonly PlanStep[] {
    const placement = new Placement(targets, this.done, this.draft, () => this.groups++);
    for (const buffer of placement.order) this.emit(buffer, placement);
    for (const buffer of placement.order)
      if (placement.siteOf(buffer) === placement.root) this.done.add(buffer);
    return placement.root.steps;
  }

  private emit(buffer: Buffer, placement: Placement): void {
    if (buffer.origin.kind !== "computed") return;
    const { span } = buffer.origin;
    const producer = entry(this.draft.producers, buffer);
    const site = placement.siteOf(buffer);
    placement.demand(site, readsOfProducer(producer), span);
    for (const step of this.stepsOf(buffer, producer, span, placement)) site.steps.push(step);
  }

  private stepsOf(buffer: Buffer, producer: Producer, span: Span, placement: Placement): readonly PlanStep[] {
    const isOnce = this.fixed.has(buffer);
    const common = { writes: buffer, span, isOnce };
    switch (producer.kind) {
      case "loops":
        return producer.loops
          .flatMap((draft) => splitLoops(this.loopOf(draft, buffer)))
          .map((loop, at) => {
            const lasting = isOnce || !this.isLasting(loop) ? undefined : at;
            return { kind: "loop", loop, lasting, ...common };
          });
      case "contraction":
      case "forest":
      case "ranking":
      case "gather":
      case "scatter":
      case "scan":
      case "thresholdSum":
      case "range":
        return [{ ...producer, ...common }];
      case "call":
        return [{ kind: "call", call: producer.call, isRandom: drawsRandom(producer.call.node), ...common }];
      case "branch": {
        const [yes, no] = placement.branchesOf(buffer);
        this.close(yes, producer.yes, buffer, span, placement);
        this.close(no, producer.no, buffer, span, placement);
        const { condition } = producer;
        return [{ kind: "branch", condition, yes, no, ...common }];
      }
    }
  }

  /** Ends the block of a branch with what writes the buffer. */
  private close(site: Site, branch: Branch, buffer: Buffer, span: Span, placement: Placement): void {
    if (branch.kind === "refused") {
      site.steps.push({ kind: "refuse", problems: branch.problems });
      return;
    }
    placement.demand(site, readsOfBranch(branch), span);
    const loop = this.loopOf(branch, buffer);
    const last = site.steps.at(-1);
    const isCopied = last?.kind === "loop" && !last.isOnce && isCopyOf(last.writes, loop);
    if (isCopied && !writesTo(site.steps.at(-2), last.writes)) {
      // Behind the last step of a branch nothing else reads what it computes: it does so where it would be copied to.
      site.steps.pop();
      const target = { ...last.loop.target, slot: buffer };
      // The other branch writes to the same buffer in other runs: none of its cells last.
      site.steps.push({ ...last, loop: { ...last.loop, target }, writes: buffer, lasting: undefined });
      return;
    }
    site.steps.push({ kind: "loop", loop, writes: buffer, span, isOnce: false });
  }

  private loopOf({ axes, source, offset, strides, aggregator }: LoopDraft, buffer: Buffer): BufferLoop {
    const { sources, instructions } = bodyOf(source, axes.length, this.draft.storage.tables);
    const target: BufferAccess = { slot: buffer, cellType: buffer.cellType, offset, strides };
    return { axes, sources, body: instructions, target, aggregator };
  }

  /** Whether a loop writes the same cells in all runs. */
  private isLasting({ aggregator, sources }: BufferLoop): boolean {
    return aggregator === undefined && sources.every(({ slot }) => this.fixed.has(slot));
  }
}

const writesTo = (step: PlanStep | undefined, buffer: Buffer): boolean =>
  step !== undefined && "writes" in step && step.writes === buffer;

/** Whether a loop copies a buffer to one like it, each cell to where it was. */
function isCopyOf(from: Buffer, { sources, body, target }: BufferLoop): boolean {
  const [source] = sources;
  return (
    source?.slot === from &&
    sources.length === 1 &&
    body.length === 1 &&
    from.length === target.slot.length &&
    from.cellType === target.slot.cellType &&
    source.offset === target.offset &&
    source.strides.every((stride, axis) => stride === target.strides[axis])
  );
}
