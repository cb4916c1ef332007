import type { JsonValue } from "../../formats/json/value.js";
import { readYaml } from "../../formats/yaml/read.js";
import { append, mapTuple } from "../../language/source/lists.js";
import { nearest } from "../../language/source/nearest.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { element } from "../../language/values/element.js";
import { problem as programProblem } from "../../program/messages.js";
import { corpusOf } from "../documents/corpus.js";
import { bareFields, readFeed } from "../documents/feed.js";
import { type Query, readQuery, sorted } from "../documents/query.js";
import { featureKey, readFeatures } from "../ranking/features/injected-features.js";
import { problem as rankingProblem } from "../ranking/messages.js";
import type { NeighbourSearch } from "../ranking/neighbours/nearest-neighbour.js";
import { type ExpectedInTest, problem } from "./messages.js";
import { defaultTolerance, type RankTest, type RankTestFile, type TestDocument } from "./model.js";

/** The text of another file that a test names, by its path from the test's folder; or what is wrong with it. */
export type ReadFile = (path: string, span: Span) => Source | Problem;

/** Reads a file of rank tests. What one test lacks does not hide the others. */
export async function readRankTests(
  source: Source,
  readFile: ReadFile,
): Promise<{ readonly file: RankTestFile; readonly problems: readonly Problem[] }> {
  const { tree, problems } = await readYaml(source);
  const reader = new Reader(readFile, [...problems]);
  const file = tree === undefined ? { package: undefined, tests: [] } : reader.file(tree);
  return { file, problems: reader.problems };
}

const common = [
  "name",
  "profile",
  "query",
  "document",
  "documents",
  "parents",
  "features",
  "neighbours",
  "now",
  "tolerance",
];
const ofCases = [...common, "expect"];
const ofFiles = [...ofCases, "package", "cases", "table"];
const ofTables = ["give", "expect", "rows"];

/** What a test says so far: the file's own, then a case's over it. */
type TestDraft = Omit<RankTest, "name" | "span" | "profile"> & {
  readonly name: string | undefined;
  readonly profile: RankTest["profile"] | undefined;
};

const empty: TestDraft = {
  name: undefined,
  profile: undefined,
  inputs: new Map(),
  parameters: new Map(),
  properties: new Map(),
  documents: [],
  parents: undefined,
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

  file(root: JsonValue): RankTestFile {
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

  private cases(list: JsonValue | undefined, base: TestDraft): RankTest[] {
    if (list === undefined) return [];
    if (list.kind !== "array") this.reportShape(list, "cases");
    return [...list.items()].flatMap((value, at) => {
      const before = this.problems.length;
      const draft = this.draft(this.object(value, ofCases), { ...base, name: undefined });
      return this.problems.length > before ? [] : this.test(draft, value, `case ${at + 1}`);
    });
  }

  /** Columns that are given, columns that are expected, and rows of values for both. */
  private table(table: JsonValue | undefined, base: TestDraft): RankTest[] {
    if (table === undefined) return [];
    const parts = this.object(table, ofTables);
    const [give, expect] = mapTuple(["give", "expect"], (key) => this.names(parts.get(key)));
    return [...(parts.get("rows")?.items() ?? [])].flatMap((row, at) => {
      const count = give.length + expect.length;
      const cells = [...row.items()];
      if (cells.length !== count) return this.reportShape(row, { kind: "row", count });
      const features = give.map((name, column) => [featureKey(name), element(cells, column)] as const);
      const expected = expect.map((name, column) => {
        const value = element(cells, give.length + column);
        return { name: featureKey(name), span: value.span, value };
      });
      const draft: TestDraft = {
        ...base,
        name: undefined,
        features: new Map([...base.features, ...features]),
        expected: [...base.expected, ...expected],
      };
      const shownRow = give.map((name, column) => `${name}=${JSON.stringify(element(cells, column).value)}`);
      return this.test(draft, row, `row ${at + 1}${give.length === 0 ? "" : `: ${shownRow.join(", ")}`}`);
    });
  }

  private draft(parts: ReadonlyMap<string, JsonValue>, base: TestDraft): TestDraft {
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
      parents: parts.has("parents") ? this.documents(parts.get("parents")) : base.parents,
      isList: listed !== undefined || (one === undefined && base.isList),
      features: new Map([...base.features, ...this.features(parts.get("features"))]),
      neighbours: this.neighbours(parts.get("neighbours")) ?? base.neighbours,
      now: now ?? base.now,
      tolerance: tolerance ?? base.tolerance,
      expected: [...base.expected, ...this.expected(parts.get("expect"))],
    };
  }

  private test(draft: TestDraft, { span }: JsonValue, name: string): RankTest[] {
    if (draft.expected.length === 0) this.problems.push(problem("test/nothing", span, {}));
    if (draft.profile === undefined)
      this.problems.push(
        rankingProblem("ranking/profile", span, {
          name: undefined,
          profiles: [],
          isShared: false,
          nearest: undefined,
        }),
      );
    if (draft.expected.length === 0 || draft.profile === undefined) return [];
    const own = new Map(draft.expected.map((each) => [each.name, each]));
    return [
      { ...draft, name: draft.name ?? name, span, profile: draft.profile, expected: [...own.values()] },
    ];
  }

  private expected(value: JsonValue | undefined): RankTest["expected"] {
    if (value === undefined) return [];
    if (value.kind !== "object") return this.reportShape(value, "expectations");
    return Array.from(value.entries(), ([key, each]) => ({
      name: ofTests.test(key.trim()) ? key.trim() : featureKey(key),
      span: each.keySpan,
      value: each,
    }));
  }

  private features(value: JsonValue | undefined): Map<string, JsonValue> {
    if (value === undefined) return new Map();
    if (value.string !== undefined) {
      const source = this.readFile(value.string, value.span);
      const read = "code" in source ? { features: new Map(), problems: [source] } : readFeatures(source);
      append(this.problems, read.problems);
      return new Map(read.features);
    }
    if (value.kind !== "object") this.reportShape(value, "features");
    return new Map(Array.from(value.entries(), ([key, each]) => [featureKey(key), each]));
  }

  private neighbours(value: JsonValue | undefined): NeighbourSearch[] | undefined {
    return (
      value &&
      [...value.items()].flatMap((each) => {
        const parts = this.object(each, ["field", "query", "label"]);
        const [field, query, label] = ["field", "query", "label"].map((key) => this.text(parts.get(key)));
        return field === undefined || query === undefined
          ? this.reportShape(each, "neighbour")
          : [{ field, query, label }];
      })
    );
  }

  /** A request, or the path of one; inputs may also be called by their features alone: `query(q)`. */
  private query(value: JsonValue | undefined): Omit<Query, "profile"> {
    const none = { inputs: new Map(), properties: new Map(), parameters: new Map() };
    if (value === undefined) return none;
    if (value.string !== undefined) {
      const source = this.readFile(value.string, value.span);
      if ("code" in source) this.problems.push(source);
      const read = "code" in source ? { query: undefined, problems: [] } : readQuery(source);
      append(this.problems, read.problems);
      const { inputs } = read.query ?? none;
      return {
        ...(read.query ?? none),
        inputs: new Map([...inputs].map(([name, each]) => [featureKey(name), each])),
      };
    }
    if (value.kind !== "object") this.reportShape(value, "query");
    const read = sorted(value.entries());
    const isInput = ([name]: readonly [string, JsonValue]): boolean => /^query\(/.test(name);
    const inputs = [...read.inputs, ...[...read.parameters].filter(isInput)];
    return {
      inputs: new Map(inputs.map(([name, each]) => [featureKey(name), each])),
      properties: read.properties,
      parameters: new Map([...read.parameters].filter((each) => !isInput(each))),
    };
  }

  /** The document of a case has the fields of the file's, but for those that it gives itself. */
  private merged(before: readonly TestDocument[], value: JsonValue): TestDocument[] {
    const [first] = before;
    const [own] = value.string !== undefined ? this.feed(value.string, value.span) : [this.document(value)];
    if (own === undefined) return [];
    const fields = new Map([...(first?.fields ?? []), ...own.fields]);
    return [{ id: own.id ?? first?.id, fields, features: own.features }];
  }

  private documents(value: JsonValue | undefined): TestDocument[] {
    if (value === undefined) return [];
    if (value.string !== undefined) return this.feed(value.string, value.span);
    if (value.kind !== "array") this.reportShape(value, "documents");
    return Array.from(value.items(), (each) => this.document(each));
  }

  private feed(path: string, span: Span): TestDocument[] {
    const source = this.readFile(path, span);
    if ("code" in source) {
      this.problems.push(source);
      return [];
    }
    const { documents, problems } = corpusOf(readFeed(source));
    append(this.problems, problems);
    return documents.map(({ id, fields }) => ({ id, fields, features: new Map() }));
  }

  /** The fields themselves, or a put operation with them; beside them, features of this document. */
  private document(value: JsonValue): TestDocument {
    if (value.kind !== "object") this.reportShape(value, "document");
    const parts = value.entries();
    const inner = parts.get("fields");
    const isOperation = inner?.kind === "object";
    const id = this.text(parts.get("put")) ?? parts.get("id")?.string;
    const named = isOperation ? inner.entries() : bareFields(value, id);
    return {
      id,
      fields: new Map([...named].filter(([key]) => isOperation || key !== "put")),
      features: this.features(isOperation ? parts.get("features") : undefined),
    };
  }

  /** The members of an object by key, of which nothing may be called otherwise. */
  private object(value: JsonValue, allowed: readonly string[]): ReadonlyMap<string, JsonValue> {
    if (value.kind !== "object") this.reportShape(value, { kind: "members", keys: allowed });
    for (const [key, { keySpan }] of value.entries()) {
      if (allowed.includes(key)) continue;
      this.problems.push(
        problem("test/key", keySpan, { key, keys: allowed, nearest: nearest(key, allowed) }),
      );
    }
    return value.entries();
  }

  private names(value: JsonValue | undefined): string[] {
    if (value === undefined) return [];
    if (value.kind !== "array") this.reportShape(value, "names");
    return Array.from(value.items(), (each) => each.label ?? `${each.value}`);
  }

  private text(value: JsonValue | undefined): string | undefined {
    if (value !== undefined && value.string === undefined) this.reportShape(value, "text");
    return value?.string;
  }

  private number(value: JsonValue | undefined): number | undefined {
    if (value !== undefined && value.number === undefined) this.reportShape(value, "number");
    return value?.number;
  }

  private reportShape(value: JsonValue, expected: ExpectedInTest): [] {
    const { span, path } = value;
    this.problems.push(problem("json/shape", span, { path, found: { kind: "value", value }, expected }));
    return [];
  }
}

const noSpan: Span = { source: { name: "", text: "" }, start: 0, end: 0 };

/** That a file which a test names cannot be read. */
export const problemOfFile = (path: string, reason: string, span: Span): Problem =>
  programProblem("file/unreadable", span, { path, reason });

/** Names that mean something else where values are expected, and those of functions that are called so. */
const ofTests = /^(?:ranking|scores|rankingExpression\((?:score|scores|ranking)\))$/;
