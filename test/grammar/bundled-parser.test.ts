import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { parserCore } from "../../bin/parser-core.js";
import type { Problem } from "../../src/language/source/problem.js";
import type { Source } from "../../src/language/source/span.js";
import { parseConstant, parseExpression, parseProgram } from "../../src/language/syntax/parse.js";
import { parseSchema } from "../../src/vespa/package/syntax/parse.js";

/** Bundles have a part of Chevrotain (bin/parser-core.js): with it, texts are read, and refused, as with all of it. */
const parsers = { parseProgram, parseExpression, parseConstant, parseSchema };

type Reader = (source: Source) => { readonly problems: readonly Problem[] };

const folder = fileURLToPath(new URL("../../src", import.meta.url));
const entry = `
export { parseConstant, parseExpression, parseProgram } from "./language/syntax/parse.js";
export { parseSchema } from "./vespa/package/syntax/parse.js";`;

let bundled: Readonly<Record<keyof typeof parsers, Reader>>;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, loader: "ts" },
    ...{ bundle: true, write: false, plugins: [parserCore], logLevel: "silent" },
    ...{ platform: "neutral", mainFields: ["module", "main"], format: "iife", globalName: "sphex" },
  });
  const context = createContext({});
  new Script(outputFiles?.[0]?.text ?? "").runInContext(context);
  bundled = context.sphex;
});

// biome-ignore format: a table
const texts: readonly { parser: keyof typeof parsers; text: string }[] = [
  { parser: "parseProgram",    text: "input q: tensor<float>(x[3])\nf(a, b) = a in [1, 2]\nminimise loss\nassign w = w - 1 # c" },
  { parser: "parseProgram",    text: "model m = embed(t)\nw: tensor(x{})\nswitch(a) { case 1: 2, default: reduce(t, sum, x, y) }" },
  { parser: "parseExpression", text: "!-sum(q * tensor(x[2],k{}):{a:[1,2]}, x){x: 0}[1] ~= map(t, f(x, y)(x ^ y)).out" },
  { parser: "parseExpression", text: 'tensor(x{}):{{x:"a b"}: -1.5e3, {x:7}: 2} || range(x[3]) && t{x:(i + 1), y:$z}' },
  { parser: "parseConstant",   text: 'tensor<int8>(k{},x[2]):{"a b":[1,2], c:[-3,NaN]}' },
  { parser: "parseConstant",   text: "{{x:a,y:1}:2.5, {x:b,y:-1}:inf}" },
  { parser: "parseSchema",     text: "schema s {\n document s {\n  field a type array<string> {\n   indexing: summary | index\n  }\n }\n}" },
  { parser: "parseSchema",     text: "rank-profile p inherits q {\n inputs { query(u) double: 1 }\n function inline f(x) { expression: x + 1 }\n summary-features: f bm25(a)\n}" },
];

const reportOf = ({ problems }: ReturnType<Reader>): readonly string[] =>
  problems.map((problem) => {
    const { start, end } = problem.span;
    return `${start} ${end} ${problem.code} ${JSON.stringify(problem.description)}`;
  });

test.each(texts)("$parser reads $text without any of its characters as with all of Chevrotain", ({
  parser,
  text,
}) => {
  const spoiled = [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
  const cut = Array.from(text, (_, at) => text.slice(0, at));
  const reports = [...spoiled, ...cut].map((each) => ({
    ...{ text: each, report: reportOf(bundled[parser]({ name: "t", text: each })) },
  }));
  expect(reports).toEqual(
    reports.map(({ text: each }) => ({
      text: each,
      report: reportOf(parsers[parser]({ name: "t", text: each })),
    })),
  );
  expect(reports.filter(({ report }) => report.length > 0).length).toBeGreaterThan(10);
  expect(reports[0]?.report).toEqual([]);
});
