import { problem as csvProblem } from "../../formats/csv/messages.js";
import { type Field, Records } from "../../formats/csv/records.js";
import { numberInText } from "../../formats/json/numbers.js";
import { parseSequence } from "../../formats/json/sequence.js";
import { JsonLeaf, type JsonValue } from "../../formats/json/value.js";
import { append } from "../../language/source/lists.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { hitName, responseIn } from "../documents/response.js";
import { type Judgments, relevanceIn } from "../judging/judgments.js";
import { featureKey, featuresOf, type InjectedFeatures } from "../ranking/features/injected-features.js";
import { problem } from "./messages.js";

/** A document that a query found: its features, and how relevant it is. */
export interface LabelledRow {
  readonly query: string;
  readonly document: string;
  readonly relevance: number;
  readonly features: InjectedFeatures;
  readonly span: Span;
}

/** The rows of a text that could be read, and what is wrong with the others. */
export interface ParsedRows {
  readonly rows: readonly LabelledRow[];
  readonly problems: readonly Problem[];
}

/**
 * Labelled features: the rows that pyvespa's collector writes as CSV or returns as JSON, rows of one's own with a member
 * `features`, or query responses with an id beside their `root`. Labels that rows lack come from judgments, where these are at hand.
 */
export function readLabelledRows(source: Source, judgments?: Judgments): ParsedRows {
  const draft = new RowDraft(judgments);
  if (/^\s*[[{]/.test(source.text)) readJson(source, draft);
  else readCsv(source, draft);
  return draft;
}

/** What the columns and members are called. */
const columns = {
  query: ["query_id", "qid", "queryId", "query"],
  document: ["doc_id", "docid", "document", "docId"],
  relevance: ["relevance_label", "label", "relevance", "rel", "grade"],
} as const;

const identifiers = new Set<string>([...columns.query, ...columns.document]);

/** Of the collector, but no feature: the score that the engine had. */
const others = ["relevance_score", "features"];
const reserved = new Set<string>([...Object.values(columns).flat(), ...others]);

/** The most problems that are reported: a file of another form has one in each line. */
const mostProblems = 20;

class RowDraft {
  readonly rows: LabelledRow[] = [];
  readonly problems: Problem[] = [];

  constructor(private readonly judgments: Judgments | undefined) {}

  add(members: ReadonlyMap<string, JsonValue>, span: Span): void {
    const [query, document] = (["query", "document"] as const).map((name) => textIn(members, columns[name]));
    const nested = members.get("features");
    const features = featuresIn(nested === undefined ? members : nested.entries());
    const label = columns.relevance
      .map((name) => members.get(name))
      .find((each) => each !== undefined && !isEmpty(each));
    if (query === undefined || features.size === 0) this.refuse(span, "row");
    else if (label !== undefined && label.number === undefined) this.refuse(span, "label");
    else {
      const name = document ?? `${span.source.name} ${this.rows.length + 1}`;
      this.label(query, name, features, label?.number, span);
    }
  }

  /** The hits of a response. */
  addResponse(value: JsonValue): void {
    const query = textIn(value.entries(), ["id", ...columns.query]);
    const { response, problems } = responseIn(value);
    append(this.problems, problems);
    if (query === undefined) return this.refuse(value.span, "response");
    for (const hit of response?.hits ?? [])
      this.label(query, hitName(hit), featuresOf(hit), undefined, hit.whole.span);
  }

  report(found: Problem): void {
    if (this.problems.length < mostProblems) this.problems.push(found);
  }

  refuse(span: Span, expected: "row" | "response" | "label"): void {
    this.report(problem("learning/row", span, { expected }));
  }

  private label(
    query: string,
    document: string,
    features: InjectedFeatures,
    own: number | undefined,
    span: Span,
  ): void {
    const judged = this.judgments === undefined ? undefined : relevanceIn(this.judgments, query, document);
    // In a query that was judged, a document that nobody judged is not relevant.
    const relevance = own ?? judged ?? (this.judgments?.has(query) ? 0 : undefined);
    if (relevance === undefined || !Number.isFinite(relevance)) this.refuse(span, "label");
    else this.rows.push({ query, document, relevance, features, span });
  }
}

function textIn(members: ReadonlyMap<string, JsonValue>, names: readonly string[]): string | undefined {
  const found = names.map((name) => members.get(name)?.label).find((each) => each !== undefined);
  return found === "" ? undefined : found;
}

/** The collector writes whose list a feature comes from before its name; of one that several have, match features count most. */
const prefixes = ["match_", "rank_", "summary_"];

function featuresIn(members: Iterable<readonly [string, JsonValue]>): InjectedFeatures {
  const features = new Map<string, JsonValue>();
  const all = [...members].filter(([name, value]) => !reserved.has(name) && !isEmpty(value));
  for (const [name, value] of all) features.set(featureKey(name), value);
  for (const prefix of prefixes)
    for (const [name, value] of all) {
      const key = name.startsWith(prefix) ? featureKey(name.slice(prefix.length)) : undefined;
      if (key !== undefined && !features.has(key)) features.set(key, value);
    }
  return features;
}

const isEmpty = ({ kind, scalar }: JsonValue): boolean =>
  kind === "null" || scalar === "" || Number.isNaN(scalar);

function readJson(source: Source, draft: RowDraft): void {
  for (const { tree, problems } of parseSequence(source)) {
    for (const each of problems) draft.report(each);
    if (tree === undefined) continue;
    const results = tree.member("results");
    const list = results?.kind === "array" ? results : tree;
    for (const each of list.kind === "array" ? list.items() : [list])
      if (each.member("root") !== undefined) draft.addResponse(each);
      else draft.add(each.entries(), each.span);
  }
}

function readCsv(source: Source, draft: RowDraft): void {
  const records = new Records(source, (span, found, expected) =>
    draft.report(csvProblem("csv/shape", span, { found, expected })),
  );
  const head = records.count === 0 ? [] : records.fields(0);
  reportRepeated(head, draft);
  for (let record = 1; record < records.count; record++) {
    const fields = records.fields(record);
    records.hasWidth(record, head.length);
    const members = head.map(({ text }, at): readonly [string, JsonValue] => [
      text,
      valueIn(fields[at], text, source),
    ]);
    draft.add(new Map(members), records.span(record));
  }
  if (records.count <= 1) draft.refuse({ source, start: 0, end: Math.min(source.text.length, 1) }, "row");
}

/** Of two columns with one name nobody could say which one counts. */
function reportRepeated(head: readonly Field[], draft: RowDraft): void {
  const names = new Set<string>();
  for (const { text: name, span } of head) {
    if (names.has(name))
      draft.report(
        csvProblem("csv/shape", span, {
          found: { kind: "column", name },
          expected: { kind: "own column", name },
        }),
      );
    names.add(name);
  }
}

/** A number where it is none but an id, which is what is written: `007` is not `7`. */
function valueIn(field: Field | undefined, name: string, source: Source): JsonValue {
  const { text = "", span = { source, start: 0, end: 0 } } = field ?? {};
  const number = identifiers.has(name) ? undefined : numberInText(text.trim());
  return new JsonLeaf(number === undefined || Number.isNaN(number) ? text : number, span, name);
}
