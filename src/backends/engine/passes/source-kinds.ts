import { comparisonNames } from "../../../language/scalar/comparisons.js";
import type { ScalarName } from "../../../language/scalar/functions.js";
import { postOrder } from "../../../language/source/depth-first.js";
import type { Source } from "../values/value.js";
import type { Draft } from "./draft.js";
import { FixedBuffers } from "./fixed-buffers.js";

/** Functions of an instruction or a few, which take no longer than reading a cell. */
const quick: ReadonlySet<ScalarName> = new Set<ScalarName>([
  ...(["add", "subtract", "multiply", "divide", "negate", "square", "sqrt", "abs", "fabs", "sign"] as const),
  ...comparisonNames,
  ...(["and", "or", "not", "isNan", "isInfinite", "max", "min", "vespaMax", "vespaMin", "relu"] as const),
  ...(["floor", "ceil", "trunc", "round", "round_even", "bit", "hamming"] as const),
]);

/** What sources are, each looked at once. */
export class SourceKinds {
  private readonly buffers: FixedBuffers;
  private readonly fixed = new Map<Source, boolean>();
  private readonly ofIndexes = new Map<Source, boolean>();
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

  /** Whether it is quickly computed of indexes and constants alone, as the conditions of borders are. */
  isOfIndexes(source: Source): boolean {
    return decide(
      source,
      this.ofIndexes,
      (each, ofOperands) => each.kind !== "stored" && !hasCostlyFunction(each) && ofOperands.every(Boolean),
    );
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
    source.kind === "computed" && !decided.has(source) ? source.operands.map((each) => each.source) : [];
  if (!decided.has(root))
    for (const source of postOrder([root], operandsOf))
      if (!decided.has(source)) {
        const ofOperands = operandsOf(source).map((each) => decided.get(each) === true);
        decided.set(source, rule(source, ofOperands));
      }
  return decided.get(root) === true;
}
