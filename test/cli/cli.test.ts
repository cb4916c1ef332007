import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { temporaryFolder } from "../folder.js";

/** The command, run in-process: arguments and streams in, texts and an exit code out. */
const folder = temporaryFolder();

interface World {
  readonly stdin?: string | readonly Uint8Array[];
  readonly env?: Record<string, string>;
  readonly isTTY?: boolean;
  readonly stdout?: Writable;
}

async function sphex(args: readonly string[], { stdin = "", env = {}, isTTY = false, stdout }: World = {}) {
  const [out, err] = [new Collector(), new Collector()];
  const io: Io = {
    stdin: Readable.from(typeof stdin === "string" ? [stdin] : stdin),
    stdout: stdout ?? out,
    stderr: err,
    isTTY: { stdin: false, stderr: isTTY },
    cwd: folder,
    env,
    repl: () => import("../../src/repl/terminal/terminal.js"),
  };
  const code = await main(args, io);
  return { code, out: out.text, err: err.text };
}

class Collector extends Writable {
  text = "";
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

function file(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

describe("eval", () => {
  // biome-ignore format: a table
  test.each([
    { args: ["1 + 1"],                                               out: "2.0" },
    { args: ["1 +\n1"],                                              out: "2.0" },
    { args: ["-3"],                                                  out: "-3.0" },
    { args: ["--", "-3 * 2"],                                        out: "-6.0" },
    { args: ["tensor(x[2]):[1,2]"],                                  out: "tensor(x[2]):[1.0, 2.0]" },
    { args: ["tensor<int8>(k{}):{a:1,b:2}"],                         out: "tensor<int8>(k{}):{a:1, b:2}" },
    { args: ["a + b", "--set", "a=1", "--set", "b=tensor(x[1]):[2]"], out: "tensor(x[1]):[3.0]" },
    { args: ["a", "--set", "a=1", "--set", "a=2"],                   out: "2.0" },
    { args: ["query(q) + $q", "--set", "query(q)=4"],                out: "8.0" },
    { args: ["query(q) + $q", "--set", "query( q ) = 4"],            out: "8.0" },
    { args: ["a == 1", "--set", "a={{x:k}:1}"],                      out: "tensor(x{}):{k:1.0}" },
    { args: ["1 / 0"],                                               out: "Infinity" },
  ])("$args", async ({ args, out }) => {
    expect(await sphex(["eval", ...args])).toEqual({ code: 0, out: `${out}\n`, err: "" });
  });

  test("reads the expression from stdin", async () => {
    expect(await sphex(["eval", "-"], { stdin: "1 +\n  2\n" })).toEqual({ code: 0, out: "3.0\n", err: "" });
  });

  test("reads characters that come in parts", async () => {
    const bytes = new TextEncoder().encode("tensor(k{}):{'é':1}");
    const { out } = await sphex(["eval", "-"], { stdin: [...bytes].map((each) => Uint8Array.of(each)) });
    expect(out).toBe("tensor(k{}):{'é':1.0}\n");
  });

  test("says where the problem is, on stderr", async () => {
    const { code, out, err } = await sphex(["eval", "-"], { stdin: "1+\n" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^error: .*syntax\/unexpected\n {2}┌ expression:1:3\n1 │ 1\+\n {2}│ {3}\^\n/);
  });

  test("warns on stderr and goes on", async () => {
    const { code, out, err } = await sphex(["eval", "sum(range(3))"]);
    expect({ code, out }).toEqual({ code: 0, out: "3.0\n" });
    expect(err).toBe("1 note on portability to Vespa: --portable shows it\n");
    const shown = await sphex(["eval", "sum(range(3))", "--portable"]);
    expect(shown.err).toMatch(
      /^note: expression:1:5: Vespa does not have this form of range \(in Vespa: .*\)\n$/,
    );
    expect((await sphex(["eval", "sum(range(3))", "--dialect", "vespa"])).code).toBe(1);
  });

  test("starts random where --seed says", async () => {
    const random = async (seed: string) => (await sphex(["eval", "random(3)", "--seed", seed])).out;
    expect(await random("1")).toBe(await random("1"));
    expect(await random("1")).not.toBe(await random("2"));
  });

  // biome-ignore format: a table
  test.each([
    { limit: ["--max-cells", "99"],  code: "limit/cells" },
    { limit: ["--max-steps", "99"],  code: "limit/steps" },
    { limit: ["--timeout", "0"],     code: "limit/time" },
  ])("keeps $limit", async ({ limit, code }) => {
    const { code: exit, err } = await sphex(["eval", "sum(tensor(x[1000000])(x * x))", ...limit]);
    expect(exit).toBe(1);
    expect(err).toContain(code);
  });
});

describe("run", () => {
  test("prints every result on a line of its own", async () => {
    const name = file("two.sphex", "a = 2\na + 1\ntensor(x[2])(x) * a\n");
    expect(await sphex(["run", name])).toEqual({ code: 0, out: "3.0\ntensor(x[2]):[0.0, 2.0]\n", err: "" });
  });

  test("prints the last named value where there is no expression", async () => {
    expect((await sphex(["run", "-"], { stdin: "a = 2\nb = a + 1" })).out).toBe("3.0\n");
  });

  test("reads files that a program names from the program's folder", async () => {
    file("deep/weights.txt", "tensor(x[2]):[3,4]");
    const name = file("deep/program.sphex", 'constant w: tensor(x[2]) = file("weights.txt")\nsum(w)');
    expect(await sphex(["run", name])).toEqual({ code: 0, out: "7.0\n", err: "" });
    const other = file("other.sphex", 'constant w: tensor(x[2]) = file("weights.txt")\nsum(w)');
    const { code, err } = await sphex(["run", other]);
    expect(code).toBe(1);
    expect(err).toContain("weights.txt cannot be read: there is no such file");
  });

  test("gives a declared input a value of the declared type, another one its own", async () => {
    const stdin = "input q: tensor<float>(x{})\ninput d: tensor(x[2]) = tensor(x[2]):[1,1]\nq * 2\nd\nfree";
    const set = ["--set", "q={{x:a}:0.1}", "--set", "d=[5,6]", "--set", "free=tensor(y[1]):[1]"];
    const { code, out } = await sphex(["run", "-", ...set], { stdin });
    expect(code).toBe(0);
    expect(out).toBe("tensor<float>(x{}):{a:0.2}\ntensor(x[2]):[5.0, 6.0]\ntensor(y[1]):[1.0]\n");
  });

  test("takes inputs from a JSON file, and from --set over them", async () => {
    const inputs = { q: { a: 1, b: 2 }, d: [[1, 2]], n: 3, text: { string: "" }, l: "tensor(z[1]):[9]" };
    const name = file("inputs.json", JSON.stringify(inputs));
    const stdin = "input q: tensor(k{})\ninput d: tensor(x[1],y[2])\nq\nd\nn\ntext == text\nl";
    const { out } = await sphex(["run", "-", "--inputs", name, "--set", "n=4"], { stdin });
    expect(out.trimEnd().split("\n")).toEqual([
      "tensor(k{}):{a:1.0, b:2.0}",
      "tensor(x[1],y[2]):[[1.0, 2.0]]",
      "4.0",
      "1.0",
      "tensor(z[1]):[9.0]",
    ]);
  });

  // biome-ignore format: a table
  test.each([
    { says: "an input that is not given",     stdin: "input q: tensor()\nq",       set: [],                       code: "input/missing" },
    { says: "an input that nobody mentions",  stdin: "input query: tensor() = 1\nquery", set: ["--set", "qury=2"], code: "input/unknown" },
    { says: "a part of a name",                stdin: "input alpha: tensor() = 1\nalpha + now(2)\nnow(a) = a # alph", set: ["--set", "alph=2"], code: "input/unknown" },
    { says: "an input in another form",        stdin: "input alpha: tensor() = 1\nalpha", set: ["--set", "query(alpha)=2"], code: "input/unknown" },
    { says: "a name that the program defines", stdin: "q = 1\nq",                   set: ["--set", "q=2"],         code: "input/unknown" },
    { says: "a value of another type",        stdin: "input q: tensor(x[2])\nq",   set: ["--set", "q=1"],         code: "literal/" },
    { says: "a literal that cannot be read",  stdin: "q",                          set: ["--set", "q=[1"],        code: "syntax/unclosed" },
    { says: "cells whose type nobody knows",  stdin: "q",                          set: ["--set", "q=[1]"],       code: "literal/no-type" },
    { says: "a program without a result",     stdin: "f(x) = x",                   set: [],                       code: "program/no-result" },
  ])("refuses $says", async ({ stdin, set, code }) => {
    const run = await sphex(["run", "-", ...set], { stdin });
    expect(run.code).toBe(1);
    expect(run.out).toBe("");
    expect(run.err).toContain(code);
  });
});

describe("what is wrong with a text that does not run", () => {
  const text = "sum = 3\na = 5 // 2\ntrunc(sum + nosuch)\n1 < sum < 3";

  test.each([[], ["--portable"]])("is all that check says, %j", async (...flags) => {
    const [run, checked] = await Promise.all(
      ["run", "check"].map((command) => sphex([command, "-", ...flags], { stdin: text })),
    );
    expect(run).toEqual(checked);
    expect(run?.code).toBe(1);
    expect(run?.err.match(/^(?:error|warning|note): /gm)).toHaveLength(flags.length === 0 ? 4 : 5);
  });

  test("is told of an expression, and as JSON", async () => {
    const { code, err } = await sphex(["eval", "1 < a < nosuch(2)", "--set", "a=2"]);
    expect(code).toBe(1);
    expect(err.match(/^(?:error|warning): /gm)).toEqual(["warning: ", "error: "]);
    const { out } = await sphex(["run", "-", "--json"], { stdin: text });
    const severities = JSON.parse(out).problems.map(({ severity }: { severity: string }) => severity);
    expect(severities).toEqual(["warning", "warning", "portability", "error", "warning"]);
  });
});

describe("check", () => {
  test("says nothing of a sound program", async () => {
    expect(await sphex(["check", file("sound.sphex", "a = 1\na")])).toEqual({ code: 0, out: "", err: "" });
  });

  test("shows all problems, and does not run anything", async () => {
    const { code, out, err } = await sphex(["check", file("bad.sphex", "a + 1\nb\nfile")]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err.match(/^error: nothing here is called \w+/gm)).toHaveLength(3);
    expect(err).toContain("┌ bad.sphex:2:1");
  });

  test("shows a hundred problems and counts the others", async () => {
    const { err } = await sphex(["check", "-"], { stdin: "? 1\n".repeat(103) });
    expect(err.match(/^error: /gm)).toHaveLength(100);
    expect(err).toMatch(/\n\nand 3 more\n$/);
  });

  test("ends well where there are only warnings", async () => {
    const { code, err } = await sphex(["check", "-"], { stdin: "exp = 2\nexp" });
    expect(code).toBe(0);
    expect(err).toContain("name/shadows");
  });

  test("problems are lines that GitHub shows beside the program, and notes on portability where they are asked for", async () => {
    const text = "a = 1\n  nope + 1\nexp = 2\ntrunc(exp)";
    const annotated = await sphex(["check", "-", "--github"], { stdin: text });
    expect(annotated).toMatchObject({ code: 1, err: "" });
    expect(annotated.out).toMatch(
      /^::error file=stdin,line=2,col=3,title=name\/unknown::.*\n::warning file=stdin,line=3,col=1,title=name\/shadows::.*\n$/,
    );
    const { out } = await sphex(["check", "-", "--github", "--portable"], { stdin: text });
    expect(out).toMatch(/^::notice file=stdin,line=4,/m);
  });

  test("writes JSON", async () => {
    const { code, out } = await sphex(["check", "-", "--json"], { stdin: "a = 1\n  nope" });
    expect(code).toBe(1);
    const [problem, ...others] = JSON.parse(out).problems;
    expect(others).toEqual([]);
    const place = { file: "stdin", line: 2, column: 3, start: 8, end: 12 };
    expect(problem).toMatchObject({ code: "name/unknown", severity: "error", ...place });
    expect(JSON.parse((await sphex(["check", "-", "--json"], { stdin: "1" })).out)).toEqual({ problems: [] });
  });
});

describe("--json", () => {
  test("gives results with type, value and cells", async () => {
    const { code, out, err } = await sphex(["run", "-", "--json"], {
      stdin: "tensor(x[2])(x / 0)\n1\nrange(1)",
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { results, warnings } = JSON.parse(out);
    expect(results).toEqual([
      {
        type: "tensor(x[2])",
        value: "tensor(x[2]):[NaN, Infinity]",
        cells: [
          [{ x: "0" }, "NaN"],
          [{ x: "1" }, "Infinity"],
        ],
      },
      { type: "tensor()", value: "tensor():{1.0}", cells: [[{}, 1]] },
      { type: "tensor(i[1])", value: "tensor(i[1]):[0.0]", cells: [[{ i: "0" }, 0]] },
    ]);
    expect(warnings).toMatchObject([{ code: "portability/function", severity: "portability", line: 3 }]);
  });

  test("names a named result", async () => {
    const { out } = await sphex(["run", "-", "--json"], { stdin: "a = 1" });
    expect(JSON.parse(out).results).toMatchObject([{ name: "a", type: "tensor()" }]);
  });

  test("gives problems, on stdout", async () => {
    const { code, out, err } = await sphex(["eval", "nope", "--json"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      problems: [{ code: "name/unknown", file: "expression", start: 0, end: 4 }],
    });
  });
});

describe("prelude", () => {
  test("prints all of it, or one definition with its comment", async () => {
    const { out } = await sphex(["prelude"]);
    const one = await sphex(["prelude", "softmax"]);
    expect(one.out).toMatch(/^#[^\n]*\n#[^\n]*\nsoftmax\(t, d\) = [^\n]*\n$/);
    expect(out).toContain(one.out);
  });

  test("knows the nearest name", async () => {
    const { code, out, err } = await sphex(["prelude", "sofmax"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe("sphex: the prelude has no sofmax: did you mean softmax?\n");
  });
});

describe("repl", () => {
  test("reads a script, with values from the command line", async () => {
    const stdin = "b = a * 2\nb\nq\n";
    const { code, out, err } = await sphex(["repl", "--set", "a=3"], { stdin });
    expect({ code, out }).toEqual({ code: 1, out: "6.0\n" });
    expect(err).toContain("repl:3:1");
  });
});

describe("wrong use", () => {
  // biome-ignore format: a table
  test.each([
    { args: [],                                      says: "Usage: sphex" },
    { args: ["frob"],                                says: "sphex: unknown command 'frob'" },
    { args: ["evla"],                                says: "Did you mean eval?" },
    { args: ["run"],                                 says: "sphex: missing required argument 'file'" },
    { args: ["eval", "1", "--frob"],                 says: "sphex: unknown option '--frob'" },
    { args: ["eval", "1", "2"],                      says: "sphex: too many arguments" },
    { args: ["eval", "1", "--dialect", "latin"],     says: "Allowed choices are formalism, vespa." },
    { args: ["eval", "1", "--seed", "x"],            says: "It must be a whole number." },
    { args: ["eval", "1", "--set", "a"],             says: "sphex: --set a lacks a name and =" },
    { args: ["run", "nowhere.sphex"],                says: "sphex: cannot read nowhere.sphex: there is no such file" },
    { args: ["run", "."],                            says: "sphex: cannot read .: it is a folder" },
    { args: ["run", ""],                             says: "sphex: cannot read : its name is empty" },
    { args: ["eval", "1", "--inputs", "a.json", "--inputs", "b.json"], says: "'b.json' is invalid. It is there twice." },
    { args: ["eval", "1", "--inputs", "names.json"], says: "sphex: names.json: query(q) is there twice" },
    { args: ["eval", "1", "--inputs", "none.json"],  says: "sphex: cannot read none.json: there is no such file" },
    { args: ["eval", "1", "--inputs", "list.json"],  says: "sphex: list.json must hold an object" },
    { args: ["eval", "1", "--inputs", "broken.json"], says: "sphex: cannot read broken.json: this is not JSON: a key in quotes, or } must stand here (line 1, column 2)" },
    { args: ["eval", "1", "--inputs", "null.json"],  says: "sphex: null.json: a is null" },
  ])("$args", async ({ args, says }) => {
    file("list.json", "[]");
    file("broken.json", "{");
    file("names.json", '{"$q": 1, "query(q)": 2}');
    file("null.json", '{"a": null}');
    const { code, out, err } = await sphex(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

test("--version is the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(await sphex(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
});

test.each([
  "run",
  "eval",
  "check",
  "prelude",
  "repl",
  "batch",
])("%s --help has an example", async (command) => {
  const { code, out } = await sphex([command, "--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Example:\n {2}\$ .*sphex/m);
});

describe("colour", () => {
  // biome-ignore format: a table
  test.each([
    { says: "is for terminals",      isTTY: true,  env: {},                  coloured: true },
    { says: "is not for pipes",      isTTY: false, env: {},                  coloured: false },
    { says: "can be declined",       isTTY: true,  env: { NO_COLOR: "1" },   coloured: false },
    { says: "needs a terminal that can", isTTY: true, env: { TERM: "dumb" }, coloured: false },
  ])("$says", async ({ isTTY, env, coloured }) => {
    const { err } = await sphex(["eval", "nope"], { isTTY, env });
    expect(err.includes("\x1b[")).toBe(coloured);
  });
});

describe("the unexpected", () => {
  const breaking = (error: Error): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => done(error), highWaterMark: 1 });

  test("is told in one line", async () => {
    const stdout = breaking(new Error("the disk\nis gone"));
    stdout.on("error", () => undefined);
    const { code, err } = await sphex(["eval", "1"], { stdout });
    expect({ code, err }).toEqual({ code: 70, err: "sphex: internal error: the disk is gone\n" });
  });

  test("is no error where nobody reads on", async () => {
    const stdout = breaking(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    stdout.on("error", () => undefined);
    expect(await sphex(["eval", "1"], { stdout })).toEqual({ code: 0, out: "", err: "" });
  });
});
