import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { showProblem } from "../../../src/index.js";
import { readRankTests } from "../../../src/vespa.js";
import { type Command, command } from "../../command.js";
import { patient } from "../../patience.js";

/** The files of rank tests, how they are read, and what `sphex test` says of them. */
const schema = `schema doc {
  document doc {
    field title type string {
      indexing: index
      index: enable-bm25
    }
    field price type double { indexing: attribute }
  }
  rank-profile shop {
    inputs {
      query(q) tensor(x[2])
    }
    function cheapness() { expression: 10 / attribute(price) }
    function doubled() { expression: 2 * query(q) }
    first-phase { expression: cheapness + bm25(title) }
  }
}
`;

function shop(files: Readonly<Record<string, string>>): Command {
  const own = command();
  for (const folder of ["schemas", "tests"]) mkdirSync(join(own.folder, folder));
  for (const [name, text] of Object.entries({ "schemas/doc.sd": schema, ...files }))
    writeFileSync(join(own.folder, name), text);
  return own;
}

const run = async (text: string, ...args: string[]) =>
  await shop({ "tests/shop.rank-test.yaml": text }).run(["test", "--tap", ...args]);

/** The lines of the tests in TAP, without what explains those that fail. */
const verdicts = (out: string): string[] => out.split("\n").filter((line) => /^(?:not )?ok/.test(line));

describe("a file of rank tests", () => {
  test("may be one test", async () => {
    const one = "profile: shop\ndocument: {price: 5}\nfeatures: {bm25(title): 1}\nexpect: {score: 3}\n";
    expect((await run(one)).code).toBe(0);
    const { code, out } = await run(one.replace("score: 3", "score: 4"));
    expect(code).toBe(1);
    expect(out).toContain("#   score  expected 4.0, found 3.0, -1.0\n");
    expect(out).toMatch(/^# {5}cheapness +2\.0$/m);
    expect(out).toMatch(/^# {5}attribute\(price\) +5\.0$/m);
  });

  test("may have cases, which take over what they do not say", async () => {
    const { out } = await run(`
profile: shop
document: { price: 5 }
features: { bm25(title): 1 }
expect: { score: 3 }
cases:
  - name: as the file says
  - name: another text
    features: { bm25(title): 2 }
    expect: { score: 4, cheapness: 2 }
  - name: another price
    document: { price: 1 }
  - name: another input
    query: { input.query(q): [1, 2] }
    expect: { doubled: [2, 4] }
`);
    expect(verdicts(out)).toEqual([
      "ok 1 - as the file says",
      "ok 2 - another text",
      "not ok 3 - another price",
      "ok 4 - another input",
    ]);
  });

  test("may have a table of cases", async () => {
    const { out } = await run(`
profile: shop
table:
  give:   [attribute(price), bm25(title)]
  expect: [score, cheapness]
  rows:
    - [10, 1, 2, 1]
    - [5, 0.5, 2.5, 2]
    - [1, 0, 11, 10]
`);
    expect(verdicts(out)).toEqual([
      "ok 1 - row 1: attribute(price)=10, bm25(title)=1",
      "ok 2 - row 2: attribute(price)=5, bm25(title)=0.5",
      "not ok 3 - row 3: attribute(price)=1, bm25(title)=0",
    ]);
  });

  test("may expect the order of a list, with features of each document", async () => {
    const text = `
profile: shop
documents:
  - { id: "id:shop:doc::dear", fields: { price: 10 }, features: { bm25(title): 3 } }
  - { id: "id:shop:doc::cheap", fields: { price: 1 }, features: { bm25(title): 0 } }
expect:
  ranking: [cheap, dear]
  scores: { cheap: 10, dear: 4 }
`;
    expect((await run(text)).code).toBe(0);
    const { out } = await run(text.replace("[cheap, dear]", "[dear, cheap]").replace("dear: 4", "dear: 5"));
    expect(out).toContain("rank 1  expected dear, found id:shop:doc::cheap\n");
    expect(out).toContain("dear    expected 5.0, found 4.0, -1.0\n");
  });

  test("may be JSON, and name files beside it", async () => {
    const own = shop({
      "tests/query.json": '{"input": {"query(q)": [1, 2]}}',
      "tests/doc.json": '{"put": "id:shop:doc::1", "fields": {"price": 4}}',
      "tests/shop.rank-test.json": JSON.stringify({
        profile: "shop",
        query: "query.json",
        document: "doc.json",
        expect: { cheapness: 2.5, doubled: { type: "tensor(x[2])", values: [2, 4] } },
      }),
    });
    expect(await own.run(["test"])).toMatchObject({ code: 0, err: "" });
  });

  test("compares within its tolerance, and NaN with NaN", async () => {
    const cases = (expected: string, tolerance: string): string =>
      `profile: shop\ndocument: {price: 3}\nexpect: {cheapness: ${expected}}\ntolerance: ${tolerance}\n`;
    expect((await run(cases("3.3333", "1.0e-4"))).code).toBe(0);
    expect((await run(cases("3.3333", "1.0e-6"))).code).toBe(1);
    const nan = "profile: shop\nexpect: {cheapness: .nan}\n";
    expect((await run(nan)).code).toBe(0);
    expect((await run(nan.replace(".nan", "1"))).code).toBe(1);
  });

  test("an infinity is nothing but itself, whatever the tolerance", async () => {
    const cases = (price: number, expected: string): string =>
      `profile: shop\ndocument: {price: ${price}}\nexpect: {cheapness: ${expected}}\ntolerance: 0.5\n`;
    const codes = [];
    for (const [price, expected] of [
      [0, ".inf"],
      [0, "-.inf"],
      [0, "5"],
      [2, ".inf"],
      [2, "-.inf"],
      [2, "5"],
    ] as const)
      codes.push((await run(cases(price, expected))).code);
    expect(codes).toEqual([0, 1, 1, 1, 1, 0]);
  });

  test("expects the number that is written, and of cells that are no whole numbers what they hold of it", async () => {
    const own = shop({
      "schemas/doc.sd": schema.replace(
        "function doubled()",
        "function bytes() { expression: tensor<int8>(x[2]):[1, 44] }\n    function halves() { expression: tensor<bfloat16>(x[2]):[0.1, 1] }\n    function doubled()",
      ),
    });
    const code = async (expected: string): Promise<number> => {
      writeFileSync(join(own.folder, "tests/shop.rank-test.yaml"), `profile: shop\nexpect: ${expected}\n`);
      return (await own.run(["test"])).code;
    };
    expect([await code("{bytes: [1, 44]}"), await code("{halves: [0.1, 1]}")]).toEqual([0, 0]);
    for (const wrong of [
      "{bytes: [1, 300]}",
      "{bytes: [1.9, 44]}",
      "{halves: [0.1, 1.01]}",
      "{halves: [0.2, 1]}",
    ])
      expect({ wrong, code: await code(wrong) }).toEqual({ wrong, code: 1 });
  });

  test("names a document by its whole id, or what stands behind its type", async () => {
    const documents = (ids: readonly string[]): string =>
      `profile: shop\ndocuments:\n${ids.map((id, at) => `  - { id: "${id}", fields: { price: ${10 ** at} }, features: { bm25(title): 0 } }\n`).join("")}`;
    const [whole, short] = [documents(["id:a:doc::11", "id:a:doc::x::1"]), documents(["11", "1"])];
    for (const text of [short, whole]) {
      const last = text === short ? "1" : "x::1";
      expect(
        (await run(`${text}expect: { scores: { "11": 10, "${last}": 1 }, ranking: ["11", "${last}"] }\n`))
          .code,
      ).toBe(0);
      expect((await run(`${text}expect: { scores: { "${last}": 10 } }\n`)).code).toBe(1);
      expect((await run(`${text}expect: { ranking: ["${last}", "11"] }\n`)).code).toBe(1);
    }
    expect((await run(`${whole}expect: { scores: { "1": 1 } }\n`)).code).toBe(1);
  });

  test("shows the cells of tensors that differ", async () => {
    const { out } = await run("profile: shop\nquery: {query(q): [1, 2]}\nexpect: {doubled: [2, 5]}\n");
    expect(out).toContain("doubled{x:1}  expected 5.0, found 4.0, -1.0\n");
  });
});

describe("what is wrong", () => {
  // biome-ignore format: a table
  test.each([
    { text: "profile: shop\nexpect: {score: 1\n",                          code: "yaml/syntax",       line: 3 },
    { text: "profile: shop\nprofile: shop\nexpect: {score: 1}\n",          code: "yaml/syntax",       line: 2 },
    { text: "profile: shop\n? [expect]\n: {score: 1}\n",                    code: "yaml/key",          line: 2 },
    { text: "profile: shop\nexpct: {score: 1}\n",                          code: "test/key",          line: 2 },
    { text: "expect: {score: 1}\n",                                        code: "ranking/profile",   line: 1 },
    { text: "profile: shop\nexpect: [1]\n",                                code: "json/shape",        line: 2 },
    { text: "profile: [shop]\nexpect: {score: 1}\n",                       code: "json/shape",        line: 1 },
    { text: "profile: shop\nnow: today\nexpect: {score: 1}\n",             code: "json/shape",        line: 2 },
    { text: "profile: shop\ncases: 3\n",                                   code: "json/shape",        line: 2 },
    { text: "profile: shop\ncases:\n  - expect:\n      score: 1\n    documnt: {}\n", code: "test/key", line: 5 },
    { text: "profile: shop\ntable:\n  give: [a]\n  rows:\n    - [1, 2]\n", code: "json/shape",        line: 5 },
    { text: "profile: shop\ndocument: ../../etc/passwd\nexpect: {score: 1}\n", code: "file/unreadable", line: 2 },
    { text: "profile: shop\ndocument: /etc/passwd\nexpect: {score: 1}\n",  code: "file/unreadable",   line: 2 },
    { text: "profile: shop\nexpect: {nothing: 1}\n",                       code: "test/expected",     line: 2 },
    { text: "profile: shop\nexpect: {score: 1}\n",                         code: "ranking/missing",   line: 15 },
    { text: "profile: shop\nfeatures:\n  bm25(titel): 3\nexpect: {score: 1}\n", code: "ranking/unused", line: 3 },
    { text: "profile: shop\nquery:\n  query(q): [1]\nexpect: {doubled: 1}\n", code: "json/shape",     line: 3 },
    { text: "profile: shopping\nexpect: {score: 1}\n",                     code: "ranking/profile",   line: 1 },
    { text: "profile: shop\ndocument:\n  prise: 5\nexpect: {doubled: 1}\n", code: "ranking/unknown-field", line: 3 },
    { text: "profile: shop\nexpect: *nowhere\n",                           code: "yaml/syntax",       line: 1 },
  ])("is told with its line: $code", async ({ text, code, line }) => {
    const own = shop({ "tests/shop.rank-test.yaml": text });
    const { err, code: exit } = await own.run(["test"]);
    expect(err).toMatch(new RegExp(`^error: [^┌]*\\s${code}\\n +┌ [^\\n]+:${line}:\\d+\\n`));
    expect(exit).toBe(1);
  });

  test("hides none of the other tests", async () => {
    const text =
      "profile: shop\ndocument: {price: 5}\ncases:\n  - expect: {nothing: 1}\n  - expect: {cheapness: 2}\n";
    expect(verdicts((await run(text)).out)).toEqual(["not ok 1 - case 1", "ok 2 - case 2"]);
  });

  test("a link that leads out of the package is not followed", async () => {
    const own = shop({
      "tests/shop.rank-test.yaml": "profile: shop\ndocument: out.json\nexpect: {score: 1}\n",
    });
    symlinkSync("/etc/hostname", join(own.folder, "tests/out.json"));
    expect((await own.run(["test"])).err).toContain("it lies outside of the package");
  });

  test("no tests are a mistake of the call", async () => {
    expect(await shop({}).run(["test"])).toMatchObject({ code: 2 });
  });
});

describe("hostile text", () => {
  const read = async (text: string) =>
    await readRankTests({ name: "test", text }, () => {
      throw new Error("no file is read here");
    });
  const bomb = (levels: number): string => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level <= levels; level++) {
      const alias = `*a${level - 1}`;
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => alias).join(", ")}]`);
    }
    return `query:\n${lines.map((line) => `  ${line}`).join("\n")}\nprofile: shop\nexpect: {score: 1}\n`;
  };

  // biome-ignore format: a table
  test.each([
    { what: "aliases of aliases",   text: bomb(9),                                     code: "yaml/aliases" },
    { what: "an alias of itself",   text: "query: &a [*a]\n",                          code: undefined },
    { what: "very deep brackets",   text: `query: ${"[".repeat(100_000)}`,             code: undefined },
    { what: "very deep indentation", text: Array.from({ length: 2_000 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"), code: undefined },
    { what: "a tag of a program",   text: 'query: !!js/function "function () {}"\n',   code: undefined },
    { what: "bytes",                text: "\u0000\u0001\ud800",                        code: undefined },
    { what: "a number alone",       text: "3",                                         code: undefined },
    { what: "nothing",              text: "",                                          code: undefined },
  ])("is refused, and nothing more: $what", patient, async ({ text, code }) => {
    const { file, problems } = await read(text);
    expect(file.tests).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
    if (code !== undefined) expect(problems.map((each) => each.code)).toEqual([code]);
    for (const each of problems) expect(showProblem(each)).toMatch(/^error: /);
  });

  test("__proto__ is a name like any other", async () => {
    const { file, problems } = await read(
      'profile: shop\nfeatures: {"__proto__": 3}\ndocument: {"__proto__": {"price": 1}}\nexpect: {"constructor": 1}\n',
    );
    expect(problems).toEqual([]);
    const [only] = file.tests;
    expect([...(only?.features.keys() ?? [])]).toEqual(["__proto__"]);
    expect([...(only?.documents[0]?.fields.keys() ?? [])]).toEqual(["__proto__"]);
    expect(only?.expected.map(({ name }) => name)).toEqual(["constructor"]);
    expect(({} as { price?: number }).price).toBeUndefined();
  });
});

describe("results for machines", () => {
  const text =
    'profile: shop\ndocument: {price: 5}\ncases:\n  - {name: good, expect: {cheapness: 2}}\n  - {name: "bad <&> # one", expect: {cheapness: 3}}\n';

  test("are written in the Test Anything Protocol", async () => {
    const { out } = await run(text);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "TAP version 13",
      "1..2",
      "ok 1 - good",
      "not ok 2 - bad <&> \\# one",
    ]);
  });

  test("are written as JUnit's XML", async () => {
    const own = shop({ "tests/shop.rank-test.yaml": text });
    const { code } = await own.run(["test", "--junit", "report.xml"]);
    const xml = readFileSync(join(own.folder, "report.xml"), "utf8");
    expect(code).toBe(1);
    expect(xml).toContain('<testsuite name="tests/shop.rank-test.yaml" tests="2" failures="1" errors="0">');
    expect(xml).toContain('<testcase name="bad &lt;&amp;&gt; # one" classname="shop"');
    expect(xml).toContain("cheapness  expected 3.0, found 2.0, -1.0");
  });

  test("can be of some tests only", async () => {
    expect(verdicts((await run(text, "--filter", "good")).out)).toEqual(["ok 1 - good"]);
  });
});

test("a mistake in a schema is told once, however many tests it breaks", async () => {
  const text = "profile: shop\ncases:\n  - expect: {score: 1}\n  - expect: {score: 2}\n";
  const broken = schema.replace("10 / attribute(price)", "10 / attribute(prize)");
  const own = shop({ "tests/shop.rank-test.yaml": text, "schemas/doc.sd": broken });
  const { code, out, err } = await own.run(["test"]);
  expect(code).toBe(1);
  expect(out).toContain("2 tests failed, 0 passed");
  expect(err.match(/^error: /gm)).toHaveLength(1);
  expect(err).toContain("did you mean price?");
});
