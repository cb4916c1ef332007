import { type Dimension, indexed, TensorType } from "../../language/types/type.js";
import { intAt, numberAt } from "../../language/values/element.js";
import { Tensor } from "../../language/values/tensor.js";
import type { LabelledRow } from "./labelled-rows.js";

/** Rows by query, as tensors that have the lists side by side, as long as the longest. */
export interface Lists {
  /** List by list. */
  readonly rows: readonly LabelledRow[];
  /** Of each row the position of its cell. */
  readonly positions: Int32Array;
  readonly type: TensorType;
  readonly relevance: Tensor;
  readonly present: Tensor;
}

export function listsOf(all: readonly LabelledRow[]): Lists {
  const groups = [...byQuery(all).values()];
  const longest = groups.reduce((length, rows) => Math.max(length, rows.length), 0);
  const rows = groups.flat();
  const type = TensorType.of("double", [indexed("hit", longest), indexed("list", groups.length)]);
  const positions = Int32Array.from(
    groups.flatMap((own, list) => own.map((_, hit) => hit * groups.length + list)),
  );
  const draft = { rows, positions, type };
  const relevances = Float64Array.from(rows, ({ relevance }) => relevance);
  const relevance = ofHits(draft, relevances);
  return { ...draft, relevance, present: ofHits(draft, new Float64Array(rows.length).fill(1)) };
}

/** The rows of each query, in the order in which they came. */
export function byQuery(rows: readonly LabelledRow[]): Map<string, LabelledRow[]> {
  const groups = new Map<string, LabelledRow[]>();
  for (const row of rows) {
    const own = groups.get(row.query) ?? [];
    own.push(row);
    groups.set(row.query, own);
  }
  return groups;
}

/**
 * Numbers of each row, so many of each, less those of the first row of its list: what moves all scores of a list alike is exactly 0, and not
 * what is left of it by rounding when it is summed up.
 */
export function apart(
  { positions, type }: Pick<Lists, "positions" | "type">,
  numbers: Float64Array,
  each: number,
): Float64Array {
  const lists = type.dimension("list")?.size ?? 0;
  let first = 0;
  return numbers.map((value, at) => {
    const row = Math.floor(at / each);
    if (intAt(positions, row) < lists) first = row; // the hit 0
    return value - numberAt(numbers, first * each + (at % each));
  });
}

/** A number of each row, or as many as one more dimension has, as a tensor by hit and list: 0 where there is no hit. */
export function ofHits(
  { positions, type }: Pick<Lists, "positions" | "type">,
  numbers: Float64Array,
  more: readonly Dimension[] = [],
): Tensor {
  const whole = type.withDimensions([...type.dimensions, ...more]);
  const [count] = more.map(({ size }) => size);
  const each = count ?? 1;
  const cells = new Float64Array(whole.blockSize);
  for (const [row, position] of positions.entries())
    for (let at = 0; at < each; at++) cells[position * each + at] = numberAt(numbers, row * each + at);
  return Tensor.from(whole, cells);
}
