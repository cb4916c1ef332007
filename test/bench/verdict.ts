import type { Measured } from "./rounds.js";
import { type Against, scripts, type Target } from "./workload.js";

/** What a target asks for, and whether it is met. */
export interface Verdict {
  /** How we were called. */
  readonly of: string;
  readonly against: Against | "time";
  /** A ratio of times, or microseconds. */
  readonly expected: number;
  readonly found: number;
  readonly isMet: boolean;
}

/** Nothing where the peer is not there. */
export function verdictOf(
  target: Target,
  measured: readonly Measured[],
  isWide: boolean,
): Verdict | undefined {
  const { of: way = "ours" } = "against" in target ? target : {};
  const our = measured.find(({ name }) => name === way);
  if (our === undefined) return undefined;
  if ("microseconds" in target) {
    const expected = target.microseconds;
    return { of: way, against: "time", expected, found: our.least, isMet: our.least <= expected };
  }
  const { against } = target;
  const names: readonly string[] = against === "scripts" ? scripts : [against];
  const times = measured.filter(({ name }) => names.includes(name)).map(({ least }) => least);
  if (times.length === 0) return undefined;
  const expected = isWide ? target.wide : target.plain;
  const found = our.least / Math.min(...times);
  return { of: way, against, expected, found, isMet: found <= expected };
}
