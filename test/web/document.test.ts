import { expect, test } from "vitest";
import { type DocumentEdit, edited } from "../../src/web/document/edit.js";
import { historyOfDocuments, withEdit } from "../../src/web/document/edit-history.js";
import { documentOf, emptyDocument, type PageDocument } from "../../src/web/document/page-document.js";
import { storedDocument, storedText } from "../../src/web/document/storage.js";
import { historyOf, redone, undone } from "../../src/web/history.js";
import { movedTo } from "../../src/web/results/dimension-chips.js";
import { ScrollRange } from "../../src/web/results/scroll-range.js";

/** The document of the page: edits, undo, and the form in which it is kept. */
const two = documentOf([
  { kind: "remark", text: "# Two" },
  { kind: "expression", name: "a", text: "1" },
  { kind: "expression", name: "", text: "a" },
]);

const textsOf = ({ cells }: PageDocument): readonly string[] => cells.map(({ text }) => text);

// biome-ignore format: a table
test.each<{ says: string; edit: DocumentEdit; texts: readonly string[] }>([
  { says: "a cell is inserted",       edit: { kind: "insert", at: 1, cell: { kind: "remark", text: "new" } },             texts: ["# Two", "new", "1", "a"] },
  { says: "a cell is removed",        edit: { kind: "remove", id: 2 },                                                   texts: ["# Two", "a"] },
  { says: "a cell moves down",        edit: { kind: "move", id: 1, to: 2 },                                              texts: ["1", "a", "# Two"] },
  { says: "no cell moves off the end", edit: { kind: "move", id: 3, to: 3 },                                             texts: ["# Two", "1", "a"] },
  { says: "a text changes",           edit: { kind: "text", id: 3, text: "a + 1" },                                      texts: ["# Two", "1", "a + 1"] },
  { says: "several edits are one",    edit: { kind: "all", edits: [{ kind: "remove", id: 1 }, { kind: "text", id: 2, text: "2" }] }, texts: ["2", "a"] },
])("$says, and undo brings back what was there", ({ edit, texts }) => {
  expect(textsOf(edited(two, edit))).toEqual(texts);
  const history = withEdit(historyOf(two), edit, 0);
  expect((undone(history) ?? history).present).toBe(two);
});

test("an edit that changes nothing is the same document, and nothing to undo", () => {
  for (const edit of [
    { kind: "text", id: 2, text: "1" },
    { kind: "name", id: 2, name: "a" },
    { kind: "remove", id: 99 },
    { kind: "dialect", dialect: "formalism" },
  ] as const) {
    expect(edited(two, edit)).toBe(two);
    expect(undone(withEdit(historyOf(two), edit, 0))).toBeUndefined();
  }
});

test("a cell that comes after another was undone has a number of its own", () => {
  const insert = (kind: "remark" | "expression"): DocumentEdit => ({
    ...{ kind: "insert", at: 3 },
    cell: kind === "remark" ? { kind, text: "new" } : { kind, name: "", text: "new" },
  });
  const history = withEdit(
    undone(withEdit(historyOf(two), insert("remark"), 0)) ?? historyOf(two),
    insert("expression"),
    1,
  );
  expect(history.present.cells.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
});

test("documents that took the place of each other are undone, and no number is there twice", () => {
  const [first, second, third] = ["1", "2", "3"].map((text) =>
    documentOf([{ kind: "expression", name: "", text }]),
  );
  const history = historyOfDocuments([first ?? two, second ?? two, third ?? two]);
  const versions = [...history.past.map(({ state }) => state), history.present];
  expect(versions.map(textsOf)).toEqual([["1"], ["2"], ["3"]]);
  expect(versions.map(({ cells }) => cells[0]?.id)).toEqual([1, 2, 3]);
});

test("a cell that comes after another was removed has a number of its own", () => {
  const without = edited(two, { kind: "remove", id: 3 });
  const ids = edited(without, { kind: "insert", at: 0, cell: { kind: "remark", text: "" } }).cells.map(
    ({ id }) => id,
  );
  expect(ids).toEqual([4, 1, 2]);
  const replaced = edited(two, { kind: "replace", document: emptyDocument });
  expect(two.cells.map(({ id }) => id)).not.toContain(replaced.cells[0]?.id);
});

test("what is typed without a pause is taken back as a whole, and what comes later apart", () => {
  const typed = [
    { text: "12", at: 0 },
    { text: "123", at: 300 },
    { text: "1234", at: 5000 },
  ].reduce((history, { text, at }) => withEdit(history, { kind: "text", id: 2, text }, at), historyOf(two));
  const once = undone(typed);
  expect(once && textsOf(once.present)[1]).toBe("123");
  const twice = once && undone(once);
  expect(twice?.present).toBe(two);
  const again = twice && redone(twice);
  expect(again && textsOf(again.present)[1]).toBe("123");
});

test("an edit after undo forgets what was taken back", () => {
  const typed = withEdit(historyOf(two), { kind: "text", id: 2, text: "2" }, 0);
  const back = undone(typed) ?? typed;
  expect(redone(withEdit(back, { kind: "text", id: 3, text: "b" }, 9000))).toBeUndefined();
});

test("a document reads back as it was kept", () => {
  const view = { kind: "heat", rows: ["x"], columns: [], slices: { y: "2" } } as const;
  const viewed = edited({ ...two, dialect: "vespa" }, { kind: "view", id: 2, key: "", view });
  expect(storedDocument(storedText(viewed))).toEqual(viewed);
  const program = documentOf([{ kind: "program", text: "a = 1\na" }], { mode: "program" });
  expect(storedDocument(storedText(program))).toEqual(program);
});

test.each([
  "",
  "null",
  "[]",
  "{",
  '{"sphex":2,"mode":"cells","cells":[]}',
  '{"sphex":1,"mode":"cells","cells":[{"kind":"expression","text":1}]}',
  '{"sphex":1,"mode":"cells","cells":{"length":1}}',
])("%j is no document", (text) => expect(storedDocument(text)).toBeUndefined());

test("a program that stands among cells, or none in its mode, is read as cells: no text is lost", () => {
  const [program, remark] = ['{"kind":"program","text":"a = 1"}', '{"kind":"remark","text":"2"}'];
  for (const mode of ["cells", "program"])
    expect(storedDocument(`{"sphex":1,"mode":"${mode}","cells":[${program},${remark}]}`)).toMatchObject({
      mode: "cells",
      cells: [
        { kind: "expression", name: "", text: "a = 1" },
        { kind: "remark", text: "2" },
      ],
    });
  expect(storedDocument(`{"sphex":1,"mode":"program","cells":[${remark}]}`)?.mode).toBe("cells");
});

test("a program is all of its document: no cell is inserted beside it", () => {
  const program = documentOf([{ kind: "program", text: "1" }], { mode: "program" });
  const cell = { kind: "remark", text: "" } as const;
  expect(edited(program, { kind: "insert", at: 1, cell })).toBe(program);
});

test("a view that is not one is left out, and the rest of the document read", () => {
  const stored = storedDocument(
    '{"sphex":1,"mode":"cells","cells":[{"kind":"expression","text":"1","views":{"":{"kind":"pie","rows":[1],"slices":{"x":3}}}}]}',
  );
  expect(stored?.cells[0]).toMatchObject({ views: { "": { slices: { x: "3" } } } });
});

test("a dimension moves to another side, and is on no other", () => {
  const view = { rows: ["a"], columns: ["b"], slices: { c: "1" } };
  expect(movedTo(view, "a", "columns")).toEqual({ rows: [], columns: ["b", "a"], slices: { c: "1" } });
  expect(movedTo(view, "c", "rows")).toEqual({ rows: ["a", "c"], columns: ["b"], slices: {} });
  expect(movedTo(view, "b", "slices")).toEqual({ rows: ["a"], columns: [], slices: { c: "1" } });
  expect(movedTo(view, "other", "rows")).toEqual(view);
});

test.each([
  10, 1000, 1_000_000, 30_000_000,
])("of %i lines the first and the last can be scrolled to", (count) => {
  const range = new ScrollRange(count, 26, 364);
  expect(range.lines(0)[0]).toBe(0);
  const end = Math.max(0, range.extent - 364);
  expect(range.lines(end)[1]).toBe(count);
  const last = range.scrollFor(count - 1, 0);
  expect(range.lines(last)[1]).toBe(count);
  // Where the last line is drawn is in the part of the element that is in sight.
  const top = range.offset(count - 1, end);
  expect(top - end).toBeLessThanOrEqual(364 - 25);
});
