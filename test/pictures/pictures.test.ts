import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import {
  evaluate,
  type PictureKind,
  type PictureOptions,
  parseTensor,
  renderSvg,
  renderText,
  SphexError,
  Tensor,
} from "../../src/index.js";
import { columnsOf } from "../../src/language/source/columns.js";
import { fieldOf, gridOf } from "../../src/pictures/grid.js";
import { colourAt, inkOn } from "../../src/pictures/ramp.js";
import { between, roundedOut, scaleOf, ticksOf, writer } from "../../src/pictures/scale.js";
import { Session } from "../../src/repl/session.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";
import { temporaryFolder } from "../folder.js";

/**
 * Pictures. Those of text were laid out by hand: count the columns and the eighths, do not copy what comes out. What
 * has to be so for any tensor is tried on random ones; SVG is read by a strict reader of the little XML that it uses.
 */
const text = (tensor: string, options: PictureOptions = {}): string[] =>
  renderText(parseTensor(tensor), options).split("\n");

describe("a heat map of text", () => {
  test("has a sign and a number for each cell, and their scale", () => {
    expect(text("tensor(k{},x[2]):{cat:[0,5],dog:[NaN,10]}", { width: 40, title: "a\n + b" })).toEqual([
      "a + b",
      "",
      "     x",
      "k    0       1",
      "cat  ··   0  ▒▒   5",
      "dog  ?? NaN  ██  10",
      "",
      "0 ·░▒▓█ 10   ? NaN",
    ]);
  });

  test("tells signs of numbers apart, equally far to both sides", () => {
    expect(text("tensor(x[1],y[3]):[[-2,0,9]]", { width: 30 })).toEqual([
      "   y",
      "x  0      1      2",
      "0  ⠤⠤ -2  ··  0  ██  9",
      "",
      "-9 ⣿⠿⠶⠤·░▒▓█ 9",
    ]);
  });

  test("leaves absent cells blank, and shows infinities as such", () => {
    const tensor = "tensor(a{},b{}):{{a:p,b:x}:1,{a:q,b:y}:Infinity,{a:q,b:x}:-Infinity}";
    expect(text(tensor, { width: 40 })).toEqual([
      "   b",
      "a  x      y",
      "p  ▒▒  1",
      "q  ↓↓ -∞  ↑↑  ∞",
      "",
      "▒ 1   ↑ ∞   ↓ -∞   blank no cell",
    ]);
  });

  test("has narrow squares where there is little room, and labels at even distances", () => {
    const squares = renderText(evaluate("tensor(x[2],y[12])(x * 12 + y)"), { width: 30 }).split("\n");
    expect(squares.slice(0, 4)).toEqual([
      "   y",
      "x  0   2   4   6   8   10",
      "0  ··········░░░░░░░░░░▒▒▒▒",
      "1  ▒▒▒▒▓▓▓▓▓▓▓▓▓▓██████████",
    ]);
  });

  test("takes means where there are more cells than columns, and says so", () => {
    const lines = renderText(evaluate("tensor(x[1],y[51])(y)"), { width: 20 }).split("\n");
    expect(lines).toEqual([
      "   y",
      "x  0–2   18–20 36–38",
      "0  ····░░░▒▒▒▓▓▓████",
      "",
      "1 ·░▒▓█ 49",
      "each square is the",
      "mean of 3 cells of y",
    ]);
    expect(renderText(evaluate("tensor(x[1],y[51])(y)"), { width: 50 })).toContain("x  0");
    expect(renderText(evaluate("tensor(x[81],y[200])(y)"), { width: 60 })).toContain(
      "each square is the mean of 3 cells of x × 4 of y",
    );
  });
});

describe("bars of text", () => {
  test("begin at zero, and end where their number is", () => {
    expect(text("tensor(k{}):{a:2,bc:-1,d:0.5}", { width: 22 })).toEqual([
      "k",
      "a     2     │█████████",
      "bc   -1 ████│",
      "d   0.5     │██▎",
      "        -1  0        2",
    ]);
  });

  test("show what is no number of the scale", () => {
    expect(text("tensor(k{}):{a:NaN,b:Infinity,c:4,d:0}", { width: 20 })).toEqual([
      "k",
      "a  NaN │",
      "b    ∞ │╌╌╌╌╌╌╌╌╌╌╌→",
      "c    4 │████████████",
      "d    0 │",
      "       0           4",
    ]);
  });
});

test("an infinity has room where no bar goes", () => {
  expect(text("tensor(k{}):{a:-Infinity,b:8}", { width: 20 })).toEqual([
    "k",
    "a  -∞ ←╌╌│",
    "b   8    │██████████",
    "      -2 0         8",
  ]);
});

describe("a line of text", () => {
  test("goes through all cells, and breaks at NaN", () => {
    const lines = text("tensor(x[4]):[0,1,NaN,1]", { width: 20, kind: "line" });
    expect(lines).toHaveLength(16);
    expect(lines[0]).toBe("1 ┤     ⡸          ⠈");
    expect(lines[11]).toBe("0 ┤⡎");
    expect(lines[12]).toBe("  └───────────?─────");
    expect(lines[13]).toBe("x  0    1     2    3");
    expect(lines[15]).toBe("? NaN");
  });

  test("is flat where all cells are the same", () => {
    const lines = text("tensor(x[2]):[3,3]", { width: 20, kind: "line" });
    expect(lines.filter((line) => line.includes("┤"))).toEqual([`3 ┤${"⠉".repeat(17)}`]);
  });
});

// biome-ignore format: a table
test.each([
  { expression: "tensor(x[2],y[2])(x)",  sign: "██" },
  { expression: "tensor(x[24])(x)",      sign: "│█" },
  { expression: "tensor(x[25])(x)",      sign: "┤" },
  { expression: "tensor(k{}):{a:1,b:2}", sign: "│█" },
])("$expression becomes what suits it", ({ expression, sign }) => {
  expect(renderText(evaluate(expression))).toContain(sign);
});

test("tensors without cells are said to be so", () => {
  expect(text("tensor(k{}):{}", { title: "none" })).toEqual(["none", "", "tensor(k{}) has no cells"]);
  expect(renderSvg(parseTensor("tensor(k{},x[2]):{}"))).toContain("tensor(k{},x[2]) has no cells");
});

describe("tensors of other ranks", () => {
  function problem(expression: string, kind?: PictureKind) {
    try {
      renderText(evaluate(expression), { title: expression, kind });
    } catch (error) {
      if (error instanceof SphexError) return error.problems[0];
    }
    return undefined;
  }

  test("are refused", () => {
    expect(problem("1 + 1")?.code).toBe("picture/rank");
    expect(problem("1 + 1")?.description.hint).toBeUndefined();
    expect(problem("tensor(x[2],y[2])(x)", "line")?.code).toBe("picture/kind");
  });

  // biome-ignore format: a table
  test.each<{ expression: string; kind?: PictureKind; hint: string }>([
    { expression: "tensor(a[9],b[2],c[5])(a)", hint: "draw a mean, avg(tensor(a[9],b[2],c[5])(a), b), or one slice, (tensor(a[9],b[2],c[5])(a)){b:0}" },
    { expression: "tensor(k{},x[2],y[2]):{'7':[[1,2],[3,4]]}", hint: `draw a mean, avg(…, k), or one slice, …{k:"7"}` },
    { expression: "tensor(k{},x[2]):{a:[1,2]}", kind: "bars", hint: "draw a mean, avg(tensor(k{},x[2]):{a:[1,2]}, k), or one slice, (tensor(k{},x[2]):{a:[1,2]}){k:a}" },
  ])("$expression is told what helps, in the language", ({ expression, kind, hint }) => {
    expect(problem(expression, kind)?.description.hint).toBe(hint);
    const [, mean = "", slice = ""] = /^draw a mean, (.*), or one slice, (.*)$/.exec(hint) ?? [];
    for (const help of [mean, slice.replace(/^…/, "(…)")])
      expect(() => renderText(evaluate(help.replace("…", expression)), { kind })).not.toThrow();
  });
});

describe("scales", () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 9,
  });

  test.each(["ramp", "bars", "line"] as const)("for %s hold all finite numbers", (purpose) => {
    holds(
      fc.property(numbers, (values) => {
        const scale = scaleOf(
          gridOf(fieldOf(dense([...values, NaN, Infinity])), { rows: 1, columns: 99 }),
          purpose,
        );
        expect(scale).toBeDefined();
        for (const each of [scale, scale && roundedOut(scale, 6)]) {
          for (const value of values) {
            const position = each?.position(value);
            expect(position).toBeGreaterThanOrEqual(0);
            expect(position).toBeLessThanOrEqual(1);
          }
          for (const tick of each === undefined ? [] : ticksOf(each, 6)) {
            expect(tick).toBeGreaterThanOrEqual(each?.low ?? NaN);
            expect(tick).toBeLessThanOrEqual(each?.high ?? NaN);
          }
        }
      }),
    );
  });

  test("have round ticks", () => {
    expect(ticksOf(between(0, 81), 6)).toEqual([0, 20, 40, 60, 80]);
    expect(ticksOf(between(-0.3, 0.5), 5).map(writer(0, 1))).toEqual(["-0.2", "0", "0.2", "0.4"]);
    expect(ticksOf(between(-Number.MAX_VALUE, Number.MAX_VALUE), 5)).toHaveLength(2);
  });

  test("write numbers so that different ones look different", () => {
    expect([1000.0001, 1000.0002].map(writer(1000.0001, 1000.0002))).toEqual(["1000.0001", "1000.0002"]);
    expect([123456.7, 1.5e8, 1 / 3, 1e-7, -Infinity].map(writer(0, 1))).toEqual([
      "123457",
      "1.5e8",
      "0.3333",
      "1e-7",
      "-∞",
    ]);
  });
});

const dense = (values: readonly number[]): Tensor =>
  Tensor.from(evaluate(`tensor(x[${values.length}])(0)`).type, [...values]);

test("means stay between the cells that they are of", () => {
  const means = (values: readonly number[]) =>
    gridOf(fieldOf(dense(values)), { rows: 1, columns: 1 }).cells[0]?.[0];
  expect(means([0.1, 0.1, 0.1])).toBe(0.1);
  expect(means([1, 2, 6])).toBeCloseTo(3, 12);
  expect(means([Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
  expect(means([1, Number.NaN])).toBeNaN();
  expect(means([1, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
});

test("numbers in squares can be read on every colour", () => {
  for (const scale of [between(0, 1), between(-1, 1)])
    for (let position = 0; position <= 1; position += 0.05) {
      const colour = colourAt(scale, position);
      const [light, dark] = [luminance(colour), inkOn(colour) === "#ffffff" ? 1 : 0].sort().reverse();
      expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toBeGreaterThan(4.5);
    }
});

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((each) =>
    each <= 10 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Reads a document strictly: what it says in all its texts, or what is wrong with it. */
function readXml(xml: string): string[] {
  const open: string[] = [];
  const texts: string[] = [];
  let at = 0;
  const tag = /<(?:\/([a-z]+)|([a-z]+)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)(\/?))>/y;
  while (at < xml.length) {
    tag.lastIndex = at;
    const [whole, closed, opened, attributes = "", isEmpty] = tag.exec(xml) ?? [];
    const end = xml.indexOf("<", at) < 0 ? xml.length : xml.indexOf("<", at);
    const words = whole === undefined ? xml.slice(at, end) : attributes;
    if (whole === undefined && words === "") throw new Error(`no tag: ${xml.slice(at, at + 40)}`);
    if (/&(?!(?:amp|lt|gt|quot|apos);)|[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(words))
      throw new Error(`not escaped: ${words}`);
    const names = [...attributes.matchAll(/ ([a-zA-Z-]+)=/g)].map((each) => each[1]);
    if (new Set(names).size < names.length) throw new Error(`twice: ${attributes}`);
    if (/NaN|Infinity|undefined/.test(attributes)) throw new Error(`no number: ${attributes}`);
    if (whole === undefined) texts.push(words);
    if (opened !== undefined && isEmpty === "") open.push(opened);
    if (closed !== undefined && open.pop() !== closed) throw new Error(`not open: ${closed}`);
    if (open.length === 0 && whole === undefined && words.trim() !== "") throw new Error(`outside: ${words}`);
    at += whole?.length ?? words.length;
  }
  if (open.length > 0) throw new Error(`still open: ${open}`);
  return texts;
}

describe("for any tensor", () => {
  const titles = fc.oneof(fc.constant(""), fc.string({ unit: "binary" }));
  const kinds = fc.constantFrom<PictureKind | undefined>(undefined, "heat", "bars", "line");
  const drawable = tensors().filter(({ type: { rank } }) => rank === 1 || rank === 2);
  const cases = fc.record({ tensor: drawable, title: titles, kind: kinds }).map(({ tensor, title, kind }) => {
    return { tensor, options: { title, kind: tensor.type.rank === 1 ? kind : undefined } };
  });

  test("no line is wider than asked for, or does what a terminal obeys", () => {
    holds(
      fc.property(cases, fc.integer({ min: 20, max: 120 }), ({ tensor, options }, width) => {
        const lines = renderText(tensor, { ...options, width }).split("\n");
        for (const line of lines) {
          expect(columnsOf(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });

  test("SVG is well-formed, whatever labels and titles are", () => {
    holds(
      fc.property(cases, fc.integer({ min: 0, max: 1200 }), ({ tensor, options }, width) => {
        expect(() => readXml(renderSvg(tensor, { ...options, width }))).not.toThrow();
      }),
    );
  });
});

test("labels of SVG are escaped, and what cannot be seen is made visible", () => {
  const tensor = parseTensor(`tensor(k{}):{'<b onload="x">&\u202e\u001b':1}`);
  const svg = renderSvg(tensor, { title: "</title><script>", width: 800 });
  expect(svg).toContain("&lt;b onload=&quot;x&quot;&gt;&amp;\ufffd␛");
  expect(svg).toContain("<title>&lt;/title&gt;&lt;script&gt;</title>");
  expect(() => readXml(svg)).not.toThrow();
  expect(() => readXml("<a><b></a>")).toThrow();
});

describe("sphex plot", () => {
  async function plot(...args: string[]) {
    const written: string[][] = [[], []];
    const [stdout, stderr] = written.map(
      (texts) =>
        new Writable({
          write(chunk, _, done) {
            texts.push(`${chunk}`);
            done();
          },
        }),
    );
    if (stdout === undefined || stderr === undefined) throw new Error("there are two streams");
    const cwd = temporaryFolder();
    const ends = { stdin: Readable.from(["tensor(x[3])(x)\n"]), stdout, stderr };
    const repl = () => import("../../src/repl/terminal/terminal.js");
    const code = await main(["plot", ...args], {
      ...ends,
      isTTY: { stdin: false, stderr: false },
      cwd,
      env: {},
      repl,
    });
    const file = args.includes("out.svg") ? readFileSync(join(cwd, "out.svg"), "utf8") : "";
    return { code, out: written[0]?.join(""), err: written[1]?.join(""), file };
  }

  test("draws what its help shows", async () => {
    const { out: help = "" } = await plot("--help");
    const [, expression = "", shown = ""] = /\$ sphex plot '(.*)' --width 20\n([\s\S]*)$/.exec(help) ?? [];
    const { out } = await plot(expression, "--width", "20");
    expect(out?.trimEnd()).toBe(shown.replaceAll(/^ {2}/gm, "").trimEnd());
  });

  test("writes SVG to a file, or to stdout", async () => {
    const { code, out, file } = await plot("a * 2", "--set", "a=tensor(k{}):{b:1}", "--svg", "out.svg");
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(readXml(file)).toContain("a * 2");
    expect((await plot("-", "--svg", "-", "--kind", "line")).out).toMatch(
      /^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/,
    );
  });

  test("says what is wrong", async () => {
    const rank = await plot("tensor(x[2],y[2],z[2])(x)");
    expect(rank).toMatchObject({ code: 1, out: "" });
    expect(rank.err).toContain("picture/rank");
    expect(await plot("1", "--width", "5")).toMatchObject({ code: 2 });
    expect(await plot("range(3)", "--svg", "no/such/folder.svg")).toMatchObject({ code: 2 });
  });
});

test(".plot draws an expression in a conversation", () => {
  const session = new Session(
    () => ({}),
    {},
    () => ({ width: 20 }),
  );
  session.enter("a = tensor(k{}):{b:1,c:2}");
  expect(session.enter(".plot a")).toEqual({
    kind: "answer",
    text: ["a", "", "k", "b  1 │███████", "c  2 │██████████████", "     0             2"].join("\n"),
  });
  expect(session.enter(".plot sum(a)")).toMatchObject({ kind: "problem" });
  expect(session.enter(".plot")).toMatchObject({ kind: "problem" });
});
