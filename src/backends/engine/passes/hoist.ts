import type { ScalarName } from "../../../language/scalar/functions.js";
import { cellsIn, type Source } from "../values/value.js";
import { Cutting } from "./cutting.js";
import { type Draft, withLoops } from "./draft.js";
import { FixedBuffers } from "./fixed-buffers.js";

/** What has more cells than these is computed in each run: 8 MB of doubles. */
const mostHoisted = 2 ** 20;

/** Functions of an instruction or a few, which take no longer than reading a cell. */
const quick: ReadonlySet<ScalarName> = new Set<ScalarName>([
  ...(["add", "subtract", "multiply", "divide", "negate", "square", "sqrt", "abs", "fabs", "sign"] as const),
  ...(["equal", "notEqual", "less", "lessOrEqual", "greater", "greaterOrEqual"] as const),
  ...(["and", "or", "not", "isNan", "isInfinite", "max", "min", "vespaMax", "vespaMin", "relu"] as const),
  ...(["floor", "ceil", "trunc", "round", "round_even", "bit", "hamming"] as const),
]);

/**
 * Stores what is the same in all runs and takes longer to compute than to read, as the cosines of a transform or a function of
 * weights that are fixed: the first run computes it, and the others read it.
 */
export function hoist(draft: Draft): Draft {
  const sources = new FixedSources(draft);
  const cutting = new Cutting(
    draft.storage,
    (operand, user) =>
      sources.isCostly(operand) &&
      user.axes.length > 0 &&
      cellsIn(operand.axes) <= mostHoisted &&
      sources.isFixed(operand) &&
      !sources.isFixed(user),
  );
  return withLoops(draft, (loop, span) =>
    sources.isCostly(loop.source) && !sources.isFixed(loop.source) ? cutting.loop(loop, span) : loop,
  );
}

/** What sources are, each looked at once; without recursion, since they may be nested deeply. */
class FixedSources {
  private readonly buffers: FixedBuffers;
  private readonly fixed = new Map<Source, boolean>();
  private readonly costly = new Map<Source, boolean>();

  constructor(draft: Draft) {
    this.buffers = new FixedBuffers(draft);
  }

  /** Whether it is the same in all runs. */
  isFixed(source: Source): boolean {
    return decide(source, this.fixed, (each, ofOperands) => {
      if (each.kind === "stored") return this.buffers.has(each.access.slot);
      return ofOperands.every(Boolean);
    });
  }

  /** Whether some function in it takes longer than reading a cell. */
  isCostly(source: Source): boolean {
    return decide(
      source,
      this.costly,
      (each, ofOperands) => hasCostlyFunction(each) || ofOperands.some(Boolean),
    );
  }
}

const hasCostlyFunction = (source: Source): boolean =>
  source.kind === "computed" && source.operation.op === "apply" && !quick.has(source.operation.function);

/** Decides about a source by what was decided about its operands. */
function decide(
  root: Source,
  decided: Map<Source, boolean>,
  rule: (source: Source, ofOperands: readonly boolean[]) => boolean,
): boolean {
  const operandsOf = (source: Source): readonly Source[] =>
    source.kind === "computed" ? source.operands.map((operand) => operand.source) : [];
  const open = [root];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const operands = decided.has(last) ? [] : operandsOf(last);
    const next = operands.find((each) => !decided.has(each));
    if (next !== undefined) {
      open.push(next);
      continue;
    }
    if (!decided.has(last))
      decided.set(
        last,
        rule(
          last,
          operands.map((each) => decided.get(each) === true),
        ),
      );
    open.pop();
  }
  return decided.get(root) === true;
}
