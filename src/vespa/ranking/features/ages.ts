/**
 * How old a document is, from a time in one of its attributes and the time of the query, both in seconds since 1970.
 */

/** The age of a document whose time is no number. */
export const ageless = 1e10;

/** `age(f)` in seconds, of a time in whole seconds; a time in the future is age 0. */
export function age(now: number, time: number | undefined): number {
  return time === undefined || Number.isNaN(time) ? ageless : Math.max(0, now - Math.trunc(time));
}

/** What `rank-properties` may say about `freshness(f)`, in seconds. */
export interface FreshnessSettings {
  readonly maxAge?: number | undefined;
  readonly halfResponse?: number | undefined;
}

const day = 24 * 60 * 60;

/** `freshness(f)`: 1 when new, falling evenly to 0 at the greatest age. */
export function freshness(age: number, { maxAge = 90 * day }: FreshnessSettings = {}): number {
  return Math.max(0, 1 - age / Math.max(1, maxAge));
}

/** `freshness(f).logscale`: falls fast at first; 0.5 at the age `halfResponse`. */
export function logarithmicFreshness(age: number, settings: FreshnessSettings = {}): number {
  const maxAge = Math.max(1, settings.maxAge ?? 90 * day);
  if (age > maxAge) return 0;
  const requested = Math.max(1, settings.halfResponse ?? 7 * day);
  const half = requested >= maxAge / 2 ? maxAge / 2 - 1 : requested;
  const scale = (half * half) / (maxAge - 2 * half);
  const depth = (seconds: number): number => Math.log(seconds + scale);
  return (depth(maxAge) - depth(age)) / (depth(maxAge) - depth(0));
}
