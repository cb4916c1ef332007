import { checkMessages } from "../../../language/check/messages.js";
import {
  alternatives,
  didYouMean,
  error,
  type NoValues,
  quoted,
  shortened,
  type UnknownName,
  warning,
} from "../../../language/source/message.js";
import { type Phrase, phrases } from "../../../language/source/phrase.js";
import { problemsOf } from "../../../language/source/problem.js";
import type { TensorType } from "../../../language/types/type.js";
import { unreadableMessage } from "../../../program/messages.js";
import { type Declaration, declarations, declared } from "../syntax/messages.js";
import { expressionMessages } from "./expression-messages.js";
import { featureMessages } from "./feature-messages.js";
import type { FeatureListName, PhaseName } from "./model.js";
import { settingMessages } from "./setting-messages.js";

/** Why a file of a package cannot be read. */
const fileFaults = {
  compressed: "it is compressed, and compressed files are not read here",
  "too long": ({ limit }: { limit: number }) => `it is longer than ${limit} characters`,
  /** In the host's words. */
  host: ({ reason }: { reason: string }) => reason,
};

export type FileFault = Phrase<typeof fileFaults>;

/** Where a rank feature is available that is not available everywhere. */
const availabilities = {
  "global-phase": "in global-phase only",
  "after first-phase": "after first-phase",
  "after second-phase": "after second-phase",
  "after content nodes": "after the phases on content nodes",
  elsewhere: "elsewhere",
};

export type Availability = keyof typeof availabilities;

/** What lacks an expression. */
const computed = {
  phase: ({ name }: { name: PhaseName }) => name,
  function: ({ name }: { name: string }) => `the function ${name}`,
};

const computedText = phrases(computed);

/** What a place in an XML document should have. */
const expectedInXml = {
  element: "an element",
  "one element": "one element around all others",
  tag: "a tag: a name, and attributes in quotes",
  "no document type": "a document without a type, which is all that Vespa reads",
  "matching end tag": "the end tag of the element that is open",
  "end of markup": "the end of this markup",
};

export type ExpectedInXml = keyof typeof expectedInXml;

/** What query profiles name. */
const namedByQueryProfiles = {
  inherits: "query profile",
  reference: "query profile",
  type: "query profile type",
};

/** A rank feature that does not exist where it is used. */
interface AbsentFeature {
  readonly feature: string;
  readonly phase: PhaseName | FeatureListName;
  readonly where: Availability;
}

const attributeFaults = {
  "no field": "no such field",
  "no attribute": "a field that is not an attribute",
  "not numeric": "a field that does not have exactly one number",
  "not fast": "an attribute without fast-search",
  "not single": "a field with more than one value",
};

/** A field that a setting of a rank profile cannot use. */
interface RefusedAttribute {
  readonly setting: string;
  readonly field: string;
  readonly fault: keyof typeof attributeFaults;
}

/** A schema or a rank profile that inherits others. */
interface Inheriting {
  readonly what: "schema" | "rank profile";
  readonly name: string;
}

/** What a rank profile inherits twice. */
interface ConflictOfParents {
  readonly what: Declaration;
  readonly name: string;
  readonly profile: string;
  /** Whether the profile may have one of its own instead. */
  readonly isReplaceable: boolean;
}

/** A parameter of a function, and what has its name. */
export interface HiddenParameter {
  readonly name: string;
  readonly of: string;
  readonly by: "constant" | "inline function";
}

/** What a name of a function is reserved by: what hides it, or what it hides. */
export type ReservedBy = "calls" | "language" | "phase";

const reservedTexts: Readonly<Record<ReservedBy, (name: string) => string>> = {
  calls: (name) => `${name} is also a function of the language, and calls with arguments mean that function`,
  language: (name) => `the function ${name} hides the function of the language with that name`,
  phase: (name) =>
    `Vespa takes the function ${name} and ${name.replace("phase", "-phase")} for one and the same: only one of their expressions counts`,
};

/** What can be wrong with an application package: its files, its schemas, and what rank profiles inherit and mention. */
export const packageMessages = {
  "package/empty": error(({ folders }: { folders: readonly string[] }) => ({
    message: `there is no schema in ${alternatives(folders)}`,
    found: "no file that ends in .sd",
    expected: "an application package: a folder that has a folder schemas",
  })),
  "package/outside": error(({ path }: { path: string }) => ({
    message: "a path must stay in the application package",
    found: quoted(path),
    expected: "a path from the root of the package, such as constants/weights.json",
  })),
  "file/unreadable": unreadableMessage(phrases(fileFaults)),
  "file/folder": error(({ path }: { path: string }) => ({
    message: "the file of an expression must be in the folder of the schema",
    found: quoted(path),
    expected: "a name without folders",
  })),
  "xml/syntax": error(({ expected }: { expected: ExpectedInXml }) => ({
    message: "this cannot be read as XML",
    expected: expectedInXml[expected],
  })),
  "query/profile": error(({ expected }: { expected: string }) => ({
    message: `this file has no ${expected}`,
    expected: `<${expected} id="…">`,
  })),
  "query/unknown-profile": error((values: UnknownName & { what: keyof typeof namedByQueryProfiles }) => ({
    message: `there is no ${namedByQueryProfiles[values.what]} ${values.name}`,
    found: quoted(values.name),
    expected: `a ${namedByQueryProfiles[values.what]} of the package, in search/query-profiles`,
    hint: didYouMean(values.nearest),
  })),
  "query/file-name": error((values: { isType: boolean; id: string; file: string }) => ({
    message: `Vespa reads the ${values.isType ? "query profile type" : "query profile"} ${values.id} only from a file of its name`,
    found: values.file,
    expected: `${values.id.replaceAll("/", "_").replace(":", "-")}.xml`,
  })),
  "query/unknown-rank-profile": warning((values: UnknownName) => ({
    message: `there is no rank profile ${values.name} in any schema`,
    found: quoted(values.name),
    expected: "a rank profile of the package",
    hint: didYouMean(values.nearest),
  })),
  "query/short-name": warning(({ name, full }: { name: string; full: string }) => ({
    message: `Vespa reads ${name} in requests, and not in query profiles`,
    found: name,
    expected: `the full name of the parameter, ${full}`,
  })),
  "query/unread-input": warning((values: UnknownName) => ({
    message: `no rank profile has an input ${values.name}`,
    found: quoted(values.name),
    expected: "an input that a rank profile declares or reads",
    hint: didYouMean(values.nearest),
  })),
  "query/profile-cycle": error(({ path }: { path: readonly string[] }) => ({
    message: `the query profile ${path[0]} contains itself`,
    found: path.join(" → "),
    expected: "an order without a cycle",
  })),
  "query/substitution": error((_: NoValues) => ({
    message: "a substitution is not closed",
    found: "%{ without }",
    expected: "%{name}",
  })),
  "schema/none": error((_: NoValues) => ({
    message: "this file has no schema",
    found: "no schema",
    expected: declarations.schema,
  })),
  "schema/type-space": error((_: NoValues) => ({
    message:
      "Vespa does not read a tensor type with a space before or within its <…>, or before its parentheses",
    found: "a space",
    expected: "tensor<float>(x[3])",
  })),
  "schema/duplicate": error(({ what, name }: { what: Declaration; name: string }) => ({
    message: `the ${declared(what)} ${name} is declared twice`,
    found: `${quoted(name)} again`,
    expected: "different names",
  })),
  "schema/exponent": error(({ text }: { text: string }) => ({
    message: "numbers in inputs and constants of a schema have no exponents in Vespa",
    found: quoted(text),
    expected: "all digits of the number",
  })),
  "schema/number": error(({ text }: { text: string }) => ({
    message: "Vespa cannot read this number in a schema",
    found: quoted(shortened(text)),
    expected:
      "digits, with - before them or a point between them, and no more than 64 bits of a whole number",
  })),
  "schema/label": error(({ text }: { text: string }) => ({
    message: "Vespa reads this label in a schema only in quotes",
    found: quoted(shortened(text)),
    expected: quoted(`"${shortened(text)}"`),
  })),
  "schema/text-default": error(({ text }: { text: string }) => ({
    message: "an input that is a text cannot have a default in Vespa's schemas",
    found: quoted(shortened(text)),
    expected: "query(name) string",
  })),
  "schema/number-type": warning(({ type, hasValue }: { type: string; hasValue: boolean }) => ({
    message: `${type} is not a type of an input: Vespa reads another input, query(${type})${hasValue ? ", which has the value" : ""}`,
    found: quoted(type),
    expected: "double, or a tensor type",
  })),
  "schema/expressions": error(({ name }: { name: string }) => ({
    message: `${name} has two expressions`,
    found: "a second expression",
    expected: "one expression",
  })),
  "schema/keyword": warning((values: { block: string; keyword: string; nearest: string }) => ({
    message: `${values.block} has nothing called ${values.keyword}`,
    found: quoted(values.keyword),
    expected: `a statement of ${values.block}`,
    hint: didYouMean(values.nearest),
  })),
  "schema/no-expression": error((values: Phrase<typeof computed>) => ({
    message: `${computedText(values)} has no expression`,
    found: "none",
    expected: "expression: … or expression { … }",
  })),
  "schema/no-value": error(({ name }: { name: string }) => ({
    message: `the constant ${name} has no value`,
    found: "none",
    expected: "a value, or a file: name type: file:path",
  })),
  "schema/value": error(({ name, text }: { name: string; text: string }) => ({
    message: `this is not a valid value for ${name}`,
    found: text === "" ? "nothing" : quoted(shortened(text)),
    expected: "a number",
  })),
  "schema/feature": error(({ text }: { text: string }) => ({
    message: "a list of features can contain only features",
    found: quoted(text),
    expected: "features with spaces between them: attribute(a) bm25(b) f",
    hint: "make a function of the expression, and list its name",
  })),
  "schema/unknown": error(({ name, nearest }: UnknownName) => ({
    message: `there is no schema ${name}`,
    found: quoted(name),
    expected: "a schema of the package",
    hint: didYouMean(nearest),
  })),
  "profile/unknown": error(({ name, nearest }: UnknownName) => ({
    message: `there is no rank profile ${name}`,
    found: quoted(name),
    expected: "a rank profile of the schema, or of one that it inherits",
    hint: didYouMean(nearest),
  })),
  "profile/cycle": error(({ what, name, path }: Inheriting & { path: readonly string[] }) => ({
    message: `the ${what} ${name} inherits itself`,
    found: path.join(" → "),
    expected: "an order without a cycle",
  })),
  "profile/too-many": error(({ what, name, limit }: Inheriting & { limit: number }) => ({
    message: `the ${what} ${name} inherits more than ${limit} others`,
    found: `more than ${limit}`,
    expected: `at most ${limit}`,
  })),
  "package/too-large": error(({ limit }: { limit: number }) => ({
    message: `the rank profiles define and inherit more than ${limit} functions, inputs and constants`,
    found: `more than ${limit}`,
    expected: `at most ${limit}; the rest is not checked`,
  })),
  "profile/conflict": error((values: ConflictOfParents) => ({
    message: `${values.profile} inherits the ${declared(values.what)} ${values.name} from several profiles`,
    found: "several definitions",
    expected: values.isReplaceable ? `one definition, or another one in ${values.profile}` : "one definition",
  })),
  "profile/inner": error((values: { profile: string; outer: string }) => ({
    message: `${values.profile} is inside ${values.outer} and does not inherit it`,
    found: "an inner rank profile",
    expected: `inherits ${values.outer}`,
  })),
  "profile/features": error((values: { name: string; profile: string; list: FeatureListName }) => ({
    message: `the ${values.list} of ${values.profile} inherit those of ${values.name}, which ${values.profile} itself does not inherit`,
    found: quoted(values.name),
    expected: `a rank profile that ${values.profile} inherits`,
  })),
  "profile/reserved": warning(({ name, by }: { name: string; by: ReservedBy }) => ({
    message: reservedTexts[by](name),
    found: quoted(name),
    expected: "another name",
  })),
  ...settingMessages,
  "profile/hidden-parameter": warning(({ name, of, by }: HiddenParameter) => ({
    message: `in Vespa ${name} means the ${by} wherever ${of} reads it: the argument of a call is not read`,
    found: quoted(name),
    expected: "a parameter with a name of its own",
  })),
  "profile/constant-function": error(({ name }: { name: string }) => ({
    message: `${name} is both a constant and a function`,
    found: quoted(name),
    expected: "different names",
  })),
  "phase/attribute": error((values: RefusedAttribute) => ({
    message: `the ${values.setting} of a rank profile cannot use ${values.field}`,
    found: attributeFaults[values.fault],
    expected:
      values.setting === "diversity"
        ? "an attribute with one value per document"
        : "an attribute with one number per document, and attribute: fast-search",
  })),
  "phase/diversity": error((_: NoValues) => ({
    message: "there is nothing that this diversity applies to",
    found: "diversity alone",
    expected: "match-phase or second-phase in the same rank profile",
  })),
  "phase/range": error(({ setting, text }: { setting: string; text: string }) => ({
    message: `${setting} is a fraction, and must be between 0 and 1`,
    found: text,
    expected: "a number from 0 to 1",
  })),
  "phase/order": error(({ text }: { text: string }) => ({
    message: "this is not an order of match-phase",
    found: quoted(text),
    expected: "ascending or descending",
  })),
  "phase/lacking": error((values: { setting: string; names: readonly string[] }) => ({
    message: `${values.setting} needs ${alternatives(values.names)}`,
    found: "none",
    expected: alternatives(values.names),
  })),
  "phase/both": error(({ one, other }: { one: string; other: string }) => ({
    message: `${one} and ${other} exclude each other`,
    found: "both",
    expected: "one of them",
  })),
  "phase/filter": error(({ field }: { field: string }) => ({
    message: `the field ${field} is a filter and has a filter-threshold`,
    found: "both",
    expected: "one of them",
  })),
  "phase/normalizer": error(({ inner, outer }: { inner: string; outer: string }) => ({
    message: `the argument of ${outer} must not already be normalized`,
    found: quoted(inner),
    expected: "a feature or function without normalizers",
  })),
  "model/input": error((values: UnknownName & { model: string; input: string }) => ({
    message: `the input ${values.input} of the model ${values.model} is bound to ${values.name}, which does not exist`,
    found: quoted(values.name),
    expected: "a function of the rank profile, attribute(…), query(…) or constant(…)",
    hint: didYouMean(values.nearest),
  })),
  "phase/not-scalar": error(({ phase, type }: { phase: PhaseName | FeatureListName; type: TensorType }) => ({
    message: `the value of ${phase} must be a number`,
    found: `${type}`,
    expected: "tensor()",
    hint: "sum(…) or max(…) reduces a tensor to a number",
  })),
  "phase/feature": error((values: AbsentFeature) => ({
    message: `there is no ${values.feature} in ${values.phase}`,
    found: quoted(values.feature),
    expected: `it is available ${availabilities[values.where]}`,
  })),
  ...expressionMessages,
  ...featureMessages,
};

declare module "../../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/package": typeof packageMessages;
  }
}

export const problem = problemsOf<"language/check" | "vespa/package">({
  ...checkMessages,
  ...packageMessages,
});
