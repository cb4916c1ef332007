import { check, compile, evaluate, expand, explain, format, parseProgram } from "../../src/index.js";
import { handlers } from "../../src/web/worker/handlers.js";
import { Notebook } from "../../src/web/worker/notebook.js";
import { attempt, type GrowthRow, many, row, tell } from "./row.js";

/** Programs: everything that is said of a text, its canonical form, and what comes of it. */

const told = (name: string, text: (size: number) => string, most?: number): GrowthRow =>
  row(`check: ${name}`, text, (each) => tell({ problems: check(each, {}) }), most);
const formatted = (name: string, text: (size: number) => string, most?: number): GrowthRow =>
  row(`fmt: ${name}`, text, (each) => format({ name: "text", text: each }), most);
const run = (name: string, text: (size: number) => string, most?: number): GrowthRow =>
  row(`run: ${name}`, text, (each) => attempt(() => compile(each, {}).runAll()), most);
const parsed = (name: string, text: (size: number) => string, most?: number): GrowthRow =>
  row(`parse: ${name}`, text, (each) => parseProgram({ name: "text", text: each }), most);

const texts: readonly (readonly [string, (size: number) => string, number?])[] = [
  ["unknown names in a sum", (n) => many(n / 7, (i) => `a${i}`, " + ")],
  ["unknown names on lines", (n) => many(n / 7, (i) => `a${i}`, "\n")],
  ["unknown names called", (n) => many(n / 9, (i) => `a${i}(1)`, "\n")],
  ["unknown names beside many known", (n) => many(n / 16, (i) => `name${i} = 1\nnam${i}`, "\n")],
  ["one name again", (n) => `a = 1\n${many(n / 4, () => "a", " + ")}`],
  ["one unknown name again", (n) => many(n / 4, () => "a", " + ")],
  ["a long name", (n) => "a".repeat(n)],
  ["a long unknown name beside known", (n) => `${"b".repeat(n / 2)} = 1\n${"a".repeat(n / 2)}`],
  ["long names that are alike", (n) => `${"b".repeat(n / 2)} = 1\n${"b".repeat(n / 2)}a`],
  ["a chain of +", (n) => many(n / 4, () => "1", " + ")],
  ["a chain of different numbers", (n) => many(n / 8, (i) => `${i}`, " + ")],
  ["a chain of ^", (n) => many(n / 4, () => "1", " ^ ")],
  ["a chain of mixed operators", (n) => many(n / 16, () => "1 + 2 * 3 < 4 && 5", " || ")],
  ["prefixes", (n) => `${"-!".repeat(n / 2)}1`],
  ["parentheses", (n) => `${"(".repeat(n / 2)}1${")".repeat(n / 2)}`],
  ["open parentheses", (n) => "(".repeat(n)],
  ["closed parentheses", (n) => ")".repeat(n)],
  ["open brackets", (n) => "[".repeat(n)],
  ["open braces", (n) => "{".repeat(n)],
  ["calls in calls", (n) => `${"sqrt(".repeat(n / 6)}1${")".repeat(n / 6)}`],
  ["calls", (n) => many(n / 8, () => "sqrt(2)", ";")],
  ["calls in a sum", (n) => many(n / 8, (i) => `exp(${i})`, "+")],
  ["prelude calls", (n) => many(n / 24, (i) => `softmax(range(${(i % 9) + 1}), i)`, "\n"), 100_000],
  ["definitions in a chain", (n) => `a0 = 1\n${many(n / 16, (i) => `a${i + 1} = a${i} + 1`, "\n")}`],
  ["definitions in a chain backwards", (n) => `${many(n / 16, (i) => `a${i} = a${i + 1} + 1`, "\n")}`],
  ["definitions of one name", (n) => many(n / 6, () => "a = 1", "\n")],
  ["functions in a chain", (n) => `f0(x) = x\n${many(n / 20, (i) => `f${i + 1}(x) = f${i}(x) + 1`, "\n")}`],
  ["functions in a cycle", (n) => `${many(n / 20, (i) => `f${i}(x) = f${i + 1}(x) + 1`, "\n")}\nf0(1)`],
  [
    "values in a cycle",
    (n) => {
      const k = Math.floor(n / 16);
      return many(k, (i) => `a${i} = a${(i + 1) % k} + 1`, "\n");
    },
  ],
  [
    "parameters",
    (n) => `f(${many(n / 16, (i) => `p${i}`, ",")}) = 1\nf(${many(n / 16, (i) => `${i}`, ",")})`,
  ],
  ["one parameter again", (n) => `f(${many(n / 2, () => "p", ",")}) = 1`],
  ["lambda parameters", (n) => `map(1, f(${many(n / 7, (i) => `p${i}`, ",")})(1))`],
  ["arguments", (n) => `sqrt(${many(n / 2, () => "1", ",")})`],
  ["reduced dimensions", (n) => `sum(1, ${many(n / 7, (i) => `d${i}`, ",")})`],
  ["dimensions", (n) => `tensor(${many(n / 9, (i) => `d${i}[1]`, ",")})(1)`],
  ["mapped dimensions", (n) => `tensor(${many(n / 9, (i) => `d${i}{}`, ",")}):{}`],
  ["one dimension again", (n) => `tensor(${many(n / 5, () => "d[1]", ",")})(1)`],
  ["a type of an input", (n) => `input q: tensor(${many(n / 9, (i) => `d${i}[1]`, ",")})\nq + q`],
  ["inputs", (n) => `${many(n / 24, (i) => `input q${i}: tensor(x[3])`, "\n")}\nq0`],
  ["constants", (n) => `${many(n / 16, (i) => `constant c${i} = ${i}`, "\n")}\nc0`],
  [
    "unknown dimensions of a wide type",
    (n) =>
      `q = tensor(${many(n / 20, (i) => `d${i}{}`, ",")}):{}\n${many(n / 20, (i) => `sum(q, z${i})`, "\n")}`,
  ],
  [
    "rename",
    (n) => `rename(1, (${many(n / 14, (i) => `d${i}`, ",")}), (${many(n / 14, (i) => `e${i}`, ",")}))`,
  ],
  [
    "renaming every dimension of a type",
    (n) =>
      `rename(tensor(${many(n / 23, (i) => `d${i}{}`, ",")}):{}, (${many(n / 23, (i) => `d${i}`, ",")}), (${many(n / 23, (i) => `e${i}`, ",")}))`,
  ],
  [
    "a wide type and numbers",
    (n) => `q = tensor(${many(n / 20, (i) => `d${i}{}`, ",")}):{}\n${many(n / 20, (i) => `q + ${i}`, "\n")}`,
  ],
  [
    "operands of wide types that do not fit",
    (n) =>
      `q = tensor(${many(n / 20, (i) => `d${i}{}`, ",")}):{}\n${many(n / 24, (i) => `rename(q, d${i}, d0)`, "\n")}`,
  ],
  ["a literal", (n) => `tensor(x[${Math.floor(n / 2)}]):[${many(n / 2, () => "1", ",")}]`],
  ["a literal of the wrong size", (n) => `tensor(x[3]):[${many(n / 2, () => "1", ",")}]`],
  ["a literal with labels", (n) => `tensor(k{}):{${many(n / 9, (i) => `a${i}:${i}`, ",")}}`],
  ["a literal with one label again", (n) => `tensor(k{}):{${many(n / 4, () => `a:1`, ",")}}`],
  ["a literal with addresses", (n) => `tensor(k{},x[2]):{${many(n / 24, (i) => `{k:a${i},x:0}:${i}`, ",")}}`],
  ["a literal with wrong dimensions", (n) => `tensor(k{}):{${many(n / 12, (i) => `{k${i}:a}:${i}`, ",")}}`],
  ["a literal of blocks", (n) => `tensor(k{},x[2]):{${many(n / 12, (i) => `a${i}:[1,2]`, ",")}}`],
  ["a literal of expressions", (n) => `tensor(x[${Math.floor(n / 6)}]):[${many(n / 6, () => "1 + 1", ",")}]`],
  ["a literal of open brackets", (n) => `tensor(x[2]):${"[".repeat(n)}`],
  ["an address", (n) => `a{${many(n / 6, (i) => `d${i}:1`, ",")}}`],
  ["slices", (n) => `a${"{b}".repeat(n / 3)}`],
  ["indexes", (n) => `a${"[0]".repeat(n / 3)}`],
  ["outputs", (n) => `a${".b".repeat(n / 2)}`],
  ["outputs of numbers", (n) => `a${".1".repeat(n / 2)}`],
  ["membership", (n) => `1 in [${many(n / 2, () => "1", ",")}]`],
  ["memberships", (n) => `1${" in [1]".repeat(n / 7)}`],
  ["cases", (n) => `switch (1) { ${many(n / 12, (i) => `case ${i}: 1,`)} default: 2 }`],
  [
    "conditions in conditions",
    (n) => `${"if(1,2,".repeat(Math.min(900, n / 8))}1${")".repeat(Math.min(900, n / 8))}`,
  ],
  ["a forest", (n) => many(n / 20, (i) => `if(a < ${i}, 1, 2)`, " + ")],
  ["a text", (n) => `"${"a".repeat(n)}"`],
  ["a text of escapes", (n) => `"${"\\n".repeat(n / 2)}"`],
  ["a text of unknown escapes", (n) => `"${"\\q".repeat(n / 2)}"`],
  ["an unclosed text", (n) => `"${"a".repeat(n)}`],
  ["an unclosed text of backslashes", (n) => `"${"\\".repeat(n)}`],
  ["quotes", (n) => `"`.repeat(n)],
  ["quotes in turn", (n) => `"'`.repeat(n / 2)],
  ["texts", (n) => many(n / 5, () => `"a"`, " + ")],
  ["digits", (n) => "1".repeat(n)],
  ["digits behind a dot", (n) => `1.${"1".repeat(n)}`],
  ["digits and a letter", (n) => `${"1".repeat(n)}$ `],
  ["numbers with dots", (n) => "1.".repeat(n / 2)],
  ["numbers with exponents", (n) => "1e".repeat(n / 2)],
  ["spaces", (n) => " ".repeat(n)],
  ["tabs behind a name", (n) => `a${"\t".repeat(n)}b`],
  ["line breaks", (n) => "\n".repeat(n)],
  ["carriage returns", (n) => "\r".repeat(n)],
  ["semicolons", (n) => ";".repeat(n)],
  ["commas", (n) => ",".repeat(n)],
  ["equals", (n) => "=".repeat(n)],
  ["colons", (n) => ":".repeat(n)],
  ["dots", (n) => ".".repeat(n)],
  ["dollars", (n) => "$".repeat(n)],
  ["strange characters", (n) => "§".repeat(n)],
  ["strange characters on lines", (n) => "§\n".repeat(n / 2)],
  ["zero characters", (n) => "\0".repeat(n)],
  ["surrogates", (n) => "\ud800".repeat(n)],
  ["emoji", (n) => "👨‍👩‍👧".repeat(n / 8)],
  ["combining marks", (n) => `a${"\u0301".repeat(n)}`],
  ["comments", (n) => "# a\n".repeat(n / 4)],
  ["a long comment", (n) => `# ${"a".repeat(n)}\n1`],
  ["comments behind values", (n) => "1 # a\n".repeat(n / 6)],
  ["comments in brackets", (n) => `sqrt(\n${"# a\n".repeat(n / 4)}1)`],
  ["comments between items", (n) => `max(\n${"1, # a\n".repeat(n / 7)}1)`],
  ["results of wrong calls", (n) => many(n / 8, () => "sqrt()", "\n")],
  ["wrong statements", (n) => "a = = 1\n".repeat(n / 8)],
  ["unclosed calls", (n) => "f(1\n".repeat(n / 4)],
  ["unclosed literals", (n) => "tensor(x[2]):[1\n".repeat(n / 16)],
  ["minus lines", (n) => "-1\n".repeat(n / 3)],
  ["strange input words", (n) => "input input:\n".repeat(n / 13)],
  ["tensor words", (n) => "tensor ".repeat(n / 7)],
  ["tensor openings", (n) => "tensor(".repeat(n / 7)],
  ["tensor cell types", (n) => "tensor<".repeat(n / 7)],
  ["range openings", (n) => "range<a>(".repeat(n / 9)],
  ["words f", (n) => "f(x)".repeat(n / 4)],
  ["words in", (n) => "in ".repeat(n / 3)],
  ["in brackets", (n) => "1 in [".repeat(n / 6)],
  ["switches", (n) => "switch(1){case ".repeat(n / 15)],
  ["ifs", (n) => "if(1,".repeat(n / 5)],
  ["equality with one sign", (n) => many(n / 8, () => "(a = 1)", "+")],
  ["equality in addresses", (n) => many(n / 8, () => "a{x=1}", "+")],
  ["a line with many equalities", (n) => `a{${"b,".repeat(n / 2)}x=1}`],
  ["generators", (n) => many(n / 16, () => "tensor(x[2])(x)", "+")],
  ["one wide line with many problems", (n) => many(n / 10, (i) => `f${i}(1)`, "+")],
  [
    "vectors that disagree",
    (n) => many(n / 48, (i) => `range(${i + 2}) * tensor(i[${i + 3}])(i)`, "\n"),
    200_000,
  ],
  ["joins of labels", (n) => many(n / 24, (i) => `tensor(k{}):{a${i}:1}`, "+"), 100_000],
];

export const programRows: readonly GrowthRow[] = [
  ...texts.map(([name, text, most]) => told(name, text, most)),
  ...texts.map(([name, text, most]) => formatted(name, text, most)),
  ...[
    "a chain of +",
    "a chain of different numbers",
    "calls in a sum",
    "definitions in a chain",
    "functions in a chain",
    "generators",
    "a literal",
    "a literal with labels",
    "a literal of blocks",
    "calls",
    "inputs",
    "constants",
    "cases",
    "comments",
    "a forest",
    "membership",
    "memberships",
    "prefixes",
    "joins of labels",
    "prelude calls",
  ].map((name) => {
    const found = texts.find(([each]) => each === name);
    if (found === undefined) throw new Error(name);
    return run(name, found[1], found[2]);
  }),
  parsed("unknown names in a sum", (n) => many(n / 7, (i) => `a${i}`, " + ")),
  row(
    "page: definitions in a chain",
    (n: number) => many(n / 16, (i) => (i === 0 ? "a0 = 1" : `a${i} = a${i - 1} + 1`), "\n"),
    (text) => {
      const cells = [{ kind: "program", id: 1, text, views: {} }] as const;
      const context = { signal: new AbortController().signal, note: () => undefined };
      return handlers(new Notebook()).evaluate({ cells, dialect: "formalism", skipped: [] }, context);
    },
    100_000,
  ),
  row(
    "expand: a chain",
    (n: number) => many(n / 4, () => "1", " + "),
    (text) => attempt(() => expand(text)),
  ),
  row(
    "explain: a chain",
    (n: number) => `${many(n / 8, (i) => `a${i % 7}`, " + ")}\n${many(7, (i) => `a${i} = 1`, "\n")}`,
    (text) => attempt(() => explain(text)),
    100_000,
  ),
  row(
    "evaluate: wrong",
    (n: number) => many(n / 7, (i) => `a${i}`, " + "),
    (text) => attempt(() => evaluate(text)),
  ),
];
