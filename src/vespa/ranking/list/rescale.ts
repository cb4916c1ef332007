/**
 * What becomes of the hits that a later phase did not rank anew. They stay behind those that it did: where the least
 * new score is below the least old one of the same hits, all other scores are mapped from the old range to the new.
 */

interface Range {
  readonly least: number;
  readonly greatest: number;
}

/** The scores of hits with a new score where there is one, as they are compared in the end. */
export function rescaled(
  hits: readonly { readonly before: number; readonly after?: number | undefined }[],
): number[] {
  const again = hits.filter(({ after }) => after !== undefined);
  const before = rangeOf(again.map((hit) => hit.before));
  const after = rangeOf(again.map((hit) => hit.after ?? Number.NaN));
  if (!(before.least > after.least)) return hits.map((hit) => hit.after ?? hit.before);
  const scale = widthOf(after) / widthOf(before);
  const shift = after.least - before.least * scale;
  return hits.map((hit) => hit.after ?? hit.before * scale + shift);
}

/** NaN is in no range. */
function rangeOf(all: readonly number[]): Range {
  const values = all.filter((value) => !Number.isNaN(value));
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return { least, greatest: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) };
}

/** Never less than 1: of a single score one can say no scale. */
const widthOf = ({ least, greatest }: Range): number => Math.max(1, greatest - least);
