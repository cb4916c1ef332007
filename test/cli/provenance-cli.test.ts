import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { Session } from "../../src/repl/session.js";
import { temporaryFolder } from "../folder.js";

/** `sphex explain`, `sphex why` and `sphex expand`, run in-process, and their like in the REPL. */
const folder = temporaryFolder();

class Collector extends Writable {
  text = "";
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

async function sphex(args: readonly string[], stdin = "", terminal: Partial<Io> = {}) {
  const [out, err] = [new Collector(), new Collector()];
  const io: Io = {
    ...{ stdin: Readable.from([stdin]), stdout: out, stderr: err, cwd: folder, env: {} },
    isTTY: { stdin: false, stderr: false },
    repl: () => import("../../src/repl/terminal/terminal.js"),
    ...terminal,
  };
  const code = await main(args, io);
  return { code, out: out.text, err: err.text };
}

const set = ["--set", "q=tensor(x[2]):[3,4]"];

/** A terminal of so many columns. */
const screen = (columns: number): Partial<Io> => ({
  isTTY: { stdin: false, stdout: true, stderr: false },
  columns,
});

describe("expand", () => {
  const expanded = "join(map(q, f(a)(exp(a))), reduce(map(q, f(a)(exp(a))), sum, x), f(a,b)(a / b))";

  test("prints the results in core functions, each in a line", async () => {
    const result = await sphex(["expand", "softmax(q, x)", ...set]);
    expect(result).toEqual({ code: 0, out: `${expanded}\n`, err: "" });
    const program = "input q: tensor(x[2])\nsoftmax(q, x)\nhalf = 0.5\nhalf * 2\n";
    expect((await sphex(["expand", "-"], program)).out).toBe(`${expanded}\n0.5 * 2\n`);
  });

  test("keeps within the width of a terminal", async () => {
    expect((await sphex(["expand", "softmax(q, x)", ...set], "", screen(40))).out).toBe(
      [
        "join(",
        "  map(q, f(a)(exp(a))),",
        "  reduce(map(q, f(a)(exp(a))), sum, x),",
        "  f(a,b)(a / b)",
        ")",
        "",
      ].join("\n"),
    );
  });

  test("writes JSON", async () => {
    const { out } = await sphex(["expand", "sum(q)", "--json", ...set]);
    expect(JSON.parse(out)).toEqual({ results: [{ type: "tensor()", primitive: "reduce(q, sum)" }] });
  });

  test.each([
    { args: ["missing(1)"], code: 1, message: "name/unknown-function" },
    { args: ["1 +"], code: 1, message: "syntax/unexpected" },
    { args: [], code: 2, message: "missing required argument" },
  ])("$args ends with $code", async ({ args, code, message }) => {
    const result = await sphex(["expand", ...args]);
    expect(result).toMatchObject({ code, out: "" });
    expect(result.err).toContain(message);
  });
});

describe("explain", () => {
  test("keeps within the width of a terminal: in narrower columns, or in words", async () => {
    const args = ["explain", "sum(q * q * q * q * q * q * q * q, x) + sum(q)", ...set];
    const at = async (columns: number): Promise<string[]> =>
      (await sphex(args, "", screen(columns))).out.replace(/\d+\.\d\d ms \(\d+%\)/g, "T ms (S)").split("\n");
    const [narrow, inWords] = [await at(110), await at(60)];
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(110);
    expect(narrow[0]).toMatch(/^expression +operation +type +cells/);
    expect(inWords.slice(0, 5)).toEqual([
      "sum(q * q * q * q * q * q * q * q, x) + sum(q)",
      "│ add, tensor(), 1 cell of 72104.0, T ms (S)",
      "├ sum(q * q * q * q * q * q * q * q, x)",
      "│ │ reduce sum over x, tensor(), 1 cell of 72097.0,",
      "│ │ T ms (S)",
    ]);
    expect(Math.max(...inWords.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test("prints a tree with times", async () => {
    const { code, out, err } = await sphex(["explain", "sum(q * q, x)", ...set]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 33).trimEnd())).toEqual([
      "expression     operation         ".trimEnd(),
      "sum(q * q, x)  reduce sum over x",
      "└ q * q        join multiply",
      "  ├ q          input q",
      "  └ q          input q",
      expect.stringMatching(/^\d+\.\d\d ms in all$/),
    ]);
    expect(lines[0]).toMatch(/cells +minimum +maximum +ms +share$/);
  });

  test("writes JSON, in which nothing is lost", async () => {
    const { out } = await sphex(["explain", "1 / z", "--set", "z=0", "--json"]);
    const { nodes, results } = JSON.parse(out);
    expect(results).toEqual([{ node: 0 }]);
    expect(nodes[0]).toMatchObject({
      ...{ operation: "apply", description: "divide", text: "1 / z", type: "tensor()", from: [1, 2] },
      span: { file: "expression", start: 0, end: 5 },
      value: { cells: 1, maximum: "Infinity", infinities: 1 },
    });
  });

  test("reads a program from a file, or from stdin", async () => {
    writeFileSync(join(folder, "p.sphex"), "a = 1\na + 1\na * 3\n");
    const fromFile = (await sphex(["explain", "p.sphex"])).out;
    expect(fromFile).toMatch(/^a \+ 1 +add/m);
    expect(fromFile).toMatch(/^a \* 3 +multiply/m);
    expect((await sphex(["explain", "-"], "a = 1\na + 1\n")).out).toMatch(/^a \+ 1 +add/m);
  });
});

describe("why", () => {
  test("prints the tree of a cell", async () => {
    expect(await sphex(["why", "q * 2", "--cell", "x:1", ...set])).toEqual({
      code: 0,
      out: [
        "q * 2  {x:1}  8.0  join multiply",
        "├ q    {x:1}  4.0  input q",
        "└ 2           2.0  constant",
        "",
      ].join("\n"),
      err: "",
    });
  });

  test("needs no cell for a scalar, and asks about any result", async () => {
    const program = "a = 2\nb = a * 3\nb + 1\n";
    expect((await sphex(["why", "-"], program)).out).toMatch(/^b \+ 1/);
    expect((await sphex(["why", "-", "--result", "b"], program)).out).toMatch(/^a \* 3/);
    expect((await sphex(["why", "-", "--result", "0"], program)).out).toMatch(/^b \+ 1/);
  });

  test("finds where NaN arises", async () => {
    const { code, out } = await sphex(["why", "sum(log(q - 5), x)", "--nan", ...set]);
    expect(code).toBe(0);
    expect(out).toMatch(/^NaN first arises in log\(q - 5\) \{x:0\} \(map log\)\nlog\(q - 5\)/);
    expect((await sphex(["why", "1", "--nan"])).out).toBe("no NaN and no infinity arises\n");
  });

  test("writes JSON, also of a dimension that is called span", async () => {
    const { out } = await sphex([
      "why",
      "t",
      "--set",
      "t=tensor(span{}):{a:NaN}",
      "--cell",
      "span:a",
      "--json",
    ]);
    expect(JSON.parse(out).steps).toEqual([
      {
        ...{
          operation: "input",
          description: "input t",
          text: "t",
          type: "tensor(span{})",
          address: { span: "a" },
        },
        ...{ span: { file: "expression", start: 0, end: 1 }, value: "NaN", contributions: [], others: 0 },
      },
    ]);
  });

  test("a result with dimensions and no --cell: the first cells are offered, to be copied", async () => {
    const { code, err } = await sphex(["why", "tensor(k{},x[2]):{'a b':[1,2],c:[3,4]}"]);
    expect(code).toBe(1);
    const offers = err.slice(err.indexOf("hint: name a cell")).trimEnd().split("\n").slice(1);
    expect(offers.map((each) => each.trim())).toEqual([
      "--cell \"k:'a b',x:0\"  1.0",
      "--cell \"k:'a b',x:1\"  2.0",
      "--cell k:c,x:0        3.0",
      "--cell k:c,x:1        4.0",
    ]);
    const many = await sphex(["why", "tensor(x[12])(x)"]);
    expect(many.err).toContain("--cell x:9  9.0\n  … 2 more\n");
  });

  test.each([
    { args: ["q"], code: 1, message: "value/address" },
    { args: ["q"], code: 1, message: "--cell x:0" },
    { args: ["q", "--cell", "x:7"], code: 1, message: "value/index" },
    { args: ["q", "--cell", "x"], code: 1, message: "value/shape" },
    { args: ["q", "--result", "z"], code: 1, message: "name/unknown" },
    { args: ["q +"], code: 1, message: "syntax/" },
    { args: ["q", "--nan", "--cell", "x:0"], code: 2, message: "cannot be used with" },
    { args: ["missing.sphex"], code: 2, message: "there is no such file" },
    { args: ["sum(q)", "--max-steps", "1"], code: 1, message: "limit/steps" },
  ])("$args ends with $code", async ({ args, code, message }) => {
    const result = await sphex(["why", ...args, ...set]);
    expect(result).toMatchObject({ code, out: "" });
    expect(result.err).toContain(message);
  });
});

describe("explain --plan", () => {
  test("tells how an expression is computed, with times where they are asked for", async () => {
    const { code, out } = await sphex(["explain", "--plan", "sum(q * 1 + q, x)", ...set]);
    expect(code).toBe(0);
    expect(out).toMatch(/^core\n {2}reduce\(/);
    expect(out).toContain("after scalars\n  by x * 1 = x\n");
    expect(out).toMatch(/^q \* 1 \+ q +join add +tensor\(x\[2\]\) +on demand +2$/m);
    expect(out).not.toContain(" ms");
    expect((await sphex(["explain", "--plan", "--run", "sum(q, x)", ...set])).out).toMatch(
      / ms in all steps$/m,
    );
  });

  test("as data, and without the optimiser", async () => {
    const { out } = await sphex(["explain", "--plan", "--json", "--no-optimise", "q * 1", ...set]);
    const data = JSON.parse(out);
    expect(data.stages).toEqual([{ name: "core", laws: [], results: ["join(q, 1, f(a,b)(a * b))"] }]);
    expect(data.values[0]).toMatchObject({ description: "input q", storage: "input", cells: 2, bytes: 16 });
    expect((await sphex(["eval", "--no-optimise", "q * 1", ...set])).out).toBe("tensor(x[2]):[3.0, 4.0]\n");
  });
});

test.each(["explain", "why", "expand"])("%s --help has an example", async (command) => {
  const { code, out } = await sphex([command, "--help"]);
  expect(code).toBe(0);
  expect(out).toContain(`$ sphex ${command} `);
});

test("why keeps within the width of a terminal, as far as its numbers allow", async () => {
  const { out } = await sphex(["why", `sum(${"q * ".repeat(8)}q)`, ...set], "", screen(70));
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(20);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(70);
});

describe("in the REPL", () => {
  function reply(...lines: string[]): string {
    const session = new Session();
    const replies = lines.map((line) => session.enter(line));
    const last = replies.at(-1);
    return `${last?.kind}: ${last?.text}`;
  }

  const q = "q = tensor(x[2]):[3,4]";

  test(".explain --plan tells how it is computed", () => {
    expect(reply(q, ".explain --plan sum(q)")).toMatch(/^sum\(q\) +reduce sum over all .* stored by step 1/m);
    expect(reply(".explain --plan")).toMatch(/^problem: /);
  });

  test(".explain tells of an expression", () => {
    expect(reply(q, ".explain sum(q)")).toMatch(
      /^answer: expression +operation[\s\S]*\nsum\(q\) +reduce sum over all/,
    );
    expect(reply(".explain")).toMatch(/^problem: /);
    expect(reply(".explain a = 1")).toMatch(/^problem: /);
    expect(reply(".explain zz")).toMatch(/^problem: error: nothing here is called zz/);
  });

  test(".why takes the cell in braces", () => {
    expect(reply(q, ".why q * 2{x:1}")).toBe(reply(q, ".why q * 2 { x: 1 }"));
    expect(reply(q, ".why q * 2{x:1}")).toMatch(/^answer: q \* 2 +\{x:1\} +8\.0 +join multiply\n/);
    expect(reply(q, ".why sum(q)")).toMatch(/^answer: sum\(q\) +7\.0/);
    expect(reply(q, ".why q{x:1}{}")).toMatch(/^answer: q\{x:1\} +4\.0 +slice x:1/);
    expect(reply(".why tensor(k{}):{'}':1}{k:'}'}")).toMatch(/^answer: .* \{k:'\}'\} +1\.0/);
    expect(reply(q, ".why q{z:1}")).toMatch(/^problem: [\s\S]*value\/address/);
  });
});

test("a random number is explained that a run with the same seed prints", async () => {
  const { out: value } = await sphex(["eval", "--seed", "3", "random(1.0)"]);
  const { out } = await sphex(["why", "--seed", "3", "random(1.0)"]);
  expect(out).toContain(value.trim());
});
