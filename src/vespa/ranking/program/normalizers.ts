/**
 * Scores over the list of hits that the global phase ranks anew: they see all of its values at once, in the order of
 * the hits. NaN counts as minus infinity where there is an order.
 */
export type Normalizer = (values: readonly number[]) => number[];

/** `normalize_linear`: the least finite value becomes 0, the greatest 1; all become 0.5 where they are the same. */
export function linear(values: readonly number[]): number[] {
  const finite = values.filter((value) => Math.abs(value) < largestFloat);
  const [least, greatest] = [minimum(finite), -minimum(finite.map((value) => -value))];
  const spread = greatest - least;
  if (!(spread > 0)) return values.map((value) => 0.5 + 0 * value);
  const middle = (least + greatest) * 0.5;
  return values.map((value) => 0.5 + (1 / spread) * (value - middle));
}

/** `reciprocal_rank`: one over the rank, from 1, and `k`. Of equal values the earlier hit has the better rank. */
export const reciprocalRank =
  (k = 60): Normalizer =>
  (values) => {
    const scores = new Float64Array(values.length);
    for (const [rank, at] of ranking(values).entries()) scores[at] = 1 / (k + 1 + rank);
    return [...scores];
  };

/** The positions of values from the greatest to the least; equal ones, and NaN and minus infinity, stay in order. */
export function ranking(values: readonly number[]): number[] {
  const key = (at: number): number => {
    const value = values[at] ?? Number.NaN;
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  };
  return values.map((_, at) => at).sort((a, b) => (key(a) === key(b) ? a - b : key(b) - key(a)));
}

/** Vespa counts what a float cannot hold as not finite. */
const largestFloat = 3.4028234663852886e38;

/** Without spreading a list over a call's arguments, of which there may be too many. */
const minimum = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
