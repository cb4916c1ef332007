import type { Code } from "../assembler/code.js";

/** Sums of doubles that keep what rounding loses, so that it does not matter how long they are. */

/** The locals, of two doubles each, that a sum is made with. */
export interface CompensatedSum {
  readonly total: number;
  /** The errors of all additions, added up. */
  readonly lost: number;
  readonly added: number;
  readonly sum: number;
  readonly part: number;
}

/** Adds `added` to `total`; the error, which is a double itself, goes to `lost`. */
export function addExactly(code: Code, { total, lost, added, sum, part }: CompensatedSum): void {
  code.get(total).get(added).do("f64x2.add").tee(sum).get(total).do("f64x2.sub").set(part);
  code.get(total).get(sum).get(part).do("f64x2.sub", "f64x2.sub");
  code.get(added).get(part).do("f64x2.sub", "f64x2.add");
  code.get(lost).do("f64x2.add").set(lost).get(sum).set(total);
}

/** Leaves the total with what was lost; that is no number where the total is not finite, and then left out. */
export function compensatedTotal(code: Code, { total, lost }: Pick<CompensatedSum, "total" | "lost">): void {
  code.get(total).get(lost).do("f64x2.add").get(total);
  code.get(lost).get(lost).do("f64x2.eq", "v128.bitselect");
}
