import { featureName } from "../../../../language/check/names.js";
import { beginningOf } from "../../../../language/source/message.js";
import { type Span, textIn } from "../../../../language/source/span.js";
import { problem } from "../../model/messages.js";
import type { Feature, FeatureList } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type { FeaturesStatement } from "../../syntax/tree.js";
import { reportListBraces } from "./expression-braces.js";

/** `match-features: a b(c)`, or `match-features inherits p { a b(c) }`. */
export function readFeatures(statement: FeaturesStatement, reading: Reading): FeatureList {
  const { inherits, items, span } = statement;
  reportListBraces(statement, reading);
  const features: Feature[] = [];
  for (const each of items) {
    const feature = each.kind === "feature" ? featureAt(each.span, reading) : undefined;
    if (each.kind !== "feature") notOne(each.span, reading);
    // What follows something that is no feature is no list of features either.
    if (feature === undefined) break;
    features.push(feature);
  }
  return { span, inherits, features };
}

function featureAt(span: Span, reading: Reading): Feature | undefined {
  const expression = reading.expression(span);
  const { tree } = expression;
  if (tree === undefined) return undefined;
  // For Vespa the first brace that closes is the end of the list.
  if (/[{}]/.test(textIn(span))) return notOne(span, reading);
  if (tree.kind === "reference") return { name: featureName(tree), expression };
  return notOne(span, reading);
}

function notOne(span: Span, reading: Reading): undefined {
  const [line = ""] = textIn(span).split("\n");
  reading.report(problem("schema/feature", span, { text: beginningOf(line, 20) }));
}
