import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { Request } from "../plan/planned.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import type { Storage } from "../values/storage.js";
import type { Branch, Buffer, LoopDraft, Producer } from "../values/value.js";

/**
 * A plan before its steps have an order: what must be there at the end of each stage, and what computes each buffer. Passes
 * make one draft of another; a buffer is the same in both, though something else may compute it.
 */
export interface Draft {
  readonly stages: readonly DraftStage[];
  /** Of all buffers that a stage needs, and perhaps of some that none needs any more. */
  readonly producers: ReadonlyMap<Buffer, Producer>;
  readonly storage: Storage;
}

export interface DraftStage {
  /** Buffers that the request looks at, or that leave as results. */
  readonly targets: readonly Buffer[];
  readonly request: Request | undefined;
  /** Why a run ends here, where it does. */
  readonly problems?: readonly Problem[];
}

/** The first draft: every buffer is computed as it was planned. */
export function draftOf(stages: readonly DraftStage[], storage: Storage): Draft {
  const producers = new Map<Buffer, Producer>();
  for (const { targets } of stages) addProducers(producers, targets, (buffer) => storage.producerOf(buffer));
  return { stages, producers, storage };
}

/** Adds what computes some buffers, and all that they need, as far as it is not there. */
function addProducers(
  producers: Map<Buffer, Producer>,
  targets: readonly Buffer[],
  producerOf: (buffer: Buffer) => Producer,
): void {
  const open = [...targets];
  for (let buffer = open.pop(); buffer !== undefined; buffer = open.pop()) {
    if (buffer.origin.kind !== "computed" || producers.has(buffer)) continue;
    const producer = producerOf(buffer);
    producers.set(buffer, producer);
    for (const read of allReadsOfProducer(producer)) open.push(read);
  }
}

/** Another producer for a buffer, or the same one. */
type Rewriting = (producer: Producer, buffer: Buffer) => Producer;

/** The draft with what computes each buffer rewritten, also of buffers that a rewritten producer reads for the first time. */
export function rewritten(draft: Draft, rewrite: Rewriting): Draft {
  const { producers, storage } = draft;
  let changed: Map<Buffer, Producer> | undefined;
  const reads: Buffer[] = [];
  for (const [buffer, producer] of producers) {
    const next = rewrite(producer, buffer);
    if (next === producer) continue;
    changed ??= new Map(producers);
    changed.set(buffer, next);
    for (const read of allReadsOfProducer(next)) reads.push(read);
  }
  if (changed === undefined) return draft;
  addProducers(changed, reads, (buffer) => rewrite(storage.producerOf(buffer), buffer));
  return { ...draft, producers: changed };
}

/** The draft with other loops, wherever one stands. */
export function withLoops(draft: Draft, change: (loop: LoopDraft, span: Span) => LoopDraft): Draft {
  return rewritten(draft, (producer, { origin }) => {
    if (origin.kind !== "computed") return producer;
    const { span } = origin;
    switch (producer.kind) {
      case "loops": {
        const loops = producer.loops.map((loop) => change(loop, span));
        return loops.every((loop, at) => loop === producer.loops[at]) ? producer : { ...producer, loops };
      }
      case "branch": {
        const [yes, no] = [changedBranch(producer.yes), changedBranch(producer.no)];
        return yes === producer.yes && no === producer.no ? producer : { ...producer, yes, no };
      }
      default:
        return producer;
    }
    function changedBranch(branch: Branch): Branch {
      if (branch.kind === "refused") return branch;
      const loop = change(branch, span);
      return loop === branch ? branch : { ...loop, required: branch.required };
    }
  });
}
