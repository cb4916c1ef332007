import type { Query } from "../documents/query.js";
import { wordsOf } from "./words.js";
import { type Annotations, type Condition, conditionOf } from "./yql.js";

/** A term of a query: a word, a phrase or a number, and the fields that it is searched in. */
export interface QueryTerm {
  /** As an attribute is asked for it. */
  readonly text: string;
  /** As an index is asked for it: one, or those of a phrase. */
  readonly words: readonly string[];
  readonly fields: readonly string[];
  /** In percent: 100 unless the query says otherwise. */
  readonly weight: number;
  /** What the query says of how rare it is. */
  readonly significance: number | undefined;
  /** Which numbers it is about, and no texts. */
  readonly range: NumberRange | undefined;
  /** Whether it is a search for neighbours, which finds all documents that are looked at. */
  readonly isSearch: boolean;
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly excludesLeast: boolean;
  readonly excludesMost: boolean;
}

/** The parameters of a request, and the names that stand for several fields. */
interface TermContext {
  readonly text: (parameter: string) => string | undefined;
  readonly fieldsets: ReadonlyMap<string, readonly string[]>;
}

/**
 * The terms of a query in their order: those of its YQL, of `userInput(…)` and `userQuery()`, and of the parameter `query`
 * alone. What is not to be found, or not to be ranked by, is none. Nothing where there is no query, or where it has
 * operators whose terms are not known here.
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
  if (yql === undefined) return userQueryIn(context) === "" ? undefined : ofUserQuery(context);
  const condition = conditionOf(yql);
  return condition === undefined ? undefined : termsIn(condition, context);
}

const userQueryIn = ({ text }: TermContext): string => text("query") ?? text("model.queryString") ?? "";

/** Languages of queries that are not those of words. */
const otherTypes = new Set(["adv", "yql", "prog", "programmatic", "select"]);

function ofUserQuery(context: TermContext): readonly QueryTerm[] | undefined {
  const type = context.text("model.type") ?? context.text("type") ?? "";
  return otherTypes.has(type) ? undefined : simpleTerms(userQueryIn(context), undefined, context);
}

/** A query as people type it: words, `field:word`, `"a phrase"`, `word!200`, and `-word` for what is not to be found. */
function simpleTerms(text: string, index: string | undefined, context: TermContext): QueryTerm[] {
  const field = index ?? context.text("model.defaultIndex") ?? context.text("defaultIndex") ?? "default";
  const parts = text.matchAll(/([+-]?)(?:([\w.]+):)?(?:"([^"]*)"|([^\s"!()]+))(?:!(\d+))?/g);
  return Array.from(parts).flatMap(([, sign, own, phrase, word = "", weight]) =>
    sign === "-"
      ? []
      : textTerm(
          phrase ?? word,
          own ?? field,
          new Map(weight === undefined ? [] : [["weight", weight]]),
          context,
        ),
  );
}

function textTerm(
  text: string,
  field: string,
  annotations: Annotations,
  { fieldsets }: TermContext,
  words: readonly string[] = wordsOf(text),
): QueryTerm[] {
  if (annotations.get("ranked") === "false" || words.length === 0) return [];
  return [{ ...plain(field, fieldsets, annotations), text, words }];
}

function plain(field: string, fieldsets: TermContext["fieldsets"], annotations: Annotations): QueryTerm {
  const number = (key: string): number | undefined => {
    const value = Number(annotations.get(key) ?? Number.NaN);
    return Number.isNaN(value) ? undefined : value;
  };
  return {
    ...{ text: "", words: [], range: undefined, isSearch: false },
    fields: fieldsets.get(field) ?? [field],
    weight: number("weight") ?? 100,
    significance: number("significance"),
  };
}

/** The terms of a condition; nothing where some of them are not known. */
function termsIn(condition: Condition, context: TermContext): readonly QueryTerm[] | undefined {
  if (condition.kind === "leaf")
    return condition.text === "true" || condition.text === "false" ? [] : undefined;
  if (condition.kind === "comparison") return ofComparison(condition, context);
  const read = Object.hasOwn(calls, condition.name) ? calls[condition.name] : undefined;
  return read?.(condition, context);
}

type Call = Extract<Condition, { kind: "call" }>;
type CallTerms = (call: Call, context: TermContext) => readonly QueryTerm[] | undefined;

const ofAll: CallTerms = ({ arguments: parts }, context) => {
  const all = parts.map((each) => termsIn(each, context));
  return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
};

const nothing: CallTerms = () => [];

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
  nearestNeighbor: ofSearch,
  range:           ofRange,
};

function ofUserInput(
  { arguments: [input], annotations }: Call,
  context: TermContext,
): readonly QueryTerm[] | undefined {
  if (input?.kind !== "leaf") return undefined;
  const text = input.type === "parameter" ? (context.text(input.text) ?? "") : input.text;
  const own = new Map([...annotations, ...input.annotations]);
  const index = own.get("defaultIndex");
  const isWhole = own.get("grammar") === "raw" || own.get("grammar") === "segment";
  return isWhole ? textTerm(text, index ?? "default", own, context) : simpleTerms(text, index, context);
}

function ofSearch(
  { arguments: [field], annotations }: Call,
  { fieldsets }: TermContext,
): readonly QueryTerm[] | undefined {
  if (field?.kind !== "leaf") return undefined;
  return [{ ...plain(field.text, fieldsets, annotations), isSearch: true }];
}

function ofRange(
  { arguments: [field, least, most], annotations }: Call,
  { fieldsets }: TermContext,
): readonly QueryTerm[] | undefined {
  if (field?.kind !== "leaf" || least?.kind !== "leaf" || most?.kind !== "leaf") return undefined;
  const [from, to] = [Number(least.text), Number(most.text)];
  const range = { least: from, most: to, excludesLeast: false, excludesMost: false };
  return [{ ...plain(field.text, fieldsets, annotations), range }];
}

// biome-ignore format: a table
const ranges: Readonly<Record<string, (value: number) => NumberRange>> = {
  "=":  (value) => ({ least: value, most: value, excludesLeast: false, excludesMost: false }),
  "<":  (value) => ({ least: Number.NEGATIVE_INFINITY, most: value, excludesLeast: false, excludesMost: true }),
  "<=": (value) => ({ least: Number.NEGATIVE_INFINITY, most: value, excludesLeast: false, excludesMost: false }),
  ">":  (value) => ({ least: value, most: Number.POSITIVE_INFINITY, excludesLeast: true, excludesMost: false }),
  ">=": (value) => ({ least: value, most: Number.POSITIVE_INFINITY, excludesLeast: false, excludesMost: false }),
};

function ofComparison(
  { field, operator, operand }: Extract<Condition, { kind: "comparison" }>,
  context: TermContext,
): readonly QueryTerm[] | undefined {
  if (operator === "contains") return ofContains(field, operand, context);
  const range = ranges[operator];
  if (operand.kind !== "leaf" || range === undefined) return undefined;
  const { annotations, type, text } = operand;
  const value = type === "parameter" ? (context.text(text) ?? "") : text;
  const number = { true: 1, false: 0 }[value] ?? Number(value);
  if (annotations.get("ranked") === "false") return [];
  return Number.isNaN(number)
    ? undefined
    : [{ ...plain(field, context.fieldsets, annotations), text: value, range: range(number) }];
}

/** Annotations with which a word stands for others. */
const widening = ["prefix", "suffix", "substring"];

function ofContains(
  field: string,
  operand: Condition,
  context: TermContext,
): readonly QueryTerm[] | undefined {
  if (operand.kind === "comparison") return undefined;
  const { annotations } = operand;
  if (widening.some((each) => annotations.get(each) === "true")) return undefined;
  if (operand.kind === "leaf") {
    const text = operand.type === "parameter" ? (context.text(operand.text) ?? "") : operand.text;
    return textTerm(text, field, annotations, context);
  }
  const parts = operand.arguments;
  // The words of `near` are terms by themselves, as nearness only decides whether there is a hit.
  if (operand.name === "near" || operand.name === "onear") {
    const all = parts.map((each) => ofContains(field, each, context));
    return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
  }
  if (operand.name === "sameElement") return [];
  if (operand.name !== "phrase" && operand.name !== "text") return undefined;
  const texts = parts.map((each) =>
    each.kind !== "leaf"
      ? undefined
      : each.type === "parameter"
        ? (context.text(each.text) ?? "")
        : each.text,
  );
  if (texts.some((each) => each === undefined)) return undefined;
  const text = texts.join(" ");
  return textTerm(text, field, annotations, context);
}
