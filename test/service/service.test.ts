import { describe, expect, test } from "vitest";
import { check } from "../../src/index.js";
import { parametersOf } from "../../src/service/parameters.js";
import {
  colouredTokens,
  definitionAt,
  foldsOf,
  inlayTypes,
  outlineOf,
  ProgramDocument,
  quickFixes,
  referencesAt,
  rename,
} from "../../src/service/service.js";

/** A text whose cursor is the sign `‸`. */
function opened(marked: string): { readonly document: ProgramDocument; readonly offset: number } {
  const offset = marked.indexOf("‸");
  return { document: new ProgramDocument("text", marked.replace("‸", "")), offset };
}

const program = `# Two queries.
# The first is short.
input query(q): tensor<float>(x[3])
constant w = tensor(x[3]):[1,2,3]
scale(t, by) = t * by
score = sum(query(q) * w, x)
scale(score, 2)
`;

/** The program with the cursor before the first of a text, or within it. */
const cursorAt = (part: string, behind = 0): string => {
  const at = program.indexOf(part) + behind;
  return `${program.slice(0, at)}‸${program.slice(at)}`;
};

describe("hover", () => {
  test.each([
    [
      "the type of an input, and the remark above it",
      cursorAt("query(q) *"),
      "input query(q): tensor<float>(x[3])",
      "Two queries.\nThe first is short.",
    ],
    ["the value of a name", cursorAt("score,"), "score: tensor()", undefined],
    ["a constant", cursorAt("w, x"), "constant w: tensor(x[3])", undefined],
    ["the definition of a function", cursorAt("scale(score"), "scale(t, by) = t * by", undefined],
    ["a function of the language", cursorAt("sum(query"), "sum(tensor, dimension, …): tensor()", undefined],
    ["the expression around an operator", cursorAt("* w"), "tensor(x[3])", undefined],
    ["a parameter, by a call", cursorAt("t * by"), "t: tensor()", "in the call scale(score, 2)"],
  ])("%s", (_, marked, code, remark) => {
    const { document, offset } = opened(marked);
    const hover = document.hover(offset);
    expect(hover?.code).toBe(code);
    if (remark !== undefined) expect(hover?.remarks).toContain(remark);
  });

  test.each(["", "‸", "# only ‸a remark", "1 +‸"])("of nothing in %j", (marked) => {
    const { document, offset } = opened(marked);
    expect(document.hover(Math.max(0, offset))?.code ?? "").toBe("");
  });
});

describe("names", () => {
  const spansOf = (spans: readonly { readonly start: number; readonly end: number }[]): string[] =>
    spans.map(({ start, end }) => program.slice(start, end));

  test("the definition of a name", () => {
    const { document, offset } = opened(cursorAt("scale(score"));
    const span = definitionAt(document.analysis, offset);
    expect(span?.start).toBe(program.indexOf("scale(t"));
  });

  test("all uses of a name", () => {
    const { document, offset } = opened(cursorAt("w = tensor"));
    expect(spansOf(referencesAt(document.analysis, offset))).toEqual(["w", "w"]);
    const feature = opened(cursorAt("query(q) *"));
    expect(spansOf(referencesAt(feature.document.analysis, feature.offset))).toEqual([
      "query(q)",
      "query(q)",
    ]);
  });

  test.each([
    ["a value", "a = 1\nf(x) = x + 1\nf(‸a) + a", "b", "b = 1\nf(x) = x + 1\nf(b) + b"],
    ["a parameter hides a value", "a = 1\nf(‸a) = a + 1\nf(a)", "b", "a = 1\nf(b) = b + 1\nf(a)"],
    [
      "a dimension has the name of a value",
      "x = tensor(x[2]):[1,2]\nsum(‸x, x)",
      "t",
      "t = tensor(x[2]):[1,2]\nsum(t, x)",
    ],
    ["a label has it, too", "a = tensor(x{}):{a:1}\n‸a{x:a}", "b", "b = tensor(x{}):{a:1}\nb{x:a}"],
    [
      "a parameter of a lambda",
      "map(tensor(x[2]):[1,2], f(v)(‸v * v))",
      "w",
      "map(tensor(x[2]):[1,2], f(w)(w * w))",
    ],
    [
      "an input",
      "input query(q): tensor(x[2])\nsum(query(‸q))",
      "query(p)",
      "input query(p): tensor(x[2])\nsum(query(p))",
    ],
  ])("%s is renamed", (_, marked, name, expected) => {
    const { document, offset } = opened(marked);
    const edits = rename(document.analysis, offset, name);
    if ("refused" in edits) throw new Error(edits.refused);
    let renamed = document.text;
    for (const { span, text } of [...edits].sort((a, b) => b.span.start - a.span.start))
      renamed = renamed.slice(0, span.start) + text + renamed.slice(span.end);
    expect(renamed).toBe(expected);
  });

  test.each([
    ["a = 1; b = 2; ‸a + b", "b", "b is defined already"],
    ["a = 1; f(p) = p + ‸a; f(1)", "p", "p is defined already"],
    ["a = 1; ‸a", "a b", '"a b" is no name'],
    ["a = 1; ‸a", "1", '"1" is no name'],
    ["tensor(x[2])(‸x)", "y", "there is no name here that can be renamed"],
    ["1 + ‸ 2", "y", "there is no name here that can be renamed"],
  ])("in %s nothing becomes %s", (marked, name, refused) => {
    const { document, offset } = opened(marked);
    expect(rename(document.analysis, offset, name)).toEqual({ refused });
  });
});

describe("completion", () => {
  const two = "w = tensor(lon[2]):[1,2]; v = tensor(lat[2]):[1,2]\n";
  test.each([
    ["a value", "abcd = 1\nabc‸", ["abcd"]],
    ["a function of the text", "twice(t) = t + t\ntw‸", ["twice("]],
    ["a function of the language", "1\nsoftm‸", ["softmax("]],
    ["a dimension behind the first argument", "a = tensor(lon[2]):[1,2]\nsum(a, l‸", ["lon"]],
    ["a dimension between braces", "a = tensor(cat{}):{b:1}\na{‸", ["cat:", "b"]],
    ["labels", "a = tensor(cat{}):{bird:1,bee:2}\na{cat:b‸", ["bee", "bird"]],
    [
      "labels as they are written",
      'a = tensor(cat{}):{"New York":1,bee:2,"":3}\na{cat:‸',
      ["''", "'New York'", "bee"],
    ],
    ["a value behind an operator in a call", "abcd = 1\nsum(abcd * abc‸", ["abcd"]],
    ["a value, where a function takes one", "w = tensor(lon[2]):[1,2]\npow(w, ‸", ["w"]],
    ["a dimension or a value, where it takes either", "w = tensor(lon[2]):[1,2]\nmax(w, ‸", ["lon", "w"]],
    ["a dimension behind values", "w = tensor(lon[2]):[1,2]\nconcat(w, w, ‸", ["lon"]],
    ["a value behind a value", "w = tensor(lon[2]):[1,2]\nconcat(w, ‸", ["w"]],
    ["an aggregator", "w = tensor(lon[2]):[1,2]\nreduce(w, m‸", ["max", "median", "min"]],
    ["more dimensions", "w = tensor(lon[2],lat[3])(1)\nreduce(w, max, lon, ‸", ["lat"]],
    ["the dimensions of an argument alone", `${two}sum(w, ‸`, ["lon"]],
    ["those of an expression", `${two}b = sum(2 * (w + w), ‸`, ["lon"]],
    ["those of a call in a call", `${two}1 + max(sum(w * v, lat), ‸`, ["lon", "w", "v"]],
    ["those that are not named yet", `${two}sum(w * v, lon, ‸`, ["lat"]],
    ["the dimension that is renamed", `${two}rename(v, ‸, row)`, ["lat"]],
    ["all, where a dimension may be a new one", `${two}rename(v, lat, ‸`, ["lat", "lon", "w", "v"]],
    ["all of several arguments", `${two}euclidean_distance(w, v, ‸`, ["lon", "lat"]],
    ["all, where the type is not known", `${two}sum(w + u, ‸`, ["lat", "lon"]],
    ["all of a parameter, whatever else has its name", `${two}g(w) = sum(w * 2, ‸`, ["lat", "lon"]],
    ["all of what is bound around", `${two}map(v, f(w)(sum(w, ‸`, ["lat", "lon"]],
    ["the dimensions of a slice", `${two}w{‸:0}`, ["lon:"]],
    ["those of a slice of an expression", `${two}(w * v){lon:0, ‸`, ["lat:"]],
    ["those of a slice of a call", `${two}rename(w, lon, lat){‸`, ["lat:"]],
    ["a cell type", "w = 1\ntensor<fl‸", ["float"]],
    ["the cell type of a cast", "w = 1\ncell_cast(w, bf‸", ["bfloat16"]],
    [
      "parameters of a lambda, and what it sees",
      "w = tensor(lon[2]):[1,2]; n = 3\nmap(w, f(vx)(‸",
      ["vx", "n"],
    ],
    [
      "what an inner lambda sees",
      "w = tensor(lon[2]):[1,2]\njoin(w, w, f(vx, vy)(map(vx, f(vz)(v‸",
      ["vz", "vx", "vy", "variable"],
    ],
    ["all values behind a lambda", "w = tensor(lon[2]):[1,2]\nmap(w, f(v)(v)) + ‸", ["w"]],
    ["the dimensions of a generator", "w = tensor(lon[2]):[1,2]\ntensor(row[2], c[3])(‸", ["row", "c", "w"]],
    ["nothing in a comment that ends in a space", "abc = 1 # ab ‸", []],
    ["nothing in a comment", "abc = 1 # ab‸", []],
    ["the names of the last text that could be read", "abcd = 1\nsum(abc‸", ["abcd"]],
  ])("%s", (_, marked, expected) => {
    const { document, offset } = opened(marked);
    const { text } = document;
    document.text = text.split("\n")[0] ?? "";
    expect(document.analysis.problems).toEqual([]);
    document.text = text;
    expect(document.completion(offset).candidates.map((each) => each.text)).toEqual(expected);
  });
});

test.each([
  ["join(a, ‸", "join(t1, t2, f(x,y)(…))", 1],
  ["f(a, g) = a\nf(1, (2, 3), ‸", "f(a, g)", 1],
  ["sum(max(a,b), ‸", "sum(t, d…)", 1],
])("the call around %j is %s", (marked, signature, active) => {
  const { document, offset } = opened(marked);
  document.text = document.text.split("\n")[0] ?? "";
  document.analysis.problems.length;
  document.text = marked.replace("‸", "");
  const help = document.signature(offset);
  expect(help?.active).toBe(active);
  if (marked.startsWith("f(")) expect(help?.signature).toBe(signature);
  for (const { start, end } of help?.parameters ?? [])
    expect(help?.signature.slice(start, end)).toMatch(/^\S(?:.*\S)?$/);
});

test("a parameter is where it stands, whatever a model calls the one before it", () => {
  const signature = "taste(😀: tensor(x[2],y[3]), b: tensor())";
  const found = parametersOf(signature).map(({ start, end }) => signature.slice(start, end));
  expect(found).toEqual(["😀: tensor(x[2],y[3])", "b: tensor()"]);
});

test("types behind names that do not say theirs", () => {
  const { analysis } = new ProgramDocument("text", program);
  const shown = inlayTypes(analysis).map(({ offset, text }) => [program.slice(offset - 1, offset), text]);
  expect(shown).toEqual([
    ["w", ": tensor(x[3])"],
    ["e", ": tensor()"],
  ]);
});

test("the outline has each statement, and what it is", () => {
  const { analysis } = new ProgramDocument("text", program);
  expect(outlineOf(analysis).map(({ name, kind, detail }) => [name, kind, detail])).toEqual([
    ["query(q)", "input", "tensor<float>(x[3])"],
    ["w", "constant", "tensor(x[3])"],
    ["scale", "function", undefined],
    ["score", "value", "tensor()"],
    ["scale(score, 2)", "result", "tensor()"],
  ]);
});

test("statements and remarks of several lines fold", () => {
  const { analysis } = new ProgramDocument("text", "# a\n# b\nx = (\n1 +\n2)\n# c\nx");
  expect(foldsOf(analysis)).toEqual([
    { start: 2, end: 4, isComment: false },
    { start: 0, end: 1, isComment: true },
  ]);
});

test("each word has its kind", () => {
  const text = "# r\ninput q: tensor(x[2])\ng(t) = sum(t, x) + 1\ng(q{x:0})";
  const { analysis } = new ProgramDocument("text", text);
  const shown = colouredTokens(analysis).map(({ start, length, kind }) => [
    text.slice(start, start + length),
    kind,
  ]);
  expect(shown).toEqual([
    ["# r", "comment"],
    ["input", "keyword"],
    ["q", "input"],
    ["tensor", "keyword"],
    ["x", "dimension"],
    ["2", "number"],
    ["g", "function"],
    ["t", "parameter"],
    ["=", "operator"],
    ["sum", "function"],
    ["t", "parameter"],
    ["x", "dimension"],
    ["+", "operator"],
    ["1", "number"],
    ["g", "function"],
    ["q", "input"],
    ["x", "dimension"],
    ["0", "number"],
  ]);
});

test.each([
  ["sofmax(tensor(x[2]):[1,2], x)", "softmax(tensor(x[2]):[1,2], x)"],
  ["softmax([1,2,3], x)", "softmax(tensor(x[3]):[1,2,3], x)"],
  ["true and false", "true && false"],
  ["1 if true else 2", "if(true, 1, 2)"],
  ["abc = 1\nabd + 1", "abc = 1\nabc + 1"],
  ["reduce(tensor(x[2]):[1,2], summ)", "reduce(tensor(x[2]):[1,2], sum)"],
  ["tensor(lat[2]):[1,2]{lag:0}", "tensor(lat[2]):[1,2]{lat:0}"],
])("%s is mended to %s", (text, mended) => {
  const { analysis } = new ProgramDocument("text", text);
  const [fix] = quickFixes(analysis, 0, text.length);
  let result = text;
  for (const { span, text: other } of fix?.edits ?? [])
    result = result.slice(0, span.start) + other + result.slice(span.end);
  expect(result).toBe(mended);
  expect(check(result).filter((each) => each.isError)).toEqual([]);
});

test("formatting edits the parts of a text that are laid out otherwise", () => {
  const document = new ProgramDocument("text", "1+1");
  expect(document.formatting().map(({ text }) => text)).toEqual(["1 + 1", "\n"]);
  document.text = "1 + 1\n";
  expect(document.formatting()).toEqual([]);
  document.text = "a = 1\r\n\r\n\r\nb=a\r\nb * 2\r\n";
  const edits = document.formatting().map(({ span, text }) => [span.start, span.end, text]);
  expect(edits).toEqual([
    [5, 11, "\r\n\r\n"],
    [11, 14, "b = a"],
  ]);
  document.text = "1 + (";
  expect(document.formatting()).toEqual([]);
});
