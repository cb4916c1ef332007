import type { LabelIndex } from "../../../language/values/label-index.js";

/**
 * Results by the indexes that they were made of, so that doing it again finds them. An index that nobody else holds takes
 * its results with it.
 */

/** How many results one index, or one pair, keeps: as many as ways of naming its columns, which are few. */
const maximumEntries = 16;

export class Memo<Result> {
  private readonly results = new WeakMap<LabelIndex, Map<string, Result>>();

  /** The result for an index and a text that tells how it is used. */
  for(index: LabelIndex, key: string, compute: () => Result): Result {
    let entries = this.results.get(index);
    if (entries === undefined) {
      entries = new Map();
      this.results.set(index, entries);
    }
    return lookUp(entries, key, compute);
  }
}

export class PairMemo<Result> {
  private readonly results = new WeakMap<LabelIndex, WeakMap<LabelIndex, Map<string, Result>>>();

  /** The result for two indexes, if it was found before. */
  get(left: LabelIndex, right: LabelIndex, key: string): Result | undefined {
    return this.results.get(left)?.get(right)?.get(key);
  }

  for(left: LabelIndex, right: LabelIndex, key: string, compute: () => Result): Result {
    let byRight = this.results.get(left);
    if (byRight === undefined) {
      byRight = new WeakMap();
      this.results.set(left, byRight);
    }
    let entries = byRight.get(right);
    if (entries === undefined) {
      entries = new Map();
      byRight.set(right, entries);
    }
    return lookUp(entries, key, compute);
  }
}

function lookUp<Result>(entries: Map<string, Result>, key: string, compute: () => Result): Result {
  const cached = entries.get(key);
  if (cached !== undefined) return cached;
  const result = compute();
  if (entries.size >= maximumEntries) entries.clear();
  entries.set(key, result);
  return result;
}
