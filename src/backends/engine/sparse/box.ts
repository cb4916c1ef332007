import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import type { Factor } from "./factor.js";
import { groupBy } from "./group.js";
import { Memo } from "./memo.js";

/**
 * Where the rows fill the box of their labels, so that each label of a dimension comes with each of all others, the
 * factors of one column whose product they are: in the order of the columns, row after row, the last one fastest.
 */
export function boxOf({ names, index }: Factor): readonly Factor[] | undefined {
  const { sides } = memo.for(index, "", () => ({ sides: sidesOf(index) }));
  return sides?.map((side, at) => ({ names: names.slice(at, at + 1), index: side }));
}

const memo = new Memo<{ readonly sides: readonly LabelIndex[] | undefined }>();

function sidesOf(index: LabelIndex): readonly LabelIndex[] | undefined {
  if (index.columns.length === 0) return index.rows === 1 ? [] : undefined;
  if (index.columns.length === 1) return [index];
  const names = index.columns.map((_, at) => `${at}`);
  const sides: LabelIndex[] = [];
  let cells = 1;
  for (const name of names) {
    const side = groupBy({ names, index }, [name]).factor.index;
    cells *= side.rows;
    // Every side divides a box: most of what is none is known by its first.
    if (cells > 0 && index.rows % cells !== 0) return undefined;
    sides.push(side);
  }
  return cells === index.rows ? sides : undefined;
}
