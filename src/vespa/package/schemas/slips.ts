import { nearest } from "../../../language/source/nearest.js";
import { textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import type { Reading } from "../model/reading.js";
import { withoutComments } from "../model/text.js";
import type * as Tree from "../syntax/tree.js";
import { blockWithin, type StatementBlock, statements } from "./statements.js";

/** Shorter words are near to too many others. */
const shortest = 5;

/** Unknown statements are stepped over, which is told; with what is meant where they are misspelt. */
function reportSlip({ keyword }: Tree.Detail, block: StatementBlock, { report, mistaken }: Reading): void {
  const all: readonly string[] = statements[block];
  if (all.includes(keyword.text)) return;
  const meant = keyword.text.length < shortest ? undefined : nearest(keyword.text, all);
  if (meant !== undefined)
    report(problem("schema/keyword", keyword.span, { block, keyword: keyword.text, nearest: meant }));
  else if (mistaken.has(keyword.span.source)) return;
  else if (/^[A-Za-z][\w-]*$/.test(keyword.text))
    report(problem("schema/unread", keyword.span, { block, keyword: keyword.text }));
  // Where an expression has ended with its line, that is told.
  else if ((block !== "a phase" && block !== "a function") || /^[\w$@]/.test(keyword.text))
    report(problem("schema/stray", keyword.span, { block, text: keyword.text }));
}

/** What cannot stand among the statements of a block, and in the settings in it. */
export function reportSlips(
  items: Iterable<{ readonly kind: string } | Tree.Detail>,
  block: StatementBlock,
  reading: Reading,
): void {
  for (const each of items) {
    if (!isDetail(each)) continue;
    reportSlip(each, block, reading);
    if (block === "a summary" && each.keyword.text === "source") reportSources(each, reading);
    if (each.kind === "setting") reportSubject(each, block, reading);
    const inner = each.kind === "setting" ? blockWithin(each.keyword.text, block) : undefined;
    // What stands behind the colon of these is an error of its own.
    const isOneWord = isMatchOrRank(each.keyword.text) && !textIn(each.span).includes("{");
    if (inner !== undefined && !isOneWord) reportSlips(each.details, inner, reading);
  }
}

/** `source: title, body`, which ends with its line, and whose fields are parted by commas. */
function reportSources({ keyword, span }: Tree.Detail, { report }: Reading): void {
  const text = withoutComments(textIn(span)).trimEnd();
  const all = /^source\s*:\s*/.exec(text)?.[0].length ?? text.length;
  const list = text.slice(all).split(",");
  if (!list.every((each) => /^\s*[\w$@-][\w$@.-]*\s*$/.test(each)))
    report(problem("schema/sources", keyword.span, { text: list.join(",") }));
}

/** Settings that are about something with a name, which stands before the colon or the braces. */
const aboutNames = new Set([
  ...[
    "alias",
    "annotation",
    "attribute",
    "document-summary",
    "fieldset",
    "index",
    "rank",
    "rank-type",
    "struct",
    "summary",
  ],
  ...["summary-to", "weight"],
]);

/** A name where there can be none, or a second one; and an index of a schema without one. */
function reportSubject({ keyword, span }: Tree.Detail, block: StatementBlock, reading: Reading): void {
  if (keyword.span.end === span.end) return;
  const text = textIn(span);
  // Those of whole blocks are declared.
  const subject = firstName.exec(text)?.[1];
  const isDeclared = block === "a schema" || block === "a document";
  if (subject !== undefined && aboutNames.has(keyword.text) && !isDeclared)
    reading.reportName(subject, keyword.span);
  const pattern = aboutNames.has(keyword.text) ? secondName : firstName;
  const found = pattern.exec(text);
  const stray = keyword.text === "index" && block === "a schema" ? /^index\s*(:)/.exec(text) : found;
  const name = stray?.[1];
  if (stray === null || name === undefined) return;
  const start = span.start + stray[0].length - name.length;
  reading.report(
    problem("schema/stray", { ...span, start, end: start + name.length }, { block, text: name }),
  );
}

const firstName = /^[\w-]+[ \t]+([\w$@.-]+)/;
const secondName = /^[\w-]+[ \t]+[\w$@.-]+[ \t]+(?!type\b|inherits\b)([\w$@.-]+)/;

const isMatchOrRank = (keyword: string): boolean => keyword === "match" || keyword === "rank";

const isDetail = (item: { readonly kind: string } | Tree.Detail): item is Tree.Detail =>
  item.kind === "other" || item.kind === "setting";
