import { element } from "../../../language/values/element.js";
import { readsOfGather } from "./gather.js";
import { readsOfThresholdSum } from "./threshold-sum.js";
import type { Branch, Buffer, LoopDraft, Producer, Source } from "./value.js";

/** Which buffers producers read. */

/** What a producer reads in the block where it stands: of a choice the condition, and not what branches read. */
export function readsOfProducer(producer: Producer): readonly Buffer[] {
  switch (producer.kind) {
    case "loops":
      return distinct(producer.loops.map(readsOfLoop));
    case "contraction":
      return [producer.left.slot, producer.right.slot];
    case "forest":
      return distinct(producer.numbers.map(({ access }) => [access.slot]));
    case "ranking":
      return typeof producer.lastRank === "object"
        ? distinct([[producer.cells.slot], [producer.lastRank.slot]])
        : [producer.cells.slot];
    case "gather":
      return readsOfGather(producer.gather);
    case "scatter":
      return readsOfGather(producer.scatter);
    case "scan":
      return [producer.scan.cells.slot];
    case "thresholdSum":
      return readsOfThresholdSum(producer.sum);
    case "range":
      return producer.buffers;
    case "branch":
      return [producer.condition.slot];
    case "call":
      return distinct(producer.call.operands.map(({ access }) => [access.slot]));
  }
}

/** What must be there before a branch is computed. */
export function readsOfBranch(branch: Branch): readonly Buffer[] {
  if (branch.kind === "refused") return [];
  const reads = readsOfLoop(branch);
  return branch.required.length === 0 ? reads : distinct([branch.required, reads]);
}

/** All that a producer reads, in whichever block. */
export function allReadsOfProducer(producer: Producer): readonly Buffer[] {
  const own = readsOfProducer(producer);
  if (producer.kind !== "branch") return own;
  return distinct([own, readsOfBranch(producer.yes), readsOfBranch(producer.no)]);
}

const readsOfLoops = new WeakMap<LoopDraft, readonly Buffer[]>();

/** The buffers that a loop reads, in the order in which it comes to them. */
function readsOfLoop(loop: LoopDraft): readonly Buffer[] {
  const cached = readsOfLoops.get(loop);
  if (cached !== undefined) return cached;
  const buffers = new Set<Buffer>();
  const open: Source[] = [loop.source];
  const seen = new Set<Source>(open);
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    if (source.kind === "stored") buffers.add(source.access.slot);
    if (source.kind !== "computed") continue;
    for (let at = source.operands.length - 1; at >= 0; at--) {
      const { source: operand } = element(source.operands, at);
      if (!seen.has(operand)) open.push(operand);
      seen.add(operand);
    }
  }
  const reads = [...buffers];
  readsOfLoops.set(loop, reads);
  return reads;
}

function distinct(lists: readonly (readonly Buffer[])[]): readonly Buffer[] {
  const [only] = lists;
  return only !== undefined && lists.length === 1 ? only : [...new Set(lists.flat())];
}
