import { complete } from "../../src/repl/completion/completion.js";
import { OpenLines } from "../../src/repl/open-lines.js";
import { Session } from "../../src/repl/session.js";
import { jsonTexts, notebookCells, programIn, readSetup } from "../../src/vespa/compat/compat.js";
import { attempt, type GrowthRow, many, rowsOf, source, type Texts } from "./row.js";

/** Links and notebooks of the playground, lines of the REPL, and streams of JSON. */

const links: Texts = [
  ["letters", (n) => "A".repeat(Math.min(n, 32_000))],
  ["hashes", (n) => "#".repeat(n)],
  ["strange characters", (n) => `#${"§".repeat(n)}`],
  ["percents", (n) => `#${"%2".repeat(n / 2)}`],
];

const setups: Texts = [
  ["cells", (n) => `{"f":[${many(n / 40, (i) => `{"op":"e","p":{"n":"a${i}","e":"1"}}`, ",")}]}`],
  ["wrong", (n) => `{"f":[${many(n / 2, () => "1", ",")}]}`],
];

const notebooks: Texts = [
  ["values", (n) => many(n / 10, (i) => `a${i} = 1`, "\n"), 100_000],
  ["constants", (n) => many(n / 20, (i) => `constant a${i} = 1`, "\n"), 100_000],
  ["remarks", (n) => "# a\n".repeat(n / 4)],
  ["spaces", (n) => `1\n${" ;".repeat(n / 2)}`],
  ["out of order", (n) => many(n / 16, (i) => `a${i} = a${i + 1} + 1`, "\n"), 100_000],
];

const lines: Texts = [
  ["spaces", (n) => " ".repeat(n)],
  ["spaces behind a word", (n) => `a${" ".repeat(n)}`],
  ["spaces between", (n) => `${" a".repeat(n / 2)}§`],
  ["dots", (n) => ".".repeat(n)],
  ["a command", (n) => `.${"a".repeat(n)}`],
  ["an explain", (n) => `.explain --plan${" ".repeat(n)}x`],
  ["a why", (n) => `.why a${" ".repeat(n)}{`],
  ["a why of braces", (n) => `.why ${"{".repeat(n)}}`],
  ["a why of braces with texts", (n) => `.why a{${`"a"`.repeat(n / 3)}`],
  ["a why of quotes", (n) => `.why a{${`'`.repeat(n)}}`],
  ["a why of words", (n) => `.why ${"a ".repeat(n / 2)}{b}`],
  ["a why of colons", (n) => `.why ${":".repeat(n)}{b}`],
  ["open brackets", (n) => "(".repeat(n)],
  ["quotes", (n) => `"`.repeat(n)],
  ["quotes in turn", (n) => `"'`.repeat(n / 2)],
  ["letters", (n) => "a".repeat(n)],
  ["a call", (n) => `f(${"a,".repeat(n / 2)}`],
  ["calls", (n) => "f(".repeat(n / 2)],
  ["calls of dots", (n) => `a${".b".repeat(n / 2)}{`],
  ["a call of spaces", (n) => `f(${" ".repeat(n)}{`],
  ["words and brackets", (n) => "a(b".repeat(n / 3)],
  ["closed calls", (n) => "a(b)".repeat(n / 4)],
  ["dimensions", (n) => `a{${"b:".repeat(n / 2)}`],
  ["dimensions and spaces", (n) => `a{b${" ".repeat(n)}:`],
  ["comments", (n) => "#".repeat(n)],
  ["definitions", (n) => many(n / 8, (i) => `a${i} = 1`, ";")],
];

const context = {
  names: ["a", "query(q)"],
  functions: ["f"],
  dimensions: ["x"],
  inputs: [],
  dimensionsOf: () => ["x"],
  labels: () => [],
  help: () => undefined,
  files: () => [],
};

const streams: Texts = [
  ["brackets", (n) => "[".repeat(n)],
  ["words", (n) => "a ".repeat(n / 2)],
  ["quotes", (n) => `"`.repeat(n)],
];

async function* chunked(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1000) yield text.slice(at, at + 1000);
}

export const lineRows: readonly GrowthRow[] = [
  ...rowsOf("link", links, (text) => attempt(() => programIn(text))),
  ...rowsOf("setup", setups, (text) => attempt(() => readSetup(source(text)))),
  ...rowsOf("notebook", notebooks, (text) => attempt(() => notebookCells(source(text)))),
  ...rowsOf("complete", lines, (text) => complete(text, context)),
  ...rowsOf("open lines", lines, (text) => new OpenLines().add(text)),
  ...rowsOf("repl", lines, (text) => new Session().enter(text)),
  ...rowsOf("json texts", streams, async (text) => {
    for await (const each of jsonTexts(chunked(text))) each.length;
  }),
];
