import type { LabelIndex } from "../../../language/values/label-index.js";

/**
 * Results by the indexes that they were made of, so that doing it again finds them. An index that nobody else holds takes
 * its results with it.
 */

/** How many results one index, or one pair, keeps: as many as ways of naming its columns, which are few. */
const most = 16;

export class Remembered<Result> {
  private readonly results = new WeakMap<LabelIndex, Map<string, Result>>();

  /** The result for an index and a text that tells how it is used. */
  for(index: LabelIndex, use: string, make: () => Result): Result {
    let uses = this.results.get(index);
    if (uses === undefined) {
      uses = new Map();
      this.results.set(index, uses);
    }
    return found(uses, use, make);
  }
}

export class RememberedPairs<Result> {
  private readonly results = new WeakMap<LabelIndex, WeakMap<LabelIndex, Map<string, Result>>>();

  /** The result for two indexes, if it was found before. */
  known(left: LabelIndex, right: LabelIndex, use: string): Result | undefined {
    return this.results.get(left)?.get(right)?.get(use);
  }

  for(left: LabelIndex, right: LabelIndex, use: string, make: () => Result): Result {
    let partners = this.results.get(left);
    if (partners === undefined) {
      partners = new WeakMap();
      this.results.set(left, partners);
    }
    let uses = partners.get(right);
    if (uses === undefined) {
      uses = new Map();
      partners.set(right, uses);
    }
    return found(uses, use, make);
  }
}

function found<Result>(uses: Map<string, Result>, use: string, make: () => Result): Result {
  const known = uses.get(use);
  if (known !== undefined) return known;
  const made = make();
  if (uses.size >= most) uses.clear();
  uses.set(use, made);
  return made;
}
