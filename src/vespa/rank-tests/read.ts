import { isList, isObject, type JsonValue, shown } from "../../formats/json/text.js";
import { nearest } from "../../language/source/nearest.js";
import { type Problem, problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { readFeed } from "../documents/feed.js";
import { type Query, readQuery } from "../documents/query.js";
import { featureKey, readFeatures } from "../ranking/injected.js";
import type { NeighbourSearch } from "../ranking/neighbour-searches.js";
import { defaultTolerance, type RankTest, type RankTestFile, type TestDocument } from "./model.js";
import { readYaml, type YamlEntry, type YamlValue } from "./yaml.js";

/** The text of another file that a test names, by its path from the test's folder; or what is wrong with it. */
export type ReadFile = (path: string, span: Span) => Source | Problem;

/** Reads a file of rank tests. What one test lacks does not hide the others. */
export async function readRankTests(
  source: Source,
  readFile: ReadFile,
): Promise<{ readonly file: RankTestFile; readonly problems: readonly Problem[] }> {
  const { value, problems } = await readYaml(source);
  const reader = new Reader(readFile, [...problems]);
  const file = value === undefined ? { package: undefined, tests: [] } : reader.file(value);
  return { file, problems: reader.problems };
}

const common = [
  "name",
  "profile",
  "query",
  "document",
  "documents",
  "features",
  "neighbours",
  "now",
  "tolerance",
];
const ofCases = [...common, "expect"];
const ofFiles = [...ofCases, "package", "cases", "table"];
const ofTables = ["give", "expect", "rows"];

/** What a test says so far: the file's own, then a case's over it. */
type Draft = Omit<RankTest, "name" | "span" | "profile"> & {
  readonly name: string | undefined;
  readonly profile: RankTest["profile"] | undefined;
};

const empty: Draft = {
  name: undefined,
  profile: undefined,
  inputs: new Map(),
  parameters: new Map(),
  properties: new Map(),
  documents: [],
  isList: false,
  features: new Map(),
  neighbours: undefined,
  now: undefined,
  tolerance: defaultTolerance,
  expected: [],
};

class Reader {
  constructor(
    private readonly readFile: ReadFile,
    readonly problems: Problem[],
  ) {}

  file(root: YamlValue): RankTestFile {
    const parts = this.object(root, ofFiles);
    const base = this.draft(parts, empty);
    // What is wrong with the file itself would be wrong in each of its tests.
    const isSound = this.problems.length === 0;
    const path = this.text(parts.get("package"));
    const folder = path === undefined ? undefined : { path, span: (parts.get("package") ?? root).span };
    const cases = [...this.cases(parts.get("cases"), base), ...this.table(parts.get("table"), base)];
    const isAlone = !parts.has("cases") && !parts.has("table");
    const tests = isAlone ? this.test(base, root, "test") : cases;
    return { package: folder, tests: isSound ? tests : [] };
  }

  private cases(list: YamlValue | undefined, base: Draft): RankTest[] {
    if (list === undefined) return [];
    if (!isList(list.value)) this.complain(list, "a list of cases");
    return list.entries.flatMap(({ value }, at) => {
      const before = this.problems.length;
      const draft = this.draft(this.object(value, ofCases), { ...base, name: undefined });
      return this.problems.length > before ? [] : this.test(draft, value, `case ${at + 1}`);
    });
  }

  /** Columns that are given, columns that are expected, and rows of values for both. */
  private table(table: YamlValue | undefined, base: Draft): RankTest[] {
    if (table === undefined) return [];
    const parts = this.object(table, ofTables);
    const [give, expect] = ["give", "expect"].map((key) => this.names(parts.get(key)));
    return (parts.get("rows")?.entries ?? []).flatMap(({ value: row }, at) => {
      const columns = [...(give ?? []), ...(expect ?? [])];
      if (row.entries.length !== columns.length)
        return this.complain(row, `${columns.length} values, one for each column`);
      const cells = row.entries.map(({ value }) => value);
      const split = give?.length ?? 0;
      const features = (give ?? []).map((name, column) => [featureKey(name), cells[column]?.json] as const);
      const expected = (expect ?? []).map((name, column) => ({ name, cell: cells[split + column] }));
      const draft: Draft = {
        ...base,
        name: undefined,
        features: new Map([...base.features, ...present(features)]),
        expected: [
          ...base.expected,
          ...expected.flatMap(({ name, cell }) =>
            cell === undefined ? [] : [{ name: featureKey(name), span: cell.span, value: cell.json }],
          ),
        ],
      };
      const shownRow = cells
        .slice(0, split)
        .map((cell, column) => `${give?.[column]}=${JSON.stringify(cell.value)}`);
      return this.test(draft, row, `row ${at + 1}${split === 0 ? "" : `: ${shownRow.join(", ")}`}`);
    });
  }

  private draft(parts: ReadonlyMap<string, YamlValue>, base: Draft): Draft {
    const query = this.query(parts.get("query"));
    const listed = parts.get("documents");
    const one = parts.get("document");
    const documents = listed
      ? this.documents(listed)
      : one
        ? this.merged(base.documents, one)
        : base.documents;
    const name = this.text(parts.get("name"));
    const profile = this.text(parts.get("profile"));
    const tolerance = this.number(parts.get("tolerance"));
    const now = this.number(parts.get("now"));
    return {
      name: name ?? base.name,
      profile:
        profile === undefined ? base.profile : { name: profile, span: parts.get("profile")?.span ?? noSpan },
      inputs: new Map([...base.inputs, ...query.inputs]),
      parameters: new Map([...base.parameters, ...query.parameters]),
      properties: new Map([...base.properties, ...query.properties]),
      documents,
      isList: listed !== undefined || (one === undefined && base.isList),
      features: new Map([...base.features, ...this.features(parts.get("features"))]),
      neighbours: this.neighbours(parts.get("neighbours")) ?? base.neighbours,
      now: now ?? base.now,
      tolerance: tolerance ?? base.tolerance,
      expected: [...base.expected, ...this.expected(parts.get("expect"))],
    };
  }

  private test(draft: Draft, { span }: YamlValue, name: string): RankTest[] {
    if (draft.expected.length === 0) this.problems.push(problem("test/nothing", span, {}));
    if (draft.profile === undefined)
      this.problems.push(problem("ranking/profile", span, { name: "", known: [], nearest: undefined }));
    if (draft.expected.length === 0 || draft.profile === undefined) return [];
    const own = new Map(draft.expected.map((each) => [each.name, each]));
    return [
      { ...draft, name: draft.name ?? name, span, profile: draft.profile, expected: [...own.values()] },
    ];
  }

  private expected(value: YamlValue | undefined): RankTest["expected"] {
    if (value === undefined) return [];
    if (!isObject(value.value)) return this.complain(value, "names and the values expected of them");
    return value.entries.map(({ key, keySpan, value }) => ({
      name: key === "ranking" || key === "scores" ? key : featureKey(key),
      span: keySpan,
      value: value.json,
    }));
  }

  private features(value: YamlValue | undefined): Map<string, JsonValue> {
    if (value === undefined) return new Map();
    if (typeof value.value === "string") {
      const source = this.readFile(value.value, value.span);
      const read = "code" in source ? { features: new Map(), problems: [source] } : readFeatures(source);
      this.problems.push(...read.problems);
      return new Map(read.features);
    }
    if (!isObject(value.value))
      this.complain(value, "names of features and their values, or the path of a file");
    return new Map(value.entries.map(({ key, value }) => [featureKey(key), value.json]));
  }

  private neighbours(value: YamlValue | undefined): NeighbourSearch[] | undefined {
    return value?.entries.flatMap(({ value: each }) => {
      const parts = this.object(each, ["field", "query", "label"]);
      const [field, query, label] = ["field", "query", "label"].map((key) => this.text(parts.get(key)));
      return field === undefined || query === undefined
        ? this.complain(each, "a field and the input that it is compared with: { field: f, query: q }")
        : [{ field, query, label }];
    });
  }

  /** A request, or the path of one; inputs may also be called by their features alone: `query(q)`. */
  private query(value: YamlValue | undefined): Omit<Query, "profile"> {
    const none = { inputs: new Map(), properties: new Map(), parameters: new Map() };
    if (value === undefined) return none;
    if (typeof value.value === "string") {
      const source = this.readFile(value.value, value.span);
      if ("code" in source) this.problems.push(source);
      const read = "code" in source ? { query: undefined, problems: [] } : readQuery(source);
      this.problems.push(...read.problems);
      return read.query ?? none;
    }
    if (!isObject(value.value)) this.complain(value, "a query: names and values, or the path of a file");
    const entries = value.entries.map(({ key, value }): [string, JsonValue] => [key, value.json]);
    const beginnings = /^(?:input|ranking\.features|rankfeature)\./;
    const [inputs, properties, parameters] = [new Map(), new Map(), new Map()];
    for (const [key, given] of entries) {
      const name = key.replace(beginnings, "");
      const property = /^(?:ranking\.properties|rankproperty)\.(.+)$/.exec(key)?.[1];
      if (property !== undefined) properties.set(property, given);
      else if (name !== key || /^query\(/.test(name)) inputs.set(featureKey(name), given);
      else if (key === "input" && isObject(given.value)) {
        for (const [inner, each] of given.entries()) inputs.set(featureKey(inner), each);
      } else parameters.set(key, given);
    }
    return { inputs, properties, parameters };
  }

  /** The document of a case has the fields of the file's, but for those that it gives itself. */
  private merged(before: readonly TestDocument[], value: YamlValue): TestDocument[] {
    const [first] = before;
    const [own] =
      typeof value.value === "string" ? this.feed(value.value, value.span) : [this.document(value)];
    if (own === undefined) return [];
    const fields = new Map([...(first?.fields ?? []), ...own.fields]);
    return [{ id: own.id ?? first?.id, fields, features: own.features }];
  }

  private documents(value: YamlValue): TestDocument[] {
    if (typeof value.value === "string") return this.feed(value.value, value.span);
    if (!isList(value.value)) this.complain(value, "a list of documents, or the path of a feed");
    return value.entries.map(({ value }) => this.document(value));
  }

  private feed(path: string, span: Span): TestDocument[] {
    const source = this.readFile(path, span);
    if ("code" in source) {
      this.problems.push(source);
      return [];
    }
    return [...readFeed(source)].flatMap(({ document, problems }) => {
      this.problems.push(...problems);
      return document === undefined
        ? []
        : [{ id: document.id, fields: document.fields, features: new Map() }];
    });
  }

  /** The fields themselves, or a put operation with them; beside them, features of this document. */
  private document(value: YamlValue): TestDocument {
    if (!isObject(value.value)) this.complain(value, "the fields of a document");
    const parts = new Map(value.entries.map(({ key, value }) => [key, value]));
    const inner = parts.get("fields");
    const isOperation = isObject(inner?.value);
    const fields = isOperation ? (inner?.entries ?? []) : value.entries;
    const id = this.text(parts.get("put") ?? parts.get("id"));
    const named = fields.filter(({ key }) => isOperation || (key !== "put" && key !== "id"));
    return {
      id,
      fields: new Map(named.map(({ key, value }: YamlEntry) => [key, value.json])),
      features: this.features(isOperation ? parts.get("features") : undefined),
    };
  }

  /** The members of an object by key, of which nothing may be called otherwise. */
  private object(value: YamlValue, known: readonly string[]): Map<string, YamlValue> {
    if (!isObject(value.value)) this.complain(value, `an object with some of ${known.join(", ")}`);
    for (const { key, keySpan } of isObject(value.value) ? value.entries : []) {
      if (known.includes(key)) continue;
      this.problems.push(problem("test/key", keySpan, { key, known, nearest: nearest(key, known) }));
    }
    return new Map(isObject(value.value) ? value.entries.map(({ key, value }) => [key, value]) : []);
  }

  private names(value: YamlValue | undefined): string[] {
    if (value === undefined) return [];
    if (!isList(value.value)) this.complain(value, "a list of names");
    return value.entries.map(({ value }) => `${value.value}`);
  }

  private text(value: YamlValue | undefined): string | undefined {
    if (value === undefined || typeof value.value === "string") return value?.value as string | undefined;
    return void this.complain(value, "a text");
  }

  private number(value: YamlValue | undefined): number | undefined {
    if (value === undefined || typeof value.value === "number") return value?.value as number | undefined;
    return void this.complain(value, "a number");
  }

  private complain({ span, path, value }: YamlValue, wanted: string): [] {
    this.problems.push(problem("json/shape", span, { path, found: shown(value), wanted }));
    return [];
  }
}

const noSpan: Span = { source: { name: "", text: "" }, start: 0, end: 0 };

const present = <V>(entries: readonly (readonly [string, V | undefined])[]): [string, V][] =>
  entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

/** That a file which a test names cannot be read. */
export const problemOfFile = (path: string, reason: string, span: Span): Problem =>
  problem("file/unreadable", span, { path, reason });
