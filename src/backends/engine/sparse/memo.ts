import type { LabelIndex } from "../../../language/values/labels/label-index.js";

/**
 * Results by the indexes that they were computed from, so that they are computed once. An index that is collected takes
 * its results with it.
 */

/** How many results are cached for one index, or one pair: one for each way of naming its columns, of which there are few. */
const maximumEntries = 16;

export class Memo<Result> {
  private readonly results = new WeakMap<LabelIndex, Map<string, Result>>();

  /** The result for an index and a key that describes its use. */
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

  /** The result for two indexes, if it is cached. */
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
