import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { preludeText } from "../../src/language/prelude/prelude.js";
import { type ParsedText, parseExpression, parseText } from "../../src/language/syntax/parse.js";
import { format } from "../../src/language/syntax/pretty-printer/format.js";
import { printExpression } from "../../src/language/syntax/pretty-printer/print.js";
import type { Expression } from "../../src/language/syntax/tree.js";
import { holds } from "../chance.js";
import { casesOf, suiteNames } from "../conformance/cases.js";
import { inTime } from "../outcome.js";
import { readEbnf } from "./ebnf.js";
import { Sentences } from "./sentences.js";

/**
 * Two laws, on every text there is: what is printed reads back as the same tree, and a program that was laid out means
 * what it meant, keeps its comments, and is not changed by doing it again. Then how things look, by example.
 */
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const sentences = new Sentences(readEbnf(read("grammar/sphex.ebnf")));

/**
 * A tree as text, without places. Parentheses around a name are a part of it where they mean something: around an
 * argument, and behind the colon of a slice.
 */
function textOf(tree: unknown, isMeant = false): string {
  if (Array.isArray(tree)) return `[${tree.map((each) => textOf(each, isMeant)).join()}]`;
  if (typeof tree !== "object" || tree === null) return JSON.stringify(tree) ?? "nothing";
  const isValue = "kind" in tree && tree.kind === "value";
  let text = "";
  for (const [key, value] of Object.entries(tree).sort(byKey)) {
    if (key === "span" || (key === "grouped" && !isMeant)) continue;
    const content = key === "grouped" ? true : value; // the place of what stands in the parentheses
    text += `${key}:${textOf(content, key === "arguments" || (isValue && key === "value"))},`;
  }
  return `{${text}}`;
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

function expressionOf(text: string): Expression | undefined {
  const { tree, problems } = parseExpression({ name: "expression", text });
  return problems.length > 0 ? undefined : tree;
}

const laidOut = (text: string, width?: number): string | undefined =>
  format({ name: "program", text }, width).text;

/** Whether the text is an expression, whose printing then keeps the law. */
function survivesPrinting(text: string): boolean {
  const tree = expressionOf(text);
  if (tree === undefined) return false;
  const printed = printExpression(tree);
  const again = expressionOf(printed);
  const isSame = again !== undefined && textOf(again) === textOf(tree) && printExpression(again) === printed;
  if (!isSame || /[\r\n]/.test(printed)) expect.fail(`${text}\nwas printed as\n${printed}`);
  return true;
}

/** Whether the text is a program, whose layouts then keep the law. */
function survivesLayout(text: string, widths: readonly number[] = [100, 20]): boolean {
  const before = parseText({ name: "program", text });
  if (before.tree === undefined || before.problems.length > 0) return false;
  const [meaning, comments] = [textOf(before.tree), commentsIn(before)];
  for (const width of widths) {
    const found = laidOut(text, width) ?? "";
    const after = parseText({ name: "program", text: found });
    const tell = (what: string) => expect.fail(`${text}\nwithin ${width} ${what}\n${found}`);
    if (after.problems.length > 0 || textOf(after.tree) !== meaning) tell("changed its meaning in");
    if (commentsIn(after) !== comments) tell("lost a comment in");
    if (laidOut(found, width) !== found) tell("was not yet finished in");
    if (found !== "" && !/^\S[\s\S]*\S\n$|^\S\n$/.test(found)) tell("begins or ends badly in");
    if (/[ \t]\n|\n\n\n|\r/.test(found)) tell("has too much white space in");
  }
  return true;
}

const commentsIn = ({ comments }: ParsedText): string =>
  comments.map(({ text }) => text.trimEnd()).join("\n");

/** For how many texts a law holds; the others cannot be read. */
const count = (texts: Iterable<string>, survives: (text: string, at: number) => boolean): number =>
  [...texts].filter((text, at) => survives(text, at)).length;

/** Where there are very many texts, each is laid out within one of these. */
const widths = [[100], [40], [20]] as const;

const expressionsIn = (suite: string): Set<string> => new Set(casesOf(suite).map(({ expr }) => expr));

const filesIn = (path: string, extension: string): string[] =>
  readdirSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension))
    .map((name) => `${path}/${name}`)
    .sort();

/** The code in a document: between backticks, and in blocks of the language. */
function codeIn(document: string): string[] {
  const text = read(document);
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => `${code}`.replaceAll("⏎", "\n"));
  const blocks = [...text.matchAll(/^```sphex\n([\s\S]*?)^```/gm)].map(([, code]) => `${code}`);
  return [...inline, ...blocks];
}

const documents = [...filesIn("test/cases", ".md"), "README.md", "grammar/README.md"];
const programs = filesIn("examples", ".sphex");

describe.each([
  {
    what: "an expression printed",
    start: "SingleExpression",
    amount: 1500,
    survives: survivesPrinting,
    survivesAmongMany: survivesPrinting,
  },
  {
    what: "a program laid out",
    start: "Program",
    amount: 400,
    survives: (text: string) => survivesLayout(text),
    survivesAmongMany: (text: string, at: number) => survivesLayout(text, widths[at % 3]),
  },
])("$what reads back as the same", ({ start, amount, survives, survivesAmongMany }) => {
  test("if the grammar derives it", () => {
    let found = 0;
    const law = fc.property(sentences.from(start), (text) => void (found += survives(text) ? 1 : 0));
    holds(law, amount);
    expect(found).toBeGreaterThan(amount * 0.97);
  });

  test.each(documents)("if it stands in %s", (document) => {
    expect(count(codeIn(document), survives)).toBeGreaterThan(2);
  });

  test.each(suiteNames)("if it stands in the cases of %s", (suite) => {
    const texts = [...expressionsIn(suite)];
    expect(count(texts, survivesAmongMany)).toBeGreaterThan(texts.length * 0.8);
  });
});

test("20,000 short programs that the grammar derives are laid out as the same, and once for all", () => {
  const readable = new Set<string>();
  const law = fc.property(sentences.from("Program", 5), fc.constantFrom(...widths), (text, width) => {
    if (!readable.has(text) && survivesLayout(text, width)) readable.add(text);
  });
  holds(law, 36_000);
  expect(readable.size).toBeGreaterThanOrEqual(20_000);
});

test.each(programs)("laid out, %s is the same program", (path) =>
  expect(survivesLayout(read(path))).toBe(true));

test("the prelude is laid out already", () => {
  expect(survivesLayout(preludeText)).toBe(true);
  expect(laidOut(preludeText)).toBe(preludeText.trimStart());
});

test("a text with a problem is not laid out", () => {
  const { text, problems } = format({ name: "program", text: "a\nb +" });
  expect(text).toBeUndefined();
  expect(problems.map(({ code }) => code)).toEqual(["syntax/unexpected"]);
});

// biome-ignore format: a table
test.each([
  ["a  -  (b-c)", "a - (b - c)"],
  ["((a-b))-c", "(a - b) - c"],
  ["(a^b)^c ^(d^e)", "(a ^ b) ^ c ^ (d ^ e)"],
  ["(a*b)+(c)%d", "a * b + c % d"],
  ["a*(b+c)", "a * (b + c)"],
  ["-(a)^2", "-a ^ 2"],
  ["! - (-(a+b))", "!-(-(a + b))"],
  ["(-a)[0]", "(-a)[0]"],
  ["(a[0])[1][(i)]", "(a[0])[1][i]"],
  ["a&&b in [1,2]", "a && (b in [1, 2])"],
  ["(a in [1])+2 < b in[]", "(a in [1]) + 2 < b in []"],
  ["f((a),b,(c.d))", "f((a), b, (c.d))"],
  ["rename(t,(x,y),( z ))", "rename(t, (x, y), (z))"],
  ["t{k:(foo),x:i+1,y:-1,z:(2),w:foo(a)}", "t{k:(foo), x:(i + 1), y:-1, z:(2), w:foo(a)}"],
  ["t[ (5) ]{x:((5)),y:( -1 ),z: -1}[5]{(5)}", "t[(5)]{x:(5), y:(-1), z:-1}[5]{(5)}"],
  ["t{'a b'}{(foo)}{k:('foo')}{k:'b'}{a}", 't{"a b"}{(foo)}{k:("foo")}{k:"b"}{a}'],
  ["$q+query( q )", "query(q) + query(q)"],
  [String.raw`'it\'s' + "\u0008\x00\n"`, String.raw`"it's" + "\x08\u0000\n"`],
  ["1.50+2e3*0.5f", "1.50 + 2e3 * 0.5f"],
  ["tensor < float >( x[3] , y{ },z[ n ] )(x+1)", "tensor<float>(x[3],y{},z[n])(x + 1)"],
  ["join(a,b,f( x , y )((x+y)))", "join(a, b, f(x,y)(x + y))"],
  ["bm25( field : 'a b' , label:-1)", 'bm25(field:"a b", label:-1)'],
  ["tensor():5+tensor(x[2]):{[1,2]}", "tensor():{5} + tensor(x[2]):[1, 2]"],
  ["tensor(x{},y[2]):{{x:a,y:0}:1,{y:1,x:'b c'}:2}", 'tensor(x{},y[2]):{{x:a,y:0}:1, {y:1,x:"b c"}:2}'],
  ["tensor(x{}):{a:1,'b':2,-3:3,'c d':4}", 'tensor(x{}):{a:1, b:2, -3:3, "c d":4}'],
  ["switch(a){case 1:b,case(2):c,default:d}", "switch(a) {case 1: b, case 2: c, default: d}"],
  ["(switch(a)){case}", "(switch(a)){case}"],
  ["range((x)[3])+range((x)[3],y)", "range((x[3])) + range((x[3]), y)"],
  ["(range)<a>(b&&c)", "range < (a) > (b && c)"],
  ["a.1 .2 . x . 3 .e5", "a.1 .2.x.3 .e5"],
])("%s is printed as %s", (text, printed) => {
  const tree = expressionOf(text);
  expect(tree && printExpression(tree)).toBe(printed);
  expect(survivesPrinting(text)).toBe(true);
});

/** What is laid out, and what becomes of it within 40 columns. */
const layouts: readonly (readonly [string, string])[] = [
  ["", ""],
  ["\n\n  a\r\n\r\n\n\n\nb;;c ;", "a\n\nb\nc\n"],
  ["input   q(a):tensor(x[3])\nconstant k=2", "input q(a): tensor(x[3])\nconstant k = 2\n"],
  ["f( )=1;g( a,b )=a\n+b", "f() = 1\ng(a, b) = a + b\n"],
  ["a; -b\n-c", "a;\n-b\n-c\n"],
  ["(a); (-b)*c", "a;\n-b * c\n"],
  ["total = first_term * second_term + third_term", "total =\n  first_term * second_term + third_term\n"],
  [
    "a_long_name * another_name + third_name * b + c",
    "a_long_name * another_name +\n  third_name * b +\n  c\n",
  ],
  ["total(first, second) = sum(first * second, x)", "total(first, second) =\n  sum(first * second, x)\n"],
  [
    "total(a) = join(first(a), second(a), f(x,y)(x * 2 + y))",
    "total(a) = join(\n  first(a),\n  second(a),\n  f(x,y)(x * 2 + y)\n)\n",
  ],
  [
    "sigmoid(first_term * second_term + third_term)",
    "sigmoid(\n  first_term * second_term + third_term\n)\n",
  ],
  [
    "m = tensor(x[3],y[3]):[[1,2,3],[4,5,6],[7,8,9]]",
    "m = tensor(x[3],y[3]):[\n  [1, 2, 3],\n  [4, 5, 6],\n  [7, 8, 9]\n]\n",
  ],
  [
    "m = tensor(x[16]):[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]",
    "m = tensor(x[16]):[\n  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,\n  13, 14, 15, 16\n]\n",
  ],
  [
    "input weights: tensor(a{},b{}) = tensor(a{},b{}):{one:{x:1,y:2},two:{x:3}}",
    "input weights: tensor(a{},b{}) =\n  tensor(a{},b{}):{\n    one:{x:1, y:2},\n    two:{x:3}\n  }\n",
  ],
  [
    "switch(some_value){case 1:first,case 2:second,default:third}",
    "switch(some_value) {\n  case 1: first,\n  case 2: second,\n  default: third\n}\n",
  ],
];

test.each(layouts)("%j is laid out as %j", (text, expected) => {
  expect(laidOut(text, 40)).toBe(expected);
  expect(survivesLayout(text)).toBe(true);
});

/** Comments in usual and odd places. */
const commented: readonly (readonly [string, string])[] = [
  ["#! top\n\n\na\n# end", "#! top\n\na\n# end\n"],
  ["a # one  \n\n// two\nb;  c //three", "a # one\n\n// two\nb\nc //three\n"],
  ["a; # of a\nb // of b\n;\n# alone\n; c", "a # of a\nb // of b\n# alone\nc\n"],
  ["a; # minus\n-b", "a; # minus\n-b\n"],
  ["a # one; two\n-b", "a # one; two\n-b\n"],
  ["a\n// one; two\n-b", "a\n// one; two\n-b\n"],
  ["a # one\n; # two\n-b", "a; # one\n# two\n-b\n"],
  ["x = 1 + # one\n2 + // two\n3 # three", "x =\n  1 + # one\n  2 + // two\n  3 # three\n"],
  ["x # of x\n= 1", "x = # of x\n  1\n"],
  ["x =\n# above\n\n// again\n1", "x =\n  # above\n  // again\n  1\n"],
  ["a # left\n+ b # right", "a + # left\n  b # right\n"],
  ["a\n# own\n* b", "a *\n  # own\n  b\n"],
  ["(\n# first\na + b\n# last\n)", "# first\na + b\n# last\n"],
  ["x = ( # first\na + b # last\n)", "x = # first\n  a + b # last\n"],
  ["((a # one\n) # two\n) # three", "a # one\n# two\n# three\n"],
  ["(a + b # in\n) * c", "(\n  a + b # in\n) *\n  c\n"],
  ["(\n# in\na + b) * c", "(\n  # in\n  a + b\n) *\n  c\n"],
  ["(a + b) # out\n* c", "(a + b) * # out\n  c\n"],
  ["sum(a # first\n, x # second\n) # third", "sum(\n  a, # first\n  x # second\n) # third\n"],
  ["sum(\n# first\na,\n# second\nx\n# last\n)", "sum(\n  # first\n  a,\n  # second\n  x\n  # last\n)\n"],
  ["f(sum # before\n(a))", "f(\n  sum( # before\n    a\n  )\n)\n"],
  ["f( # nothing\n)", "f( # nothing\n)\n"],
  ["f(\n# nothing\n)", "f(\n  # nothing\n)\n"],
  ["f(a # 1\n# 2\n, # 3\nb)", "f(\n  a, # 1\n  # 2\n  # 3\n  b\n)\n"],
  ["f(a, # one\nb) = a", "f(\n  a, # one\n  b\n) = a\n"],
  [
    "input q # name\n: tensor(x[1]) # type\n= # value\n1",
    "input q: # name\n  tensor(x[1]) = # type\n  # value\n  1\n",
  ],
  ["tensor(x[3] # x\n,y{}):{a:[1,2,3]}", "tensor(\n  x[3], # x\n  y{}\n):{a:[1, 2, 3]}\n"],
  ["tensor(x[ # size\n3])(x)", "tensor(\n  x[ # size\n    3\n  ]\n)(x)\n"],
  ["tensor(x[4]):[1, 2, # two\n3, 4]", "tensor(x[4]):[\n  1, 2, # two\n  3, 4\n]\n"],
  ["tensor(x[2],y[1]):[ # rows\n[1], # 1\n[2]]", "tensor(x[2],y[1]):[ # rows\n  [1], # 1\n  [2]\n]\n"],
  ["tensor(k{}):{a:1, # a\n# b\nb:2}", "tensor(k{}):{\n  a:1, # a\n  # b\n  b:2\n}\n"],
  ["tensor(k{}):{{k:a # key\n}:1}", "tensor(k{}):{\n  {\n    k:a # key\n  }:1\n}\n"],
  ["tensor():50 # scalar\n+ 1", "tensor():{50} + # scalar\n  1\n"],
  ["map(t, f(x)( # body\nx))", "map(\n  t,\n  f(x)( # body\n    x\n  )\n)\n"],
  [
    "switch(a) { case 1: # 1\nb, # 2\ndefault: c }",
    "switch(a) {\n  case 1: b, # 1\n  # 2\n  default: c\n}\n",
  ],
  ["t{x:0, # x\ny:1}[ # index\ni]", "t{\n  x:0, # x\n  y:1\n}[ # index\n  i\n]\n"],
  ["a in [1, # one\n2] # two", "a in [\n  1, # one\n  2\n] # two\n"],
  ["f(- # minus\na)", "f(\n  -a # minus\n)\n"],
  ["$ # query\nq + $r # r\n", "query( # query\n  q\n) +\n  query(r) # r\n"],
  ["onnx(m). # dot\nout", "onnx(m).out # dot\n"],
];

test.each(commented)("the comments of %j stay where they are in %j", (text, expected) => {
  expect(laidOut(text)).toBe(expected);
  expect(survivesLayout(text)).toBe(true);
});

const many = (text: string, times: number, separator = ""): string => Array(times).fill(text).join(separator);

test.each([
  ["a chain", many("a", 50_000, " # a\n+ ")],
  ["a matrix", `tensor(x[500],y[100]):[${many(`[${many("1.5", 100, ",")}]`, 500, ",")}]`],
  ["statements", many("x(a, b) = softmax(a, b) # x", 18_000, "\n")],
  ["deep nesting", many(many("-(a+f(# in\n", 100) + many(") # on\n)", 100), 250, "\n")],
  ["comments", `f(${many("# c\n", 50_000)}a)`],
])("%s of hundreds of kilobytes is laid out in time", (_, text) => {
  const once = inTime(() => laidOut(text) ?? "", 1000);
  expect(once.length).toBeGreaterThan(text.length / 2);
  expect(laidOut(once)).toBe(once);
});
