import { JsonLeaf } from "../../../formats/json/value.js";
import { Suggestions } from "../../../language/source/nearest.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { canonicalName } from "../../../program/options.js";
import { fullName, sorted } from "../../documents/query.js";
import { problem } from "../model/messages.js";
import type { Package, QueryProfileField } from "../model/model.js";
import type { CheckedProfile } from "./check-profile.js";

/** Rank profiles that there are without being written. */
const implied = ["default", "unranked"];

/** The names that something reads. */
interface ReadNames {
  readonly inputs: ReadonlySet<string>;
  readonly profiles: ReadonlySet<string>;
  /** The whole name of a profile that stands in another, by its own: the whole one has the names of both. */
  readonly inner: ReadonlyMap<string, string>;
  readonly suggestions: Suggestions;
}

/** What query profiles and rank properties say in vain: values of inputs that nobody has, and rank profiles that there are not. */
export function unreadNames(
  { queryProfiles }: Package,
  checked: readonly CheckedProfile[],
): readonly Problem[] {
  // What is not in the package may read them.
  const isWhole = checked.every(({ profile }) => !profile.isOpen && !profile.isPartial);
  if (!isWhole || checked.length === 0) return [];
  const profiles = new Set([...implied, ...checked.map(({ profile }) => profile.name)]);
  const names: ReadNames = {
    inputs: new Set(checked.flatMap(inputsOf)),
    profiles,
    inner: new Map([...profiles].map((name) => [name.slice(name.lastIndexOf(".") + 1), name])),
    suggestions: new Suggestions(),
  };
  const all = [...queryProfiles.values()].flatMap(({ own, variants }) => [own, ...variants]);
  const properties = checked.flatMap(({ profile }) => [...(profile.lineage[0]?.properties.values() ?? [])]);
  return [
    ...all.flatMap(({ fields }) => [...fields].flatMap((field) => unread(field, names))),
    ...properties.flatMap(({ key, span }) => unreadInput(key, span, names)),
  ];
}

/** The inputs that a rank profile declares or mentions, those of models among them. */
function inputsOf({ profile, mentioned }: CheckedProfile): string[] {
  const sources = [...profile.models.values()].flatMap(({ inputs }) => [...inputs.values()]);
  const names = [...profile.inputs.keys(), ...mentioned.map(({ name }) => name), ...sources];
  return names.map((each) => canonicalName(each.trim()));
}

function unread(
  [name, { text, span, isReference }]: readonly [string, QueryProfileField],
  names: ReadNames,
): Problem[] {
  const full = fullName(name);
  if (full !== name) return isReference ? [] : [problem("query/short-name", span, { name, full })];
  const { profiles, inner, suggestions } = names;
  const { inputs: asked, profile } = sorted([[name, new JsonLeaf(text, span, name)]]);
  if (profile !== undefined && !text.includes("%{") && !profiles.has(profile)) {
    const nearest = inner.get(profile) ?? suggestions.nearest(profile, () => profiles);
    const values = { name: profile, nearest };
    return [problem("query/unknown-rank-profile", span, values)];
  }
  return [...asked.keys()].flatMap((each) => unreadInput(each, span, names));
}

function unreadInput(name: string, span: Span, { inputs, suggestions }: ReadNames): Problem[] {
  const input = canonicalName(name);
  if (!input.startsWith("query(") || !input.endsWith(")") || inputs.has(input)) return [];
  return [
    problem("query/unread-input", span, { name: input, nearest: suggestions.nearest(input, () => inputs) }),
  ];
}
