import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SphexError } from "../../src/index.js";
import { programIn } from "../../src/vespa/compat/compat.js";
import { pageCells } from "../../src/web/document/page-cells.js";
import { documentOf, type NewCell, type PageDocument } from "../../src/web/document/page-document.js";
import { storedText } from "../../src/web/document/storage.js";
import { examples } from "../../src/web/learn/examples.js";
import { documentInLink, linksTo } from "../../src/web/share/link.js";
import { holds } from "../chance.js";
import { casesOf, hasCases } from "../conformance/cases.js";

/** Links of the page, which the playground of Vespa's documentation opens too, and the other way round. */
const base = "https://sphex.example/page/";
const same = (document: PageDocument): unknown => JSON.parse(storedText(document));

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "a", "sum(a)", "query(q)", "<b>", "__proto__", "é\u2028"),
);
const expression = fc.record({
  kind: fc.constant("expression" as const),
  name: texts,
  text: texts,
  views: fc.dictionary(texts, fc.record({ kind: fc.constantFrom("heat" as const, "list" as const) })),
});
const remark = fc.record({ kind: fc.constant("remark" as const), text: texts });
const dialect = fc.constantFrom("formalism" as const, "vespa" as const);
const cells = fc.array(fc.oneof(expression, remark), { maxLength: 6 });

describe("links", () => {
  test("every document of cells comes back from its own link, with its views and its dialect", async () => {
    await holds(
      fc.asyncProperty(cells, dialect, async (each, dialect) => {
        const document = documentOf(each, { dialect });
        const { own } = await linksTo(document, base);
        expect(own.startsWith(`${base}#`)).toBe(true);
        expect(same(await documentInLink(own))).toEqual(same(document));
      }),
    );
  });

  test("the playground of Vespa reads the cells of our links, and our page reads those of its links", async () => {
    await holds(
      fc.asyncProperty(cells, async (each) => {
        const { own, playground = "" } = await linksTo(documentOf(each), base);
        const inOurs = await programIn(own);
        expect(pageCells(inOurs)).toEqual(each.map(withoutViews));
        expect(await programIn(playground)).toEqual(inOurs);
        expect((await documentInLink(playground)).cells.map(({ text }) => text)).toEqual(
          each.map(({ text }) => text),
        );
      }),
    );
  });

  test("a program comes back as it was written, and as cells in the playground", async () => {
    const text = "# Twice\n\ninput query(q) = 3\n\n\nanswer = query(q) * 2\nanswer + 1\n";
    const document = documentOf([{ kind: "program", text }], { mode: "program", dialect: "formalism" });
    const { own, playground = "" } = await linksTo(document, base);
    expect(same(await documentInLink(own))).toEqual(same(document));
    const formula = (name: string, expression: string) => ({ kind: "formula", name, expression });
    const expected = [
      { kind: "remark", text: "Twice" },
      formula("query(q)", "3"),
      formula("answer", "query(q) * 2"),
      formula("", "answer + 1"),
    ];
    expect(await programIn(playground)).toEqual(expected);
    expect(await programIn(own)).toEqual(expected);
  });

  test("a program that no cells can say has a link to this page alone", async () => {
    const document = documentOf([{ kind: "program", text: "twice(x) = 2 * x\ntwice(3)" }], {
      mode: "program",
    });
    const { own, playground } = await linksTo(document, base);
    expect(playground).toBeUndefined();
    expect(same(await documentInLink(own))).toEqual(same(document));
  });

  test("a link of the playground is read as Vespa reads it", async () => {
    const { playground = "" } = await linksTo(
      documentOf([{ kind: "expression", name: "a", text: "2" }]),
      base,
    );
    expect((await documentInLink(playground)).dialect).toBe("vespa");
  });

  test("an extension from outside that is not ours leaves the cells as they are", async () => {
    const { packedLink } = await import("../../src/vespa/compat/compat.js");
    for (const sphex of [
      7,
      null,
      [],
      { dialect: "x", views: { 0: { "": { kind: "<b>", rows: 3 } } } },
      { program: {} },
    ]) {
      const json = JSON.stringify({ f: [{ op: "e", p: { n: "a", e: "2" } }], sphex });
      const document = await documentInLink(await packedLink(json, "#"));
      expect(document.cells.map(({ kind, text }) => ({ kind, text }))).toEqual([
        { kind: "expression", text: "2" },
      ]);
    }
  });

  test("what is no link is a problem", async () => {
    for (const link of ["", "#", "#x", "#N4!A", "#AAAA", "https://example.com/"])
      await expect(documentInLink(link)).rejects.toThrow(SphexError);
  });

  test.each(examples)("the example $id has a link", async ({ cells }) => {
    const { own, playground = "" } = await linksTo(documentOf(pageCells(cells), { dialect: "vespa" }), base);
    expect(await programIn(playground)).toEqual(cells);
    expect(await programIn(own)).toEqual(cells);
  });
});

const withoutViews = (cell: NewCell): object =>
  cell.kind === "expression" ? { kind: cell.kind, name: cell.name, text: cell.text } : cell;

describe.skipIf(!hasCases("playground"))("the programs of Vespa's documentation", () => {
  test("come back from their links, both ways", async () => {
    const programs = programsOf(casesOf<{ source: string; expr: string }>("playground"));
    expect(programs.size).toBeGreaterThan(20);
    for (const [source, program] of programs) {
      const document = documentOf(program, { dialect: "vespa" });
      const { own, playground = "" } = await linksTo(document, base);
      expect(same(await documentInLink(playground)), source).toEqual(same(document));
      expect(same(await documentInLink(own)), source).toEqual(same(document));
    }
  });
});

/** The cells of each program, which the cases have one by one: `page.html:30 step 2 name`. */
function programsOf(
  cases: readonly { readonly source: string; readonly expr: string }[],
): Map<string, NewCell[]> {
  const programs = new Map<string, NewCell[]>();
  for (const { source, expr } of cases) {
    const [, program = "", name = ""] = /^(.*) step \d+ ?(.*)$/.exec(source) ?? [];
    programs.set(program, [...(programs.get(program) ?? []), { kind: "expression", name, text: expr }]);
  }
  return programs;
}
