import { nearest } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { CheckedPackage } from "../package/checks/check.js";
import type { CheckedProfile } from "../package/checks/check-profile.js";
import type { Package, Profile } from "../package/model/model.js";
import { problem } from "./messages.js";

/**
 * The rank profile of a name, `profile` or `schema.profile`; without a name, the only one, or the one that is called
 * `default`, by which Vespa ranks where a query names none.
 * @throws SphexError where there is none or several, or where it or the texts of the package have mistakes.
 */
export function soundProfile(
  read: Package,
  checked: CheckedPackage,
  name: string | undefined,
  span: Span,
  /** The file that the schema must be in. */
  file?: string,
): Profile {
  const errors = read.problems.filter((each) => each.isError);
  if (errors.length > 0) throw new SphexError(errors);
  const named = profilesNamed(checked, name, file);
  const [found] = named;
  if (found === undefined || named.length > 1) {
    const isShared = found !== undefined;
    const names = isShared ? named.map(fullName) : namesFor(name, { read, checked, file });
    // What is a name of nothing is mistyped, and one that several have is not.
    const meant = name === undefined || isShared ? undefined : nearest(name, names);
    const values = { name: name || undefined, profiles: names, isShared, nearest: meant };
    throw new SphexError([problem("ranking/profile", span, values)]);
  }
  const own = found.problems.filter((each) => each.isError);
  if (own.length > 0) throw new SphexError(own);
  return found.profile;
}

function profilesNamed(
  { profiles, inherited }: CheckedPackage,
  name: string | undefined,
  file = "",
): readonly CheckedProfile[] {
  const inFile = profiles.filter(({ profile }) => profile.schema.source.name.endsWith(file));
  if (name === undefined && inFile.length < 2) return inFile;
  if (name === undefined) return inFile.filter(({ profile }) => profile.name === "default");
  const named = inFile.filter(
    ({ profile }) => profile.name === name || `${profile.schema.name.text}.${profile.name}` === name,
  );
  if (named.length > 0) return named;
  const [, schema = "", own = ""] = /^([^.]+)\.(.+)$/.exec(name) ?? [];
  const above = inherited(schema, own);
  if (above?.profile.schema.source.name.endsWith(file) === true) return [above];
  // A profile that stands in another one is also found by its own name.
  return inFile.filter(({ profile }) => profile.name.endsWith(`.${name}`));
}

const fullName = ({ profile: { name, schema } }: CheckedProfile): string => `${schema.name.text}.${name}`;

/** What a name of no profile may be meant for: the profiles of the schema that it names, or of all, those that these inherit too. */
function namesFor(
  name: string | undefined,
  { read, checked, file = "" }: { read: Package; checked: CheckedPackage; file: string | undefined },
): readonly string[] {
  const inFile = checked.profiles.filter(({ profile }) => profile.schema.source.name.endsWith(file));
  const own = inFile.map(({ profile }) => profileName(checked, profile));
  const schemas = [...read.schemas].flatMap(([each, { source }]) => (source.name.endsWith(file) ? each : []));
  const inherited = (schema: string): readonly string[] =>
    checked.inheritedNames(schema).map((each) => `${schema}.${each}`);
  const [asked = ""] = name?.split(".", 1) ?? [];
  const ofAsked = [
    ...inFile.filter(({ profile }) => profile.schema.name.text === asked).map(fullName),
    ...inherited(asked),
  ];
  return name?.includes(".") === true && ofAsked.length > 0
    ? ofAsked
    : [...own, ...schemas.flatMap(inherited)];
}

/** The names of the rank profiles of a package, as short as they can be told apart. */
export const profileNames = (checked: CheckedPackage): readonly string[] =>
  checked.profiles.map(({ profile }) => profileName(checked, profile));

/** The name of one of them among the others. */
export function profileName({ profiles }: CheckedPackage, { name, schema }: Profile): string {
  const isShared = profiles.filter((each) => each.profile.name === name).length > 1;
  return isShared ? `${schema.name.text}.${name}` : name;
}
