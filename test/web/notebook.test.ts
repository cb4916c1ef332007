import { describe, expect, test } from "vitest";
import { Connection, RequestFailure, type WorkerPort } from "../../src/web/connection.js";
import type { DocumentCell } from "../../src/web/document/page-document.js";
import { documentOf, type NewCell } from "../../src/web/document/page-document.js";
import type { CellProgress, CellReport, FromWorker, ToWorker } from "../../src/web/protocol.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { Notebook } from "../../src/web/worker/notebook.js";
import { type ServedPort, serve } from "../../src/web/worker/serve.js";
import { patient } from "../patience.js";

/** The worker's answers, asked for as the page does, on the thread of the test. */
function connected(): Connection {
  const connect = (): WorkerPort => {
    let receive: (message: FromWorker) => void = () => undefined;
    const port: ServedPort = { postMessage: (message) => receive(structuredClone(message)), onmessage: null };
    serve(port, handlers());
    return {
      send: (message: ToWorker) => port.onmessage?.({ data: structuredClone(message) }),
      listen: (listener) => {
        receive = listener;
      },
    };
  };
  return new Connection(connect, () => undefined);
}

const cell = (text: string, name = ""): NewCell => ({ kind: "expression", name, text });
const cellsOf = (...cells: readonly NewCell[]): readonly DocumentCell[] => documentOf(cells).cells;

async function isLiteral(text: string): Promise<boolean | undefined> {
  const sheet = new Sheet();
  const [only] = cellsOf(cell(text));
  await sheet.compute(only === undefined ? [] : [only]);
  return sheet.reports.get(1)?.values[0]?.isLiteral;
}

/** A notebook of a page, with the reports that it has made. */
class Sheet {
  readonly connection = connected();
  readonly reports = new Map<number, CellReport>();

  /** The numbers of the cells that were computed. */
  async compute(
    cells: readonly DocumentCell[],
    more: { dialect?: "vespa"; skipped?: number[] } = {},
  ): Promise<number[]> {
    const computed: number[] = [];
    const request = { cells, dialect: "formalism", skipped: [], ...more } as const;
    await this.connection.request("evaluate", request, {
      note: (note) => {
        if (note.kind !== "report") return;
        computed.push(note.id);
        this.reports.set(note.id, note);
      },
    });
    return computed;
  }

  value(id: number): string | undefined {
    const [value] = this.reports.get(id)?.values ?? [];
    return value?.number ?? value?.table?.texts.join(" ");
  }
}

const changed = (cells: readonly DocumentCell[], id: number, change: object): readonly DocumentCell[] =>
  cells.map((each) => (each.id === id ? { ...each, ...change } : each));

describe("the cells of a page", () => {
  test("what is told of a cell can be asked about while those below are computed", async () => {
    const notebook = new Notebook();
    const [cells, found] = [cellsOf(cell("1", "a"), cell("a + 1", "b")), new Map<number, string>()];
    const note = (each: CellReport | CellProgress): void => {
      if (each.kind === "report") found.set(each.id, `${notebook.value(each.id, "")?.tensor.asNumber()}`);
    };
    const { signal } = new AbortController();
    await notebook.evaluate({ cells, dialect: "formalism", skipped: [] }, { signal, note });
    expect([...found.values()]).toEqual(["1", "2"]);
  });

  test("a name means the last cell above that has it", async () => {
    const sheet = new Sheet();
    await sheet.compute(
      cellsOf(cell("1", "a"), cell("a + 1", "a"), cell("a * 10"), cell("5", "a"), cell("a")),
    );
    expect([3, 5].map((id) => sheet.value(id))).toEqual(["20", "5"]);
  });

  test("only what depends on a change is computed again", async () => {
    const sheet = new Sheet();
    const cells = cellsOf(cell("1", "a"), cell("2", "b"), cell("a + 1", "c"), cell("b + 1"), cell("c * 2"));
    expect(await sheet.compute(cells)).toEqual([1, 2, 3, 4, 5]);
    expect(await sheet.compute(changed(cells, 1, { text: "7" }))).toEqual([1, 3, 5]);
    expect(sheet.value(5)).toBe("16");
    expect(await sheet.compute(changed(cells, 1, { text: "3 + 4" }))).toEqual([1]);
  });

  test("a name may be that of a feature, and a cell above it is no input of what does not mention it", async () => {
    const sheet = new Sheet();
    const cells = cellsOf(cell("tensor(x[2]):[1,2]", "query(q)"), cell("sum(query(q))"), cell("1 + 1"));
    await sheet.compute(cells);
    expect(sheet.value(2)).toBe("3");
    expect(await sheet.compute(changed(cells, 1, { text: "tensor(x[2]):[3,4]" }))).toEqual([1, 2]);
  });

  test("a cell waits for one that has no value, and is not blamed for it", async () => {
    const sheet = new Sheet();
    const cells = cellsOf(cell("1 +", "a"), cell("a + 1"));
    await sheet.compute(cells);
    expect(sheet.reports.get(1)?.state).toBe("failed");
    expect(sheet.reports.get(2)).toMatchObject({ state: "waiting", waitingFor: ["a"], problems: [] });
    await sheet.compute(changed(cells, 1, { text: "1 + 1" }));
    expect(sheet.value(2)).toBe("3");
  });

  test("a name that only a cell below has is told to be there", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("later + 1"), cell("1", "later")));
    expect(sheet.reports.get(1)?.problems[0]).toMatchObject({ code: "name/unknown", start: 0, end: 5 });
    expect(sheet.reports.get(1)?.problems[0]?.hint).toContain("below");
  });

  test("who defines a name in the text of a cell is told where names are written", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("a = 3"), cell("sum(a = 3)")));
    expect(sheet.reports.get(1)?.problems[0]?.hint).toContain("to define a, write it in front of the cell");
    expect(sheet.reports.get(2)?.problems[0]?.hint).toBe("to compare, write ==");
  });

  test("a problem has the edit that mends it", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("sofmax(tensor(x[2]):[1,2], x)")));
    const [problem] = sheet.reports.get(1)?.problems ?? [];
    expect(problem?.fixes[0]?.edits).toEqual([{ start: 0, end: 6, text: "softmax" }]);
  });

  test("of a text that is very long only the first words have a colour", patient, async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell(`tensor(x[25000]):[1${",1".repeat(24_999)}]`)));
    expect(sheet.reports.get(1)?.values[0]?.cells).toBe(25_000);
    expect(sheet.reports.get(1)?.tokens.length).toBe(20_000);
  });

  test("a skipped cell has no value, and does not hold up the others", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("1", "a"), cell("2")), { skipped: [1] });
    expect(sheet.reports.get(1)?.state).toBe("cancelled");
    expect(sheet.value(2)).toBe("2");
  });

  test("a run that is cancelled has no answer, and the next one has", async () => {
    const sheet = new Sheet();
    const long = cellsOf(cell("sum(tensor(i[2000],j[2000])(sum(tensor(k[2000])(sin(i*j+k)),k)))"));
    const controller = new AbortController();
    const asked = sheet.connection.request(
      "evaluate",
      { cells: long, dialect: "formalism", skipped: [] },
      { signal: controller.signal, note: () => controller.abort() },
    );
    await asked.catch((error) => expect(error).toBeInstanceOf(RequestFailure));
    expect(controller.signal.aborted).toBe(true);
    await sheet.compute(cellsOf(cell("6 * 7")));
    expect(sheet.value(1)).toBe("42");
  });

  test("a program has all its values, in the order of the text", async () => {
    const sheet = new Sheet();
    const text = "a = tensor(x[2]):[1,2]\nsum(a)\nb = a * 2\ninput q = 3\nq + 1";
    await sheet.compute(documentOf([{ kind: "program", text }], { mode: "program" }).cells);
    const values = sheet.reports.get(1)?.values ?? [];
    expect(values.map(({ key }) => key)).toEqual(["a", "1", "b", "2"]);
    expect(values[3]?.number).toBe("4");
    expect(sheet.reports.get(1)?.inlays.map(({ text: type }) => type)).toContain(": tensor(x[2])");
  });
});

describe("what is asked of a value", () => {
  const view = { rows: ["k"], columns: ["x"], slices: { y: "1" } };

  test("a part of a table has the cells of its rows, columns and slice", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("tensor(k{},x[2],y[3]):{b:[[1,2,3],[4,5,6]],a:[[7,8,9],[10,11,12]]}")));
    const asked = { id: 1, key: "", view, rows: [0, 10], columns: [0, 10] } as const;
    const part = await sheet.connection.request("table", asked);
    expect(part?.rowLabels).toEqual([["a"], ["b"]]);
    expect(part?.texts).toEqual(["8", "11", "2", "5"]);
    expect(part?.choices.y).toEqual(["0", "1", "2"]);
    const corner = await sheet.connection.request("table", { ...asked, rows: [1, 2], columns: [1, 2] });
    expect(corner).toMatchObject({ texts: ["5"], rowStart: 1, columnStart: 1, rowCount: 2, columnCount: 2 });
  });

  test("a cell that is absent has no text", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("tensor(a{},b{}):{{a:1,b:1}:5,{a:2,b:2}:6}")));
    expect(sheet.reports.get(1)?.values[0]?.table?.texts).toEqual(["5", undefined, undefined, "6"]);
  });

  test.each([
    "42",
    "tensor(x[3]):[1, -2.50, 3e2]",
    "tensor<float>(k{}):{b:0.1, a:-0.0}",
    "tensor<int8>(x[2]):[-128, 100]",
  ])("the value of %s is what is written, and is not shown again", async (text) => {
    expect(await isLiteral(text)).toBe(true);
  });

  test.each([
    "tensor(x[2]):[1 + 1, 3]",
    "tensor(k{}):{a:1, b:exp(1)}",
    "tensor<bfloat16>(x[1]):[3.14159]",
    "tensor<float>(x[2]):[16777217, 1]",
    "9007199254740993",
    "1e400",
    "1e-400",
  ])("the value of %s is another one than is written, and is shown", async (text) => {
    expect(await isLiteral(text)).toBe(false);
  });

  test("why a cell is what it is goes through the cells above", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("tensor(x[2]):[3,4]", "a"), cell("a * 2", "b"), cell("sum(b)")));
    const report = await sheet.connection.request("why", { id: 3, key: "", address: {} });
    expect(report.steps[0]).toMatchObject({ value: "14" });
    expect(report.sources).toEqual([
      { id: 2, key: "", addresses: [{ x: "0" }, { x: "1" }] },
      { id: 1, key: "", addresses: [{ x: "0" }, { x: "1" }] },
    ]);
  });

  test("why in a program goes to the cells of its values, and to no steps within functions", async () => {
    const sheet = new Sheet();
    const text =
      "b = tensor(x[2]):[3,4]\nalias = b\nc = l2_normalize(b, x)\nd = (b * 2)\ng = c{x:0} * d{x:0}\n";
    await sheet.compute(documentOf([{ kind: "program", text }], { mode: "program" }).cells);
    const { sources } = await sheet.connection.request("why", { id: 1, key: "g", address: {} });
    const both = [{ x: "0" }, { x: "1" }];
    const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1);
    expect([...sources].sort(byKey)).toEqual([
      { id: 1, key: "alias", addresses: both },
      { id: 1, key: "b", addresses: both },
      { id: 1, key: "c", addresses: [{ x: "0" }] },
      { id: 1, key: "d", addresses: [{ x: "0" }] },
    ]);
  });

  test("a picture of a slice that the tensor lacks has no cells", async () => {
    const sheet = new Sheet();
    await sheet.compute(
      cellsOf(cell("tensor(d{},t{},x[2]):{{d:a,t:u,x:0}:1,{d:a,t:u,x:1}:2,{d:b,t:v,x:0}:3,{d:b,t:v,x:1}:4}")),
    );
    const asked = (d: string, t: string) =>
      sheet.connection.request("picture", {
        ...{ id: 1, key: "", width: 400 },
        view: { kind: "bars", rows: [], columns: ["x"], slices: { d, t } },
      });
    expect(await asked("b", "v")).toMatchObject({ slice: { d: "b", t: "v" } });
    expect(await asked("b", "u")).toBe("no cells");
  });

  test("NaN is followed to the cell that it begins in", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("log(tensor(x[2]):[1,0])", "a"), cell("a * 2", "b"), cell("sum(b)")));
    const report = await sheet.connection.request("notFinite", { id: 3, key: "" });
    expect(report).toMatchObject({ id: 1, start: 0 });
    expect(report.text).not.toBe("");
  });

  test("explain has the expressions with their types, and what is never stored", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("tensor(x[100])(x)", "a"), cell("sum(a * a)")));
    const [report] = await sheet.connection.request("explain", { id: 2 });
    expect(report?.nodes[0]).toMatchObject({ type: "tensor()", cells: 1 });
    expect(report?.nodes.map(({ storage }) => storage)).toContain("on demand");
  });

  test("where the dialects differ, the other value is told, and nowhere else", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("max(tensor(x[3])(if (x == 0, 0 / 0, x)), x)"), cell("1 + 1")));
    const compared = await sheet.connection.request("compare", { id: 1 });
    expect(compared?.dialect).toBe("vespa");
    expect(compared?.text).not.toBe(sheet.value(1));
    expect(await sheet.connection.request("compare", { id: 2 })).toBeUndefined();
  });

  test("a picture is SVG without styles or scripts, whatever labels are", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell('tensor(x{}):{"<script>alert(1)</script>": 1, b: 2}')));
    const picture = await sheet.connection.request("picture", {
      id: 1,
      key: "",
      view: { kind: "bars" },
      width: 400,
    });
    expect(picture).toMatchObject({ svg: expect.stringMatching(/^<svg/) });
    expect(picture).toMatchObject({ svg: expect.not.stringMatching(/<script|<style/) });
  });
});

describe("what an editor asks", () => {
  async function sheetOf(...cells: readonly NewCell[]): Promise<Sheet> {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(...cells));
    return sheet;
  }

  test("names, dimensions and labels of the cells above are completed", async () => {
    const { connection } = await sheetOf(cell("tensor(key{}):{red:1,green:2}", "colours"), cell(""));
    const ask = async (text: string) => {
      const { candidates, start } = await connection.request("complete", {
        id: 2,
        text,
        offset: text.length,
      });
      return { start, texts: candidates.map((each) => each.text) };
    };
    expect(await ask("1 + col")).toEqual({ start: 4, texts: ["colours"] });
    expect((await ask("sum(colours, k")).texts[0]).toBe("key");
    expect((await ask("colours{key:")).texts).toEqual(["green", "red"]);
  });

  test("hover tells the type and the value of a cell above, and the sentence of a function", async () => {
    const { connection } = await sheetOf(cell("tensor(x[2]):[1,2]", "a"), cell("softmax(a, x)"));
    const text = "softmax(a, x)";
    const name = await connection.request("hover", { id: 2, text, offset: 8 });
    expect(name).toMatchObject({ code: "a: tensor(x[2])", start: 8, end: 9 });
    expect(name?.remarks[0]).toContain("1.0, 2.0");
    expect((await connection.request("hover", { id: 2, text, offset: 2 }))?.code).toContain("softmax(");
  });

  test("a name is renamed in its cell, and in those alone that mean it", async () => {
    const { connection } = await sheetOf(
      cell("1", "a"),
      cell("a + map(2, f(a)(a + 1))", "b"),
      cell("2", "a"),
      cell("a", "c"),
    );
    const renaming = await connection.request("rename", { id: 2, offset: 0, name: "first" });
    expect(renaming).toEqual({
      texts: [{ id: 2, text: "first + map(2, f(a)(a + 1))" }],
      names: [{ id: 1, name: "first" }],
    });
    expect(await connection.request("rename", { id: 2, offset: 0, name: "c" })).toHaveProperty("refused");
    expect(await connection.request("rename", { id: 2, offset: 0, name: "1 + 1" })).toHaveProperty("refused");
  });

  test("a name that would mean something else where it is read is refused", async () => {
    const sheet = new Sheet();
    await sheet.compute(
      cellsOf(
        cell("5", "a"),
        cell("tensor(y[3])(y + a)"),
        cell("sum(a)"),
        cell("max(tensor(x[2]):[1,9], a)"),
      ),
    );
    const renaming = (name: string) => sheet.connection.request("rename", { id: 1, offset: undefined, name });
    expect(await renaming("y")).toHaveProperty("refused");
    expect(await renaming("x")).toHaveProperty("refused");
    expect(await renaming("z")).toEqual({
      texts: [
        { id: 2, text: "tensor(y[3])(y + z)" },
        { id: 3, text: "sum(z)" },
        { id: 4, text: "max(tensor(x[2]):[1,9], z)" },
      ],
      names: [{ id: 1, name: "z" }],
    });
  });

  test("a cell waits for names that it reads, and not for words that it has otherwise", async () => {
    const sheet = new Sheet();
    await sheet.compute(cellsOf(cell("1 +", "a"), cell("tensor(a[3])(a)"), cell("a + nosuch")));
    expect(sheet.value(2)).toBe("0 1 2");
    expect(sheet.reports.get(3)).toMatchObject({ state: "failed", problems: [{ start: 4 }] });
  });

  test("the definition of a name is the cell above", async () => {
    const { connection } = await sheetOf(cell("1", "a"), cell("2", "a"), cell("a + 1"));
    const found = await connection.request("define", { id: 3, text: "a + 1", offset: 0 });
    expect(found).toEqual({ id: 2, span: undefined });
  });

  test("an expression is formatted, and one that cannot be read is left", async () => {
    const { connection } = await sheetOf(cell("1+2"));
    expect(await connection.request("format", { id: 1, text: "1+2" })).toBe("1 + 2");
    expect(await connection.request("format", { id: 1, text: "1+" })).toBeUndefined();
  });

  test("cells become a program, and a program cells", async () => {
    const { connection } = await sheetOf();
    const cells = cellsOf({ kind: "remark", text: "Two" }, cell("1", "a"), cell("a + 1"));
    const program = await connection.request("convert", { to: "program", cells });
    expect(program.cells).toEqual([{ kind: "program", text: "# Two\na = 1\na + 1\n" }]);
    const back = await connection.request("convert", { to: "cells", cells: documentOf(program.cells).cells });
    expect(back.cells).toEqual([{ kind: "remark", text: "Two" }, cell("1", "a"), cell("a + 1")]);
  });
});
