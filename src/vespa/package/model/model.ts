import type { Model as ModelFile } from "../../../language/check/models/models.js";
import type { Problem } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import type { Expression, Word } from "../../../language/syntax/tree.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Detail } from "../syntax/tree.js";

/**
 * An application package as it is written: schemas, what their documents hold, and their rank profiles. Nothing here
 * is inherited or checked yet, and nothing changes once it is read. The source of every span is a file of the package
 * (`schemas/doc.sd`), so that a place is a file, a line and a column.
 *
 * `Profile`, at the end, is a rank profile with all that it inherits: what people ask about, check and run.
 */
export interface Package {
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Inputs by canonical name that types of query profiles declare, for all rank profiles. */
  readonly inputs: ReadonlyMap<string, Input>;
  /** By id. */
  readonly queryProfiles: ReadonlyMap<string, QueryProfile>;
  /** What makes vectors of texts, as `services.xml` declares it. */
  readonly embedders: Embedders;
  /** What is wrong with the texts themselves: files that cannot be read, braces that do not close, … */
  readonly problems: readonly Problem[];
  /** The text of a file of the package, or a problem at `span` which names the file. */
  readonly load: (path: string, span: Span) => Source | Problem;
  /** The tensor in a file of the package (JSON or the literal form), or what is wrong with it. */
  readonly tensor: (path: string, type: TensorType, span: Span) => Tensor | readonly Problem[];
  /** The model in a file of the package, or what is wrong with it; nothing where it is not there, or no host reads models. */
  readonly modelIn: (path: string) => ModelFile | readonly Problem[] | undefined;
  /** The paths of all files in a folder of the package, and below it. */
  readonly filesIn: (folder: string) => readonly string[];
}

/** What makes vectors of texts: a component of `services.xml`. */
export interface Embedder {
  readonly id: string;
  readonly span: Span;
  /** As written: `hugging-face-embedder`. */
  readonly type: string;
  /** Paths in the package; nothing where the file lies elsewhere. */
  readonly model: string | undefined;
  readonly tokenizer: string | undefined;
  readonly mostTokens: number;
  /** What the model calls its inputs and its output. */
  readonly ids: string;
  readonly mask: string;
  readonly types: string;
  readonly output: string;
  /** `mean`, or `cls`. */
  readonly pooling: string;
  readonly isNormalized: boolean;
  /** What is put before the text of a query. */
  readonly prefix: string;
  /** Of `colbert-embedder`: how many tokens a query has, and the numbers of those that are added to its own. */
  readonly queryTokens: number;
  readonly markers: Readonly<Record<"start" | "end" | "mask" | "query", number>>;
  /** Of `splade-embedder`: terms with a score of at most this are left out. */
  readonly threshold: number;
}

/** The embedders of a package, by id. */
export interface Embedders {
  readonly all: ReadonlyMap<string, Embedder>;
  /** Why `services.xml` could not be read. */
  readonly problems: readonly Problem[];
}

/** A query profile: parameters that requests have by naming it. */
export interface QueryProfile {
  /** The name that its versions have in common. */
  readonly id: string;
  /** Empty where it says none. */
  readonly version: string;
  readonly span: Span;
  /** The id of the type of its fields, where it says one. */
  readonly type?: string;
  /** What its type says of its fields. */
  readonly typed: TypedNames;
  /** The parameters of requests that its variants depend on. */
  readonly dimensions: readonly string[];
  /** Its own fields, and those for some values of the dimensions. */
  readonly own: QueryProfileFields;
  readonly variants: readonly QueryProfileVariant[];
}

/** The types of parameters that are numbers or truth values. */
export type NumberType = "integer" | "long" | "float" | "double" | "boolean";

/** What a type says of parameters, by their names in a query profile of it. */
export interface TypedNames {
  /** Those that no request changes where a query profile gives them. */
  readonly fixed: ReadonlySet<string>;
  /** Those that are numbers or truth values. */
  readonly numbers: ReadonlyMap<string, NumberType>;
  /** Of a strict type the only names that there are, each up to its first point. */
  readonly declared: ReadonlySet<string> | undefined;
  /** By alias, in lower case; those of inherited types are none. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Whether a query profile stands for all names below its own, too: `a/b` for that of `a`. */
  readonly matchesPaths: boolean;
}

/** What a query profile or one of its variants sets. */
export interface QueryProfileFields {
  /** The ids of query profiles, in the order written. */
  readonly inherits: readonly Word[];
  /** By the full name of the parameter; of one that is written twice the last. */
  readonly fields: ReadonlyMap<string, QueryProfileField>;
}

/** What a query profile sets where its dimensions have these values. */
export interface QueryProfileVariant extends QueryProfileFields {
  /** A value for each dimension; `*` for any, as for those that are left out at the end. */
  readonly for: readonly string[];
}

/** The value that a query profile gives a parameter. */
export interface QueryProfileField {
  /** As written, where `%{name}` stands for the value of another parameter; or the id of a query profile. */
  readonly text: string;
  readonly span: Span;
  /** Whether its fields are those of another query profile. */
  readonly isReference: boolean;
  /** Whether a request cannot say otherwise, where it is written. */
  readonly isFixed: boolean | undefined;
}

/** What is shown of documents. */
export interface DocumentSummary {
  readonly name: string;
  /** Other document summaries. */
  readonly inherits: readonly Word[];
  /** The fields that its summaries have their values from. */
  readonly sources: readonly Word[];
}

/** A schema: what its documents have, and its rank profiles. */
export interface Schema {
  readonly name: Word;
  /** The file that it begins in, whole; profiles may be in others. */
  readonly source: Source;
  readonly inherits: readonly Word[];
  /** What the document of the schema inherits. */
  readonly documentInherits: readonly Word[];
  /** The fields of each field set, by its name. */
  readonly fieldsets: ReadonlyMap<string, readonly Word[]>;
  readonly summaries: readonly DocumentSummary[];
  /** By name: those of the document and those outside it, imported ones too. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly constants: ReadonlyMap<string, Constant>;
  readonly models: ReadonlyMap<string, Model>;
  readonly profiles: ReadonlyMap<string, RankProfile>;
  /** By name the structs that it declares, which are types of fields. */
  readonly structs: ReadonlyMap<string, Struct>;
  /** Names of constants that could not be read. */
  readonly lost: ReadonlySet<string>;
}

/** A type of values that have members. */
export interface Struct {
  readonly inherits: readonly string[];
  /** The types of its own members, as written, by name. */
  readonly members: ReadonlyMap<string, string>;
}

/** A field of a schema: of its document, outside of it, or imported from a document that it refers to. */
export interface Field {
  readonly name: Word;
  readonly span: Span;
  readonly where: "document" | "outside" | "imported";
  /** As written: `string`, `array<int>`, `tensor<float>(x[3])`; of an imported field, what it refers to: `ref.field`. */
  readonly typeText: string;
  readonly typeSpan?: Span;
  /** Of tensor fields whose type could be read. */
  readonly tensorType?: TensorType;
  readonly isAttribute: boolean;
  readonly isIndex: boolean;
  /** The fields that its indexing takes as input. */
  readonly inputs?: readonly Word[];
  /** What its indexing makes of them, where that makes a value: `other` where it is not only put together. */
  readonly made?: MadeValue | "other";
  readonly enablesBm25: boolean;
  readonly isFastSearch: boolean;
  /** Whether it is an attribute that ranking may change. */
  readonly isMutable?: boolean;
  /** What is taken for a word, where the schema says anything: `word` and `exact` all of a value, `gram` some signs of it. */
  readonly matching?: string;
  /** What ends a value that a query looks for, where `exact` values are typed: `@@` unless the schema says otherwise. */
  readonly exactTerminator?: string;
  /** Whether upper and lower case are told apart. */
  readonly isCased?: boolean;
  /** Whether words with accents and without are told apart: `normalizing: none`, `codepoint` or `lowercase`. */
  readonly retainsAccents?: boolean;
  /** `euclidean` where a field with an index of neighbours says none; as written otherwise. */
  readonly distanceMetric?: string;
  /** What the schema says of its ranking, where it says anything: `weight: 200`, `rank-type: identity`, `rank: filter`. */
  readonly weight?: number;
  readonly rankType?: string;
  readonly isFilter?: boolean;
  /** Of an imported field: the field of the same document that refers to a parent, and what is imported from that. */
  readonly imported?: ImportedFrom;
}

/**
 * What indexing makes of fields of a document where it only puts them together: `input title . " " . input body`, and
 * `input title || ""`, which is the first of these that there is.
 */
export type MadeValue =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "text"; readonly text: string; readonly span: Span }
  | { readonly kind: "joined" | "first"; readonly of: readonly MadeValue[] };

export interface ImportedFrom {
  readonly reference: string;
  /** The schema of the parent. */
  readonly schema: string;
  readonly field: string;
  /** Where the parent imports it from itself. */
  readonly next?: ImportedFrom;
}

/** A tensor that does not change: its type and, in the text or in a file, its value. */
export interface Constant {
  readonly name: string;
  readonly span: Span;
  readonly type: TensorType;
  readonly value: { readonly text: Span } | { readonly file: string; readonly span: Span } | undefined;
}

/** `onnx-model`, and the models that expressions name. */
export interface Model {
  readonly name: Word;
  readonly span: Span;
  readonly file?: string;
  /** Of the model by the name that it has there: the feature or function that is handed to it. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly outputs: ReadonlyMap<string, string>;
}

/** A rank profile as it is written, without what it inherits. */
export interface RankProfile {
  readonly name: Word;
  readonly span: Span;
  readonly inherits: readonly Word[];
  /** By canonical name: `query(q)`. */
  readonly inputs: ReadonlyMap<string, Input>;
  readonly constants: ReadonlyMap<string, Constant>;
  readonly functions: ReadonlyMap<string, RankFunction>;
  readonly models: ReadonlyMap<string, Model>;
  readonly phases: Partial<Readonly<Record<PhaseName, Phase>>>;
  readonly features: Partial<Readonly<Record<FeatureListName, FeatureList>>>;
  readonly properties: ReadonlyMap<string, Property>;
  /** Where the numbers of its phases are: `first-phase keep-rank-count`, `second-phase rank-score-drop-limit`, … */
  readonly counts: ReadonlyMap<string, Detail>;
  /** How documents are matched and ranks are made, as written: `match-phase`, `diversity`, `rank`, … */
  readonly settings: readonly Detail[];
  /** The name of the profile that it stands in. */
  readonly outer: string | undefined;
  /** Names whose declarations could not be read: they are not reported as unknown. */
  readonly lost: ReadonlySet<string>;
}

/** What is declared of an input. */
export interface InputType {
  readonly type: TensorType;
  /** A text is the number that its hash spells. */
  readonly isString: boolean;
}

/** An input of a profile, which a query passes. */
export interface Input extends InputType {
  /** Canonical: `query(q)`. */
  readonly name: string;
  readonly span: Span;
  /** The value where a query gives none, and where it is written. */
  readonly default?: Tensor;
  readonly defaultSpan?: Span;
}

/** A function of a profile. */
export interface RankFunction {
  readonly name: Word;
  readonly span: Span;
  /** Whether Vespa puts its text in the place of its name, where it has no parameters. */
  readonly isInline: boolean;
  readonly parameters: readonly Word[];
  readonly expression: ExpressionText;
}

/** The names of all phases. */
export const phaseNames = ["first-phase", "second-phase", "global-phase"] as const;

/** The name of a phase. */
export type PhaseName = (typeof phaseNames)[number];

/** A phase of ranking: its expression, and which hits it is computed for. */
export interface Phase {
  readonly span: Span;
  readonly expression?: ExpressionText;
  /** `rerank-count`, or `keep-rank-count` of the first phase. */
  readonly rerankCount?: number;
  /** Hits with this score or a lower one are dropped. */
  readonly scoreDropLimit?: number;
}

/** An expression in a schema, or in the file that it names; without a tree where that could not be read. */
export interface ExpressionText {
  /** In the file where the text is. */
  readonly span: Span;
  readonly tree: Expression | undefined;
}

/** The names of all lists of features. */
export const featureListNames = ["match-features", "summary-features", "rank-features"] as const;

/** The name of a list of features. */
export type FeatureListName = (typeof featureListNames)[number];

/** The features that a profile lists: for matches, for summaries, or for ranking. */
export interface FeatureList {
  readonly span: Span;
  /** The profiles whose lists this one adds to. Without any, it replaces what is inherited. */
  readonly inherits: readonly Word[];
  readonly features: readonly Feature[];
}

/** A feature of a list, which is computed for each hit and returned with it. */
export interface Feature {
  /** Canonical: `attribute(a)`, `sum`, `rankingExpression(foo)`. */
  readonly name: string;
  readonly expression: ExpressionText;
}

/** A line of `rank-properties`. */
export interface Property {
  readonly key: string;
  readonly value: string;
  readonly span: Span;
}

/** A rank profile with all that it inherits: nearer definitions replace farther ones. */
export interface Profile {
  readonly name: string;
  readonly schema: Schema;
  /** The profile itself first, then those that it inherits, nearer ones before farther ones. */
  readonly lineage: readonly RankProfile[];
  /** The fields of the schema, of those that it inherits, and of the documents that they inherit. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields of each field set, by its name: those of the schema and of those that it inherits. */
  readonly fieldsets: ReadonlyMap<string, readonly string[]>;
  /** By name the structs of the schema, and of those that it inherits. */
  readonly structs: ReadonlyMap<string, Struct>;
  /** Whether a schema or document that it inherits is not in the package: then not all fields are known. */
  readonly isPartial: boolean;
  /** Whether a profile that it inherits is not in the package, or was not looked at: not all functions are known. */
  readonly isOpen: boolean;
  /** Those that types of query profiles declare among them. */
  readonly inputs: ReadonlyMap<string, Input>;
  /** Those of the schemas among them. */
  readonly constants: ReadonlyMap<string, Constant>;
  readonly models: ReadonlyMap<string, Model>;
  /** Of the package. */
  readonly modelIn?: Package["modelIn"];
  readonly filesIn?: Package["filesIn"];
  readonly functions: ReadonlyMap<string, RankFunction>;
  readonly phases: Partial<Readonly<Record<PhaseName, Phase>>>;
  /** With what each list inherits. */
  readonly features: Partial<Readonly<Record<FeatureListName, readonly Feature[]>>>;
  readonly properties: ReadonlyMap<string, Property>;
  readonly lost: ReadonlySet<string>;
}
