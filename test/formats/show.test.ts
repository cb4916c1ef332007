import { describe, expect, test } from "vitest";
import { check, type Problem, type RelatedSpan, type Source, showProblem } from "../../src/index.js";
import { problem } from "../../src/language/check/messages.js";

/**
 * How problems look. Every expectation was laid out by hand: count the columns, do not copy what comes out. Lines of
 * an excerpt are compared from the second line on where the first, with sentence and code, is not the point.
 */
function unknown(
  text: string,
  marked: string,
  related: readonly RelatedSpan[] = [],
  severity: Problem["severity"] = "error",
): Problem {
  const source = { name: "a.sphex", text };
  const start = text.indexOf(marked);
  const values = { name: "q", nearest: undefined, isFunction: false };
  const span = { source, start, end: start + marked.length };
  return problem("name/unknown", span, values, related).withSeverity(severity);
}

function place(source: Source, marked: string, label: string): RelatedSpan {
  const start = source.text.indexOf(marked);
  return { span: { source, start, end: start + marked.length }, label };
}

/** The excerpt: all between the sentence and the last gutter. */
function excerpt(problem: Problem, width?: number): string[] {
  const lines = showProblem(problem, width === undefined ? {} : { width }).split("\n");
  const first = lines.findIndex((each) => /^ +┌ /.test(each));
  return lines.slice(first, lines.indexOf(lines.find((each) => /^ +│$/.test(each)) ?? "", first + 1));
}

test("a whole problem: sentence and code, place, excerpt, found and wanted, hint", () => {
  const [problem] = check("input query: tensor(x[3])\nqeury * 2", { name: "ranking.sphex" });
  expect(problem && showProblem(problem, { width: 60 })).toBe(
    [
      "error: nothing here is called qeury             name/unknown",
      "  ┌ ranking.sphex:2:1",
      "2 │ qeury * 2",
      "  │ ^^^^^",
      "  │",
      "  = found: `qeury`",
      "  = wanted: a declared input or a name of this program",
      "hint: did you mean query?",
    ].join("\n"),
  );
});

test("a sentence that is too long goes on below, and so do what was found, what was wanted and the hint", () => {
  const [problem] = check("input a: tensor(k{})\ninput b: tensor(k[3])\na * b");
  expect(problem && showProblem(problem, { width: 50 })).toBe(
    [
      "error: k is a mapped dimension on one side of `*`",
      "  and an indexed one on the other  type/kind-clash",
      "  ┌ program:3:5",
      "3 │ a * b",
      "  │ ─   ^",
      "  │ tensor(k{})",
      "  │",
      "  = found: tensor(k{}) and tensor(k[3])",
      "  = wanted: the same kind on both sides",
      "hint: rename one of them",
    ].join("\n"),
  );
  const [other] = check("input image: tensor(height[2],width[3])\nmap(image, image)");
  expect(other && showProblem(other, { width: 40 })).toBe(
    [
      "error: this argument must be a lambda,",
      "  such as f(x)(x + 1)      call/argument",
      "  ┌ program:2:12",
      "2 │ map(image, image)",
      "  │            ^^^^^",
      "  │",
      "  = found: `image`",
      "  = wanted: a lambda, such as f(x)(x +",
      "            1)",
    ].join("\n"),
  );
});

describe("the marked place", () => {
  test("has other places of the same text beside it, with what they say below", () => {
    const text = "query * weights";
    const places = [place({ name: "a.sphex", text }, "query", "tensor(x[3])")];
    expect(excerpt(unknown(text, "weights", places))).toEqual([
      "  ┌ a.sphex:1:9",
      "1 │ query * weights",
      "  │ ─────   ^^^^^^^",
      "  │ tensor(x[3])",
    ]);
  });

  test("has what is said beside the last mark of a line behind it", () => {
    const text = "query * weights";
    const places = [place({ name: "a.sphex", text }, "weights", "tensor(x[4])")];
    expect(excerpt(unknown(text, "query", places)).at(-1)).toBe("  │ ^^^^^   ─────── tensor(x[4])");
  });

  test("has overlapping marks in rows of their own", () => {
    const text = "sum(a, b)";
    const places = [place({ name: "a.sphex", text }, "sum(a, b)", "in this call")];
    expect(excerpt(unknown(text, "b", places)).slice(1)).toEqual([
      "1 │ sum(a, b)",
      "  │        ^",
      "  │ ───────── in this call",
    ]);
  });

  test("has other lines above it, with a gap where lines are left out", () => {
    const text = "a = 1\nb = 2\n\n\n\n\n\n\n\na = 3";
    const source = { name: "a.sphex", text };
    const start = text.lastIndexOf("a");
    const span = { source, start, end: start + 1 };
    const related = [place(source, "a", "first defined here")];
    expect(excerpt(problem("name/duplicate", span, { name: "a" }, related))).toEqual([
      "   ┌ a.sphex:10:1",
      " 1 │ a = 1",
      "   │ ─ first defined here",
      "   ⋮",
      "10 │ a = 3",
      "   │ ^",
    ]);
  });

  test("has another text below it", () => {
    const prelude = { name: "prelude", text: "# c\nf(t, d) = t / sum(t, d)" };
    expect(excerpt(unknown("f(a, y)", "y", [place(prelude, "sum(t, d)", "in the definition of f")]))).toEqual(
      [
        "  ┌ a.sphex:1:6",
        "1 │ f(a, y)",
        "  │      ^",
        "  ┌ prelude:2:15",
        "2 │ f(t, d) = t / sum(t, d)",
        "  │               ───────── in the definition of f",
      ],
    );
  });

  test("over several lines is marked in the first and, from its first word, in the last", () => {
    expect(excerpt(unknown("x = sum(\n  a,\n  b\n  ) + 1", "sum(\n  a,\n  b\n  )"))).toEqual([
      "  ┌ a.sphex:1:5",
      "1 │ x = sum(",
      "  │     ^^^^",
      "  ⋮",
      "4 │   ) + 1",
      "  │   ^",
    ]);
  });
});

describe("columns", () => {
  const underline = (text: string, marked: string): (string | undefined)[] =>
    excerpt(unknown(text, marked)).slice(1);

  test("of tabs go to the next fourth column", () => {
    expect(underline("\ta\t+ q", "q")).toEqual(["1 │     a   + q", "  │           ^"]);
  });

  test("of wide characters are two, of accents none", () => {
    expect(underline("'漢字' + q", "q")).toEqual(["1 │ '漢字' + q", "  │          ^"]);
    expect(underline("'e\u0301' + q", "q")).toEqual(["1 │ 'e\u0301' + q", "  │       ^"]);
  });

  test("of emoji are two, however many characters join into one", () => {
    expect(underline("'👩‍👩‍👧🎉' + q", "q")).toEqual(["1 │ '👩‍👩‍👧🎉' + q", "  │          ^"]);
    expect(underline("1 + 🎉 + q", "🎉")).toEqual(["1 │ 1 + 🎉 + q", "  │     ^^"]);
  });

  test("start anew after CR LF, and a lone CR", () => {
    expect(underline("a = 1\r\nb = q\r\n", "q")).toEqual(["2 │ b = q", "  │     ^"]);
    expect(underline("a = 1\rb = q", "q")).toEqual(["2 │ b = q", "  │     ^"]);
  });

  test("show what a terminal would obey, and obey none of it", () => {
    expect(underline("'\x1b[2J\u202e' + q", "q")).toEqual(["1 │ '␛[2J\ufffd' + q", "  │           ^"]);
    const shown = showProblem(unknown("q", "q", [place({ name: "\x1b[2J", text: "q" }, "q", "a\nb\x07")]));
    expect(["\x07", "\x1b"].filter((each) => shown.includes(each))).toEqual([]);
    expect(shown).toContain("─ a␊b␇");
  });
});

describe("spans without a character", () => {
  const empty = (text: string, at: number): string[] => {
    const source = { name: "a.sphex", text };
    return excerpt(problem("syntax/empty", { source, start: at, end: at }, {}));
  };

  test("at the end of the text stand behind it", () => {
    expect(empty("1 +", 3)).toEqual(["  ┌ a.sphex:1:4", "1 │ 1 +", "  │    ^"]);
    expect(empty("1 +\n", 3)).toEqual(["  ┌ a.sphex:1:4", "1 │ 1 +", "  │    ^"]);
  });

  test("stand in an empty text, and in an empty last line", () => {
    expect(empty("", 0)).toEqual(["  ┌ a.sphex:1:1", "1 │", "  │ ^"]);
    expect(empty("1\n", 2)).toEqual(["  ┌ a.sphex:2:1", "2 │", "  │ ^"]);
  });
});

describe("long lines", () => {
  const long = `${"a + ".repeat(100_000)}nothing_here${" + b".repeat(25_000)}`;

  test("are shown as a window around the place", () => {
    const [head, line = "", marks = ""] = excerpt(unknown(long, "nothing_here"));
    expect(head).toBe("  ┌ a.sphex:1:400001");
    expect(line).toMatch(/^1 │ ….*a \+ nothing_here \+ b \+ .*…$/);
    expect(line.length).toBeLessThanOrEqual(100);
    expect(marks.indexOf("^")).toBe(line.indexOf("nothing_here"));
    expect(marks.match(/\^+/)?.[0].length).toBe(12);
  });

  test("are cut behind only, or before only, at their ends", () => {
    const behind = excerpt(unknown(`q${" + b".repeat(1000)}`, "q"), 40);
    expect(behind.slice(1)).toEqual([`1 │ q${" + b".repeat(8)} +…`, "  │ ^"]);
    const [, before = "", marks = ""] = excerpt(unknown(`${"a + ".repeat(1000)}q`, "q"), 40);
    expect(before).toMatch(/^1 │ ….* \+ q$/);
    expect(before.length).toBeLessThanOrEqual(40);
    expect(marks.indexOf("^")).toBe(before.indexOf("q"));
  });

  test("of wide characters are cut by columns", () => {
    const [, line = ""] = excerpt(unknown(`'${"漢".repeat(200)}' + q`, "q"), 40);
    expect(line).toMatch(/^1 │ …漢+' \+ q$/);
    expect(line.length + line.split("漢").length - 1).toBeLessThanOrEqual(40);
  });

  test("with a place that is longer than the window begin where it begins", () => {
    const [, line = "", marks = ""] = excerpt(unknown(`1 + ${"q".repeat(1000)}`, "q".repeat(1000)), 40);
    expect(line).toBe(`1 │ 1 + ${"q".repeat(31)}…`);
    expect(marks).toBe(`  │     ${"^".repeat(31)}`);
  });

  test("leave out other places that are far away", () => {
    const places = [place({ name: "a.sphex", text: long }, "a", "far away")];
    expect(excerpt(unknown(long, "nothing_here", places))).toHaveLength(3);
  });

  test("do not make sentences long", () => {
    const [problem] = check("x".repeat(10_000));
    const lines = (problem ? showProblem(problem) : "").split("\n");
    expect(Math.max(...lines.map((each) => each.length))).toBeLessThan(350);
  });
});

describe("colour", () => {
  test("is used only if it is asked for", () => {
    expect(showProblem(unknown("q", "q"))).not.toContain("\x1b");
    expect(showProblem(unknown("q", "q"), { colour: true })).toContain("\x1b[1m\x1b[38;5;160merror\x1b[0m");
    expect(showProblem(unknown("q", "q", [], "portability"), { colour: true })).toContain(
      "\x1b[1m\x1b[38;5;136mwarning\x1b[0m",
    );
  });

  test("changes nothing else", () => {
    const problem = unknown("a + q", "q");
    const [first = "", ...others] = showProblem(problem, { colour: true }).split("\x1b[");
    const plain = first + others.map((each) => each.replace(/^[\d;]+m/, "")).join("");
    expect(plain.replace(/ +$/gm, "")).toBe(showProblem(problem));
  });
});
