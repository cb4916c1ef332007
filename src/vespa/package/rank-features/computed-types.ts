import type { Checker } from "../../../language/check/checker.js";
import { featureName } from "../../../language/check/names.js";
import type { Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { Argument, Expression, Reference } from "../../../language/syntax/tree.js";
import { cellTypeNamed } from "../../../language/types/cell.js";
import { indexed, mapped, TensorType } from "../../../language/types/type.js";
import { deployedNumber } from "../expressions/deployment.js";
import { functionFeature } from "../expressions/function-features.js";
import { inputsBelow } from "../expressions/inputs-below.js";
import { problem } from "../model/messages.js";
import type { Field, Profile } from "../model/model.js";
import { positionCollection } from "../schemas/fields/position-fields.js";
import { hasOnlyValue } from "./field-kinds.js";
import { isForeachOperation, unloopable } from "./foreach-feature.js";
import { forestFeature, onnxFeature } from "./model-features.js";
import { argumentKind, isFieldKind, type RankFeature, rankFeatures } from "./rank-features.js";
import { type TokenFeature, tokenRow } from "./token-features.js";

/** What the type of a feature may depend on, where a rank profile is checked. */
export interface FeatureContext {
  readonly profile: Profile;
  /** Where query features are mentioned that no input declares. */
  readonly undeclared: Map<string, Span>;
  /** What an undeclared query feature is: the number that Vespa takes it for, or nothing. */
  readonly undeclaredAs: "number" | "untyped";
  /** Functions that are elaborated as features, within which they are none again. */
  readonly computing: Set<Expression>;
  /** A field of the schema, or a problem; nothing where not all of its fields are known. */
  field(checker: Checker, name: string, span: Span, scope: Scope): Field | "unknown" | undefined;
  isAttribute(checker: Checker, field: Field, span: Span, scope: Scope): boolean;
  /** Whether a feature has the output that is asked for, or a problem. */
  hasOutput(checker: Checker, feature: Reference, row: RankFeature, scope: Scope): boolean;
  /** A feature that is like one that was meant, among those of a kind: `query(q)` for `query(p)`. */
  like(name: string, head: string): string | undefined;
}

/** The type of a feature, or its value where it is a part of the program. */
export type FeatureMeaning = TensorType | Node | "untyped";

type Compute = (types: FeatureContext, checker: Checker, feature: Reference, scope: Scope) => FeatureMeaning;

const scalar = TensorType.scalar;

/** A type, or nothing that could be said where an argument was wrong. */
const unless = (isWrong: boolean, type: TensorType): TensorType | "untyped" => (isWrong ? "untyped" : type);

/** A word, or a text with the same meaning. */
export function wordOf(argument: Argument): string | undefined {
  if (argument.kind === "text") return argument.value;
  if (argument.kind === "number") return argument.text;
  return argument.kind === "reference" ? featureName(argument) : undefined;
}

const word = (feature: Reference, at: number): string | undefined => {
  const argument = feature.arguments?.[at];
  return argument === undefined ? undefined : wordOf(argument);
};

const attribute: Compute = ({ profile }, checker, feature, scope) => {
  const [output] = feature.outputs;
  const field = profile.fields.get(word(feature, 0) ?? "");
  if (output !== undefined && output.text !== "value" && hasOnlyValue(field)) {
    const plain = featureName({ ...feature, outputs: [] });
    const values = { feature: plain, output: output.text, nearest: undefined };
    checker.report(scope)(problem("feature/output", output.span, values));
    return "untyped";
  }
  if (field !== undefined && positionCollection(field) !== undefined) {
    const values = { field: field.name.text, type: field.typeText, kind: "attribute" } as const;
    checker.report(scope)(
      problem("feature/field-kind", feature.arguments?.[0]?.span ?? feature.span, values),
    );
    return "untyped";
  }
  if ((output !== undefined && output.text !== "value") || feature.arguments?.length !== 1) return scalar;
  if (field === undefined) return profile.isPartial ? "untyped" : scalar;
  if (/^(?:array|weightedset)\b/.test(field.typeText)) {
    const values = { field: field.name.text, type: field.typeText };
    checker.report(scope)(problem("feature/collection", feature.span, values));
  }
  return field.tensorType ?? (isOfUnknownType(field) ? "untyped" : scalar);
};

/** A type that could not be read, or a field of a schema that is elsewhere. */
function isOfUnknownType({ tensorType, typeText, where, imported }: Field): boolean {
  const isElsewhere = where === "imported" && imported === undefined;
  return tensorType === undefined && (typeText.startsWith("tensor") || isElsewhere);
}

const query: Compute = (types, checker, feature, scope) => {
  const name = featureName(feature);
  const [argument] = feature.arguments ?? [];
  if (argument !== undefined && wordOf(argument) === undefined) {
    const values = { expected: "input", found: "expression" } as const;
    checker.report(scope)(problem("feature/argument", argument.span, values));
    return "untyped";
  }
  if (!types.profile.isOpen && !types.undeclared.has(name)) types.undeclared.set(name, feature.span);
  return types.undeclaredAs === "number" && !types.profile.isOpen ? scalar : "untyped";
};

const constant: Compute = (types, checker, feature, scope) => {
  const name = featureName(feature);
  if (!types.profile.isOpen && !types.profile.isPartial) {
    const values = { name, nearest: types.like(name.replaceAll('"', ""), "constant") };
    checker.report(scope)(problem("feature/unknown", feature.span, values));
  }
  return "untyped";
};

/** `closeness(field, f)` and `distance(label, l)`; with one argument, of a position. */
const near: Compute = (types, checker, feature, scope) => {
  const [first, second] = feature.arguments ?? [];
  const dimension = first === undefined ? undefined : wordOf(first);
  const fieldArgument = second ?? first;
  const name = fieldArgument === undefined ? undefined : wordOf(fieldArgument);
  if (fieldArgument === undefined || name === undefined) return scalar;
  if (second !== undefined && dimension !== "field" && dimension !== "label") {
    const found = { kind: "text", text: dimension ?? "" } as const;
    const values = { expected: "field or label", found } as const;
    checker.report(scope)(problem("feature/argument", first?.span ?? feature.span, values));
    return "untyped";
  }
  if (dimension === "label" && second !== undefined) return scalar;
  const field = types.field(checker, name, fieldArgument.span, scope);
  if (field === undefined || field === "unknown") return unless(field === "unknown", scalar);
  return unless(!types.isAttribute(checker, field, fieldArgument.span, scope), scalar);
};

/** One cell for the vector that is nearest: the mapped dimension of the field. */
const closest: Compute = ({ profile }, checker, feature, scope) => {
  const [argument] = feature.arguments ?? [];
  const field = profile.fields.get(word(feature, 0) ?? "");
  if (field === undefined || argument === undefined || isOfUnknownType(field)) return "untyped";
  const { tensorType: type, typeText } = field;
  if (type?.mapped.length === 1 && type.indexed.length === 1)
    return TensorType.of(type.cellType, type.mapped);
  const found = { kind: "text", text: typeText } as const;
  checker.report(scope)(problem("feature/argument", argument.span, { expected: "field of vectors", found }));
  return "untyped";
};

const bm25: Compute = (types, checker, feature, scope) => {
  const [argument] = feature.arguments ?? [];
  const field = argument === undefined ? undefined : types.profile.fields.get(wordOf(argument) ?? "");
  if (field !== undefined && argument !== undefined && !field.enablesBm25)
    checker.report(scope)(problem("feature/not-enabled", argument.span, { field: field.name.text }));
  return scalar;
};

/** The score of each query item that has a label. */
const bm25ForLabels: Compute = (types, checker, feature, scope) => {
  bm25(types, checker, feature, scope);
  return TensorType.of("double", [mapped("label")]);
};

/** Whether each label of a query item has matched, in one field or in any. */
const matchesForLabels: Compute = () => TensorType.of("float", [mapped("label")]);

/** The features that there are of each element, with the type of their cells unless one is named. */
const ofElements = new Map([
  ["bm25", "double"],
  ["matches", "float"],
]);

/** `elementwise(bm25(f),dimension,float)` */
const elementwise: Compute = (types, checker, feature, scope) => {
  const [inner] = feature.arguments ?? [];
  const usual = inner?.kind === "reference" ? ofElements.get(inner.name.text) : undefined;
  const cells = cellTypeNamed(word(feature, 2) ?? usual ?? "double");
  const dimension = word(feature, 1);
  if (inner?.kind !== "reference" || cells === undefined || dimension === undefined) {
    const values = { expected: "parts of elementwise", found: "other" } as const;
    checker.report(scope)(problem("feature/argument", feature.span, values));
    return "untyped";
  }
  if (usual === undefined) {
    const values = { name: inner.name.text, nearest: "bm25" };
    checker.report(scope)(problem("feature/unknown", inner.name.span, values));
    return "untyped";
  }
  const [of] = inner.arguments ?? [];
  const field = of === undefined ? undefined : types.field(checker, wordOf(of) ?? "", of.span, scope);
  return unless(field === "unknown", TensorType.of(cells, [mapped(dimension)]));
};

/** The attribute or query feature that a tensor is made of, by its name. */
function sourceOf(
  { types, checker, scope }: { types: FeatureContext; checker: Checker; scope: Scope },
  argument: Argument | undefined,
): string | undefined {
  const isFeature = argument?.kind === "reference" && argument.arguments?.length === 1;
  const name = isFeature && argument.arguments?.[0] !== undefined ? wordOf(argument.arguments[0]) : undefined;
  if (!isFeature || name === undefined || !["attribute", "query"].includes(argument.name.text)) {
    const values = { expected: "source", found: "other" } as const;
    if (argument !== undefined) checker.report(scope)(problem("feature/argument", argument.span, values));
    return undefined;
  }
  if (argument.name.text === "query") return name;
  const field = types.field(checker, name, argument.span, scope);
  return field === "unknown" ? undefined : name;
}

const ofLabels: Compute = (types, checker, feature, scope) => {
  const source = sourceOf({ types, checker, scope }, feature.arguments?.[0]);
  return source === undefined ? "untyped" : TensorType.of("double", [mapped(word(feature, 1) ?? source)]);
};

/** `tensorFromStructs(attribute(a),key,…,value,float)` */
const ofStructs: Compute = (types, checker, feature, scope) => {
  const source = sourceOf({ types, checker, scope }, feature.arguments?.[0]);
  const words = (feature.arguments ?? []).slice(1).map((each) => wordOf(each) ?? "");
  const cells = cellTypeNamed(words.at(-1) ?? "");
  if (source === undefined || cells === undefined) return "untyped";
  return TensorType.of(cells, [...new Set(words.slice(0, -2))].map(mapped));
};

/** Tokens for a model: one row of a length that is written. */
const tokens =
  (kind: TokenFeature, at: number): Compute =>
  (_, checker, feature, scope) => {
    const length = Number(word(feature, at));
    const parts = (feature.arguments ?? []).slice(at + 1);
    const nodes = parts.map((each) => (each.kind === "reference" ? checker.node(each, scope) : undefined));
    if (!Number.isInteger(length) || length <= 0) {
      const values = { expected: "length", found: "other" } as const;
      const span = feature.arguments?.[at]?.span ?? feature.span;
      checker.report(scope)(problem("feature/argument", span, values));
      return "untyped";
    }
    const found = nodes.filter((each) => each !== undefined);
    if (parts.some((each, index) => each.kind === "reference" && nodes[index] === undefined))
      return "untyped";
    const [first, separator] = at === 0 ? ["101", "102"] : [word(feature, 0) ?? "", word(feature, 1) ?? ""];
    const sequence = { kind, length, first, separator };
    const row =
      found.length === parts.length ? tokenRow(checker, feature, sequence, found, scope) : undefined;
    return row ?? TensorType.of("float", [indexed("d0", 1), indexed("d1", length)]);
  };

const onnx: Compute = ({ profile }, checker, feature, scope) =>
  onnxFeature({ profile, checker, feature, scope });

const forest: Compute = ({ profile }, checker, feature, scope) =>
  forestFeature({ profile, checker, feature, scope });

const isNormalizer = (name: string): boolean =>
  /^(?:normalize_linear|reciprocal_rank(?:_fusion)?)\(/.test(name);

/** What ranks hits by a score takes features, and no expressions. */
const normalizer: Compute = ({ profile }, checker, feature, scope) => {
  let isWrong = false;
  for (const [at, argument] of (feature.arguments ?? []).entries()) {
    if (argument.kind === "number") continue;
    const report = checker.report(scope);
    // The k of `reciprocal_rank`, which is the same for all hits.
    if (at === 1 && feature.name.text === "reciprocal_rank") {
      if (deployedNumber(argument, profile) !== undefined) continue;
      report(problem("feature/argument", argument.span, { expected: "constant number", found: "other" }));
      return "untyped";
    }
    const values = { expected: "feature or function", found: "expression" } as const;
    if (argument.kind !== "reference") report(problem("feature/argument", argument.span, values));
    const node = argument.kind === "reference" ? checker.node(argument, scope) : undefined;
    const type = node?.type;
    const inner = node === undefined ? undefined : inputsBelow(node).find((each) => isNormalizer(each.name));
    if (inner !== undefined)
      report(problem("phase/normalizer", argument.span, { inner: inner.name, outer: feature.name.text }));
    if (type !== undefined && !type.isScalar) {
      const values = { expected: "number", found: { kind: "type", type } } as const;
      report(problem("feature/argument", argument.span, values));
    }
    // What only a model knows is a number, too, once it is normalized.
    isWrong ||= type !== undefined && !type.isScalar;
  }
  return unless(isWrong, scalar);
};

/** `foreach(attributes,N,attribute(N),true,sum)`: of each attribute a number. */
const foreach: Compute = (types, checker, feature, scope) => {
  const [, , inner] = feature.arguments ?? [];
  const over = word(feature, 0);
  const variable = word(feature, 1);
  const wrong = [...foreachParts].filter(([at, { is }]) => !is(word(feature, at) ?? ""));
  for (const [at, { expected }] of wrong) {
    const found = { kind: "text", text: word(feature, at) ?? "" } as const;
    checker.report(scope)(
      problem("feature/argument", feature.arguments?.[at]?.span ?? feature.span, { expected, found }),
    );
  }
  if (wrong.length > 0 || variable === undefined || inner?.kind !== "reference") return scalar;
  if (isWrongWithin(types, { inner, variable }, checker, scope)) return "untyped";
  if (over !== "attributes" && over !== "fields") return scalar;
  const field = unloopable(types.profile, over, variable, inner);
  if (field === undefined) return scalar;
  const values = { feature: featureName(inner), variable, field: field.name.text, type: field.typeText };
  checker.report(scope)(problem("feature/foreach", inner.span, values));
  return "untyped";
};

/** What else content nodes read in a `foreach`, by its position. */
// biome-ignore format: a table
const foreachParts = new Map([
  [0, { expected: "foreach dimension", is: (text: string) => /^(?:attributes|fields|terms)$/.test(text) }],
  [3, { expected: "foreach condition", is: (text: string) => /^(?:true$|[<>].)/s.test(text) }],
  [4, { expected: "foreach operation", is: isForeachOperation }],
] as const);

/** Reports a feature in a `foreach` that is none, an output that it has not, or a field that is not there. */
function isWrongWithin(
  types: FeatureContext,
  { inner, variable }: { readonly inner: Reference; readonly variable: string },
  checker: Checker,
  scope: Scope,
): boolean {
  const { text } = inner.name;
  const row = Object.hasOwn(rankFeatures, text) ? rankFeatures[text] : undefined;
  if (row === undefined) {
    if (types.profile.isOpen || types.profile.functions.has(text)) return false;
    const nearest = checker.guess(text, () => Object.keys(rankFeatures));
    checker.report(scope)(problem("feature/unknown", inner.name.span, { name: text, nearest }));
    return true;
  }
  if (!types.hasOutput(checker, inner, row, scope)) return true;
  return (inner.arguments ?? []).some((each, at) => {
    const name = wordOf(each);
    if (!isFieldKind(argumentKind(row, at)) || name === undefined) return false;
    return !name.split(/\W/).includes(variable) && types.field(checker, name, each.span, scope) === "unknown";
  });
}

/** The types of the features that are no plain numbers, or whose arguments are more than the names of fields. */
// biome-ignore format: a table
export const computedTypes: Readonly<Record<string, Compute>> = {
  attribute, query, constant, closest, bm25, elementwise, onnx, foreach,
  bm25_for_labels:        bm25ForLabels,
  matches_for_labels:     matchesForLabels,
  closeness:              near,
  distance:               near,
  tensorFromWeightedSet:  ofLabels,
  tensorFromLabels:       ofLabels,
  tensorFromStructs:      ofStructs,
  rankingExpression:      functionFeature,
  tokenInputIds:          tokens("input ids", 0),
  customTokenInputIds:    tokens("input ids", 2),
  tokenTypeIds:           tokens("type ids", 0),
  tokenAttentionMask:     tokens("attention mask", 0),
  onnxModel:              onnx,
  xgboost:                forest,
  lightgbm:               forest,
  normalize_linear:       normalizer,
  reciprocal_rank:        normalizer,
  reciprocal_rank_fusion: normalizer,
};
