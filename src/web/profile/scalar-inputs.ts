import type { InjectedFeatures, Scorer } from "../../vespa.js";
import { type HitToScore, isMissing } from "../../vespa.js";
import type { ScalarInput } from "./profile-request.js";

/** The numbers that sliders move: inputs of the query without dimensions, and numbers that were filled in. */
export function scalarInputs(
  scorer: Scorer,
  hit: HitToScore,
  overrides: InjectedFeatures,
): readonly ScalarInput[] {
  const names = new Set([...scorer.program.inputs, ...overrides.keys()]);
  return [...names].sort().flatMap((name): ScalarInput[] => {
    if (!name.startsWith("query(") && !overrides.has(name)) return [];
    if (scorer.program.typeOf(name)?.isScalar !== true) return [];
    const found = scorer.feature(name, hit);
    if (isMissing(found)) return [];
    const value = found.value.asNumber();
    return Number.isFinite(value) ? [{ name, value, ...rangeFor(value) }] : [];
  });
}

/** From nothing to twice as much, or on both sides of it where it is negative; in a hundred steps. */
export function rangeFor(value: number): Pick<ScalarInput, "least" | "most" | "step"> {
  const scale = value === 0 ? 1 : 10 ** Math.ceil(Math.log10(Math.abs(value)));
  const most = value === scale ? 2 * scale : scale;
  return { least: value < 0 ? -most : 0, most, step: most / 100 };
}
