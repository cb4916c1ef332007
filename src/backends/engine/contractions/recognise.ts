import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import type { Precision } from "../kernels/precision.js";
import type { Access, Instruction, Loop } from "../loop.js";

/** What is made of two cells before it is added up. */
export type Term = "product" | "distance" | "hamming";

/** A sum of terms that are made of two cells each. */
export interface Terms {
  readonly term: Term;
  readonly left: Access;
  readonly right: Access;
  readonly target: Access;
  readonly precision: Precision;
  /** Whether terms are rounded to float by themselves: what is too great for one is then infinite. */
  readonly roundsTerms: boolean;
}

/**
 * Finds a sum of products, of squares of differences, or of differing bits in a loop: by what its body computes.
 * Products may be rounded to the cell type of their join first; a contraction need not do so (D16).
 */
export function termsOf({ aggregator, body, sources, target }: Loop): Terms | undefined {
  if (aggregator !== "sum" || (target.cellType !== "double" && target.cellType !== "float")) return undefined;
  const widened = body.every(
    (each) => each.op !== "read" || cellTypes[element(sources, each.source).cellType].decaysTo === "float",
  );
  let precision: Precision = target.cellType;
  let roundsTerms = false;
  /** The instruction, or what it rounds, where that changes nothing but the last bits. */
  const unrounded = (at: number | undefined): Instruction | undefined => {
    const instruction = at === undefined ? undefined : body[at];
    if (instruction?.op !== "store") return instruction;
    if (instruction.cellType === "float" && widened) {
      precision = "float";
      roundsTerms = true;
    } else if (instruction.cellType !== "double") return undefined;
    return unrounded(instruction.value);
  };
  const read = (at: number | undefined): Access | undefined => {
    const instruction = at === undefined ? undefined : body[at];
    return instruction?.op === "read" ? sources[instruction.source] : undefined;
  };
  const termsFrom = (term: Term, [one, other]: readonly number[]): Terms | undefined => {
    const [left, right] = [read(one), read(other)];
    if (left === undefined || right === undefined) return undefined;
    // Without an own rounding to float, cells that are doubles are worth computing in doubles.
    return { term, left, right, target, precision: widened ? precision : "double", roundsTerms };
  };

  const value = unrounded(body.length - 1);
  if (value?.op !== "apply") return undefined;
  if (value.function === "hamming") return termsFrom("hamming", value.arguments);
  const [first, second] = value.arguments;
  if (value.function === "multiply") {
    const product = termsFrom("product", value.arguments);
    if (product !== undefined || first !== second) return product;
  }
  const isSquare =
    value.function === "square" ||
    (value.function === "multiply" && first === second) ||
    (value.function === "pow" && isTwo(body, second));
  if (!isSquare) return undefined;
  const root = unrounded(first);
  if (root?.op === "read" && first !== undefined) return termsFrom("product", [first, first]);
  return root?.op === "apply" && root.function === "subtract"
    ? termsFrom("distance", root.arguments)
    : undefined;
}

function isTwo(body: readonly Instruction[], at: number | undefined): boolean {
  const instruction = at === undefined ? undefined : body[at];
  return instruction?.op === "constant" && instruction.value === 2;
}
