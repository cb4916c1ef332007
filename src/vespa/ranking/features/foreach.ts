import { leadingNumber } from "../../package/model/engine-numbers.js";
import { type ForeachOperation, isForeachOperation } from "../../package/rank-features/foreach-feature.js";
import { sumOf } from "../../text/sum.js";
import { leadingWhole } from "../document/leading-whole.js";
import { callIn, type FeatureCall } from "./feature-call.js";
import { external, ofDocument, type QueryContext, type Source } from "./feature-source.js";

/** `foreach(attributes,N,attribute(N),">0",average)`: a feature of each field or term, put together. */
export function foreachOf(
  { arguments: [over = "", variable = "", feature = "", condition = "", operation = ""] }: FeatureCall,
  context: QueryContext,
  sourceOf: (call: FeatureCall, context: QueryContext) => Source,
): Source {
  const isIncluded = conditionOf(condition);
  const combine = isForeachOperation(operation) ? operations[operation] : undefined;
  const items = itemsOf(over, context);
  if (isIncluded === undefined || combine === undefined || items === undefined)
    return external("unknown output");
  const name = new RegExp(`\\b${variable.replace(/\W/g, "")}\\b`, "g");
  const sources = items.map((item) => {
    const call = callIn(feature.replace(name, item));
    return call === undefined ? external("unknown output") : sourceOf(call, context);
  });
  const missing = sources.find((each) => each.kind === "external");
  if (missing !== undefined) return missing;
  const fields = new Set(sources.flatMap((each) => (each.kind === "document" ? each.fields : [])));
  return ofDocument([...fields], (document) => {
    const values = sources.map((each) => {
      if (each.kind === "external") return Number.NaN;
      const value = each.kind === "query" ? each.value : each.of(document);
      // A tensor that is no number counts for nothing.
      return typeof value === "number" ? value : value.type.isScalar ? value.asNumber() : 0;
    });
    return combine(values.filter(isIncluded));
  });
}

/** How many terms there are at most, where a rank property does not say. */
const mostTerms = 16;

function itemsOf(over: string, context: QueryContext): readonly string[] | undefined {
  if (over === "fields" || over === "attributes") return context.fieldsThat(over);
  if (over !== "terms") return undefined;
  const written = context.property("foreach.maxTerms");
  const length = written === undefined ? mostTerms : Math.max(0, Number(leadingWhole(written, 64)));
  return Array.from({ length: Math.min(length, 1000) }, (_, at) => `${at}`);
}

function conditionOf(text: string): ((value: number) => boolean) | undefined {
  if (text === "true") return () => true;
  if (text.length < 2) return undefined;
  const limit = leadingNumber(text.slice(1)) ?? 0;
  return text[0] === ">" ? (value) => value > limit : text[0] === "<" ? (value) => value < limit : undefined;
}

const sum = (values: readonly number[]): number => sumOf(values, (each) => each);

// biome-ignore format: a table
const operations: Readonly<Record<ForeachOperation, (values: readonly number[]) => number>> = {
  sum,
  product: (values) => values.reduce((total, each) => total * each, 1),
  average: (values) => (values.length === 0 ? 0 : sum(values) / values.length),
  max:     (values) => values.reduce((best, each) => Math.max(best, each), -Number.MAX_VALUE),
  min:     (values) => values.reduce((least, each) => Math.min(least, each), Number.MAX_VALUE),
  count:   (values) => values.length,
};
