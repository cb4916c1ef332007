import type { Expression } from "../../language/syntax/tree.js";
import type { Profile } from "../package/model/model.js";

const completed = new WeakMap<Profile, Profile>();

/** Whether a profile, or one that it inherits, has an expression for the first phase. */
export const hasFirstPhase = ({ phases }: Profile): boolean =>
  phases["first-phase"]?.expression !== undefined;

/** Whether a profile inherits `unranked`, which keeps the scores of no hits and ranks none of them anew. */
export const isUnranked = ({ lineage }: Profile): boolean =>
  lineage.some(({ inherits }) => inherits.some(({ text }) => text === "unranked"));

/**
 * A profile with the first phase that Vespa ranks by where none says anything: `nativeRank`, or 0 of a profile that inherits
 * `unranked`. It stands where the name of the profile does.
 */
export function withFirstPhase(profile: Profile): Profile {
  if (hasFirstPhase(profile)) return profile;
  const cached = completed.get(profile);
  const [own] = profile.lineage;
  if (cached !== undefined || own === undefined) return cached ?? profile;
  const { span } = own.name;
  const tree: Expression = isUnranked(profile)
    ? { kind: "number", span, value: 0, text: "0" }
    : { kind: "reference", span, name: { text: "nativeRank", span }, outputs: [] };
  const first = { span, ...profile.phases["first-phase"], expression: { span, tree } };
  const found = { ...profile, phases: { ...profile.phases, "first-phase": first } };
  completed.set(profile, found);
  return found;
}
