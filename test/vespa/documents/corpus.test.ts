import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/formats/json/value.js";
import { parseType, type Tensor, type TensorType } from "../../../src/index.js";
import { corpusOf } from "../../../src/vespa/documents/corpus.js";
import { fedNumber, fedWhole } from "../../../src/vespa/documents/fed-values.js";
import { readFeed } from "../../../src/vespa/documents/feed.js";
import { fedTensor } from "../../../src/vespa/documents/tensor-updates.js";
import { type Command, command } from "../../command.js";

/** The documents that there are after a feed: as an engine has them, and not as they were written. */

const id = (name: number, type = "book"): string => `id:a:${type}::${name}`;
const put = (name: number, n: number, type?: string) => ({ put: id(name, type), fields: { n } });
const update = (name: number, change: Json) => ({ update: id(name), fields: { n: change } });
const remove = (name: number) => ({ remove: id(name) });

function corpus(...operations: readonly object[]) {
  const text = operations.map((each) => JSON.stringify(each)).join("\n");
  const { documents, problems } = corpusOf(readFeed({ name: "feed.jsonl", text }));
  const shown = documents.map(({ id, fields }) => [
    id?.replace(/.*::/, ""),
    Object.fromEntries([...fields].map(([name, { value }]) => [name, value])),
  ]);
  return { shown, codes: problems.map(({ code }) => code) };
}

/** The field n of the document that there is after these operations. */
function tensorOf(type: TensorType, ...operations: readonly object[]): Tensor | undefined {
  const text = operations.map((each) => JSON.stringify(each)).join("\n");
  const { documents, problems } = corpusOf(readFeed({ name: "feed.jsonl", text }));
  expect(problems).toEqual([]);
  return fedTensor(documents[0]?.fields.get("n"), type, { empty: 0, cells: 1000 });
}

describe("a corpus", () => {
  test("has the last of what was put, in the place of the first, and not what was removed", () => {
    const { shown, codes } = corpus(
      put(1, 1),
      put(2, 2),
      put(1, 3),
      put(3, 4),
      remove(2),
      put(2, 5),
      remove(9),
    );
    expect(shown).toEqual([
      ["1", { n: 3 }],
      ["3", { n: 4 }],
      ["2", { n: 5 }],
    ]);
    expect(codes).toEqual([]);
  });

  test("forgets the fields of a document that is put again, and keeps those that an update does not name", () => {
    const first = { put: id(1), fields: { n: 1, title: "a" } };
    expect(corpus(first, update(1, { assign: 7 })).shown).toEqual([["1", { n: 7, title: "a" }]]);
    expect(corpus(first, put(1, 7)).shown).toEqual([["1", { n: 7 }]]);
    expect(corpus(first, update(1, { assign: null })).shown).toEqual([["1", { n: null, title: "a" }]]);
  });

  // biome-ignore format: a table
  test.each([
    [{ increment: 2 },  8],
    [{ decrement: 2 },  4],
    [{ multiply: 2.5 }, 15],
    [{ divide: 4 },     1.5],
  ])("has the number that %j makes of 6", (change, n) => {
    expect(corpus(put(1, 6), update(1, change)).shown).toEqual([["1", { n }]]);
    expect(corpus({ put: id(1), fields: {} }, update(1, change)).shown).toEqual([["1", {}]]);
  });

  // What Vespa's own documents have of 7 in a field of type int, and of type double.
  test.each([
    [{ increment: 1.5 }, "8", 8.5],
    [{ multiply: 2.5 }, "17", 17.5],
    [{ divide: 2 }, "3", 3.5],
    [{ multiply: "2" }, "14", 14],
  ])("has the whole number that %j makes of 7 where a field has these", (change, whole, number) => {
    const text = [put(1, 7), update(1, change)].map((each) => JSON.stringify(each)).join("\n");
    const [document] = corpusOf(readFeed({ name: "feed.jsonl", text })).documents;
    const value = document?.fields.get("n");
    expect(value && [fedWhole(value), fedNumber(value)]).toEqual([whole, number]);
  });

  // What Vespa's own documents have of 5 in a field of type int; the texts are the changes of one update each.
  // biome-ignore format: a table
  test.each([
    [['{"divide":2}', '{"multiply":2}'],                       "4"],
    [['{"divide":2,"multiply":2}'],                            "4"],
    [['{"increment":1.5}', '{"increment":1.5}'],               "7"],
    [['{"increment":1,"assign":7}'],                           "7"],
    [['{"assign":7,"increment":1}'],                           "8"],
    [['{"increment":1,"increment":2}'],                        "8"],
    [['{"assign":1},"n":{"increment":2}'],                     "3"],
  ] as const)("has what %j make of 5, one after the other", (changes, whole) => {
    const updates = changes.map((each) => `{"update":"${id(1)}","fields":{"n":${each}}}`);
    const text = [JSON.stringify(put(1, 5)), ...updates].join("\n");
    const { documents, problems } = corpusOf(readFeed({ name: "feed.jsonl", text }));
    const value = documents[0]?.fields.get("n");
    expect([value && fedWhole(value), problems]).toEqual([whole, []]);
  });

  test("has what updates make of the zeros of a document that they create", () => {
    const text = JSON.stringify({ ...update(1, { increment: 3 }), create: true });
    const [document] = corpusOf(readFeed({ name: "feed.jsonl", text })).documents;
    const value = document?.fields.get("n");
    expect(value && [fedWhole(value), fedNumber(value)]).toEqual(["3", 3]);
  });

  test.each(["n[0]", "n{de}", "n.de"])("has nothing of an update of %s, and is told of it", (part) => {
    for (const change of [{ assign: 2 }, { increment: 2 }])
      expect(corpus(put(1, 1), { update: id(1), fields: { [part]: change } })).toEqual({
        shown: [["1", { n: 1 }]],
        codes: ["feed/operation"],
      });
  });

  const set = { p: 1, q: 2 };
  // biome-ignore format: a table
  test.each<[Json, Record<string, Json>, Json]>([
    [[5, 6],           { n: { add: [7, 5] } },                           [5, 6, 7, 5]],
    [[5, 6, 5],        { n: { remove: [5, 9] } },                        [6]],
    [[5, 6],           { n: { match: { element: 1, assign: 7 } } },      [5, 7]],
    [[5, 6],           { n: { match: { element: 2, assign: 7 } } },      [5, 6]],
    [[5, 6],           { "n[0]": { increment: 2 } },                     [7, 6]],
    [[5, 6],           { "n[0]": { remove: 0 } },                        [6]],
    [[5, 6],           { "n[2]": { assign: 1 } },                        [5, 6]],
    [set,              { n: { add: { r: 3, p: 9 } } },                   { q: 2, r: 3, p: 9 }],
    [set,              { n: { remove: { q: 0, z: 0 } } },                { p: 1 }],
    [set,              { n: { match: { element: "q", increment: 5 } } }, { p: 1, q: 7 }],
    [set,              { n: { match: { element: "z", increment: 5 } } }, set],
    [set,              { "n{p}": { assign: 5 }, "n{z}": { assign: 6 } }, { p: 5, q: 2, z: 6 }],
    [set,              { 'n{"p"}': { remove: 0 } },                      { q: 2 }],
    [{ a: 1 },         { "n.a": { multiply: 3 }, "n.b": { assign: 2 } }, { a: 3, b: 2 }],
    [{ k: [{ a: 1 }] }, { "n{k}[0].a": { decrement: 3 } },               { k: [{ a: -2 }] }],
    [null,             { n: { add: [1] } },                              [1]],
    [null,             { "n{p}": { assign: 1 } },                        { p: 1 }],
    [null,             { n: { remove: { p: 0 } } },                      null],
    [null,             { "n[0]": { assign: 1 } },                        null],
  ])("has of %j what %j makes of it", (before, fields, after) => {
    const first = { put: id(1), fields: { n: before } };
    expect(corpus(first, { update: id(1), fields })).toEqual({ shown: [["1", { n: after }]], codes: [] });
  });

  const cell = (k: string, value: number): Json => ({ address: { k }, value });
  const mixed = { a: [1, 2], b: [3, 4] };
  const sparse = { a: 1, b: 2 };
  // biome-ignore format: a table
  test.each<[string, Json, Json, string]>([
    ["(k{})",      sparse, { add: { cells: [cell("c", 9), cell("a", 7)] } },                           "{a:7.0, b:2.0, c:9.0}"],
    ["(k{})",      null,   { add: { cells: [cell("c", 9)] } },                                         "{c:9.0}"],
    ["(k{})",      sparse, { remove: { addresses: [{ k: "b" }, { k: "z" }] } },                        "{a:1.0}"],
    ["(k{})",      sparse, { modify: { operation: "multiply", cells: [cell("b", 3), cell("z", 3)] } }, "{a:1.0, b:6.0}"],
    ["(k{})",      sparse, { modify: { operation: "multiply", create: true, cells: [cell("z", 3)] } }, "{a:1.0, b:2.0, z:3.0}"],
    ["(x[3])",     [1, 2, 3], { modify: { operation: "add", cells: [{ address: { x: "1" }, value: 5 }] } }, "[1.0, 7.0, 3.0]"],
    ["(k{},x[2])", mixed,  { add: { blocks: { c: [7, 8] } } },                                         "{a:[1.0, 2.0], b:[3.0, 4.0], c:[7.0, 8.0]}"],
    ["(k{},x[2])", mixed,  { modify: { operation: "replace", blocks: { b: [5, 6] } } },                "{a:[1.0, 2.0], b:[5.0, 6.0]}"],
    ["(k{},x[2])", mixed,  { remove: { addresses: [{ k: "a" }] } },                                    "{b:[3.0, 4.0]}"],
  ])("has of a tensor%s that is %j what %j makes of it", (dimensions, before, change, after) => {
    const type = parseType(`tensor${dimensions}`);
    const first = { put: id(1), fields: { n: before } };
    expect(`${tensorOf(type, first, update(1, change))}`).toBe(`tensor${dimensions}:${after}`);
  });

  test("has one update of a tensor after the other", () => {
    const changes: Json[] = [{ add: { cells: [cell("c", 3)] } }, { remove: { addresses: [{ k: "a" }] } }];
    const first = { put: id(1), fields: { n: sparse } };
    const both = changes.map((each) => update(1, each));
    expect(`${tensorOf(parseType("tensor(k{})"), first, ...both)}`).toBe("tensor(k{}):{b:2.0, c:3.0}");
  });

  test.each<[string, Json, Json]>([
    ["tensor(x[3])", [1, 2, 3], { add: { cells: [] } }],
    ["tensor(x[3])", [1, 2, 3], { remove: { addresses: [] } }],
    ["tensor(k{})", sparse, { modify: { operation: "power", cells: [] } }],
    ["tensor(k{})", sparse, { remove: { a: 0 } }],
    ["tensor(k{})", sparse, { match: { element: "a", assign: 2 } }],
  ])("refuses where it reads a %s that is %j and updated by %j", (type, before, change) => {
    const first = { put: id(1), fields: { n: before } };
    expect(() => tensorOf(parseType(type), first, update(1, change))).toThrow(/is not computed here/);
  });

  test("has what an update creates, and is told of one that changes nothing, or is not computed", () => {
    const created = { ...update(1, { assign: 2 }), create: true };
    expect(corpus(created)).toEqual({ shown: [["1", { n: 2 }]], codes: [] });
    expect(corpus(put(2, 1), update(1, { assign: 2 })).codes).toEqual(["feed/no-document"]);
    expect(corpus(put(1, 1), update(1, { add: [2] })).codes).toEqual(["feed/operation"]);
    expect(corpus(put(1, 1), update(1, { match: { element: 0 } })).codes).toEqual(["feed/operation"]);
    expect(corpus(put(1, 1), update(1, { increment: "two" })).codes).toEqual(["feed/operation"]);
  });

  test("has nothing of an operation with a condition, and is told of it", () => {
    const conditional = { ...update(1, { assign: 2 }), condition: "doc.n > 3" };
    expect(corpus(put(1, 1), conditional)).toEqual({ shown: [["1", { n: 1 }]], codes: ["feed/condition"] });
    expect(corpus(put(1, 1), { ...remove(1), condition: "doc.n > 3" }).shown).toHaveLength(1);
    expect(corpus({ condition: "used" }).shown).toHaveLength(1);
  });

  test("has each document without an id", () => {
    expect(corpus({ fields: { n: 1 } }, { fields: { n: 1 } }).shown).toHaveLength(2);
  });
});

describe("a feed of two types", () => {
  const schema = (name: string, rest = ""): string =>
    `schema ${name} {\n  document ${name} {\n    field n type int { indexing: attribute }\n  }\n${rest}}\n`;
  const feed = [
    put(1, 1),
    put(1, 50, "author"),
    update(1, { assign: 70 }),
    put(2, 2),
    remove(2),
    put(3, 3),
    put(3, 4),
    put(4, 60, "author"),
  ];

  function shop(operations: readonly object[]): Command {
    const own = command();
    mkdirSync(join(own.folder, "schemas"));
    const lines = operations.map((each) => JSON.stringify(each)).join("\n");
    const files = {
      "schemas/book.sd": schema("book", "  rank-profile p { first-phase { expression: attribute(n) } }\n"),
      "schemas/author.sd": schema("author"),
      "feed.jsonl": lines,
      "queries.jsonl": '{"id":"x","yql":"select * from book where true"}',
      "judgments.txt": "x 0 id:a:book::1 1",
      "books.rank-test.yaml":
        "profile: p\ncases:\n  - documents: feed.jsonl\n    expect: {ranking: ['1', '3']}\n",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own.folder, name), text);
    return own;
  }

  test("is ranked by the documents that are left of the profile's own", async () => {
    const { run } = shop(feed);
    const { out, err } = await run(["score", ".", "--profile", "p", "--documents", "feed.jsonl", "--json"]);
    const hits: { id: string; score: number }[] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(hits.map(({ id, score }) => [id, score])).toEqual([
      ["id:a:book::1", 70],
      ["id:a:book::3", 4],
    ]);
    expect(err).toContain("2 documents of type author are not hits of the schema book");
  });

  test("with a line that is none tells so where its hits are told", async () => {
    const { folder, run } = shop(feed);
    writeFileSync(join(folder, "feed.jsonl"), `${JSON.stringify(put(1, 1))}\n{bad\n`);
    const { out, err, code } = await run([
      "score",
      ".",
      "--profile",
      "p",
      "--documents",
      "feed.jsonl",
      "--json",
    ]);
    const [first, second] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first.problems).toHaveLength(1);
    expect(second).toMatchObject({ id: "id:a:book::1", score: 1 });
    expect(err).toBe("");
    expect(code).toBe(1);
  });

  test("gives measures between 0 and 1", async () => {
    const { run } = shop(feed);
    const files = ["--documents", "feed.jsonl", "--queries", "queries.jsonl", "--judgments", "judgments.txt"];
    const { out } = await run(["score", ".", "--profile", "p", ...files]);
    expect(out).toMatch(/NDCG@10\s+1\.0/);
  });

  test("is the same in a rank test", async () => {
    const { run } = shop(feed);
    expect((await run(["test", "."])).code).toBe(0);
  });

  test("without a document of the schema has no hits, and says so", async () => {
    const { run } = shop([put(4, 60, "author")]);
    const { err, code } = await run(["score", ".", "--profile", "p", "--documents", "feed.jsonl"]);
    expect(err).toContain("there is no document of the schema book");
    expect(code).toBe(1);
  });
});
