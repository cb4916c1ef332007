import {
  type ArgumentCount,
  arityText,
  counted,
  didYouMean,
  error,
  quoted,
  type UnknownName,
  warning,
} from "../../../language/source/message.js";
import { type Phrase, phrases } from "../../../language/source/phrase.js";
import type { TensorType } from "../../../language/types/type.js";
import { expectedArguments, type FoundArgument, foundArgument } from "./argument-texts.js";

/** What a parameter of a function of a rank profile is used as, where Vespa does not take one. */
export type ParameterUse = "bits" | "slice" | "feature" | "lambda" | "size" | "cells" | "aggregator";

interface ParameterTexts {
  readonly message: (name: string, of: string) => string;
  readonly found: string;
  readonly expected: (name: string) => string;
}

// biome-ignore format: a table
const parameterTexts: Readonly<Record<ParameterUse, ParameterTexts>> = {
  bits: {
    message: (name, of) => `Vespa takes the parameter ${name} of ${of} for a number, which has no bits to unpack`,
    found: "unpack_bits of a parameter",
    expected: () => "unpack_bits where the function is called",
  },
  slice: {
    message: (name, of) => `Vespa does not know which dimension of the parameter ${name} of ${of} is meant`,
    found: "a slice without the name of its dimension",
    expected: (name) => `the whole form: ${name}{dimension:…}`,
  },
  feature: {
    message: (name, of) =>
      `Vespa looks for the type of this feature where ${of} is defined, and the parameter ${name} names none there`,
    found: "bits, a slice or max of a feature of a parameter",
    expected: () => "the name of a field, or bits, slices and max where the function is called",
  },
  lambda: {
    message: (name, of) => `in Vespa a lambda sees only its own parameters, and not the parameter ${name} of ${of}`,
    found: "a parameter of a function in a lambda",
    expected: () => "an expression without a lambda: t * 2 for map(t, f(x)(x * 2))",
  },
  size: {
    message: (name, of) => `Vespa does not read the parameter ${name} of ${of} as a size`,
    found: "the name of a parameter",
    expected: () => "a whole number",
  },
  cells: {
    message: (name, of) => `Vespa does not read the parameter ${name} of ${of} as a cell type`,
    found: "the name of a parameter",
    expected: () => "double, float, bfloat16 or int8",
  },
  aggregator: {
    message: (name, of) => `Vespa does not read the parameter ${name} of ${of} as an aggregator`,
    found: "the name of a parameter",
    expected: () => "avg, count, max, median, min, prod or sum",
  },
};

export interface ReplacedArgument {
  readonly name: string;
  readonly feature: string;
  readonly what: "function" | "constant";
}

export interface FeatureArgument {
  readonly expected: keyof typeof expectedArguments;
  readonly found: FoundArgument;
}

export interface FeatureArity extends ArgumentCount {
  readonly feature: string;
  readonly found: number;
}

interface IndexingFaultText {
  readonly message: string;
  /** The type of the field, unless given. */
  readonly found?: string;
  readonly expected: string;
}

const indexingFaults = {
  "no attribute": {
    message: "it has settings of an attribute, and is not an attribute",
    found: "indexing without attribute",
    expected: "indexing: attribute",
  },
  "no fast-search": {
    message: "the dictionary of a number needs fast-search",
    expected: "attribute: fast-search",
  },
  "position attribute": {
    message: "positions take no settings of an attribute",
    expected: "indexing: attribute, and no more",
  },
  "no dictionary": {
    message: "only texts and numbers have a dictionary",
    expected: "a field of texts or numbers",
  },
  "hash dictionary": {
    message: "a hash dictionary of texts needs cased matching",
    found: "matching without case",
    expected: "match: cased",
  },
  "cased dictionary": {
    message: "its dictionary is cased, and its matching is not",
    found: "matching without case",
    expected: "match: cased",
  },
  "uncased dictionary": {
    message: "its dictionary is cased already",
    found: "`uncased`",
    expected: "`cased`, or nothing of it",
  },
  "predicate index": {
    message: "arity, lower-bound, upper-bound and dense-posting-list-threshold are of predicates alone",
    expected: "a field of type predicate",
  },
  "no text": { message: "only texts can be bold", expected: "a field of type string" },
  "index alone": {
    message: "a tensor with an index must also be an attribute",
    expected: "indexing: attribute | index",
  },
  dimensions: {
    message: "tensors of this type cannot have an index",
    expected: "one indexed dimension",
  },
  "no size": { message: "its dimensions have no size", expected: "a size for each indexed dimension" },
  weights: {
    message: "a weighted set cannot contain numbers with fractions",
    expected: "a weightedset of texts or whole numbers",
  },
  "weights of structs": {
    message: "a weighted set can contain only texts or whole numbers",
    expected: "a weightedset of texts or whole numbers",
  },
  keys: { message: "the keys of a map must be texts or numbers", expected: "map<string, …> or map<int, …>" },
  "no match": {
    message: "it says how it is matched, and has neither an index nor an attribute",
    expected: "indexing: index or attribute",
  },
  "no rank": {
    message: "it says how it is ranked, and has neither an index nor an attribute",
    expected: "indexing: index or attribute",
  },
  "gram attribute": { message: "attributes cannot be matched by grams", expected: "indexing: index" },
  "index type": {
    message: "fields of this type cannot have an index",
    expected: "indexing: attribute or summary",
  },
  "attribute type": { message: "fields of this type cannot be attributes", expected: "indexing: summary" },
  "dense fast-search": {
    message: "a tensor without mapped dimensions cannot have fast-search",
    expected: "an attribute without fast-search",
  },
  "hnsw alone": {
    message: "it has settings for an index of neighbours, and no index",
    expected: "indexing: attribute | index",
  },
};

/** What is wrong with a field by its type and its indexing. */
export type IndexingFault = keyof typeof indexingFaults;

const indexingFaultTexts: Readonly<Record<IndexingFault, IndexingFaultText>> = indexingFaults;

export interface UnknownPort {
  readonly model: string;
  readonly what: "input" | "output";
  readonly name: string;
  readonly nearest: string | undefined;
  /** Those that it has. */
  readonly names: readonly string[];
}

export interface MissingModel {
  readonly model: string;
  readonly path: string;
  readonly nearest: string | undefined;
}

/** Why the cells of a field cannot be stored in few bits. */
const refusals = {
  bits: "another number of bits",
  "no tensor": "a field that is not a tensor",
  sparse: "a sparse tensor",
  metric: "a metric that needs all bits",
};

export type RefusedQuantization = keyof typeof refusals;

const expectedProperties = {
  number: "a number",
  table: "a boost table: expdecay(…), loggrowth(…) or linear(…)",
  expression: "an expression",
  tensor: ({ type }: { type: TensorType }) => `an expression of type ${type}, as in ${type}:…`,
};

const expectedProperty = phrases(expectedProperties);

/** What can be wrong with the features that rank profiles mention: their names, arguments, fields, models and inputs. */
export const featureMessages = {
  "feature/unknown": error(({ name, nearest }: UnknownName) => ({
    message: `there is no function or rank feature called ${name}`,
    found: quoted(name),
    expected: "a function of the language or of the rank profile, a constant, or a rank feature",
    hint: didYouMean(nearest),
  })),
  "feature/output": error((values: { feature: string; output: string; nearest: string | undefined }) => ({
    message: `${values.feature} has no output ${values.output}`,
    found: quoted(`.${values.output}`),
    expected: `an output of ${values.feature}`,
    hint: didYouMean(values.nearest),
  })),
  "feature/arguments": error((values: FeatureArity) => ({
    message: `the rank feature ${values.feature} takes ${arityText(values)}`,
    found: `${values.found}`,
    expected: arityText(values),
  })),
  "feature/argument": error(({ expected, found }: FeatureArgument) => ({
    message: `this argument must be ${expectedArguments[expected]}`,
    found: foundArgument(found),
    expected: expectedArguments[expected],
  })),
  "feature/field": error((values: { field: string; schema: string; nearest: string | undefined }) => ({
    message: `the schema ${values.schema} has no field ${values.field}`,
    found: quoted(values.field),
    expected: "a field of the schema, or one that it imports or inherits",
    hint: didYouMean(values.nearest),
  })),
  "field/reference": error(({ field, type }: { field: string; type: string }) => ({
    message: `the field ${field} does not refer to another document`,
    found: `${quoted(field)} of type ${type}`,
    expected: "a field of type reference<…>, to import a field of that document",
  })),
  "field/mutable": error(({ field }: { field: string }) => ({
    message: `the field ${field} of the document cannot be mutable`,
    found: "mutable",
    expected: "a field of the schema outside of its document, for what ranking changes",
  })),
  "field/type": error((values: { field: string; type: string; nearest: string | undefined }) => ({
    message: `the field ${values.field} has an unknown type`,
    found: quoted(values.type),
    expected: "a type of Vespa, or a struct of the schema",
    hint: didYouMean(values.nearest),
  })),
  "field/attribute": error(({ field, type }: { field: string; type: string }) => ({
    message: `the field ${field} cannot be an attribute: its values have members`,
    found: type,
    expected: "attributes of its members: struct-field … { indexing: attribute }",
  })),
  "field/indexing": error(
    ({ field, fault, type }: { field: string; fault: IndexingFault; type: string }) => ({
      message: `Vespa refuses the field ${field}: ${indexingFaultTexts[fault].message}`,
      found: indexingFaultTexts[fault].found ?? type,
      expected: indexingFaultTexts[fault].expected,
    }),
  ),
  "field/fast-rank": error(({ field, type }: { field: string; type: string }) => ({
    message: `fast-rank does not apply to the field ${field}`,
    found: type,
    expected: "a tensor with a mapped dimension",
  })),
  "field/metric": error((values: { field: string; metric: string; nearest: string | undefined }) => ({
    message: `there is no distance metric ${values.metric}`,
    found: quoted(values.metric),
    expected: "euclidean, angular, dotproduct, prenormalized-angular, geodegrees or hamming",
    hint: didYouMean(values.nearest),
  })),
  "field/quantization": error(({ field, refusal }: { field: string; refusal: RefusedQuantization }) => ({
    message: `the cells of ${field} cannot be stored in few bits`,
    found: refusals[refusal],
    expected: "1 to 4 bits, for a tensor that is not sparse, and another metric than geodegrees or hamming",
  })),
  "field/quantized": warning(({ field, bits }: { field: string; bits: number }) => ({
    message: `Vespa stores the cells of ${field} in fewer bits, and computes scores from these`,
    found: counted(bits, "bit"),
    expected: "scores that differ slightly from those that are computed here from the cells as they are fed",
  })),
  "feature/collection": warning(({ field, type }: { field: string; type: string }) => ({
    message: `attribute(${field}) is 0, since the field has more than one value`,
    found: type,
    expected:
      "a field of one value, or a feature of several: tensorFromLabels, tensorFromWeightedSet, attributeMatch, …",
  })),
  "feature/property": error(
    (values: { key: string; value: string; expected: Phrase<typeof expectedProperties> }) => ({
      message: `Vespa cannot read the rank property ${values.key}`,
      found: quoted(values.value),
      expected: expectedProperty(values.expected),
    }),
  ),
  "feature/not-attribute": error(({ field }: { field: string }) => ({
    message: `the field ${field} is not an attribute`,
    found: `${quoted(field)} without attribute in its indexing`,
    expected: "indexing: attribute",
  })),
  "feature/not-enabled": warning(({ field }: { field: string }) => ({
    message: `bm25 is not enabled for the field ${field}`,
    found: `${quoted(field)} without enable-bm25`,
    expected: "index: enable-bm25",
  })),
  "feature/parameter": error(({ name, parameter }: { name: string; parameter: string }) => ({
    message: `rankingExpression(${name}) passes nothing for the parameter ${parameter} of ${name}`,
    found: "a function that reads its parameter",
    expected: `a call: ${name}(…)`,
  })),
  "feature/listed": error(({ name }: { name: string }) => ({
    message: `Vespa puts nothing in for ${name} in a list of features, and its content nodes do not know it`,
    found: quoted(name),
    expected: "a rank feature, or a function of the rank profile",
    hint: "write a function for it",
  })),
  "function/parameter": error(({ name, of, use }: { name: string; of: string; use: ParameterUse }) => {
    const { message, found, expected } = parameterTexts[use];
    return { message: message(name, of), found, expected: expected(name) };
  }),
  "feature/replaced-argument": error((values: ReplacedArgument) => ({
    message: `Vespa puts the ${values.what} ${values.name} in for the argument of ${values.feature}, which it then does not know`,
    found: `a ${values.what} ${quoted(values.name)}`,
    expected: `another name for the ${values.what}`,
  })),
  "feature/model": error(({ model, nearest }: { model: string; nearest: string | undefined }) => ({
    message: `there is no model ${model}`,
    found: quoted(model),
    expected: "an onnx-model of the rank profile or the schema",
    hint: didYouMean(nearest),
  })),
  "model/unknown-port": error((values: UnknownPort) => ({
    message: `the model ${values.model} has no ${values.what} ${quoted(values.name)}`,
    expected: values.names.join(", "),
    hint: didYouMean(values.nearest),
  })),
  "model/no-file": warning(({ model, path, nearest }: MissingModel) => ({
    message: `the file of the model ${model} is not in the package`,
    found: quoted(path),
    expected: "the path of a file in the package",
    hint: didYouMean(nearest),
  })),
  "model/unread": warning((values: { model: string; reason: string; hint: string | undefined }) => ({
    message: `the model ${values.model} cannot be computed here: ${values.reason}`,
    expected: "a model that can become an expression, or a value of the feature",
    hint: values.hint,
  })),
  "query/value": error(({ name, text, type }: { name: string; text: string; type: string }) => ({
    message: `this is not a value of type ${type}, which the query profile type gives ${name}`,
    found: quoted(text),
    expected: text.includes("%{") ? "a number, since Vespa replaces %{…} only later" : "a number",
  })),
  "query/strict-type": error(({ name, type, nearest }: UnknownName & { type: string }) => ({
    message: `the query profile type ${type} is strict, and does not declare ${name}`,
    found: quoted(name),
    expected: "a parameter that the type declares",
    hint: didYouMean(nearest),
  })),
  "query/undeclared": error(({ name, nearest }: UnknownName) => ({
    message: `${name} is not declared, so it is a number, but a tensor is needed here`,
    found: quoted(name),
    expected: "an input with a tensor type",
    hint: didYouMean(nearest) ?? `declare it: inputs { ${name} tensor<float>(…) }`,
  })),
  "query/strict": error(({ name, nearest }: UnknownName) => ({
    message: `${name} is not declared, and the rank profile is strict`,
    found: quoted(name),
    expected: "an input of the rank profile",
    hint: didYouMean(nearest) ?? `declare it: inputs { ${name} double }`,
  })),
  "query/number": warning(({ name, nearest }: UnknownName) => ({
    message: `${name} is not declared: Vespa takes it for a number`,
    found: quoted(name),
    expected: "an input of the rank profile",
    hint: didYouMean(nearest) ?? `declare it: inputs { ${name} double }`,
  })),
};
