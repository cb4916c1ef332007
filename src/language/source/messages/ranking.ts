import { didYouMean, error } from "./row.js";

/** What can be wrong when rank profiles are run on documents, and with the tests of rank profiles. */
export const rankingMessages = {
  "ranking/field": error((values: { field: string; type: string; found: string; wanted: string }) => ({
    says: `the field ${values.field} is of type ${values.type}`,
    found: values.found,
    wanted: values.wanted,
  })),
  "ranking/unknown-field": error(
    ({ field, schema, nearest }: { field: string; schema: string; nearest: string | undefined }) => ({
      says: `the schema ${schema} has no field ${field}`,
      found: `\`${field}\``,
      wanted: "a field of the schema",
      hint: didYouMean(nearest),
    }),
  ),
  "ranking/setting": error(({ text, form }: { text: string; form: string }) => ({
    says: "this lacks a name and =",
    found: `\`${text}\``,
    wanted: form,
  })),
  "ranking/missing": error(({ name, missing }: { name: string; missing: readonly MissingFeature[] }) => ({
    says: `${name} cannot be computed without ${missing.map((each) => each.name).join(", ")}`,
    found: missing.map((each) => `${each.name}: ${each.reason}`).join("; "),
    wanted: missing.map((each) => `${each.name} of type ${each.type}`).join(", "),
    hint: `give it: --feature '${missing[0]?.name ?? ""}=…', or as features of a test`,
  })),
  "ranking/given-type": error(({ name, found, wanted }: { name: string; found: string; wanted: string }) => ({
    says: `${name} is given as another type`,
    found,
    wanted,
  })),
  "ranking/unused": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `${name} is given, but nothing in the rank profile uses it`,
    found: `\`${name}\``,
    wanted: "a feature or function of the profile",
    hint: didYouMean(nearest),
  })),
  "ranking/no-score": error(({ profile }: { profile: string }) => ({
    says: `the rank profile ${profile} has no phase with an expression`,
    found: "no first-phase, second-phase or global-phase",
    wanted: "a phase to score with",
  })),
  "ranking/profile": error(
    ({ name, known, nearest }: { name: string; known: readonly string[]; nearest: string | undefined }) => ({
      says: name === "" ? "which rank profile is meant?" : `there is no rank profile ${name}`,
      found: known.length === 0 ? "no rank profiles" : `the profiles ${known.slice(0, 12).join(", ")}`,
      wanted: "the name of a profile, or schema.profile where several schemas have it",
      hint: didYouMean(nearest),
    }),
  ),
  "yaml/syntax": error(({ reason }: { reason: string }) => ({
    says: `this is not YAML: ${reason}`,
    found: reason,
    wanted: "YAML",
  })),
  "yaml/aliases": error((_: object) => ({
    says: "the aliases of this text stand for more than is allowed",
    found: "aliases of aliases",
    wanted: "values written out",
  })),
  "test/key": error(
    ({ key, known, nearest }: { key: string; known: readonly string[]; nearest: string | undefined }) => ({
      says: `nothing here is called ${key}`,
      found: `\`${key}\``,
      wanted: known.join(", "),
      hint: didYouMean(nearest),
    }),
  ),
  "test/expected": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `the rank profile has no ${name} to expect anything of`,
    found: `\`${name}\``,
    wanted: "score, a phase, a function or a feature of the profile, or ranking",
    hint: didYouMean(nearest),
  })),
  "test/nothing": error((_: object) => ({
    says: "this test expects nothing",
    found: "no expect",
    wanted: "expect: { score: … }",
  })),
};

/** A feature that has no value. */
export interface MissingFeature {
  readonly name: string;
  readonly type: string;
  readonly reason: string;
}
