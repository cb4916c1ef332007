import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTensor } from "../../../src/index.js";
import { jsonTexts } from "../../../src/vespa/compat/json-texts.js";
import { programIn } from "../../../src/vespa/compat/link.js";
import { general } from "../../../src/vespa/compat/printf.js";
import { shownValue, verbatim } from "../../../src/vespa/compat/spec.js";
import { holds } from "../../chance.js";
import { command } from "../../command.js";

/** `sphex eval-expr`, which stands in for `vespa-eval-expr`: what it prints, answers and gives as exit codes. */
const { folder, run } = command();
const evalExpr = (...args: readonly string[]) => run(["eval-expr", ...args]);

describe("numbers as C prints them", () => {
  // biome-ignore format: a table
  test.each([
    { value: 0,                      short: "0",            long: "0" },
    { value: -0,                     short: "-0",           long: "-0" },
    { value: 4,                      short: "4",            long: "4" },
    { value: -1.5,                   short: "-1.5",         long: "-1.5" },
    { value: 0.1,                    short: "0.1",          long: "0.10000000000000000555111512312578" },
    { value: 1 / 3,                  short: "0.333333",     long: "0.33333333333333331482961625624739" },
    { value: 123456,                 short: "123456",       long: "123456" },
    { value: 1234567,                short: "1.23457e+06",  long: "1234567" },
    { value: 999999.5,               short: "1e+06",        long: "999999.5" },
    { value: 100000.5,               short: "100000",       long: "100000.5" }, // halves go to the even digit
    { value: 100001.5,               short: "100002",       long: "100001.5" },
    { value: 0.0001,                 short: "0.0001",       long: "0.00010000000000000000479217360238593" },
    { value: 0.00001,                short: "1e-05",        long: "1.0000000000000000818030539140313e-05" },
    { value: 2 ** 100,               short: "1.26765e+30",  long: "1267650600228229401496703205376" },
    { value: 1e300,                  short: "1e+300",       long: "1.0000000000000000525047602552044e+300" },
    { value: Number.NaN,             short: "nan",          long: "nan" },
    { value: Number.NEGATIVE_INFINITY, short: "-inf",       long: "-inf" },
  ])("$value", ({ value, short, long }) => {
    expect(general(value)).toBe(short);
    expect(general(value, 32)).toBe(long);
  });

  test("17 digits name a number", () => {
    holds(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(general(value, 17))).toBe(value);
      }),
    );
  });
});

describe("tensors as the engine writes them", () => {
  test.each([
    {
      tensor: "tensor<float>(b{},a[2]):{y:[1,2],x:[3,4]}",
      shown: "spec(tensor<float>(a[2],b{})) {\n  [0,x]: 3\n  [0,y]: 1\n  [1,x]: 4\n  [1,y]: 2\n}",
      text: 'tensor<float>(a[2],b{}):{{a:0,b:"x"}:3,{a:0,b:"y"}:1,{a:1,b:"x"}:4,{a:1,b:"y"}:2}',
    },
    {
      tensor: "tensor(x[11]):[0,1,2,3,4,5,6,7,8,9,NaN]",
      shown: `spec(tensor(x[11])) {\n${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => `  [${at}]: ${at}\n`).join("")}  [10]: nan\n}`,
      text: `tensor(x[11]):{${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => `{x:${at}}:${at},`).join("")}{x:10}:(0/0)}`,
    },
    {
      tensor: "tensor(k{}):{'a\"b\\\\c':Infinity, 'é':-Infinity}",
      shown: 'spec(tensor(k{})) {\n  [a"b\\c]: inf\n  [é]: -inf\n}',
      text: 'tensor(k{}):{{k:"a\\"b\\\\c"}:(1/0),{k:"\\xc3\\xa9"}:(-1/0)}',
    },
    { tensor: "tensor(k{}):{}", shown: "spec(tensor(k{})) {\n}", text: "tensor(k{}):{}" },
    { tensor: "0.1", shown: "0.10000000000000000555111512312578", text: "0.1" },
  ])("$tensor", ({ tensor, shown, text }) => {
    expect(shownValue(parseTensor(tensor))).toBe(shown);
    expect(verbatim(parseTensor(tensor))).toBe(text);
  });
});

describe("expressions", () => {
  test("have letters for names, and a single one has none", async () => {
    expect(await evalExpr("2+2", "a+2", "a+b")).toEqual({ code: 0, out: "a: 4\nb: 6\nc: 10\n", err: "" });
    expect(await evalExpr("2+2")).toEqual({ code: 0, out: "4\n", err: "" });
    expect((await evalExpr("-3", "-a")).out).toBe("a: -3\nb: 3\n");
  });

  test("--verbose tells the steps", async () => {
    const { out, err } = await evalExpr("--verbose", "1", "a+a*a");
    expect(out).toBe("a: 1\nb: 2\n");
    const [, steps = ""] = err.split("eval 'a+a*a' -> 'b'\nmeta-data(b):\n");
    expect(
      [...steps.matchAll(/^ {2}class: (.*)\n {4}symbol: (.*)\n {4}count: 1\n {4}time_us: \S+$/gm)].map(
        ([, ...is]) => is,
      ),
    ).toEqual([
      ["input", "input a"],
      ["apply", "multiply"],
      ["apply", "add"],
    ]);
  });

  test.each([
    { args: [], code: 1 },
    { args: Array(26).fill("1"), code: 0 },
    { args: Array(27).fill("1"), code: 2 },
    { args: ["1", "a+", "1"], code: 3 },
    { args: ["tensor(x[2]):[1,2]+tensor(x[3]):[1,2,3]"], code: 3 }, // which only the other dialect takes
    { args: ["interactive", "a", "b"], code: 3 },
  ])("exit code $code", async ({ args, code }) => {
    const found = await evalExpr(...args);
    expect(found.code).toBe(code);
    expect(found.err === "").toBe(code === 0);
  });
});

describe("interactive", () => {
  const script = `#!/bin/env -S vespa-eval-expr interactive

## not shown
# shown
def t tensor(x[2]):[1,2]
def query(q) 3
t*query(q)
`;
  const shown = `> # shown
> def t tensor(x[2]):[1,2]
t: spec(tensor(x[2])) {
  [0]: 1
  [1]: 2
}
> def query(q) 3
query(q): 3
> t*query(q)
spec(tensor(x[2])) {
  [0]: 3
  [1]: 6
}
`;
  const named = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };

  test("runs a script, and then the lines of stdin", async () => {
    const file = named("a.script", script);
    const found = await run(["eval-expr", "interactive", file], { stdin: ["sum", "(t)\nex", "it\n1\n"] });
    expect(found).toEqual({ code: 0, out: `${shown}3\n`, err: "" });
    expect(
      (await run(["eval-expr", "interactive", named("b.script", "1\nexit\n2")], { stdin: ["3"] })).out,
    ).toBe("> 1\n1\n> exit\n");
  });

  test.each([
    {
      lines: "def a 1\ndef a tensor(x[1]):[a]\nlist",
      out: "a: 1\na: spec(tensor(x[1])) {\n  [0]: 1\n}\n  a: tensor(x[1])\n",
      err: "",
    },
    {
      lines: "def a 1\nlist\nundef a\nundef a\nlist",
      out: "a: 1\n  a: double\nremoved value 'a'\nvalue not found: 'a'\n",
      err: "",
    },
    {
      lines: "verbose true\n1\nverbose false\n1",
      out: "verbose set to true\n1\nverbose set to false\n1\n",
      err: /^eval '1'\nmeta-data:\n/,
    },
    { lines: "verbose on\n1", out: "1\n", err: /^bad flag specifier: 'on'/ },
    { lines: "def a", out: "", err: /^error: def takes/ },
    { lines: "nothing\n\n  \n2", out: "2\n", err: /^error: nothing here is called nothing/ },
    { lines: "#!x\n# y\n2\r\n", out: "2\n", err: "" },
  ])("$lines", async ({ lines, out, err }) => {
    const found = await run(["eval-expr", "interactive"], { stdin: [lines] });
    expect(found).toEqual({ code: 0, out, err: typeof err === "string" ? err : expect.stringMatching(err) });
  });

  test("help names every command", async () => {
    const { out } = await run(["eval-expr", "interactive"], { stdin: ["help"] });
    for (const each of ["def", "undef", "list", "verbose", "help", "exit", "expr"])
      expect(out).toContain(each);
  });

  test("convert and link give the script as a program of the playground", async () => {
    const file = named("c.script", script);
    const cells = [
      { op: "c", p: { t: " shown" } },
      { op: "e", p: { n: "t", e: "tensor(x[2]):[1,2]" } },
      { op: "e", p: { n: "query(q)", e: "3" } },
      { op: "e", p: { n: "", e: "t*query(q)" } },
    ];
    const converted = await evalExpr("interactive", file, "convert");
    expect(converted.out.startsWith(shown)).toBe(true);
    expect(JSON.parse(converted.out.slice(shown.length))).toEqual({ f: cells });
    const linked = await evalExpr("interactive", file, "link");
    const link = linked.out.slice(shown.length);
    expect(link).toMatch(/^https:\/\/docs\.vespa\.ai\/playground\/#[\w+-]+\n$/);
    expect((await programIn(link)).map((each) => each.kind)).toEqual([
      "remark",
      "formula",
      "formula",
      "formula",
    ]);
  });

  test.each([
    { script: "def a 1\ndef a 2", says: "a is defined twice" },
    { script: "def a 1\nundef a", says: "undef a" },
    { script: "1 +", says: "no value" },
  ])("what is no program of the playground cannot be converted: $script", async ({ script, says }) => {
    const found = await evalExpr("interactive", named("d.script", script), "convert");
    expect(found.code).toBe(3);
    expect(found.err).toMatch(new RegExp(`conversion failed: .*${says}`));
  });

  test("a script that is not there is a warning, and nothing to convert", async () => {
    expect(await evalExpr("interactive", "none")).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^warning: .*none/),
    });
    expect((await evalExpr("interactive", "none", "link")).code).toBe(3);
  });
});

describe("json-repl", () => {
  const replies = async (...stdin: readonly string[]) => {
    const { code, out } = await run(["eval-expr", "json-repl"], { stdin });
    return {
      code,
      replies: out
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    };
  };

  test("answers messages, and lists of them, wherever they end", async () => {
    const found = await replies(
      '{"expr":"2+2","na',
      'me":"a"}{"expr":\n"a+2"} [{"expr":"a","name":"b"},\n{"expr":"a+b"}]',
      "[]\n",
    );
    expect(found).toEqual({
      code: 0,
      replies: [{ result: "4" }, { result: "6" }, [{ result: "4" }, { result: "8" }], []],
    });
  });

  test("a message that fails is answered with an error that says when, and the others are as they are", async () => {
    const { replies: all } = await replies(
      '[{"expr":"this does not parse"},{"expr":""},{},7,{"expr":"tensor(x[2]):[1,2]+tensor(x[3]):[1,2,3]"},{"expr":"1"}]',
    );
    const errors = all[0].map(({ error }: { readonly error?: string }) => error?.split(/[\n:]/)[0]);
    expect(errors).toEqual([
      "expression parsing failed",
      "missing expression",
      "missing expression",
      "missing expression",
      "type resolving failed for expression",
      undefined,
    ]);
  });

  test("verbose tells the steps", async () => {
    const { replies: all } = await replies('[{"expr":"1","name":"a"},{"expr":"a+a+a","verbose":true}]');
    expect(all[0][1]).toEqual({
      result: "3",
      steps: [
        { class: "input", symbol: "input a" },
        { class: "apply", symbol: "add" },
        { class: "apply", symbol: "add" },
      ],
    });
  });

  test.each([
    "{expr:1}",
    '{"expr":"1"',
    "nonsense",
    '"',
    "]",
    '{"expr":"1"}}',
  ])("what is not JSON ends it: %s", async (text) => {
    expect((await replies(text)).code).toBe(3);
  });

  test("JSON values are found in a stream, however it is cut", async () => {
    const values = fc.array(fc.json(), { maxLength: 6 });
    await holds(
      fc.asyncProperty(
        values,
        fc.constantFrom(" ", "\n", "\r\n\t"),
        fc.integer({ min: 1, max: 7 }),
        async (texts, between, size) => {
          const whole = texts.join(between);
          async function* chunks(): AsyncGenerator<string> {
            for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size);
          }
          const found: string[] = [];
          for await (const each of jsonTexts(chunks())) found.push(each);
          expect(found.map((each) => JSON.parse(each))).toEqual(texts.map((each) => JSON.parse(each)));
        },
      ),
    );
  });
});
