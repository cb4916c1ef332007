import { expect, test } from "vitest";
import { documentOf, type NewCell } from "../../src/web/document/page-document.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { Notebook } from "../../src/web/worker/notebook.js";

/** Programs that somebody writes into a cell, where an expression belongs. */

const cell = (text: string, name = ""): NewCell => ({ kind: "expression", name, text });
const pasted = "# Two\nf(x) = x + 1\ninput q: tensor(x[2])\nf(q)\n";

async function read(...cells: readonly NewCell[]) {
  const notebook = new Notebook();
  const document = documentOf(cells);
  const { signal } = new AbortController();
  const request = { cells: document.cells, dialect: "formalism", skipped: [] } as const;
  await notebook.evaluate(request, { signal, note: () => undefined });
  const program = await handlers(notebook).convert(
    { to: "program", cells: document.cells },
    { signal, note: () => undefined as never },
  );
  return { hints: notebook.run(1)?.report.problems.map(({ hint }) => hint), text: program.cells[0]?.text };
}

test("a program that was pasted into a cell is told how to become one, and becomes it", async () => {
  const { hints, text } = await read(cell(pasted), cell("1 + 1"), cell("f(", "broken"));
  expect(hints).toEqual([
    "these are several statements: Program, above the cells, makes one program of the page",
  ]);
  expect(text).toBe(`${pasted}1 + 1\n#@ {"op":"e","p":{"n":"broken","e":"f("}}\n`);
});

test("one definition is told where its name belongs, and is one of the program", async () => {
  const { hints, text } = await read(cell("a = 3"), cell("a + 1"));
  expect(hints).toEqual([
    "to define a, write it in front of the cell, and here its value; to compare, write ==",
  ]);
  expect(text).toBe("a = 3\na + 1\n");
});

test("a text that is no program, or that has a name, is kept as it is", async () => {
  const { text } = await read(cell("1 +"), cell("a = 3", "b"));
  expect(text).toBe(`#@ {"op":"e","p":{"n":"","e":"1 +"}}\n#@ {"op":"e","p":{"n":"b","e":"a = 3"}}\n`);
});
