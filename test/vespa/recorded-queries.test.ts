import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { QueryTerm, TermPattern } from "../../src/vespa/text/queries/query-term.js";
import { termsOf } from "../../src/vespa/text/queries/query-terms.js";
import { wordsOf } from "../../src/vespa/text/words.js";
import { checkPackage, readQuery, soundProfile } from "../../src/vespa.js";
import { packageOf } from "../packages.js";

/**
 * The terms of the requests of query-parsers/recorded.jsonl, as the parsers of Vespa's container make them. More of them are tried by
 * query-parsers/requests.ts and Record.java, and the name of what these write as QUERIES.
 */

/** A term as Vespa has it; what says nothing is left out. */
interface RecordedTerm {
  readonly kind: string;
  readonly index?: string;
  readonly text: string;
  /** A word that is not taken apart. */
  readonly isWhole?: boolean;
  readonly weight?: number;
  readonly label?: string;
  readonly significance?: number;
  readonly documentFrequency?: string;
  readonly items?: readonly RecordedTerm[];
}

interface Recorded {
  readonly request: { readonly yql?: string; readonly type?: string; readonly query?: string };
  readonly terms?: readonly RecordedTerm[];
}

const path = process.env.QUERIES ?? new URL("query-parsers/recorded.jsonl", import.meta.url);
const recorded: Recorded[] = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** The fields of Record.java. */
const schema = `schema doc {
  document doc {
    field title type string { indexing: index }
    field body type string { indexing: index }
    field tag type string { indexing: attribute }
    field code type string { indexing: index
      match: exact }
    field price type int { indexing: attribute }
  }
  fieldset default { fields: title, body }
  rank-profile plain { }
}
`;
const read = packageOf({ "schemas/doc.sd": schema });
const place = { source: { name: "test", text: "" }, start: 0, end: 0 };
const profile = soundProfile(read, checkPackage(read), "plain", place);

/** Fields whose values are words as they are. */
const isWhole = (field: string): boolean => field === "tag" || field === "code";
const isNumber = /^-?\d+(\.\d+)?$/;

const wordsIn = ({ kind, index = "", text, isWhole: isOne, items = [] }: RecordedTerm): string =>
  items.length > 0
    ? items.map(wordsIn).join(" ")
    : isOne === true || isWhole(index) || kind === "Int"
      ? text
      : wordsOf(text).join(" ");

const interval = (least: string, most: string, isOpen: readonly boolean[]): string =>
  `from ${least}${isOpen[0] === true ? " excluded" : ""} to ${most}${isOpen[1] === true ? " excluded" : ""}`;

/** `<5`, `[1;5]`, `<1;5>`; of `[1;5;10]` what it finds is not known. */
function rangeIn(text: string): string {
  const [, sign, bound = ""] = /^([<>])(-?[\d.]+)$/.exec(text) ?? [];
  if (sign !== undefined)
    return sign === "<" ? interval("-Infinity", bound, [false, true]) : interval(bound, "Infinity", [true]);
  const [, open, least = "", most = "", close] = /^([[<])([^;]*);([^;]*)([\]>])$/.exec(text) ?? [];
  if (open === undefined) return isNumber.test(text) ? `word ${text}` : "unknown";
  return interval(least || "-Infinity", most || "Infinity", [open === "<", close === ">"]);
}

const weightsIn = (text: string): string =>
  [...text.matchAll(/\[(-?\d+)\]:"([^"]*)"|"([^"]*)"/g)]
    .map(([, weight = "1", value, alone]) => `${value ?? alone}=${weight}`)
    .sort()
    .join();

const numbersIn = (text: string): string =>
  (text.match(/\{(.*)\}/)?.[1] ?? "")
    .split(",")
    .map((each) => `${each}=1`)
    .sort()
    .join();

const equivalents = ({ items = [] }: RecordedTerm): string => `any of ${items.map(wordsIn).join(", ")}`;

/** What each kind of a term of Vespa looks for. */
// biome-ignore format: a table
const kinds: Readonly<Record<string, (term: RecordedTerm) => string>> = {
  Word:          (term) => `word ${wordsIn(term)}`,
  ExactString:   (term) => `word ${term.text}`,
  Phrase:        (term) => `word ${wordsIn(term)}`,
  PhraseSegment: (term) => `word ${wordsIn(term)}`,
  Int:           (term) => rangeIn(term.text),
  Range:         (term) => rangeIn(term.text),
  Prefix:        (term) => `prefix ${term.text.replace(/\*$/, "")}`,
  Suffix:        (term) => `suffix ${term.text.replace(/^\*/, "")}`,
  Substring:     (term) => `substring ${term.text.replace(/^\*|\*$/g, "")}`,
  RegExp:        (term) => `regular ${term.text}`,
  Fuzzy:         (term) => `fuzzy ${term.text}`,
  Equiv:         equivalents,
  WeightedSet:   (term) => `weighted ${weightsIn(term.text)}`,
  NumericIn:     (term) => `weighted ${numbersIn(term.text)}`,
  StringIn:      (term) => `weighted ${weightsIn(term.text)}`,
  DotProduct:    (term) => `product ${weightsIn(term.text)}`,
  Wand:          (term) => `product ${weightsIn(term.text)}`,
};

/** Of operators of several values the index is in the text. */
const fieldOf = ({ index, text, items: [first] = [] }: RecordedTerm): string =>
  index ||
  first?.index ||
  /(?:WEIGHTEDSET|STRING_IN|NUMERIC_IN|DOTPRODUCT|WAND\([^)]*\)) (\w+)/.exec(text)?.[1] ||
  "default";

function ofVespa(term: RecordedTerm): string {
  const { weight = 100, label = "", significance = "", documentFrequency = "" } = term;
  const looksFor = kinds[term.kind]?.(term) ?? term.kind;
  return [fieldOf(term), looksFor, weight, label, significance, documentFrequency].join(" | ");
}

function ofPattern(pattern: TermPattern, field: string): string {
  switch (pattern.kind) {
    case "words":
      return `word ${isWhole(field) ? pattern.text : pattern.words.join(" ")}`;
    case "range":
      if (pattern.least === pattern.most) return `word ${pattern.least}`;
      return interval(`${pattern.least}`, `${pattern.most}`, [pattern.excludesLeast, pattern.excludesMost]);
    case "weighted":
    case "product":
      return `${pattern.kind} ${[...pattern.weights].map(([value, weight]) => `${value}=${weight}`).sort()}`;
    case "equivalent":
      return `any of ${pattern.terms.map((each) => ofPattern(each.pattern, field).slice("word ".length)).join(", ")}`;
    case "neighbours":
    case "unknown":
      return pattern.kind;
    default:
      return `${pattern.kind} ${pattern.text}`;
  }
}

function ofOurs({ pattern, fields, weight, label, significance, documentFrequency }: QueryTerm): string {
  const field = fields.length > 1 ? "default" : (fields[0] ?? "");
  const frequency =
    documentFrequency && `{frequency: ${documentFrequency.frequency}, count: ${documentFrequency.count}}`;
  return [field, ofPattern(pattern, field), weight, label ?? "", significance ?? "", frequency ?? ""].join(
    " | ",
  );
}

function differences(each: Recorded): object | undefined {
  const { query } = readQuery({ name: "query", text: JSON.stringify(each.request) });
  const found = termsOf(query, profile)?.map(ofOurs);
  // A phrase without words finds nothing, and is no term here.
  const expected = each.terms?.filter(({ items }) => items?.length !== 0).map(ofVespa);
  return JSON.stringify(found) === JSON.stringify(expected)
    ? undefined
    : { ...each.request, found, expected };
}

describe("requests have the terms of Vespa's container", () => {
  const valid = recorded.filter(({ terms }) => terms !== undefined);
  const groupOf = ({ request: { yql, type = "" } }: Recorded): string =>
    yql === undefined ? `of type ${type}` : "in YQL";
  test.each([...new Set(valid.map(groupOf))])("%s", (group) => {
    const all = valid.filter((each) => groupOf(each) === group);
    expect(all.map(differences).filter((each) => each !== undefined)).toEqual([]);
  });
});
