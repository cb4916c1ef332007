import { featureName } from "../../language/check/names.js";
import type { Span } from "../../language/source/span.js";
import { pastOpaque, pastSpace, textOf } from "./blocks.js";
import type { Feature, FeatureList } from "./model.js";
import type { Reading } from "./reading.js";
import { type Statement, wordsIn } from "./statements.js";

/** `match-features: a b(c)`, or `match-features inherits p { a b(c) }`. */
export function readFeatures({ head, value, body, span }: Statement, reading: Reading): FeatureList {
  const words = wordsIn(head);
  const inherits = words[0]?.text === "inherits" ? words.slice(1) : [];
  const list = value ?? body;
  return { span, inherits, features: list === undefined ? [] : featuresIn(list, reading) };
}

function featuresIn(list: Span, reading: Reading): Feature[] {
  const features: Feature[] = [];
  let at = pastSpace(list, list.start, list.end);
  while (at < list.end) {
    const end = featureEnd(list, at);
    const span: Span = { ...list, start: at, end: Math.max(end, at + 1) };
    const feature = end === at ? undefined : featureAt(span, reading);
    if (end === at) {
      const rest = { ...span, end: list.end };
      reading.report("schema/feature", span, { found: `\`${textOf(rest).slice(0, 20).split("\n")[0]}\`` });
    }
    // What follows something that is no feature is no list of features either.
    if (feature === undefined) return features;
    features.push(feature);
    at = pastSpace(list, end, list.end);
  }
  return features;
}

function featureAt(span: Span, reading: Reading): Feature | undefined {
  const expression = reading.expression(span);
  const { tree } = expression;
  if (tree === undefined) return undefined;
  if (tree.kind === "reference") return { name: featureName(tree), expression };
  return void reading.report("schema/feature", span, { found: `\`${textOf(span)}\`` });
}

/** Behind a feature: a name, arguments in parentheses, outputs behind dots. */
function featureEnd(list: Span, from: number): number {
  const { text } = list.source;
  let at = from;
  while (at < list.end && /[\w$@]/.test(text[at] ?? "")) at++;
  if (at === from) return at;
  const open = pastSpace(list, at, list.end);
  if (text[open] === "(" && open < list.end) at = parenthesesEnd(list, open);
  while (text[at] === "." && /[\w$@]/.test(text[at + 1] ?? "") && at < list.end) {
    at++;
    while (at < list.end && /[\w$@]/.test(text[at] ?? "")) at++;
  }
  return at;
}

function parenthesesEnd(list: Span, from: number): number {
  const { text } = list.source;
  let depth = 0;
  for (let at = from; at < list.end; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at + 1;
    else at = Math.max(at, pastOpaque(text, at) - 1);
  }
  return list.end;
}
