import type { Span } from "../../../language/source/span.js";
import { cellTypeOf, computed, sizeOf, throughViews } from "../values/source.js";
import type { Storage } from "../values/storage.js";
import type { Computed, LoopDraft, Operand, Source } from "../values/value.js";

/**
 * Whether a loop that computes `user` reads one of its operands from a buffer, rather than computing it on the way. `size` is how
 * many instructions the operands before it take.
 */
export type Decision = (operand: Computed, user: Computed, size: number) => boolean;

/** Sources up to so large are walked by recursion, and need no memory of what was visited. */
const smallSource = 200;

/** Cuts the sources of loops where a pass so decides: what is cut off is stored, once however many loops read it. */
export class Cutting {
  /** What became of large sources. */
  private readonly cutSources = new Map<Source, Source>();

  constructor(
    private readonly storage: Storage,
    private readonly isCut: Decision,
  ) {}

  loop(loop: LoopDraft, span: Span): LoopDraft {
    const source = this.cut(loop.source, span);
    return source === loop.source ? loop : { ...loop, source };
  }

  private cut(root: Source, span: Span): Source {
    return sizeOf(root) <= smallSource ? this.cutSmall(root, span) : this.cutLarge(root, span);
  }

  private cutSmall(source: Source, span: Span): Source {
    if (source.kind !== "computed") return source;
    return this.withOperands(source, (operand) => this.cutSmall(operand, span), span);
  }

  /** Operands first, without recursion. */
  private cutLarge(root: Source, span: Span): Source {
    const cutSources = this.cutSources;
    const cutOperand = (operand: Source): Source => cutSources.get(operand) ?? operand;
    const open: Source[] = [root];
    for (let source = open.at(-1); source !== undefined; source = open.at(-1)) {
      if (source.kind === "computed" && !cutSources.has(source)) {
        const before = open.length;
        for (const { source: operand } of source.operands)
          if (operand.kind === "computed" && !cutSources.has(operand)) open.push(operand);
        if (open.length > before) continue;
        cutSources.set(source, this.withOperands(source, cutOperand, span));
      }
      open.pop();
    }
    return cutOperand(root);
  }

  /** The source with its operands cut, and stored where that is decided; a view of something is not something else. */
  private withOperands(user: Computed, cutOperand: (operand: Source) => Source, span: Span): Source {
    let size = 0;
    let isSame = true;
    const operands = user.operands.map((written): Operand => {
      const operand = isView(written.source) ? throughViews(written) : written;
      const { source, images } = operand;
      const inline = cutOperand(source);
      const isStored =
        source.kind === "computed" &&
        inline.kind === "computed" &&
        user.operation.op !== "view" &&
        this.isCut(inline, user, size);
      if (isStored) {
        isSame = false;
        const value = { axes: source.axes, source };
        return { source: this.storage.store(value, cellTypeOf(source), span).source, images };
      }
      size += sizeOf(inline);
      if (inline === source && operand === written) return operand;
      isSame = false;
      return { source: inline, images };
    });
    return isSame ? user : computed(user.axes, user.operation, operands).source;
  }
}

const isView = (source: Source): boolean => source.kind === "computed" && source.operation.op === "view";
