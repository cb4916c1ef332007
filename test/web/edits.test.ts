import { expect, test } from "vitest";
import { canonicalName, compile, evaluate, parseTensor, SphexError, type Tensor } from "../../src/index.js";
import { uniform } from "../../src/program/random.js";
import type { DocumentEdit } from "../../src/web/document/edit.js";
import { withEdit } from "../../src/web/document/edit-history.js";
import {
  type DocumentCell,
  documentOf,
  type NewCell,
  type PageDocument,
  viewKinds,
} from "../../src/web/document/page-document.js";
import { historyOf, redone, undone } from "../../src/web/history.js";
import type { CellReport, RequestName, RequestOf, ResponseOf } from "../../src/web/protocol.js";
import type { HandlerContext, Handlers } from "../../src/web/worker/handler.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { Notebook } from "../../src/web/worker/notebook.js";
import { seeds } from "../chance.js";
import { contents } from "../same.js";

/**
 * Whatever was edited before, a page shows what one shows that is opened on the document as it is, and its values are those
 * that the reference finds from the top to the bottom.
 */

/** The worker of a page, and what the page has heard of its cells. */
class OpenPage {
  private readonly notebook = new Notebook();
  private readonly handlers: Handlers = handlers(this.notebook);
  private readonly reports = new Map<number, CellReport>();

  async ask<Name extends RequestName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>> {
    const context = { signal: new AbortController().signal, note: () => undefined };
    return await this.handlers[name](request, context as HandlerContext<Name>); // of what is told on the way nothing is heard
  }

  /** Computes a document: to its end, unless another one takes its place after so many reports. */
  async show({ cells, dialect }: PageDocument, mostReports = Number.POSITIVE_INFINITY): Promise<void> {
    const controller = new AbortController();
    let heard = 0;
    const note: HandlerContext<"evaluate">["note"] = (each) => {
      if (controller.signal.aborted || each.kind !== "report") return;
      this.reports.set(each.id, each);
      if (++heard >= mostReports) controller.abort();
    };
    await this.handlers.evaluate({ cells, dialect, skipped: [] }, { signal: controller.signal, note });
  }

  /** All that is shown of a cell, but for the time that it took. */
  async shown(cell: Exclude<DocumentCell, { kind: "remark" }>): Promise<unknown> {
    const report = this.reports.get(cell.id);
    if (report === undefined) return "not computed";
    const { milliseconds: _, values, ...rest } = report;
    const tables = values.map(async ({ table: _, ...value }) => {
      const { id, views } = cell;
      const request = {
        id,
        key: value.key,
        view: views[value.key] ?? {},
        rows: [0, 50],
        columns: [0, 50],
      } as const;
      return { value, table: await this.ask("table", request) };
    });
    return { ...rest, values: await Promise.all(tables) };
  }

  tensor(id: number, key: string): Tensor | undefined {
    return this.notebook.value(id, key)?.tensor;
  }

  /** The values of a cell, by their keys. */
  values(id: number): ReadonlyMap<string, Tensor> {
    return new Map(this.notebook.run(id)?.values.map(({ key, tensor }) => [key, tensor]));
  }
}

type RunnableCell = Exclude<DocumentCell, { kind: "remark" }>;

const runnableCells = ({ cells }: PageDocument): readonly RunnableCell[] =>
  cells.filter((cell): cell is RunnableCell => cell.kind !== "remark");

/** What the reference makes of each cell: its values by their keys; a name is that of the last cell above that has a value. */
function expectedValues(document: PageDocument): ReadonlyMap<number, ReadonlyMap<string, Tensor>> {
  const options = { dialect: document.dialect, backend: "reference" } as const;
  const scope = new Map<string, Tensor>();
  const valuesOf = (cell: RunnableCell): ReadonlyMap<string, Tensor> => {
    if (cell.kind === "program") return programValues(compile(cell.text, options));
    const inputs = Object.fromEntries([...scope].filter(([name]) => isMentioned(name, cell.text)));
    const tensor = evaluate(cell.text, inputs, options);
    if (cell.name !== "") scope.set(canonicalName(cell.name), tensor);
    return new Map([["", tensor]]);
  };
  return new Map(
    runnableCells(document).map((cell): [number, ReadonlyMap<string, Tensor>] => {
      try {
        return [cell.id, valuesOf(cell)];
      } catch (error) {
        if (error instanceof SphexError) return [cell.id, new Map<string, Tensor>()];
        throw error;
      }
    }),
  );
}

/** An input that no text mentions would be a mistake. */
const isMentioned = (name: string, text: string): boolean =>
  text.includes(name.replace(/[()]/g, " ").split(" ")[0] ?? "");

function programValues(program: ReturnType<typeof compile>): ReadonlyMap<string, Tensor> {
  const results = program.runAll();
  const unnamed = program.results.flatMap(({ name }, at): [string, Tensor][] => {
    const tensor = results.results[at];
    return name !== undefined || tensor === undefined ? [] : [[`${at + 1}`, tensor]];
  });
  return new Map([
    ...unnamed,
    ...[...program.values.keys()].map((name) => [name, results.value(name)] as const),
  ]);
}

const names = ["a", "b", "c", "query(q)", "x"] as const;

/** Edits as a hurried reader makes them: of a text, what comes next is often no expression yet. */
class Editing {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = uniform(seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  oneOf<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T; // of a list that is not empty
  }

  name(): string {
    return this.below(4) === 0
      ? ""
      : this.below(12) === 0
        ? this.oneOf(["query( q )", "1x", "a b"])
        : this.oneOf(names);
  }

  private operand(): string {
    const [name, number] = [this.oneOf(names), `${this.below(9) - 3}`];
    return this.oneOf([
      ...[name, name, name, number, `sum(${name})`, `reduce(${name}, max)`],
      ...[`tensor(x[3]):[1,${number},3]`, `tensor(k{}):{u:${number},v:2}`, `tensor(a[2])(a + ${number})`],
      ...[
        `sum(tensor(y[2],x[3])(y * x + ${name}))`,
        `${name}{x:1}`,
        `${name} {k:u}`,
        `map(${name}, f(x)(x * 2))`,
        `sum(tensor(a[2],x[3])(a + x) * ${name}, ${this.oneOf(["a", "x"])})`,
      ],
    ]);
  }

  text(): string {
    const { below } = this;
    const whole = this.oneOf([
      () => this.operand(),
      () => `${this.operand()} ${this.oneOf(["+", "-", "*", "=="])} ${this.operand()}`,
      () => `if (${this.operand()} > 1, ${this.operand()}, ${this.operand()})`,
      () =>
        this.oneOf([
          "",
          " ",
          "1 +",
          "nosuch(a)",
          "[1, 2]",
          "# a remark",
          "a = 1",
          "1\n2",
          "1/0",
          "))",
          "tensor(x[",
        ]),
    ])();
    return below.call(this, 12) === 0 ? whole.slice(0, this.below(whole.length + 1)) : whole;
  }

  program(): string {
    const lines = Array.from({ length: 1 + this.below(4) }, () =>
      this.below(3) === 0 ? this.text() : `${this.oneOf(["a", "b", "c"])} = ${this.text()}`,
    );
    return lines.join("\n");
  }

  cell(): NewCell {
    if (this.below(6) === 0) return { kind: "remark", text: `about ${this.oneOf(names)}` };
    return { kind: "expression", name: this.name(), text: this.text() };
  }

  edit({ cells, mode }: PageDocument): DocumentEdit {
    const { id, text } = this.oneOf(cells);
    const view = { kind: this.oneOf(viewKinds), rows: ["x"] };
    const everywhere: readonly (() => DocumentEdit)[] = [
      () => ({ kind: "view", id, key: this.oneOf(["", "a", "1"]), view }),
      () => ({ kind: "dialect", dialect: this.oneOf(["formalism", "vespa"] as const) }),
    ];
    if (mode === "program")
      return this.oneOf([...everywhere, () => ({ kind: "text", id, text: this.program() }) as const])();
    const at = this.below(text.length + 1);
    const typed =
      text.slice(0, at) + this.oneOf(["", "1", "a", " ", "(", "*2"]) + text.slice(at + this.below(2));
    return this.oneOf<() => DocumentEdit>([
      ...everywhere,
      () => ({ kind: "text", id, text: this.text() }),
      () => ({ kind: "text", id, text: this.text() }),
      () => ({ kind: "text", id, text: typed }),
      () => ({ kind: "name", id, name: this.name() }),
      () => ({ kind: "insert", at: this.below(cells.length + 1), cell: this.cell() }),
      () => (cells.length > 2 ? { kind: "remove", id } : { kind: "move", id, to: 0 }),
      () => ({ kind: "move", id, to: this.below(cells.length) }),
    ])();
  }
}

/** The document after a rename as the page does it: nothing of what is shown may mean anything else then. */
async function renamed(
  page: OpenPage,
  document: PageDocument,
  editing: Editing,
): Promise<DocumentEdit | undefined> {
  const { id, text } = editing.oneOf(runnableCells(document));
  const offset = editing.below(2) === 0 ? undefined : editing.below(text.length + 1);
  const renaming = await page.ask("rename", {
    id,
    offset,
    name: editing.oneOf(["fresh", "query(r)", "a", "x", "y", "if"]),
  });
  if ("refused" in renaming) return undefined;
  const texts = renaming.texts.map((each) => ({ kind: "text", ...each }) as const);
  const names = renaming.names.map((each) => ({ kind: "name", ...each }) as const);
  return { kind: "all", edits: [...texts, ...names] };
}

async function switched(
  page: OpenPage,
  { mode, cells, dialect }: PageDocument,
): Promise<DocumentEdit | undefined> {
  const to = mode === "cells" ? "program" : "cells";
  const { cells: converted, problems } = await page.ask("convert", { to, cells });
  if (problems.length > 0 || converted.length === 0) return undefined;
  return { kind: "replace", document: documentOf(converted, { mode: to, dialect }) };
}

const contentsOf = (values: ReadonlyMap<string, Tensor>): unknown =>
  [...values].map(([key, tensor]) => [key, contents(tensor)]).sort();

/** Shows a document, and compares it with a page that is opened on it, and with the reference. */
async function expectShown(page: OpenPage, document: PageDocument): Promise<void> {
  await page.show(document);
  const opened = new OpenPage();
  await opened.show(document);
  const expected = expectedValues(document);
  for (const cell of runnableCells(document)) {
    const message = JSON.stringify({ ...document, cell: cell.id });
    expect(await page.shown(cell), message).toEqual(await opened.shown(cell));
    expect(contentsOf(page.values(cell.id)), message).toEqual(contentsOf(expected.get(cell.id) ?? new Map()));
  }
}

/** After a rename every cell has the values that it had, though those of a program may have other names. */
function expectSameValues(
  page: OpenPage,
  before: ReadonlyMap<number, unknown>,
  document: PageDocument,
): void {
  for (const { id } of runnableCells(document))
    expect(valuesIn(page, id), JSON.stringify(document)).toEqual(before.get(id));
}

const valuesIn = (page: OpenPage, id: number): unknown => [...page.values(id).values()].map(contents);

test.each(seeds(6))("after random edits a page is what it is when it is opened: seed %d", async (seed) => {
  const editing = new Editing(seed);
  const page = new OpenPage();
  let history = historyOf(documentOf(Array.from({ length: 5 }, () => editing.cell())));
  await expectShown(page, history.present);
  const become = async (edit: DocumentEdit | undefined, at: number): Promise<void> => {
    if (edit === undefined) return;
    history = withEdit(history, edit, at * 1000);
    // Somebody who goes on typing does not wait for what comes of it.
    if (editing.below(4) === 0) await page.show(history.present, 1 + editing.below(3));
    else await expectShown(page, history.present);
  };
  for (let step = 0; step < 30; step++) {
    const choice = editing.below(20);
    if (choice < 2) {
      history = (choice === 0 ? undone(history) : redone(history)) ?? history;
      await expectShown(page, history.present);
    } else if (choice === 2) await become(await switched(page, history.present), step);
    else if (choice === 3) {
      await expectShown(page, history.present);
      const before = new Map(runnableCells(history.present).map(({ id }) => [id, valuesIn(page, id)]));
      const edit = await renamed(page, history.present, editing);
      if (edit === undefined) continue;
      history = withEdit(history, edit, step * 1000);
      await expectShown(page, history.present);
      expectSameValues(page, before, history.present);
    } else await become(editing.edit(history.present), step);
  }
  await expectShown(page, history.present);
});

test("a cell that is called as a dimension is renamed where it is meant, and the dimension is not", async () => {
  const page = new OpenPage();
  const cell = (name: string, text: string): NewCell => ({ kind: "expression", name, text });
  const document = documentOf([cell("x", "2"), cell("t", "tensor(x[3]):[1,2,3]"), cell("", "sum(t * x, x)")]);
  await expectShown(page, document);
  const [x, , last] = runnableCells(document).map(({ id }) => id);
  const renaming = await page.ask("rename", { id: x ?? 0, offset: undefined, name: "y" });
  expect(renaming).toEqual({ texts: [{ id: last, text: "sum(t * y, x)" }], names: [{ id: x, name: "y" }] });
});

test("a cell does not wait for one without a value that is called as a dimension of it", async () => {
  const page = new OpenPage();
  const cell = (name: string, text: string): NewCell => ({ kind: "expression", name, text });
  const document = documentOf([cell("x", "1 +"), cell("", "sum(tensor(x[3]):[1,2,3], x)")]);
  await page.show(document);
  const [, last] = runnableCells(document).map(({ id }) => id);
  expect(contentsOf(page.values(last ?? 0))).toEqual(
    contentsOf(new Map([["", parseTensor("tensor():{6}")]])),
  );
});
