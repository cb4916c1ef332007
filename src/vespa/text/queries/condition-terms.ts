import { containedTerms, leafText } from "./contained-terms.js";
import { isRangeOperator, numberRanges } from "./number-ranges.js";
import { listedValues, listedWeights } from "./parameter-lists.js";
import type { TermPattern } from "./query-term.js";
import {
  allOf,
  annotationOf,
  type ReadTerm,
  type TermContext,
  termOf,
  unknown,
  within,
} from "./term-reading.js";
import { userInputTerms, userQueryTerms } from "./user-query.js";
import type { Annotations, Condition, ConditionCall } from "./yql.js";

/** The terms of a condition; nothing where some of them are not known. */
export function termsIn(condition: Condition, context: TermContext): readonly ReadTerm[] | undefined {
  if (condition.kind === "leaf")
    return condition.text === "true" || condition.text === "false" ? [] : undefined;
  if (condition.kind === "comparison") return ofComparison(condition, context);
  const read = Object.hasOwn(calls, condition.name) ? calls[condition.name] : undefined;
  return read?.(condition, context);
}

type CallTerms = (call: ConditionCall, context: TermContext) => readonly ReadTerm[] | undefined;

const ofAll: CallTerms = ({ arguments: parts, annotations }, context) =>
  allOf(parts.map((each) => termsIn(each, within(context, annotations))));

const nothing: CallTerms = () => [];

/** An operator that is one term, of the field that stands first in its parentheses. */
const ofField =
  (pattern: (call: ConditionCall, context: TermContext) => TermPattern): CallTerms =>
  (call, context) => {
    const [field] = call.arguments;
    if (field?.kind !== "leaf") return undefined;
    return termOf(pattern(call, context), field.text, call.annotations, context);
  };

// biome-ignore format: a table
const calls: Readonly<Record<string, CallTerms>> = {
  and:             ofAll,
  or:              ofAll,
  rank:            ofAll,
  weakAnd:         ofAll,
  nonEmpty:        ofAll,
  not:             nothing,
  userQuery:       (_, context) => userQueryTerms(context),
  userInput:       ofUserInput,
  geoLocation:     nothing,
  nearestNeighbor: ofNeighbours,
  range:           ofRange,
  weightedSet:     ofField((call, context) => weighted("weighted", call, context)),
  dotProduct:      ofField((call, context) => weighted("product", call, context)),
  wand:            ofField((call, context) => weighted("product", call, context)),
  predicate:       ofField(() => unknown),
};

/** `weightedSet(f, {"a": 1, "b": 2})`, or the parameter that has this. */
function weighted(
  kind: "weighted" | "product",
  { arguments: [, weights] }: ConditionCall,
  { text }: TermContext,
): TermPattern {
  if (weights?.kind !== "leaf") return unknown;
  if (weights.type !== "parameter") return { kind, weights: numbersOf(weights.annotations) };
  const found = listedWeights(text(weights.text) ?? "");
  return found === undefined ? unknown : { kind, weights: found };
}

const numbersOf = (weights: Annotations): ReadonlyMap<string, number> =>
  new Map(Array.from(weights, ([value, weight]) => [value, Number(weight)] as const));

function ofUserInput({ arguments: [input], annotations }: ConditionCall, context: TermContext) {
  if (input?.kind !== "leaf") return undefined;
  return userInputTerms(leafText(input, context), new Map([...annotations, ...input.annotations]), context);
}

/** Of what is said of a search for neighbours, a label is for its term. */
function ofNeighbours({ arguments: [field], annotations }: ConditionCall, context: TermContext) {
  if (field?.kind !== "leaf") return undefined;
  const label = annotationOf("label", annotations, context);
  const own: Annotations = new Map(label === undefined ? [] : [["label", label]]);
  return termOf({ kind: "neighbours" }, field.text, own, { ...context, inherited: new Map() });
}

/** Which ends of a range are not in it, by what `bounds` says. */
const excluded: Readonly<Record<string, readonly [least: boolean, most: boolean]>> = {
  open: [true, true],
  leftOpen: [true, false],
  rightOpen: [false, true],
};

function ofRange({ arguments: [field, least, most], annotations }: ConditionCall, context: TermContext) {
  if (field?.kind !== "leaf" || least?.kind !== "leaf" || most?.kind !== "leaf") return undefined;
  const [from, to] = [Number(least.text), Number(most.text)];
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  // So many documents only: which, is not known here.
  if (annotationOf("hitLimit", annotations, context) !== undefined)
    return termOf(unknown, field.text, annotations, context);
  const [excludesLeast, excludesMost] = excluded[annotationOf("bounds", annotations, context) ?? ""] ?? [];
  const range = {
    least: from,
    most: to,
    excludesLeast: excludesLeast === true,
    excludesMost: excludesMost === true,
  };
  return termOf({ kind: "range", ...range }, field.text, annotations, context);
}

const truths: ReadonlyMap<string, number> = new Map([
  ["true", 1],
  ["false", 0],
]);

function ofComparison(
  { field, operator, operand }: Extract<Condition, { kind: "comparison" }>,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operator === "contains") return containedTerms(field, operand, context);
  if (operator === "in") return ofValues(field, operand, context);
  if (operand.kind !== "leaf") return undefined;
  const value = leafText(operand, context);
  if (operator === "matches") {
    const pattern: TermPattern = { kind: "regular", text: value };
    return termOf(pattern, field, operand.annotations, context);
  }
  const number = truths.get(value) ?? Number(value);
  if (!isRangeOperator(operator) || Number.isNaN(number)) return undefined;
  return termOf({ kind: "range", ...numberRanges[operator](number) }, field, operand.annotations, context);
}

/** `f in ("a", "b")` is one term, each of whose values has the weight 1, whatever annotations say; a parameter has them with commas between. */
function ofValues(field: string, operand: Condition, context: TermContext): readonly ReadTerm[] | undefined {
  const parts = operand.kind === "call" ? operand.arguments : [operand];
  const values = parts.flatMap((each) =>
    each.kind !== "leaf"
      ? []
      : each.type === "parameter"
        ? listedValues(leafText(each, context))
        : [each.text],
  );
  const weights = new Map(values.map((each) => [each, 1] as const));
  return termOf({ kind: "weighted", weights }, field, new Map(), { ...context, inherited: new Map() });
}
