import type { Profile } from "../../package/model/model.js";
import { withFirstPhase } from "../implied-phase.js";
import { scoreTerms, termKey } from "../program/score-terms.js";
import type { HitToScore, Scorer } from "../scorer.js";

/**
 * By how much each term of the score favours one hit over another, by the text of the term; a term that lacks something, or
 * is no number, is left out. The scorer must be one of a ranking that has terms.
 */
export function marginsOf(
  scorer: Scorer,
  profile: Profile,
  one: HitToScore,
  other: HitToScore,
): ReadonlyMap<string, number> {
  const terms = scoreTerms(withFirstPhase(profile));
  const keys = terms.map((_, at) => termKey(at));
  const [left, right] = [scorer.values(keys, one), scorer.values(keys, other)];
  const numberOf = (values: typeof left, key: string): number => {
    const outcome = values.get(key);
    return outcome?.kind === "value" && outcome.value.type.isScalar ? outcome.value.asNumber() : Number.NaN;
  };
  return new Map(
    terms.flatMap(({ name }, at): [string, number][] => {
      const margin = numberOf(left, termKey(at)) - numberOf(right, termKey(at));
      return Number.isNaN(margin) ? [] : [[name, margin]];
    }),
  );
}
