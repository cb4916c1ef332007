import { maximumDepth } from "../ir/body.js";
import { depthOf, sizeOf } from "../values/source.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";

/** A body of more instructions than these is cut, so that its loop stays small: each cell of it is computed anew. */
const mostInstructions = 200;
/** A single number may be as long as its program; learned forests are. */
const mostOfOneNumber = 400_000;

/**
 * Sources are fused as they are made: a value that is not stored is computed by the loop that needs it. What is left to
 * decide is where a body ends: before it is too long, or nested too deeply.
 */
export function fuse(draft: Draft): Draft {
  const cutting = new Cutting(draft.storage, (operand, user, size) => {
    const most = user.axes.length === 0 ? mostOfOneNumber : mostInstructions;
    return size + sizeOf(operand) > most || depthOf(operand) > maximumDepth;
  });
  return withLoops(draft, (loop, span) => {
    const isShort = sizeOf(loop.source) <= mostInstructions && depthOf(loop.source) <= maximumDepth;
    return isShort ? loop : cutting.loop(loop, span);
  });
}

/** Fuses nothing: each operation has a loop of its own. */
export function separate(draft: Draft): Draft {
  const cutting = new Cutting(draft.storage, () => true);
  return withLoops(draft, (loop, span) => cutting.loop(loop, span));
}
