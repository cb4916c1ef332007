import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { documentOf, type NewCell } from "../../src/web/document/page-document.js";
import { programText } from "../../src/web/share/vespa-cells.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { Notebook } from "../../src/web/worker/notebook.js";
import { distinctlyNamed } from "../../src/web/worker/renaming.js";

/** A name may be given twice on a page, where it means the last cell above; in a program it may not. */

const cell = (text: string, name = ""): NewCell => ({ kind: "expression", name, text });

async function computed(...cells: readonly NewCell[]) {
  const notebook = new Notebook();
  const document = documentOf(cells);
  const { signal } = new AbortController();
  const request = { cells: document.cells, dialect: "formalism", skipped: [] } as const;
  await notebook.evaluate(request, { signal, note: () => undefined });
  return { notebook, cells: document.cells };
}

test("the cells of a page are a program in which each name is given once, with the same values", async () => {
  const { notebook, cells } = await computed(
    cell("1", "a"),
    cell("a + 1", "a"),
    cell("map(a, f(a)(a * 10)) + max(tensor(a[2]):[3,4], a)"),
    cell("5", "query(q)"),
    cell("a + query(q)", "a_1"),
    cell("7", "query(q)"),
    cell("5", "a"),
    cell("a + a_1 + query(q)"),
  );
  expect([3, 8].map((id) => notebook.value(id, "")?.tensor.asNumber())).toEqual([24, 19]);
  const text = programText(distinctlyNamed(notebook, cells));
  expect(
    compile(text)
      .runAll()
      .results.map((each) => each.asNumber()),
  ).toEqual([24, 19]);
  expect(text).toContain("a_2 = 1");
});

test("where each name is given once, nothing is changed", async () => {
  const { notebook, cells } = await computed(cell("1", "a"), cell("a + 1", "b"), cell("b"));
  expect(distinctlyNamed(notebook, cells)).toBe(cells);
});

test("a name that is made distinct is none that a text binds", async () => {
  const { notebook, cells } = await computed(
    cell("2", "a"),
    cell("sum(tensor(a_1[3])(a_1 * a)) + sum(map(tensor(x[2]):[1,2], f(a_2)(a_2 * a)))"),
    cell("3", "a"),
    cell("a"),
  );
  const values = compile(programText(distinctlyNamed(notebook, cells))).runAll().results;
  expect(values.map((each) => each.asNumber())).toEqual([12, 3]);
});

test("the page becomes that program", async () => {
  const { notebook, cells } = await computed(cell("1", "a"), cell("a + 1", "a"), cell("a * 2"));
  const { signal } = new AbortController();
  const { convert } = handlers(notebook);
  const program = await convert({ to: "program", cells }, { signal, note: () => undefined as never });
  expect(program.cells).toEqual([{ kind: "program", text: "a_1 = 1\na = a_1 + 1\na * 2\n" }]);
});

test("blanks around a name, as keyboards of phones leave them, are not of it", async () => {
  const { notebook, cells } = await computed(cell("2", " a "), cell("a * 3"));
  expect(notebook.value(2, "")?.tensor.asNumber()).toBe(6);
  expect(programText(cells)).toBe("a = 2\na * 3\n");
  const { signal } = new AbortController();
  const { convert } = handlers(notebook);
  const program = await convert({ to: "program", cells }, { signal, note: () => undefined as never });
  expect(program.cells).toEqual([{ kind: "program", text: "a = 2\na * 3\n" }]);
});
