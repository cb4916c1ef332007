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
  return judged?.get(document) ?? judged?.get(shortId(document));
}

/** What stands behind the type in an id: `1` of `id:shop:doc::1`. */
const shortId = (id: string): string => id.replace(/^id:[^:]*:[^:]*:[^:]*:/, "");

export interface ParsedJudgments {
  readonly judgments: Judgments;
  readonly problems: readonly Problem[];
}

/** Judgments as JSON where the text is that, as CSV where its first line has commas, and otherwise as TREC's qrels. */
export function readJudgments(source: Source): ParsedJudgments {
  if (/^\s*[[{]/.test(source.text)) return ofJson(source);
  const [first = ""] = source.text.split("\n", 1);
  const isCsv = first.includes(",");
  return ofLines(source, isCsv ? "csv" : "qrels");
}

class Draft {
  readonly judgments = new Map<string, Map<string, number>>();
  readonly problems: Problem[] = [];

  add(query: string, document: string, relevance: number): void {
    const own = this.judgments.get(query) ?? new Map<string, number>();
    own.set(document, relevance);
    this.judgments.set(query, own);
  }

  refuse(span: Span, text: string, expected: ExpectedInJudgments): void {
    if (this.problems.length < 100) this.problems.push(problem("judging/line", span, { text, expected }));
  }
}

/** The columns of CSV where no line names them. */
const usualColumns = ["query", "document", "relevance"];
const otherNames: Readonly<Record<string, readonly string[]>> = {
  query: ["qid", "query_id", "query-id", "queryid"],
  document: ["docid", "doc", "doc_id", "corpus-id", "id"],
  relevance: ["rel", "score", "label", "grade", "rating"],
};

function ofLines(source: Source, form: "csv" | "qrels"): ParsedJudgments {
  const draft = new Draft();
  let columns: readonly string[] =
    form === "csv" ? usualColumns : ["query", "iteration", "document", "relevance"];
  let start = 0;
  for (const [at, line] of source.text.split("\n").entries()) {
    const span = { source, start, end: start + line.length };
    start += line.length + 1;
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const cells = form === "csv" ? text.split(",").map(unquoted) : text.split(/\s+/);
    const isHead = at === 0 && cells.every((each) => Number.isNaN(Number(each)));
    if (form === "csv" && isHead && cells.some((each) => columnNamed(each) !== undefined)) {
      columns = cells.map((each) => columnNamed(each) ?? each);
      continue;
    }
    const [query, document, relevance] = usualColumns.map((name) => cells[columns.indexOf(name)]);
    const number = relevance === undefined || relevance === "" ? Number.NaN : Number(relevance);
    if (query === undefined || document === undefined || Number.isNaN(number)) draft.refuse(span, text, form);
    else draft.add(query, document, number);
  }
  return draft;
}

const unquoted = (cell: string): string => cell.trim().replace(/^"(.*)"$/, "$1");

const columnNamed = (cell: string): string | undefined =>
  usualColumns.find((name) => name === cell.toLowerCase() || otherNames[name]?.includes(cell.toLowerCase()));

function ofJson(source: Source): ParsedJudgments {
  const draft = new Draft();
  const { tree, problems } = parseJson(source);
  if (tree === undefined) return { judgments: draft.judgments, problems };
  const entries = tree.kind === "array" ? [...tree.items()] : [];
  for (const each of entries) {
    const [query, document, relevance] = usualColumns.map((name) => memberNamed(each, name));
    if (query === undefined || document === undefined || relevance?.number === undefined)
      draft.refuse(each.span, each.written, "json");
    else draft.add(`${query.scalar}`, `${document.scalar}`, relevance.number);
  }
  for (const [query, documents] of tree.entries())
    for (const [document, { number, span, written }] of documents.entries()) {
      if (number === undefined) draft.refuse(span, written, "json");
      else draft.add(query, document, number);
    }
  return draft;
}

const memberNamed = (value: JsonValue, name: string): JsonValue | undefined =>
  [name, ...(otherNames[name] ?? [])].map((each) => value.member(each)).find((each) => each !== undefined);
