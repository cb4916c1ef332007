import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import {
  evaluate,
  formatNames,
  numberText,
  showTensor,
  showTensors,
  Tensor,
  visibleJson,
} from "../../src/index.js";
import { columnsOf } from "../../src/language/source/columns.js";
import { Session } from "../../src/repl/session.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/** The formats of tensors: what each has in it, how the command and a session choose one, and what holds of all tensors. */

describe("the other formats", () => {
  const matrix = evaluate("tensor<float>(k{},x[2]):{b:[0.1,2], a:[1e10,-3]}");

  // biome-ignore format: a table
  test.each([
    { format: "literal",  text: "tensor<float>(k{},x[2]):{a:[1.0E10, -3.0], b:[0.1, 2.0]}" },
    { format: "csv",      text: "k,x,value\na,0,1.0E10\na,1,-3.0\nb,0,0.1\nb,1,2.0" },
    { format: "markdown", text: "| k\\\\x |      0 |    1 |\n| ---- | -----: | ---: |\n| a    | 1.0E10 | -3.0 |\n| b    |    0.1 |  2.0 |" },
    { format: "table",    text: "k  x    value\na  0   1.0E10\na  1  -3.0\nb  0   0.1\nb  1   2.0" },
  ] as const)("$format has all cells and all digits", ({ format, text }) => {
    expect(showTensor(matrix, { format })).toBe(text);
  });

  test("json has the sign of a zero", () => {
    const text = showTensor(evaluate("tensor(x[3]):[-0.0, 0, -1]"), { format: "json" });
    const zeros = JSON.parse(text).cells.map(([, value]: readonly [unknown, number]) => value);
    expect(zeros).toEqual([-0, 0, -1]);
    expect(text).toContain(',-0.0],[{"x":"1"},0]');
    // A text that looks like it stays a text.
    expect(visibleJson({ "-0": ["-0", -0, "-00"], a: -0 })).toBe('{"-0":["-0",-0.0,"-00"],"a":-0.0}');
  });

  test("json has the cells with their addresses", () => {
    expect(JSON.parse(showTensor(evaluate("tensor(k{}):{a:1} / 0"), { format: "json" }))).toEqual({
      type: "tensor(k{})",
      value: "tensor(k{}):{a:Infinity}",
      cells: [[{ k: "a" }, "Infinity"]],
    });
  });

  test("markdown has a row for each cell where there are not two dimensions", () => {
    expect(showTensor(evaluate("tensor(x[2]):[1,2]"), { format: "markdown" })).toBe(
      "| x   | value |\n| --- | ----: |\n| 0   |   1.0 |\n| 1   |   2.0 |",
    );
  });

  test("a scalar is a number, or a table of one", () => {
    const shown = formatNames
      .filter((format) => format !== "json")
      .map((format) => showTensor(evaluate("2"), { format }));
    expect(shown).toEqual(["2.0", "2.0", "value\n2.0", "| value |\n| ----: |\n|   2.0 |", "value\n  2.0"]);
  });

  test("several are apart where one takes more than a line", () => {
    const all = ["1", "2", "tensor(x[1]):[3]", "4"].map((each) => evaluate(each));
    expect(showTensors(all, { format: "pretty" })).toBe("1.0\n2.0\n\ntensor(x[1])\n[3]\n\n4.0");
    expect(showTensors(all)).toBe("1.0\n2.0\ntensor(x[1]):[3.0]\n4.0");
  });
});

describe("the command", () => {
  interface Screen {
    readonly isTerminal: boolean;
    readonly columns?: number;
    readonly env?: Record<string, string>;
  }

  async function sphex(args: readonly string[], { isTerminal, columns, env = {} }: Screen) {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const code = await main(args, {
      stdin: Readable.from([]),
      stdout: out,
      stderr: err,
      isTTY: { stdin: false, stdout: isTerminal, stderr: false },
      columns,
      cwd: ".",
      env,
      repl: () => import("../../src/repl/terminal/terminal.js"),
    });
    return { code, out: `${out.read() ?? ""}`, err: `${err.read() ?? ""}` };
  }

  const matrix = "tensor(x[1],y[2]):[[1,2]]";
  const grid = "tensor(x[1],y[2])\nx\\y │ 0  1\n────┼─────\n  0 │ 1  2\n";
  const terminal: Screen = { isTerminal: true, env: { NO_COLOR: "1" } };
  const pipe: Screen = { isTerminal: false };

  // biome-ignore format: a table
  test.each([
    { title: "literal in a pipe",             args: [],                     screen: pipe,     out: "tensor(x[1],y[2]):[[1.0, 2.0]]\n" },
    { title: "pretty at a terminal",          args: [],                     screen: terminal, out: grid },
    { title: "as it is told in a pipe",       args: ["--format", "pretty"], screen: pipe,     out: grid },
    { title: "as it is told at a terminal",   args: ["--format", "csv"],    screen: terminal, out: "x,y,value\n0,0,1.0\n0,1,2.0\n" },
  ])("writes $title", async ({ args, screen, out }) => {
    expect(await sphex(["eval", matrix, ...args], screen)).toEqual({ code: 0, out, err: "" });
  });

  test("knows the width of the terminal, and whether it may have colours", async () => {
    const { out } = await sphex(["eval", "tensor(x[99])(x)"], { isTerminal: true, columns: 40 });
    expect(out).toBe("\x1b[2mtensor(x[99])\x1b[22m\n[0, 1, 2, 3, … 92 more …, 96, 97, 98]\n");
  });

  test("refuses other names, and JSON twice", async () => {
    expect((await sphex(["eval", "1", "--format", "xml"], pipe)).err).toContain("Allowed choices are pretty");
    expect((await sphex(["eval", "1", "--format", "csv", "--json"], pipe)).code).toBe(2);
  });
});

describe("a session", () => {
  test("shows values as .mode says, and says which it is", () => {
    const session = new Session();
    const reply = (line: string): string => session.enter(line).text;
    expect(reply(".mode")).toBe("literal");
    expect(reply(".mode csv")).toBe("");
    expect(reply("tensor(k{}):{a:1}")).toBe("k,value\na,1.0");
    expect(reply(".mode prety")).toBe("there is no mode prety: did you mean pretty?");
    expect(reply(".mode pretty")).toBe("");
    expect(reply("tensor(k{}):{a:1}; 2")).toBe("tensor(k{})\na │ 1\n\n2.0");
  });

  test("begins as its screen says", () => {
    const session = new Session(
      () => ({}),
      {},
      () => ({ format: "pretty", width: 30 }),
    );
    expect(session.enter("tensor(x[50])(x)").text).toBe("tensor(x[50])\n[0, 1, 2, … 45 more …, 48, 49]");
  });
});

describe("for every tensor", () => {
  /** Fields by RFC 4180. */
  function records(text: string): string[][] {
    const rows: string[][] = [[]];
    for (const [, quoted, bare = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
      rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
      if (end === "\n") rows.push([]);
      if (end === "") break;
    }
    return rows;
  }

  test("csv is read back", () => {
    holds(
      fc.property(tensors(), (tensor) => {
        const [header, ...rows] = records(showTensor(tensor, { format: "csv" }));
        expect(header).toEqual([...tensor.type.names, "value"]);
        const cells = rows.map((row) => ({
          address: Object.fromEntries(tensor.type.names.map((name, at) => [name, row[at] ?? ""])),
          value: Number(row.at(-1)),
        }));
        expect(Tensor.from(tensor.type, cells.length === 0 ? {} : cells).equals(tensor)).toBe(true);
      }),
    );
  });

  test("table has a line for each cell, with all digits", () => {
    holds(
      fc.property(tensors(), (tensor) => {
        const [, ...lines] = showTensor(tensor, { format: "table" }).split("\n");
        const values = lines.map((line) => line.split(/ +/).at(-1));
        expect(values).toEqual(
          [...tensor.cells()].map(({ value }) => numberText(value, tensor.type.cellType)),
        );
      }),
    );
  });

  test("no line of pretty is wider than the screen, and none commands it", () => {
    holds(
      fc.property(tensors({ most: 5 }), fc.integer({ min: 20, max: 200 }), (tensor, width) => {
        const text = showTensor(tensor, { format: "pretty", width });
        for (const line of text.split("\n")) {
          expect(columnsOf(line)).toBeLessThanOrEqual(tensor.type.isScalar ? 24 : width);
        }
        expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  test("all that fits is there", () => {
    holds(
      fc.property(
        tensors({ names: ["x", "y"], least: 1, most: 2, cells: fc.integer({ min: 0, max: 99 }) }),
        (tensor) => {
          const [, ...lines] = showTensor(tensor, { format: "pretty", width: 400 }).split("\n");
          const shown = lines.join("\n").match(/(?<=[│[ ,] *)\d+(?=[\], ]|$)/gm) ?? [];
          for (const { value } of tensor.cells()) expect(shown.map(Number)).toContain(value);
        },
      ),
    );
  });
});
