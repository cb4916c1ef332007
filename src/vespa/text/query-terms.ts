import type { Query } from "../documents/query.js";
import type { NumberRange, QueryTerm, TermPattern } from "./query-term.js";
import { simpleTerms } from "./simple-query.js";
import { connected, type ReadTerm, type TermContext, termOf, wordsTerm } from "./term-reading.js";
import { type Annotations, type Condition, conditionOf, weightsIn } from "./yql.js";

/**
 * The terms of a query in their order: those of its YQL, of `userInput(…)` and `userQuery()`, and of the parameter `query`
 * alone. What is not to be found, or not to be ranked by, is none. Nothing where there is no query, or where it has
 * operators whose number of terms is not known here.
 */
export function termsOf(
  query: Pick<Query, "parameters"> | undefined,
  fieldsets: ReadonlyMap<string, readonly string[]>,
): readonly QueryTerm[] | undefined {
  const text = (name: string): string | undefined => {
    const scalar = query?.parameters.get(name)?.scalar;
    return scalar === undefined || scalar === null ? undefined : `${scalar}`;
  };
  const context: TermContext = { text, fieldsets };
  const yql = text("yql");
  const condition = yql === undefined ? undefined : conditionOf(yql);
  const isTyped = yql === undefined && userQueryIn(context) !== "";
  const terms = isTyped ? ofUserQuery(context) : condition && termsIn(condition, context);
  return terms === undefined ? undefined : connected(terms);
}

const userQueryIn = ({ text }: TermContext): string => text("query") ?? text("model.queryString") ?? "";

/** Languages of queries that are not those of words. */
const otherTypes = new Set(["adv", "yql", "prog", "programmatic", "select"]);

function ofUserQuery(context: TermContext): readonly ReadTerm[] | undefined {
  const type = context.text("model.type") ?? context.text("type") ?? "";
  return otherTypes.has(type) ? undefined : simpleTerms(userQueryIn(context), undefined, context);
}

/** The terms of a condition; nothing where some of them are not known. */
function termsIn(condition: Condition, context: TermContext): readonly ReadTerm[] | undefined {
  if (condition.kind === "leaf")
    return condition.text === "true" || condition.text === "false" ? [] : undefined;
  if (condition.kind === "comparison") return ofComparison(condition, context);
  const read = Object.hasOwn(calls, condition.name) ? calls[condition.name] : undefined;
  return read?.(condition, context);
}

type Call = Extract<Condition, { kind: "call" }>;
type CallTerms = (call: Call, context: TermContext) => readonly ReadTerm[] | undefined;

const ofAll: CallTerms = ({ arguments: parts }, context) => {
  const all = parts.map((each) => termsIn(each, context));
  return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
};

const nothing: CallTerms = () => [];

/** An operator that is one term, of the field that stands first in its parentheses. */
const ofField =
  (pattern: (call: Call, context: TermContext) => TermPattern): CallTerms =>
  (call, context) => {
    const [field] = call.arguments;
    if (field?.kind !== "leaf") return undefined;
    return termOf(pattern(call, context), field.text, call.annotations, context);
  };

const unknown: TermPattern = { kind: "unknown" };

// biome-ignore format: a table
const calls: Readonly<Record<string, CallTerms>> = {
  and:             ofAll,
  or:              ofAll,
  rank:            ofAll,
  weakAnd:         ofAll,
  nonEmpty:        ofAll,
  not:             nothing,
  userQuery:       (_, context) => ofUserQuery(context),
  userInput:       ofUserInput,
  geoLocation:     nothing,
  nearestNeighbor: ofField(() => ({ kind: "neighbours" })),
  range:           ofRange,
  weightedSet:     ofField((call, context) => weighted("weighted", call, context)),
  dotProduct:      ofField((call, context) => weighted("product", call, context)),
  wand:            ofField((call, context) => weighted("product", call, context)),
  predicate:       ofField(() => unknown),
};

/** `weightedSet(f, {"a": 1, "b": 2})`, or the parameter that has this. */
function weighted(
  kind: "weighted" | "product",
  { arguments: [, weights] }: Call,
  { text }: TermContext,
): TermPattern {
  if (weights?.kind !== "leaf") return unknown;
  if (weights.type !== "parameter") return { kind, weights: numbersOf(weights.annotations) };
  const found = weightsIn(text(weights.text) ?? "");
  return found === undefined ? unknown : { kind, weights: numbersOf(found) };
}

const numbersOf = (weights: Annotations): ReadonlyMap<string, number> =>
  new Map(Array.from(weights, ([value, weight]) => [value, Number(weight)] as const));

function ofUserInput(
  { arguments: [input], annotations }: Call,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (input?.kind !== "leaf") return undefined;
  const text = input.type === "parameter" ? (context.text(input.text) ?? "") : input.text;
  const own = new Map([...annotations, ...input.annotations]);
  const index = own.get("defaultIndex");
  const isWhole = own.get("grammar") === "raw" || own.get("grammar") === "segment";
  return isWhole ? wordsTerm(text, index ?? "default", own, context) : simpleTerms(text, index, context);
}

function ofRange(
  { arguments: [field, least, most], annotations }: Call,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (field?.kind !== "leaf" || least?.kind !== "leaf" || most?.kind !== "leaf") return undefined;
  const [from, to] = [Number(least.text), Number(most.text)];
  const range = { least: from, most: to, excludesLeast: false, excludesMost: false };
  return termOf({ kind: "range", ...range }, field.text, annotations, context);
}

// biome-ignore format: a table
const ranges: Readonly<Record<string, (value: number) => NumberRange>> = {
  "=":  (value) => ({ least: value, most: value, excludesLeast: false, excludesMost: false }),
  "<":  (value) => ({ least: Number.NEGATIVE_INFINITY, most: value, excludesLeast: false, excludesMost: true }),
  "<=": (value) => ({ least: Number.NEGATIVE_INFINITY, most: value, excludesLeast: false, excludesMost: false }),
  ">":  (value) => ({ least: value, most: Number.POSITIVE_INFINITY, excludesLeast: true, excludesMost: false }),
  ">=": (value) => ({ least: value, most: Number.POSITIVE_INFINITY, excludesLeast: false, excludesMost: false }),
};

const textOf = ({ type, text }: Extract<Condition, { kind: "leaf" }>, context: TermContext): string =>
  type === "parameter" ? (context.text(text) ?? "") : text;

function ofComparison(
  { field, operator, operand }: Extract<Condition, { kind: "comparison" }>,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operator === "contains") return ofContains(field, operand, context);
  if (operator === "in") return ofValues(field, operand, context);
  if (operand.kind !== "leaf") return undefined;
  const value = textOf(operand, context);
  if (operator === "matches") {
    const pattern: TermPattern = { kind: "regular", text: value };
    return termOf(pattern, field, operand.annotations, context);
  }
  const number = { true: 1, false: 0 }[value] ?? Number(value);
  const range = ranges[operator];
  if (range === undefined || Number.isNaN(number)) return undefined;
  return termOf({ kind: "range", ...range(number) }, field, operand.annotations, context);
}

/** `f in ("a", "b")` is one term, each of whose values has the weight 1; a parameter has them with commas between. */
function ofValues(field: string, operand: Condition, context: TermContext): readonly ReadTerm[] | undefined {
  const parts = operand.kind === "call" ? operand.arguments : [operand];
  const values = parts.flatMap((each) =>
    each.kind !== "leaf" ? [] : each.type === "parameter" ? listed(textOf(each, context)) : [each.text],
  );
  const annotations: Annotations = operand.kind === "comparison" ? new Map() : operand.annotations;
  const weights = new Map(values.map((each) => [each, 1] as const));
  return termOf({ kind: "weighted", weights }, field, annotations, context);
}

const listed = (text: string): string[] =>
  text.split(",").map((each) => each.trim().replace(/^["']|["']$/g, ""));

/** Annotations with which a word stands for others. */
const widening = ["prefix", "suffix", "substring"] as const;

function ofContains(
  field: string,
  operand: Condition,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operand.kind === "comparison") return undefined;
  const { annotations } = operand;
  if (operand.kind === "leaf") {
    const text = textOf(operand, context);
    const kind = widening.find((each) => annotations.get(each) === "true");
    return kind === undefined
      ? wordsTerm(text, field, annotations, context)
      : termOf({ kind, text }, field, annotations, context);
  }
  const read = Object.hasOwn(containing, operand.name) ? containing[operand.name] : undefined;
  return read?.(field, operand, context);
}

type ContainsTerms = (field: string, call: Call, context: TermContext) => readonly ReadTerm[] | undefined;

const oneUnknown: ContainsTerms = (field, { annotations }, context) =>
  termOf(unknown, field, annotations, context);

/** What stands behind `contains` with arguments. */
// biome-ignore format: a table
const containing: Readonly<Record<string, ContainsTerms>> = {
  phrase:       ofPhrase,
  text:         ofPhrase,
  // Their words are terms by themselves, as nearness only decides whether there is a hit.
  near:         ofEach,
  onear:        ofEach,
  sameElement:  () => [],
  equiv:        ofEquivalents,
  fuzzy:        ofFuzzy,
  uri:          oneUnknown,
  alternatives: oneUnknown,
};

function ofEach(
  field: string,
  { arguments: parts }: Call,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  const all = parts.map((each) => ofContains(field, each, context));
  return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
}

/** One term, which is found where one of its own is. Those that count less than others are not computed here. */
function ofEquivalents(field: string, call: Call, context: TermContext): readonly ReadTerm[] | undefined {
  const terms = ofEach(field, call, context);
  if (terms === undefined) return undefined;
  const [term] = termOf({ kind: "equivalent", terms }, field, call.annotations, context);
  if (term === undefined) return [];
  return [terms.every(({ weight }) => weight === term.weight) ? term : { ...term, pattern: unknown }];
}

/** `({maxEditDistance: 1, prefixLength: 2}fuzzy("chair"))` */
function ofFuzzy(
  field: string,
  { arguments: [operand], annotations }: Call,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operand?.kind !== "leaf") return undefined;
  const count = (name: string, otherwise: number): number => {
    const value = Number(annotations.get(name) ?? otherwise);
    return Number.isInteger(value) && value >= 0 ? value : otherwise;
  };
  const pattern: TermPattern = {
    ...{ kind: "fuzzy", text: textOf(operand, context) },
    ...{ most: count("maxEditDistance", 2), prefixLength: count("prefixLength", 0) },
    isPrefix: annotations.get("prefix") === "true",
  };
  return termOf(pattern, field, annotations, context);
}

function ofPhrase(
  field: string,
  { arguments: parts, annotations }: Call,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  const texts = parts.map((each) => (each.kind === "leaf" ? textOf(each, context) : undefined));
  if (texts.some((each) => each === undefined)) return undefined;
  return wordsTerm(texts.join(" "), field, annotations, context);
}
