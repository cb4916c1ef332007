import { append } from "../../../language/source/lists.js";
import type { Report } from "../../../language/source/problem.js";
import { type Span, textIn } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { DocumentSummary, Field, Schema } from "../model/model.js";
import { withoutComments, wordsIn } from "../model/text.js";

/** What a document summary has: names of summaries, where their values come from, and braces. */
const parts = /\bsummary\s+([\w$.-]+)|\bsource\s*:([^{}\n]*)|[{}]/g;

/** `document-summary short inherits default { summary title {} summary first { source: body } }`; undefined where it has no name. */
export function readDocumentSummary({ source, start, end }: Span): DocumentSummary | undefined {
  const text = withoutComments(textIn({ source, start, end }));
  const [head = "", name, inherits = ""] =
    /^document-summary\s+([\w$-]+)(?:\s+inherits\b([^{}]*)|\s*)\{/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const sources: Word[] = [];
  let depth = 1;
  let own: readonly Word[] = [];
  for (const { 0: found, 1: summary, 2: list, index } of text.slice(head.length).matchAll(parts)) {
    const at = start + head.length + index + found.length;
    if (summary !== undefined) own = wordsIn(summary, at - summary.length, source);
    else if (list !== undefined) own = wordsIn(list, at - list.length, source);
    else if (found === "{") depth++;
    else if (--depth === 1) {
      append(sources, own);
      own = [];
    }
  }
  return { name, inherits: wordsIn(inherits, start + head.length - 1 - inherits.length, source), sources };
}

/** That the summaries are there that others inherit, and the fields that their values come from. */
export function reportSummaries(
  { summaries }: Schema,
  /** All that the schema has, those that it inherits among them. */
  all: { readonly fields: ReadonlyMap<string, Field>; readonly summaries: ReadonlySet<string> },
  report: Report,
  absent: (field: Word) => void,
): void {
  for (const { inherits, sources } of summaries) {
    for (const { text, span } of inherits)
      if (text !== "default" && !all.summaries.has(text))
        report(problem("schema/summary", span, { name: text }));
    for (const each of sources) {
      // A name with points is one of a struct.
      const [outer = ""] = each.text.split(".");
      if (!all.fields.has(outer) && each.text !== "documentid") absent(each);
    }
  }
}
