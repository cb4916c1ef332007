import { depthFirst } from "../../../language/source/depth-first.js";
import { element } from "../../../language/values/element.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import type { Buffer, LoopDraft, Producer } from "../values/value.js";
import { verifySource } from "../values/verify.js";
import type { Draft } from "./draft.js";

/**
 * Sees that a draft is sound: what is needed is computed, nothing is computed from itself, and sources and strides fit their
 * loops. Whether loops write all cells that are read is seen when they have an order. What is wrong is a defect of Sphex.
 * @throws Error which says what.
 */
export function verifyDraft(draft: Draft): void {
  const targets = draft.stages.flatMap((stage) => stage.targets);
  for (const { kind } of depthFirst(targets, (buffer) => verifyBuffer(buffer, draft)))
    if (kind === "cycle") fail("a buffer is computed from itself");
}

/** What the buffer is computed from. */
function verifyBuffer(buffer: Buffer, { producers }: Draft): readonly Buffer[] {
  if (buffer.origin.kind !== "computed") return [];
  const producer = producers.get(buffer);
  if (producer === undefined) fail("nothing computes a buffer that is needed");
  for (const loop of loopsOf(producer)) verifyLoop(loop);
  return allReadsOfProducer(producer);
}

function loopsOf(producer: Producer): readonly LoopDraft[] {
  if (producer.kind === "loops") return producer.loops;
  if (producer.kind !== "branch") return [];
  return [producer.yes, producer.no].flatMap((branch) => (branch.kind === "loop" ? [branch] : []));
}

function verifyLoop({ axes, source, strides, aggregator }: LoopDraft): void {
  if (strides.length !== axes.length) fail("a target has other axes than its loop");
  const reduced = axes.flatMap(({ isReduced }, axis) => (isReduced ? [element(strides, axis)] : []));
  if (reduced.some((stride) => stride !== 0))
    fail("a loop writes to several cells along an axis that it reduces");
  if (reduced.length > 0 && aggregator === undefined) fail("a loop reduces an axis without an aggregator");
  verifySource(
    source,
    axes.map(({ size }) => size),
  );
}

function fail(reason: string): never {
  throw new Error(`the draft is not sound: ${reason}`);
}
