import { shapeMessage } from "../../formats/json/messages.js";
import { type JsonValue, shown } from "../../formats/json/value.js";
import { didYouMean, enumeration, error, quoted, warning } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";
import type { TensorType } from "../../language/types/type.js";
import type { RepeatedParameter } from "../documents/query.js";
import { embeddingFault, type embeddingFaults } from "./embedders/embedding-faults.js";
import type { IneffectiveParameter } from "./query/query-parameters.js";

/** Documents of a type that is not that of the schema. */
interface OtherType {
  readonly type: string;
  readonly count: number;
  readonly schema: string;
}

/** Why the value of a feature is not known. */
const reasons = {
  "engine only": "only an engine computes it",
  words: "it is computed from words: use --statistics",
  "unknown terms": "the query has no terms, or has operators whose matches are not computed here",
  "untyped model": "only a model knows its type",
  wrong: "its value is wrong",
  "not in document": ({ field }: { field: string }) => `the document does not give its ${field}`,
  "of list": "it comes from the list of all hits",
  "no clock": "it needs the time of the query: use --now, or now in a test",
  "no field": "the schema has no such field",
  "no tensor field": "the schema has no such tensor field",
  imported: "it is imported from another document: feed that, too, or use --parents",
  "unknown output": "no such output is known here",
  positions: "it needs the positions that a query searches",
  "not a tensor": ({ field }: { field: string }) => `${field} is not a tensor field`,
  "unknown metric": ({ metric }: { metric: string }) => `the metric ${metric} is not known`,
  "unknown source": "it can be computed only from an attribute or a query feature",
  "struct arguments": "it takes an attribute, keys, a value, and float or double",
  "no fitting input": "no input of the query fits the field",
  "fitting inputs": ({ count }: { count: number }) => `${count} inputs of the query fit the field`,
};

/** Why a feature has no value. */
export type MissingReason = Phrase<typeof reasons>;

/** The reason as a part of a sentence. */
export const reasonText = phrases(reasons);

/** A feature that has no value. */
export interface MissingFeature {
  readonly name: string;
  /** Nothing where only a model knows it. */
  readonly type: TensorType | undefined;
  readonly reason: MissingReason;
}

export const missingType = ({ type }: MissingFeature): string => (type === undefined ? "unknown" : `${type}`);

interface UnusedFeature {
  readonly name: string;
  readonly nearest: string | undefined;
}

/** What the parameters of a query do in Vespa. */
const effects: Readonly<Record<IneffectiveParameter, string>> = {
  sorting: "sorts hits by fields instead of scores",
  "match phase": "may leave out documents before they are ranked",
  "kept hits": "says how many hits keep their scores",
  timeout: "may end ranking early",
  matching: "says how documents are matched",
  significance: "changes the significance of terms",
};

/** Why Vespa refuses to search for neighbours. */
const neighbourFaults = {
  "no field": "there is no such field",
  undeclared: "no input of the rank profile has this name",
  unset: "neither the query nor the rank profile has a value for this input",
  field: ({ type }: { type: string }) =>
    `the field is of type ${type}, and is not an attribute with one indexed dimension and at most one mapped one`,
  types: ({ field, query }: { field: TensorType; query: TensorType }) =>
    `the vectors of ${field} cannot be compared with ${query}`,
};

const neighbourFault = phrases(neighbourFaults);

interface Neighbours {
  readonly field: string;
  readonly query: string;
  readonly fault: Phrase<typeof neighbourFaults>;
}

/** What a document has for the value of a field. */
export type FieldExpectation =
  | "number"
  | "text"
  | "boolean"
  | "whole number"
  | `whole number from ${number} to ${number}`
  | "list of values"
  | "object of weights"
  | "item with its weight"
  | "object of values"
  | "key with its value"
  | "struct"
  | "position"
  | "value";

interface FieldValue {
  readonly field: string;
  /** As the schema has it. */
  readonly type: string;
  readonly found: JsonValue;
  readonly expected: FieldExpectation;
}

/** What can be wrong when rank profiles are run on documents. */
export const rankingMessages = {
  "ranking/field": error(({ field, type, found, expected }: FieldValue) => ({
    message: `the field ${field} is of type ${type}`,
    found: shown(found),
    expected: /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`,
  })),
  "ranking/unknown-field": error(
    ({ field, schema, nearest }: { field: string; schema: string; nearest: string | undefined }) => ({
      message: `the schema ${schema} has no field ${field}`,
      found: quoted(field),
      expected: "a field of the schema",
      hint: didYouMean(nearest),
    }),
  ),
  "ranking/embedding": error(({ fault }: { fault: Phrase<typeof embeddingFaults> }) => ({
    message: "this text cannot become a vector",
    found: embeddingFault(fault),
    expected: 'a text for an embedder of services.xml: embed(id, "text")',
  })),
  "ranking/setting": error(({ text }: { text: string }) => ({
    message: "this lacks a name and =",
    found: quoted(text),
    expected: "bm25(title)=3.2",
  })),
  "ranking/missing": error(({ name, missing }: { name: string; missing: readonly MissingFeature[] }) => ({
    message: `${name} cannot be computed without ${enumeration(missing.map((each) => each.name))}`,
    found: missing.map((each) => `${each.name}: ${reasonText(each.reason)}`).join("; "),
    expected: missing.map((each) => `${each.name} of type ${missingType(each)}`).join(", "),
    hint: `give it: --feature '${missing[0]?.name ?? ""}=…', or as features of a test`,
  })),
  "ranking/given-type": error((values: { name: string; type: TensorType; declared: TensorType }) => ({
    message: `${values.name} is given with another type`,
    found: `${values.type}`,
    expected: `${values.declared}`,
  })),
  "ranking/unused": error(({ name, nearest }: UnusedFeature) => ({
    message: `${name} is given, but nothing in the rank profile uses it`,
    found: quoted(name),
    expected: "a feature or function of the profile",
    hint: didYouMean(nearest),
  })),
  "ranking/unread-input": warning((values: UnusedFeature & { readonly isDeclared: boolean }) => ({
    message: values.isDeclared
      ? `the query gives ${values.name}, which is declared, but which no expression of the rank profile reads`
      : `the query gives ${values.name}, which nothing in the rank profile reads`,
    found: quoted(values.name),
    expected: values.isDeclared ? "an input that an expression or nearestNeighbor reads" : "a declared input",
    hint: didYouMean(values.nearest),
  })),
  "ranking/undeclared-input": warning(({ name, found }: { name: string; found: JsonValue }) => ({
    message: `${name} is not declared, so it is a number: for a text, its hash`,
    found: shown(found),
    expected: "a number, or an input with a type",
    hint: `declare it: inputs { ${name} tensor<float>(…) }`,
  })),
  "ranking/input-name": warning(({ name, input }: { name: string; input: string }) => ({
    message: `the parameter ${name} gives no input`,
    found: quoted(name),
    expected: "a name behind input. or ranking.features.",
    hint: `did you mean input.${input}?`,
  })),
  "ranking/repeated": warning(({ before, name }: RepeatedParameter) => ({
    message: `${name} is the same as ${before}: Vespa takes either of the two, and here the last counts`,
    found: quoted(name),
    expected: "one of them",
  })),
  "ranking/deployed-property": warning(({ key }: { key: string }) => ({
    message: `Vespa reads ${key} when a rank profile is deployed, and not from a query`,
    found: quoted(key),
    expected: `rank-properties { ${key}: … } in the rank profile`,
  })),
  "ranking/commas": warning(({ name, found }: { name: string; found: JsonValue }) => ({
    message: `Vespa does not divide the list ${name} at its commas`,
    found: shown(found),
    expected: "spaces between the items: [1 2 3]",
  })),
  "ranking/null-input": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `${name} is null, which is no value`,
    found: "null",
    expected: `a value of type ${type}, or none: what the rank profile says counts then`,
  })),
  "ranking/other-type": warning(({ type, count, schema }: OtherType) => ({
    message: `${count === 1 ? "a document" : `${count} documents`} of type ${type} ${count === 1 ? "is not a hit" : "are not hits"} of the schema ${schema}`,
    found: `the type ${type}`,
    expected: `documents of type ${schema}`,
  })),
  "ranking/no-type": error(({ type, schema }: OtherType) => ({
    message: `there is no document of the schema ${schema}`,
    found: `documents of type ${type}`,
    expected: `documents of type ${schema}`,
  })),
  "ranking/no-parent": warning(({ id }: { id: string }) => ({
    message: `there is no parent ${quoted(id)}: what is imported from it is unset`,
    found: quoted(id),
    expected: "the id of a document among the parents",
  })),
  "ranking/parameter": warning(({ name, effect }: { name: string; effect: IneffectiveParameter }) => ({
    message: `${name} ${effects[effect]}, which is not done here`,
    found: quoted(name),
    expected: "a query whose hits are ranked by their scores alone",
  })),
  "ranking/phase-parameter": error((values: { name: string; found: JsonValue; isCount: boolean }) => ({
    message: `${values.name} takes a ${values.isCount ? "number of hits" : "score"}`,
    found: shown(values.found),
    expected: values.isCount ? "a whole number, 0 or greater" : "a number",
  })),
  "ranking/neighbours": error((values: Neighbours) => ({
    message: `nearestNeighbor(${values.field}, ${values.query}) is refused by Vespa`,
    found: neighbourFault(values.fault),
    expected:
      values.fault === "unset"
        ? `a value of query(${values.query})`
        : "a tensor attribute, and an input with the same indexed dimension",
  })),
  "ranking/profile": error((values: UnknownProfile) => ({
    message:
      values.name === undefined
        ? "which rank profile is meant?"
        : values.isShared
          ? `which rank profile ${values.name} is meant?`
          : `there is no rank profile ${values.name}`,
    found: values.profiles.length === 0 ? "no rank profiles" : `the profiles ${listed(values.profiles)}`,
    expected: "the name of a profile, or schema.profile where several schemas have it",
    hint: didYouMean(values.nearest),
  })),
  "json/shape": shapeMessage((_: "features") => "an object of features and their values"),
};

/** The first of many names. */
function listed(names: readonly string[]): string {
  const rest = names.length - mostNames;
  return `${names.slice(0, mostNames).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const mostNames = 12;

interface UnknownProfile {
  /** Whether several have the name. */
  readonly isShared: boolean;
  /** Nothing where none was asked for. */
  readonly name: string | undefined;
  /** All that there are. */
  readonly profiles: readonly string[];
  readonly nearest: string | undefined;
}

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/ranking": typeof rankingMessages;
  }
}

export const problem = problemsOf<"vespa/ranking">(rankingMessages);
