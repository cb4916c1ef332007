/**
 * The distinct labels of one mapped dimension, in canonical order. A label's id is its place, so comparing ids compares
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

  /** The dictionary of labels that are distinct and in canonical order already, which nobody checks or changes. */
  static ofSorted(labels: readonly string[]): Dictionary {
    return labels.length === 0 ? Dictionary.none : new Dictionary(labels);
  }

  /** The one without labels. */
  static readonly none = new Dictionary([]);

  get size(): number {
    return this.labels.length;
  }

  label(id: number): string {
    return this.labels[id] ?? "";
  }

  /** The id of a label; -1 where it is not here. */
  id(label: string): number {
    const place = this.place(label);
    return this.labels[place] === label ? place : -1;
  }

  /** The place of the first label that is not before the given one, from a place that is not after it. */
  place(label: string, from = 0): number {
    let [low, high] = [from, this.labels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.labels[middle] ?? "") < label) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One dictionary for the ids of two. */
export interface Unified {
  /** All labels of both; one of the two where it has them all. */
  readonly dictionary: Dictionary;
  /** The new ids by the old; ids rise with them. Undefined where the ids stay as they are. */
  readonly left: Int32Array | undefined;
  readonly right: Int32Array | undefined;
}

const unions = new WeakMap<Dictionary, WeakMap<Dictionary, Unified>>();

/** The union of two dictionaries. Repeating it costs nothing while both live. */
export function unify(left: Dictionary, right: Dictionary): Unified {
  if (left === right) return { dictionary: left, left: undefined, right: undefined };
  const turned = unions.get(right)?.get(left);
  if (turned !== undefined) return { dictionary: turned.dictionary, left: turned.right, right: turned.left };
  return remembered(unions, left, right, united);
}

const translations = new WeakMap<Dictionary, WeakMap<Dictionary, { readonly ids: Int32Array | undefined }>>();

/**
 * For each label of one dictionary its id in another, or -1 where the other does not have it; undefined where all ids stay
 * as they are. Quick for few labels among many, and free when repeated while both live.
 */
export function translation(from: Dictionary, to: Dictionary): Int32Array | undefined {
  return from === to ? undefined : remembered(translations, from, to, translated).ids;
}

function remembered<Result>(
  results: WeakMap<Dictionary, WeakMap<Dictionary, Result>>,
  left: Dictionary,
  right: Dictionary,
  make: (left: Dictionary, right: Dictionary) => Result,
): Result {
  let partners = results.get(left);
  if (partners === undefined) {
    partners = new WeakMap();
    results.set(left, partners);
  }
  const known = partners.get(right);
  if (known !== undefined) return known;
  const made = make(left, right);
  partners.set(right, made);
  return made;
}

function translated(from: Dictionary, to: Dictionary): { readonly ids: Int32Array | undefined } {
  const [labels, others] = [from.labels, to.labels];
  const ids = new Int32Array(labels.length);
  const isSparse = labels.length * 16 < others.length;
  let other = 0;
  for (let id = 0; id < labels.length; id++) {
    const label = labels[id] ?? "";
    if (isSparse) other = to.place(label, other);
    else while (other < others.length && (others[other] ?? "") < label) other++;
    ids[id] = others[other] === label ? other : -1;
  }
  return { ids: ids.every((other, id) => other === id) ? undefined : ids };
}

function united(left: Dictionary, right: Dictionary): Unified {
  const [ours, theirs] = [left.labels, right.labels];
  const leftIds = new Int32Array(ours.length);
  const rightIds = new Int32Array(theirs.length);
  const labels: string[] = [];
  let [at, other] = [0, 0];
  while (at < ours.length && other < theirs.length) {
    const [label, its] = [ours[at] ?? "", theirs[other] ?? ""];
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
  for (; at < ours.length; at++) leftIds[at] = labels.push(ours[at] ?? "") - 1;
  for (; other < theirs.length; other++) rightIds[other] = labels.push(theirs[other] ?? "") - 1;
  const hasAll = (size: number): boolean => size === labels.length;
  return {
    dictionary: hasAll(left.size) ? left : hasAll(right.size) ? right : Dictionary.ofSorted(labels),
    left: hasAll(left.size) ? undefined : leftIds,
    right: hasAll(right.size) ? undefined : rightIds,
  };
}
