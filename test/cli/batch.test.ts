import { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { patient } from "../patience.js";

/** `sphex batch`: one answer a line, whatever the line. */
async function batch(input: readonly (string | Uint8Array)[], args: readonly string[] = []) {
  let [out, err] = ["", ""];
  const sink = (take: (text: string) => void): Writable =>
    new Writable({
      write(chunk, _, done) {
        take(`${chunk}`);
        done();
      },
    });
  const code = await main(["batch", ...args], {
    stdin: Readable.from(input),
    stdout: sink((text) => (out += text)),
    stderr: sink((text) => (err += text)),
    isTTY: { stdin: false, stderr: false },
    cwd: "/",
    env: {},
    repl: () => Promise.reject(new Error("no REPL here")),
  });
  return {
    code,
    err,
    out,
    answers: out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

async function answer(data: unknown, args?: readonly string[]) {
  const { answers, code, err } = await batch([`${JSON.stringify(data)}\n`], args);
  expect({ code, err, count: answers.length }).toEqual({ code: 0, err: "", count: 1 });
  return answers[0];
}

describe("an answer", () => {
  // biome-ignore format: a table
  test.each([
    { data: { id: 1, expr: "1 + 1" },                             type: "tensor()", value: "tensor():{2.0}", cells: [[{}, 2]] },
    { data: { id: "a", expr: "a + 1", vars: { a: 2 } },           type: "tensor()", value: "tensor():{3.0}", cells: [[{}, 3]] },
    { data: { id: 1, expr: "$q", vars: { "query(q)": "tensor<float>(x[2]):[1,2]" } }, type: "tensor<float>(x[2])", value: "tensor<float>(x[2]):[1.0, 2.0]", cells: [[{ x: "0" }, 1], [{ x: "1" }, 2]] },
    { data: { id: 1, expr: "a", vars: { a: "{{x:k}:5}" } },       type: "tensor(x{})", value: "tensor(x{}):{k:5.0}", cells: [[{ x: "k" }, 5]] },
    { data: { id: 1, expr: "a", vars: { a: "tensor(x{}):{}" } },  type: "tensor(x{})", value: "tensor(x{}):{}", cells: [] },
    { data: { id: 1, expr: "a == 'it'", vars: { a: { string: "it" } } }, type: "tensor()", value: "tensor():{1.0}", cells: [[{}, 1]] },
    { data: { id: 1, expr: "a == a", vars: { a: 0, unused: 1 } }, type: "tensor()", value: "tensor():{1.0}", cells: [[{}, 1]] },
    { data: { id: 1, expr: "1", dialect: "vespa", backend: "reference" }, type: "tensor()", value: "tensor():{1.0}", cells: [[{}, 1]] },
  ])("to $data", async ({ data, ...expected }) => {
    expect(await answer(data)).toEqual({ id: data.id, ...expected });
  });

  test("has numbers that JSON lacks as texts, and zeros with their signs", async () => {
    const { cells } = await answer({ id: 1, expr: "tensor(x[4]):[0/0, 1/0, -1/0, -0.0]" });
    expect(cells).toEqual([
      [{ x: "0" }, "NaN"],
      [{ x: "1" }, "Infinity"],
      [{ x: "2" }, "-Infinity"],
      [{ x: "3" }, -0],
    ]);
  });

  test("keeps labels as they are", async () => {
    const { cells } = await answer({ id: 1, expr: "tensor(__proto__{}):{'a\"\\n\u2028':1}" });
    expect(cells.map(([address]: [object]) => Object.entries(address))).toEqual([
      [["__proto__", 'a"\n\u2028']],
    ]);
  });

  test("follows --dialect, unless the line says another", async () => {
    const expr = "sum(range(3))";
    expect(await answer({ id: 1, expr })).toMatchObject({ value: "tensor():{3.0}" });
    expect(await answer({ id: 1, expr }, ["--dialect", "vespa"])).toMatchObject({
      error: { code: "portability/function" },
    });
    expect(await answer({ id: 1, expr, dialect: "formalism" }, ["--dialect", "vespa"])).toMatchObject({
      value: "tensor():{3.0}",
    });
  });
});

describe("an error", () => {
  test("is the first problem, with its place", async () => {
    const { id, error } = await answer({ id: 7, expr: "1 + nope + nada" });
    expect(id).toBe(7);
    expect(error).toEqual({ code: "name/unknown", message: "nothing here is called nope", start: 4, end: 8 });
  });

  // biome-ignore format: a table
  test.each([
    { data: { id: 1, expr: "1 +" },                                     code: "syntax/unexpected" },
    { data: { id: 1, expr: "a", vars: { a: "[1" } },                    code: "syntax/unclosed" },
    { data: { id: 1, expr: "a", vars: { "a b": 1 } },                   code: "name/unknown" },
    { data: { id: 1, expr: "sum(tensor(x[100])(x))" }, args: ["--max-cells", "9"], code: "limit/cells" },
    { data: { id: 1, expr: "sum(tensor(x[100])(x))" }, args: ["--max-steps", "9"], code: "limit/steps" },
  ])("$code of $data", async ({ data, args, code }) => {
    expect(await answer(data, args)).toMatchObject({ id: 1, error: { code } });
  });

  test.each([
    "9007199254740993",
    '{"a": [1.50]}',
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  ])("has the id as it is written: %.20s", async (id) => {
    const { out } = await batch([`{"expr": "1", "id": ${id}}\n{"id": ${id}, "expr": "("}\n`]);
    const lines = out.split("\n");
    expect(lines.map((line) => line.startsWith(`{"id":${id},"`))).toEqual([true, true, false]);
  });

  test("says where a line stops being JSON", async () => {
    const { answers } = await batch(['{"id": 1 "expr": "1"}\n']);
    expect(answers[0].error.message).toBe("this is not JSON: a comma or } must stand here (column 10)");
  });

  // biome-ignore format: a table
  test.each([
    { line: "no json",                                  id: null },
    { line: '{"id": 1, "expr": "1"',                    id: null },
    { line: "[1]",                                      id: null },
    { line: "null",                                     id: null },
    { line: "{}",                                       id: null },
    { line: '{"id": 3}',                                id: 3 },
    { line: '{"id": 3, "expr": 1}',                     id: 3 },
    { line: '{"id": 3, "expr": "1", "vars": []}',       id: 3 },
    { line: '{"id": 3, "expr": "1", "vars": {"a": null}}', id: 3 },
    { line: '{"id": 3, "expr": "1", "vars": {"a": [1]}}', id: 3 },
    { line: '{"id": 3, "expr": "1", "vars": {"a": {"text": "b"}}}', id: 3 },
    { line: '{"id": 3, "expr": "a", "vars": {"a": 1, "a": 2}}', id: 3 },
    { line: '{"id": 3, "expr": "1", "expr": "2"}',      id: null },
    { line: '{"id": 3, "expr": "1", "dialect": "latin"}', id: 3 },
    { line: '{"id": 3, "expr": "1", "backend": "engine"}', id: 3 },
  ])("is a line that is no case: $line", async ({ line, id }) => {
    const { answers, code } = await batch([`${line}\n{"id": 4, "expr": "1"}\n`]);
    expect(code).toBe(0);
    expect(answers[0]).toMatchObject({ id, error: { code: "batch/line", start: 0, end: line.length } });
    expect(answers[1]).toMatchObject({ id: 4, type: "tensor()" });
  });
});

describe("lines", () => {
  const line = (id: number): string => JSON.stringify({ id, expr: `${id}` });

  test("end in LF or CR LF; blank ones are skipped, and the last one may lack its end", async () => {
    const { answers } = await batch([`${line(1)}\r\n\r\n\n  \n${line(2)}\n${line(3)}`]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("may come in parts of any size, and keep their order", async () => {
    const text = Array.from({ length: 300 }, (_, id) => `${JSON.stringify({ id, expr: "'é'" })}\n`).join("");
    const bytes = new TextEncoder().encode(text);
    const parts = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.slice(7 * at, 7 * at + 7),
    );
    const { answers } = await batch(parts);
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, id) => id));
  });

  test("may be long", patient, async () => {
    const { answers } = await batch([`${JSON.stringify({ id: 1, expr: `0${" + 1".repeat(30_000)}` })}\n`]);
    expect(answers).toMatchObject([{ id: 1, value: "tensor():{30000.0}" }]);
  });

  test("may hold line separators that are none of JSON's", async () => {
    const { answers } = await batch([`${JSON.stringify({ id: "\u2028\u0085", expr: "1" })}\n`]);
    expect(answers).toMatchObject([{ id: "\u2028\u0085", value: "tensor():{1.0}" }]);
  });

  test("are answered as they come", async () => {
    const seen: string[] = [];
    async function* input() {
      yield `${line(1)}\n`;
      while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      yield `${line(2)}\n`;
    }
    const stdout = new Writable({
      write(chunk, _, done) {
        seen.push(`${chunk}`);
        done();
      },
    });
    const repl = () => Promise.reject(new Error("no REPL here"));
    const isTTY = { stdin: false, stderr: false };
    await main(["batch"], {
      stdin: Readable.from(input()),
      stdout,
      stderr: stdout,
      isTTY,
      cwd: "/",
      env: {},
      repl,
    });
    expect(seen).toHaveLength(2);
  });

  test("may be none", async () => {
    expect(await batch([])).toMatchObject({ code: 0, out: "", err: "" });
  });
});
