import type { Span } from "../../../language/source/span.js";
import { cellTypeOf, computed, depthOf, sizeOf, weightOf } from "../values/source.js";
import { type Computed, cellsIn, type LoopDraft, type Operand, type Source } from "../values/value.js";
import type { Storage } from "./storage.js";

/** A body of more instructions than these is cut, so that its loop stays small: each cell of it is computed anew. */
const mostInstructions = 200;
/** A single number may be as long as its program; learned forests are. Nothing recurses deeper than this, though. */
const mostOfOneNumber = 400_000;
export const maximumDepth = 300;
/** What would be computed so many times is stored. */
const mostRepeats = 4;

/**
 * Decides which parts of a loop's source are stored, and read, rather than computed within the loop: what would be computed
 * again for every index of axes that it lacks, as a row's maximum in a softmax, and what is too long.
 */
export class Cutting {
  private readonly drafts = new WeakMap<LoopDraft, LoopDraft>();
  private readonly sources = new WeakMap<Source, Source>();

  constructor(private readonly storage: Storage) {}

  draft(draft: LoopDraft, span: Span): LoopDraft {
    const cached = this.drafts.get(draft);
    if (cached !== undefined) return cached;
    const cut = { ...draft, source: this.cut(draft.source, span) };
    this.drafts.set(draft, cut);
    return cut;
  }

  /** A source with parts of it stored; operands first, without recursion. */
  private cut(root: Source, span: Span): Source {
    const open: Source[] = [root];
    for (let source = open.at(-1); source !== undefined; source = open.at(-1)) {
      if (source.kind === "computed" && !this.sources.has(source)) {
        const before = open.length;
        for (const { source: operand } of source.operands)
          if (operand.kind === "computed" && !this.sources.has(operand)) open.push(operand);
        if (open.length > before) continue;
        this.sources.set(source, this.withStoredOperands(source, span));
      }
      open.pop();
    }
    return this.sources.get(root) ?? root;
  }

  private withStoredOperands({ axes, operation, operands }: Computed, span: Span): Source {
    const cells = cellsIn(axes);
    let budget = axes.length === 0 ? mostOfOneNumber : mostInstructions;
    const cut = operands.map(({ source, images }): Operand => {
      const inline = this.sources.get(source) ?? source;
      if (source.kind !== "computed" || operation.op === "view") return { source: inline, images };
      const isRepeated = weightOf(inline) > 0 && cellsIn(source.axes) * mostRepeats <= cells;
      const isLong = sizeOf(inline) > budget || depthOf(inline) > maximumDepth;
      if (!isRepeated && !isLong) {
        budget -= sizeOf(inline);
        return { source: inline, images };
      }
      const value = { axes: source.axes, source };
      return { source: this.storage.store(value, cellTypeOf(source), span).source, images };
    });
    return computed(axes, operation, cut).source;
  }
}
