import { textAt } from "../element.js";

/**
 * The distinct labels of one mapped dimension, in canonical order. A label's id is its index, so comparing ids compares
 * labels, and two tensors over one dictionary are joined without looking at a text.
 *
 * There is no dictionary of everything: each lives as long as the tensors that use it. It may hold labels that no cell
 * has.
 */
export class Dictionary {
  private constructor(readonly labels: readonly string[]) {}

  /** The dictionary of these labels, in any order and as often as they come. */
  static of(labels: Iterable<string>): Dictionary {
    return Dictionary.ofSorted([...new Set(labels)].sort());
  }

  /** The dictionary of labels that are distinct and in canonical order already; the array is neither checked nor changed. */
  static ofSorted(labels: readonly string[]): Dictionary {
    return labels.length === 0 ? Dictionary.none : new Dictionary(labels);
  }

  /** The one without labels. */
  static readonly none = new Dictionary([]);

  get size(): number {
    return this.labels.length;
  }

  label(id: number): string {
    return textAt(this.labels, id);
  }

  /** The id of a label; -1 where it is not here. */
  id(label: string): number {
    const id = this.lowerBound(label);
    return this.labels[id] === label ? id : -1;
  }

  /** The id of the first label that is not less than this one, searched from an id that is not beyond it. */
  lowerBound(label: string, from = 0): number {
    let [low, high] = [from, this.labels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (textAt(this.labels, middle) < label) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One dictionary for the ids of two. */
export interface UnifiedDictionary {
  /** All labels of both; one of the two where it has them all. */
  readonly dictionary: Dictionary;
  /** The new ids by the old; ids rise with them. Undefined where the ids stay as they are. */
  readonly left: Int32Array | undefined;
  readonly right: Int32Array | undefined;
}

const unions = new WeakMap<Dictionary, WeakMap<Dictionary, UnifiedDictionary>>();

/** The union of two dictionaries. Repeating it costs nothing while both live. */
export function unify(left: Dictionary, right: Dictionary): UnifiedDictionary {
  if (left === right) return { dictionary: left, left: undefined, right: undefined };
  const swapped = unions.get(right)?.get(left);
  if (swapped !== undefined)
    return { dictionary: swapped.dictionary, left: swapped.right, right: swapped.left };
  return memoized(unions, left, right, unite);
}

const translations = new WeakMap<Dictionary, WeakMap<Dictionary, { readonly ids: Int32Array | undefined }>>();

/**
 * For each label of one dictionary its id in another, or -1 where the other does not have it; undefined where all ids stay
 * as they are. Quick for few labels among many, and free when repeated while both live.
 */
export function translation(from: Dictionary, to: Dictionary): Int32Array | undefined {
  return from === to ? undefined : memoized(translations, from, to, translate).ids;
}

function memoized<Result>(
  results: WeakMap<Dictionary, WeakMap<Dictionary, Result>>,
  left: Dictionary,
  right: Dictionary,
  compute: (left: Dictionary, right: Dictionary) => Result,
): Result {
  let partners = results.get(left);
  if (partners === undefined) {
    partners = new WeakMap();
    results.set(left, partners);
  }
  const cached = partners.get(right);
  if (cached !== undefined) return cached;
  const result = compute(left, right);
  partners.set(right, result);
  return result;
}

function translate(from: Dictionary, to: Dictionary): { readonly ids: Int32Array | undefined } {
  const [labels, others] = [from.labels, to.labels];
  const ids = new Int32Array(labels.length);
  const isSparse = labels.length * 16 < others.length;
  let other = 0;
  for (let id = 0; id < labels.length; id++) {
    const label = textAt(labels, id);
    if (isSparse) other = to.lowerBound(label, other);
    else while (other < others.length && textAt(others, other) < label) other++;
    ids[id] = others[other] === label ? other : -1;
  }
  return { ids: ids.every((other, id) => other === id) ? undefined : ids };
}

function unite(left: Dictionary, right: Dictionary): UnifiedDictionary {
  const [ours, theirs] = [left.labels, right.labels];
  const leftIds = new Int32Array(ours.length);
  const rightIds = new Int32Array(theirs.length);
  const labels: string[] = [];
  let [at, other] = [0, 0];
  while (at < ours.length && other < theirs.length) {
    const [label, its] = [textAt(ours, at), textAt(theirs, other)];
    const id = labels.length;
    if (label === its) {
      leftIds[at++] = id;
      rightIds[other++] = id;
      labels.push(label);
    } else if (label < its) {
      leftIds[at++] = id;
      labels.push(label);
    } else {
      rightIds[other++] = id;
      labels.push(its);
    }
  }
  for (; at < ours.length; at++) leftIds[at] = labels.push(textAt(ours, at)) - 1;
  for (; other < theirs.length; other++) rightIds[other] = labels.push(textAt(theirs, other)) - 1;
  const hasAll = (size: number): boolean => size === labels.length;
  return {
    dictionary: hasAll(left.size) ? left : hasAll(right.size) ? right : Dictionary.ofSorted(labels),
    left: hasAll(left.size) ? undefined : leftIds,
    right: hasAll(right.size) ? undefined : rightIds,
  };
}
