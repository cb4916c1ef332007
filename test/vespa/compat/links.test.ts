import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import lz from "lz-string";
import { describe, expect, test } from "vitest";
import { compile, evaluate, SphexError } from "../../../src/index.js";
import { linkTo, mostPacked, programIn } from "../../../src/vespa/compat/link.js";
import { notebookCells, notebookText } from "../../../src/vespa/compat/notebook.js";
import { type Cell, setupText } from "../../../src/vespa/compat/playground.js";
import { holds } from "../../chance.js";
import { command } from "../../command.js";
import { type Case, casesOf, explained, hasCases, inputsOf, type Verdict } from "../../conformance/cases.js";
import { type CellList, sameNumber } from "../../conformance/equality.js";

/** Links to the playground: written and read, as programs of the playground and as programs of ours. */
const { folder, run } = command();

const remark = (text: string): Cell => ({ kind: "remark", text });
const formula = (name: string, expression: string): Cell => ({ kind: "formula", name, expression });
const base = "https://docs.vespa.ai/playground/#";
const packed = (json: string): string => base + lz.compressToEncodedURIComponent(json);

/** The codes of what is thrown. */
async function codesOf(act: () => unknown): Promise<readonly string[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

describe("links", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "",
      "a",
      "query(q)",
      "sum(a * b, m)",
      "__proto__",
      "a = 1",
      "1 +\n2",
      "1\n-2",
      "# no",
      '"',
      "[",
      "a;b",
    ),
    fc.constantFrom(
      "tensor(x[2]):[1,2]",
      "  2",
      "2 # two",
      "// x",
      ">",
      "> x",
      "@ x",
      "!x",
      "é\u2028ü",
      "a\r\nb",
      "'",
    ),
  );
  const cells: fc.Arbitrary<readonly Cell[]> = fc.array(
    fc.oneof(
      texts.map(remark),
      fc.tuple(texts, texts).map(([name, expression]) => formula(name, expression)),
    ),
  );

  test("every program comes back from its link", async () => {
    await holds(
      fc.asyncProperty(cells, async (program) => {
        expect(await programIn(await linkTo(program))).toEqual(program);
      }),
    );
  });

  test("every program comes back from its text", () => {
    const reads = (program: readonly Cell[]): void => {
      expect(notebookCells({ name: "text", text: notebookText(program) })).toEqual(program);
    };
    // A program that uses a name above its definition is none of the playground's making.
    const isOrdered = (program: readonly Cell[]): boolean => {
      const formulas = program.filter((each) => each.kind === "formula");
      return formulas.every(({ expression }, at) =>
        formulas.slice(at + 1).every(({ name }) => name === "" || !expression.includes(name)),
      );
    };
    holds(fc.property(cells.filter(isOrdered), reads), 500);
  });

  test.each([
    { says: "ends with a comment", expression: "a * 2 # twice", value: "tensor(x[2]):[4.0, 8.0]" },
    { says: "begins with a comment", expression: "# twice\na * 2", value: "tensor(x[2]):[4.0, 8.0]" },
    { says: "has lines", expression: "sum(a,\n  x)\n\n* 1", value: "tensor():{6.0}" },
    { says: "has white space around it", expression: "  a * 2 ", value: "tensor(x[2]):[4.0, 8.0]" },
  ])("a cell whose text $says is computed in the program of the cells", ({ expression, value }) => {
    const cells = [
      formula("a", "tensor(x[2]):[1,2]"),
      formula("b", expression),
      formula("query(q)", "b # c"),
      formula("", "query(q)\n+ b // d"),
    ];
    const text = notebookText(cells);
    expect(text).not.toContain("#@");
    expect(compile(text).runAll().results.map(String)).toEqual([value]);
    expect(notebookCells({ name: "text", text })).toEqual(cells);
  });

  test.each([
    { says: "indented", json: JSON.stringify({ f: [{ op: "e", p: { n: "a", e: "2" } }] }, null, 2) },
    { says: "compact", json: '{"f":[{"op":"e","p":{"n":"a","e":"2"}}]}' },
    {
      says: "in another order, with more in it",
      json: '{"v":1,"f":[{"p":{"e":"2","x":[],"n":"a"},"op":"e"}]}',
    },
  ])("the JSON in a link may be $says", async ({ json }) => {
    const link = packed(json);
    expect(await programIn(link)).toEqual([formula("a", "2")]);
    expect(await programIn(`  ${link.slice(base.length)}\n`)).toEqual([formula("a", "2")]);
    expect(await programIn(link.replaceAll("+", "%2B"))).toEqual([formula("a", "2")]);
  });

  test("a frame without a name has none", async () => {
    expect(await programIn(packed('{"f":[{"op":"e","p":{"e":"2"}}]}'))).toEqual([formula("", "2")]);
  });

  const whole = packed(setupText([formula("a", "tensor(x[3]):[1,2,3]"), remark("as you see")]));
  test.each([
    { link: "https://docs.vespa.ai/playground/", codes: ["link/fragment"] },
    { link: base, codes: ["link/fragment"] },
    { link: "", codes: ["link/fragment"] },
    { link: `${base}N4!A`, codes: ["link/alphabet"] },
    { link: `${base}N4💥A`, codes: ["link/alphabet"] },
    { link: `${base}/`, codes: ["link/alphabet"] },
    { link: whole.slice(0, -30), codes: ["link/damaged"] },
    { link: `${base}A`.padEnd(base.length + mostPacked + 1, "A"), codes: ["link/size"] },
    { link: packed(`{"f":"${"a".repeat(500_000)}`), codes: ["link/size"] },
    { link: packed("{"), codes: ["playground/json"] },
    { link: packed("null"), codes: ["playground/json"] },
    { link: packed('{"f":{}}'), codes: ["playground/json"] },
    { link: packed('{"f":[7]}'), codes: ["playground/json"] },
    { link: packed('{"f":[{"op":"x"}]}'), codes: ["playground/json"] },
    {
      link: packed('{"f":[{"op":"c","p":{}},{"op":"e","p":{"n":1,"e":[]}}]}'),
      codes: Array(3).fill("playground/json"),
    },
    { link: packed("[".repeat(100_000)), codes: ["playground/json"] },
  ])("refused: $codes $#", async ({ link, codes }) => {
    expect(await codesOf(() => programIn(link))).toEqual(codes);
  });

  test("nothing that is packed wrongly is anything but a problem", async () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    const fragments = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3000 });
    await holds(
      fc.asyncProperty(fragments, async (text) => {
        const [code = ""] = await codesOf(() => programIn(text));
        expect(code).toMatch(/^(?:link|playground)\//);
      }),
    );
  });

  test("a program that is too long has no link", async () => {
    const numbers = Array.from({ length: 40_000 }, (_, at) => (at * 7919) % 65_537).join(",");
    expect(await codesOf(() => linkTo([formula("", numbers)]))).toEqual(["link/size"]);
  });
});

describe("programs as cells", () => {
  test.each([
    { text: "a = 2\na + 1", cells: [formula("a", "2"), formula("", "a + 1")] },
    { text: "a = 2; a", cells: [formula("a", "2"), formula("", "a")] },
    { text: "input query( q ): tensor() = 3", cells: [formula("query( q )", "3")] },
    { text: "constant k = 3\nk", cells: [formula("k", "3"), formula("", "k")] },
    { text: "constant k = 3\nconstant(k)", cells: [formula("constant(k)", "3"), formula("", "constant(k)")] },
    { text: "variable w = 3\npersistent p = w", cells: [formula("w", "3"), formula("p", "w")] },
    {
      text: "# one\n#\n//  two\n\n# three\n1",
      cells: [remark("one\n\n two"), remark("three"), formula("", "1")],
    },
    { text: "#!/usr/bin/sphex\n1 # why\n#> 1.0\n", cells: [formula("", "1"), remark("why")] },
    { text: '#@ {"op":"e","p":{"n":"1","e":"["}}', cells: [formula("1", "[")] },
    {
      text: "input constructor = 1; input __proto__ = 2",
      cells: [formula("constructor", "1"), formula("__proto__", "2")],
    },
    { text: "(1 +\n 2)", cells: [formula("", "(1 +\n 2)")] },
    { text: "", cells: [] },
  ])("$text", ({ text, cells }) => {
    expect(notebookCells({ name: "text", text })).toEqual(cells);
  });

  test("inputs get the values that are given, also those that the program does not declare", () => {
    const text = "input a: tensor()\na + bm25(title)";
    expect(
      notebookCells(
        { name: "text", text },
        new Map([
          ["a", "3"],
          ["bm25(title)", "0.5"],
        ]),
      ),
    ).toEqual([formula("bm25(title)", "0.5"), formula("a", "3"), formula("", "a + bm25(title)")]);
  });

  test("all that the playground lacks is told at once, where it is", async () => {
    const text = 'f(x) = x\ninput a: tensor()\nconstant c: tensor() = file("c.json")\n2';
    const found = await run(["link", "-"], { stdin: [text] });
    expect(found.code).toBe(1);
    expect([...found.err.matchAll(/┌ (.*)/g)].map(([, place]) => place)).toEqual([
      "stdin:1:1",
      "stdin:2:7",
      "stdin:3:24",
    ]);
  });

  test("a name that is used above its definition is told, where it is used", async () => {
    const found = await run(["link", "-e", "b +\n a\nb = 1\na = 2"]);
    expect([...found.err.matchAll(/┌ (.*)/g)].map(([, place]) => place)).toEqual([
      "expression:1:1",
      "expression:2:2",
    ]);
    expect(await codesOf(() => notebookCells({ name: "text", text: "a\na = 2" }))).toEqual([
      "playground/order",
    ]);
  });
});

describe("the commands", () => {
  test("link and open", async () => {
    writeFileSync(
      join(folder, "a.sphex"),
      "# A *remark*\ninput query(q) = tensor(x[2]):[1,2]\n\nsum(query(q))\n",
    );
    const { out: link } = await run(["link", "a.sphex"]);
    expect(link.startsWith(base)).toBe(true);
    expect(lz.decompressFromEncodedURIComponent(link.slice(base.length).trim())).toBe(
      JSON.stringify(
        {
          f: [
            { op: "c", p: { t: "A *remark*" } },
            { op: "e", p: { n: "query(q)", e: "tensor(x[2]):[1,2]" } },
            { op: "e", p: { n: "", e: "sum(query(q))" } },
          ],
        },
        null,
        2,
      ),
    );
    const opened = await run(["open", link]);
    expect(opened).toEqual({
      code: 0,
      out: "# A *remark*\ninput query(q) = tensor(x[2]):[1,2]\nsum(query(q))\n",
      err: "",
    });
    const json = await run(["open", "-", "--json"], { stdin: [link] });
    expect((await run(["link", "-"], { stdin: [json.out] })).out).toBe(link);
    const ran = await run(["open", "--run", link]);
    expect(ran.out).toBe("query(q): tensor(x[2])\n  tensor(x[2]):[1.0, 2.0]\ncell 3: tensor()\n  3.0\n");
  });

  test("the example that open gives is so", async () => {
    const { out } = await run(["open", "--help"]);
    const [, args = "", shown = ""] = /\$ sphex (open --run \S+)\n([\s\S]*)$/.exec(out) ?? [];
    expect((await run(args.split(" "))).out).toBe(`${shown.trimEnd().replace(/^ {2}/gm, "")}\n`);
  });

  test("link takes several statements, and values", async () => {
    const { out } = await run([
      "link",
      "-e",
      "input q: tensor(x[1])",
      "-e",
      "q * 2",
      "--set",
      "q=tensor(x[1]):[3]",
    ]);
    expect(await programIn(out)).toEqual([formula("q", "tensor(x[1]):[3.0]"), formula("", "q * 2")]);
  });

  test("link tells what the playground reads otherwise, and gives the link", async () => {
    const { code, out, err } = await run(["link", "-e", "8 * 2 % 3"]);
    expect({ code, isLink: out.startsWith(base) }).toEqual({ code: 0, isLink: true });
    expect(err).toMatch(/^warning: /);
  });

  test("a cell that fails leaves the others as they are, and a name that comes again is a new value", async () => {
    const cells = [
      formula("a", "2"),
      formula("a", "a * 3"),
      formula("b", "c"),
      formula("", "a"),
      formula("d", "1 +"),
    ];
    const { code, out, err } = await run(["open", "--run", await linkTo(cells)]);
    expect({ code, out }).toEqual({
      code: 1,
      out: "a: tensor()\n  2.0\na: tensor()\n  6.0\ncell 4: tensor()\n  6.0\n",
    });
    expect([...err.matchAll(/┌ (.*)/g)].map(([, place]) => place)).toEqual(["b:1:1", "d:1:4"]);
  });

  test("limits hold", async () => {
    const link = await linkTo([formula("", "sum(tensor(x[1000],y[1000])(x))")]);
    expect((await run(["open", "--run", link, "--max-steps", "1000"])).err).toMatch(/limit\/steps/);
  });

  test("what is called wrongly is told in a line", async () => {
    expect(await run(["link"])).toEqual({
      code: 2,
      out: "",
      err: "sphex: missing required argument 'file'\n",
    });
    expect((await run(["open"])).code).toBe(2);
    expect((await run(["link", "none.sphex"])).code).toBe(2);
  });
});

interface PlaygroundCase extends Case {
  readonly source: string;
}

describe.skipIf(!hasCases("playground"))("the programs of Vespa's documentation", () => {
  /** The cells of each program, in their order. */
  const programs = new Map<string, { step: number; name: string; given: PlaygroundCase }[]>();
  for (const given of casesOf<PlaygroundCase>("playground")) {
    const [, page = "", step = "", name = ""] = /^(.*) step (\d+) (.*)$/s.exec(given.source) ?? [];
    programs.set(page, [...(programs.get(page) ?? []), { step: Number(step), name, given }]);
  }
  const differing = new Set(Object.keys(explained.playground ?? {}).map((key): string => JSON.parse(key)[0]));

  test("all run over links, and agree", async () => {
    const surprises: string[] = [];
    let compared = 0;
    for (const [page, unordered] of programs) {
      const steps = unordered.sort((a, b) => a.step - b.step);
      const { out } = await run(["open", "--run", "--json", await linkTo(cellsOf(steps))]);
      const answers = out
        .trim()
        .split("\n")
        .slice(-steps.length)
        .map((line) => JSON.parse(line));
      for (const [at, { given }] of steps.entries()) {
        if (differing.has(given.expr)) break; // and what is below depends on it
        const difference = differenceOf(answers[at], given.cpp);
        if (difference !== undefined) surprises.push(`${page}: ${given.expr}: ${difference}`);
        compared++;
      }
    }
    expect(surprises).toEqual([]);
    expect(programs.size).toBeGreaterThan(30);
    expect(compared).toBeGreaterThan(100);
  });

  /** A cell that several programs have is listed with one of them: the others get its value. */
  function cellsOf(steps: readonly { readonly name: string; readonly given: PlaygroundCase }[]): Cell[] {
    const names = steps.map(({ name }) => name);
    const values = new Map(steps.flatMap(({ given }) => Object.entries(inputsOf(given.vars))));
    const missing = [...values].filter(([name]) => !names.includes(name));
    return [
      ...missing.map(([name, value]) => formula(name, `${value}`)),
      ...steps.map(({ name, given }) => formula(name, given.expr)),
    ];
  }

  function differenceOf(
    answer: { type?: string; cells?: CellList },
    verdict: Verdict | undefined,
  ): string | undefined {
    if (verdict?.error !== undefined) return answer.type === undefined ? undefined : "a value";
    const expected = verdict?.valueType ?? verdict?.type;
    if (answer.type !== (expected === "double" ? "tensor()" : expected))
      return `${answer.type} instead of ${expected}`;
    const key = (address: object): string => JSON.stringify(Object.entries(address).sort());
    const ours = new Map((answer.cells ?? []).map(([address, value]) => [key(address), Number(value)]));
    const theirs = verdict?.cells ?? [];
    const isSame = theirs.every(([address, value]) =>
      sameNumber(ours.get(key(address)) ?? Number.NaN, Number(value)),
    );
    return isSame && ours.size === theirs.length ? undefined : "other cells";
  }
});

test("values of a link are those of the expressions", async () => {
  // The one place where what `open --run` gives is compared with the library itself.
  const { out } = await run([
    "open",
    "--run",
    "--json",
    await linkTo([formula("", "softmax(tensor(x[3])(x), x)")]),
  ]);
  expect(JSON.parse(out).value).toBe(`${evaluate("softmax(tensor(x[3])(x), x)", {}, { dialect: "vespa" })}`);
});
