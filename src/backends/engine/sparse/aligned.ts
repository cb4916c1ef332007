import { element } from "../../../language/values/element.js";
import type { Dictionary } from "../../../language/values/labels/dictionary.js";
import { unify } from "../../../language/values/labels/dictionary.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import { take } from "./factor.js";
import { type KeyPair, keysOf } from "./keys.js";

/** Two indexes with the same columns, in ids that mean the same. */
export interface AlignedIndexes {
  readonly dictionaries: readonly Dictionary[];
  readonly left: readonly Int32Array[];
  readonly right: readonly Int32Array[];
  /** The rows as numbers: equal where the rows are, and rising with them. */
  readonly keys: KeyPair;
}

export function align(left: LabelIndex, right: LabelIndex): AlignedIndexes {
  const unified = left.dictionaries.map((dictionary, at) =>
    unify(dictionary, element(right.dictionaries, at)),
  );
  const dictionaries = unified.map(({ dictionary }) => dictionary);
  const ours = left.columns.map((column, at) => translate(column, unified[at]?.left));
  const theirs = right.columns.map((column, at) => translate(column, unified[at]?.right));
  const keys = keysOf(
    { columns: ours, rows: left.rows },
    { columns: theirs, rows: right.rows },
    dictionaries.map(({ size }) => size),
  );
  return { dictionaries, left: ours, right: theirs, keys };
}

const translate = (column: Int32Array, ids: Int32Array | undefined): Int32Array =>
  ids === undefined ? column : take(ids, column);
