import { Records } from "../../formats/csv/records.js";
import { parseJson } from "../../formats/json/parse.js";
import type { JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { type ExpectedInJudgments, problem } from "./messages.js";

/** How relevant documents are to queries: 0 for not at all. By the id of the query, and of the document. */
export type Judgments = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** How relevant a document is to a query; nothing where nobody judged it. */
export function relevanceIn(judgments: Judgments, query: string, document: string): number | undefined {
  const judged = judgments.get(query);
  return judged?.get(judgedId(judged, document));
}

/** The id under which a document was judged, if it was: its own, or what stands behind the type there. */
export const judgedId = (judged: ReadonlyMap<string, number>, document: string): string =>
  judged.has(document) ? document : shortId(document);

/** What stands behind the type in an id: `1` of `id:shop:doc::1`. */
export const shortId = (id: string): string => id.replace(/^id:[^:]*:[^:]*:[^:]*:/, "");

export interface ParsedJudgments {
  readonly judgments: Judgments;
  readonly problems: readonly Problem[];
}

/** Judgments as JSON where the text is that, as CSV where its first line has commas, and otherwise as TREC's qrels. */
export function readJudgments(source: Source): ParsedJudgments {
  if (/^\s*[[{]/.test(source.text)) return ofJson(source);
  const [first = ""] = source.text.split("\n", 1);
  return first.includes(",") ? ofCsv(source) : ofQrels(source);
}

const mostProblems = 100;

class Draft {
  readonly judgments = new Map<string, Map<string, number>>();
  readonly problems: Problem[] = [];

  add(query: string, document: string, relevance: number): void {
    const own = this.judgments.get(query) ?? new Map<string, number>();
    own.set(document, relevance);
    this.judgments.set(query, own);
  }

  /** The id of a query and of a document, and how relevant that is to it. */
  read(cells: readonly (string | undefined)[], span: Span, expected: ExpectedInJudgments): void {
    const [query, document, relevance = ""] = cells;
    const number = relevance === "" ? Number.NaN : Number(relevance);
    if (query === undefined || document === undefined || Number.isNaN(number)) this.refuse(span, expected);
    else this.add(query, document, number);
  }

  refuse(span: Span, expected: ExpectedInJudgments): void {
    const text = span.source.text.slice(span.start, span.end).trim();
    if (this.problems.length < mostProblems)
      this.problems.push(problem("judging/line", span, { text, expected }));
  }
}

/** The columns of CSV where no line names them. */
const usualColumns = ["query", "document", "relevance"];
const otherNames: Readonly<Record<string, readonly string[]>> = {
  query: ["qid", "query_id", "query-id", "queryid"],
  document: ["docid", "doc", "doc_id", "corpus-id", "id"],
  relevance: ["rel", "score", "label", "grade", "rating"],
};

function ofQrels(source: Source): ParsedJudgments {
  const draft = new Draft();
  let start = 0;
  for (const line of source.text.split("\n")) {
    const span = { source, start, end: start + line.length };
    start += line.length + 1;
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const [query, , document, relevance] = text.split(/\s+/);
    draft.read([query, document, relevance], span, "qrels");
  }
  return draft;
}

function ofCsv(source: Source): ParsedJudgments {
  const draft = new Draft();
  const records = new Records(source, (span) => draft.refuse(span, "csv"));
  const header = records.header().map((each) => each.toLowerCase());
  const named = usualColumns.map((name) => columnOf(name, header));
  const hasHeader = named.some((at) => at >= 0) && header.every((each) => Number.isNaN(Number(each)));
  const columns = hasHeader ? named : [...usualColumns.keys()];
  for (let record = hasHeader ? 1 : 0; record < records.count; record++) {
    const cells = columns.map((column) => (column < 0 ? undefined : records.text(record, column)?.trim()));
    const isRemark = records.text(record, 0)?.startsWith("#") === true;
    if (!isRemark) draft.read(cells, records.span(record), "csv");
  }
  return draft;
}

/** Where a column is: under its own name, and otherwise under the first of its other names that the header has. */
const columnOf = (name: string, header: readonly string[]): number =>
  namesOf(name)
    .map((each) => header.indexOf(each))
    .find((at) => at >= 0) ?? -1;

const namesOf = (name: string): readonly string[] => [name, ...(otherNames[name] ?? [])];

function ofJson(source: Source): ParsedJudgments {
  const draft = new Draft();
  const { tree, problems } = parseJson(source);
  if (tree === undefined) return { judgments: draft.judgments, problems };
  const entries = tree.kind === "array" ? [...tree.items()] : [];
  for (const each of entries) {
    const [query, document, relevance] = usualColumns.map((name) => memberNamed(each, name));
    if (query?.label === undefined || document?.label === undefined || relevance?.number === undefined)
      draft.refuse(each.span, "json");
    else draft.add(query.label, document.label, relevance.number);
  }
  for (const [query, documents] of tree.entries())
    for (const [document, { number, span }] of documents.entries()) {
      if (number === undefined) draft.refuse(span, "json");
      else draft.add(query, document, number);
    }
  return draft;
}

const memberNamed = (value: JsonValue, name: string): JsonValue | undefined =>
  namesOf(name)
    .map((each) => value.member(each))
    .find((each) => each !== undefined);
