import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import lz from "lz-string";
import { beforeAll, describe, expect, test } from "vitest";
import { type CommandName, main } from "../../src/cli/main.js";
import type { Io } from "../../src/cli/terminal/io.js";
import {
  escapeForeign,
  escapeHidden,
  parseTensor,
  parseType,
  readTensor,
  Tensor,
  writeTensor,
} from "../../src/index.js";
import { clip, columnsOf } from "../../src/language/source/columns.js";
import { runRepl } from "../../src/repl/terminal/terminal.js";
import { setupText } from "../../src/vespa/compat/playground.js";
import { temporaryFolder } from "../folder.js";
import { hostileModels } from "../models/hostile-models.js";

/**
 * Texts of strangers at a terminal. Every command is shown names, labels, comments, files and answers that have what a
 * terminal would obey, and none of it may arrive there; formats that have escapes use them in pipes as well.
 */
const folder = temporaryFolder();

/** A title, colours, hidden text, the cursor up; in one byte; a backspace; right to left; no width; an invisible letter. */
const hostile =
  "\x1b]0;owned\x07\x1b[31m\x1b[8mA\x1b[1A\x9b2J\x08\r\u202eB\u2066\u200b\u200c\u00ad\ufeff\u{e0041}\u3164C\x7f\u2028";
const inName = hostile.replace(/[\n\r]/g, "");
/** The same as a text of the language and of JSON, in plain characters. */
const quoted = `"${hostile.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

/** What may come from us: a line break, colours and styles, and the few motions of the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const ours = /\x1b\[(?:0|1|2|22|31|32|34|36|39|1;31|1;33|38;5;\d+)m|\x1b\[H\x1b\[2J|\r\x1b\[K|\n/g;
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u;

/** Where a text still has something hostile, with what stands around it; the red that hides among ours is told by its text. */
function foundIn(text: string): string | undefined {
  const rest = text.replace(ours, "\n").replaceAll("\n", "");
  const at = rest.search(obeyed);
  if (at >= 0) return JSON.stringify(rest.slice(Math.max(0, at - 60), at + 20));
  const red = text.indexOf("\x1b[31m\x1b[");
  return red < 0 ? undefined : JSON.stringify(text.slice(Math.max(0, red - 60), red + 20));
}

interface Shown {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function shown(
  args: readonly string[],
  stdin: string,
  terminal: boolean,
  env: Io["env"] = {},
): Promise<Shown> {
  const texts = { out: "", err: "" };
  const collector = (name: keyof typeof texts): Writable =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write: (chunk, _, done) => {
          texts[name] += chunk;
          done();
        },
      }),
      { isTTY: terminal, columns: 100 },
    );
  const io: Io = {
    ...{
      stdin: Readable.from(stdin === "" ? [] : [stdin]),
      stdout: collector("out"),
      stderr: collector("err"),
    },
    isTTY: { stdin: false, stdout: terminal, stderr: terminal },
    ...{ columns: 100, cwd: folder, env },
    changes: async function* () {},
    interrupted: async () => undefined,
    repl: () => import("../../src/repl/terminal/terminal.js"),
  };
  return { code: await main(args, io), ...texts };
}

const setup = (text: string): string =>
  `https://docs.vespa.ai/playground/#${lz.compressToEncodedURIComponent(text)}`;

const cells = setupText(
  [
    { kind: "remark", text: hostile },
    { kind: "formula", name: hostile, expression: `tensor(k{}):{${quoted}:1}` },
    { kind: "formula", name: "", expression: `nothing # ${hostile}` },
  ],
  2,
);

const tensor = `tensor(k{},x[2]):{{k:${quoted},x:0}:1,{k:${quoted},x:1}:2}`;
const program = `# ${inName}\nc = ${tensor}\nc\nsum(c, k)\n`;
const broken = `# ${inName}\na = ${quoted} + ${inName}\nb = (1 ${inName}\nfile(${quoted})\n`;

const named = {
  program: `p${inName}.sphex`,
  broken: `b${inName}.sphex`,
  csv: `t${inName}.csv`,
  json: `t${inName}.json`,
  missing: `no${inName}/where`,
  badJson: `bad${inName}.json`,
  badYaml: `t${inName}.rank-test.yaml`,
  onnx: `m${inName}.onnx`,
  strangeOnnx: `strange${inName}.onnx`,
  forest: `forest${inName}.json`,
  badForest: `bad-forest${inName}.json`,
  tokenizer: `words${inName}.json`,
  bindings: `bindings${inName}.yaml`,
  state: `state${inName}.json`,
};

const schema = (expression: string) => `# ${inName}
schema s {
  document s { field f type tensor(k{}) { indexing: attribute } }
  rank-profile p {
    inputs { query(q) tensor(k{}) }
    first-phase { expression { ${expression} } }
    match-features { attribute(f) query(q) }
  }
}
`;

beforeAll(() => {
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  put(named.program, program);
  put(named.broken, broken);
  put(named.csv, `k,value\n"${hostile}",1\n`);
  put(named.json, JSON.stringify({ type: "tensor(k{})", cells: { [hostile]: 1 } }));
  put(named.badJson, `{"type": "tensor(k{})", "cells": {${quoted}: ${quoted}, ${inName}}}`);
  put("values.json", `{${quoted}: 1}`);
  for (const [name, content] of hostileModels(hostile)) writeFileSync(join(folder, named[name]), content);
  put("script.txt", `def a 1 ${inName}\n${inName}\nexpr ${quoted}\n`);
  for (const [name, expression] of [
    ["app", "sum(attribute(f) * query(q))"],
    ["bad", `nothing(${quoted}) + ${inName}`],
  ] as const) {
    mkdirSync(join(folder, `${name}${inName}/schemas`), { recursive: true });
    put(`${name}${inName}/schemas/s.sd`, schema(expression));
  }
  const document = { put: `id:s:s::${hostile}`, fields: { f: { cells: { [hostile]: 2 } } } };
  put("document.json", JSON.stringify(document));
  put(
    "feed.jsonl",
    `${JSON.stringify(document)}\n${JSON.stringify({ ...document, put: `id:s:s::2${hostile}` })}\n`,
  );
  put("bad-feed.jsonl", `{"put": ${quoted}, "fields": {${quoted}: ${quoted}}}\n${inName}\n`);
  put(
    "query.json",
    JSON.stringify({
      yql: `select * from ${hostile} where true`,
      "input.query(q)": { cells: { [hostile]: 3 } },
    }),
  );
  put("bad-query.json", JSON.stringify({ "ranking.profile": hostile, [`input.query(${hostile})`]: hostile }));
  const features = { "attribute(f)": { type: "tensor(k{})", cells: { [hostile]: 1 } }, [`f(${hostile})`]: 1 };
  const response = {
    root: {
      errors: [{ code: 1, summary: hostile, message: hostile }],
      children: [{ id: hostile, relevance: 1, fields: { matchfeatures: features } }],
    },
  };
  put("response.json", JSON.stringify(response));
  put(
    `app${inName}/${named.badYaml}`,
    `name: ${quoted}\nprofile: p\nquery: {input.query(q): {${quoted}: 1}}\ndocument: {f: {${quoted}: 2}}\nexpect: {score: 5, ${quoted}: 3}\n`,
  );
  put(
    `app${inName}/broken.rank-test.yaml`,
    `name: ${quoted}\n${quoted}: 1\nprofile: ${quoted}\nexpect: {score: ${quoted}}\n`,
  );
});

interface Case {
  readonly args: readonly string[];
  readonly stdin?: string;
}

const app = `app${inName}`;
const bad = `bad${inName}`;
const formats = ["pretty", "literal", "json", "csv", "markdown", "table"];

/** What each command is shown; a new command needs a row. */
// biome-ignore format: a table
const cases: { readonly [Name in CommandName]: readonly Case[] } = {
  import: [
    { args: ["import", named.csv] }, { args: ["import", named.csv, "--json"] }, { args: ["import", named.missing, "--summary"] },
    { args: ["import", named.csv, "--size", hostile] },
    { args: ["import", named.onnx, "--summary"] }, { args: ["import", named.onnx] }, { args: ["import", named.onnx, "--json"] }, { args: ["import", named.strangeOnnx] },
    { args: ["import", named.strangeOnnx, "--summary", "--json"] }, { args: ["import", named.onnx, "--size", `n${hostile}=2`, "--out", `net${inName}`] },
  ],
  run: [
    ...formats.map((format) => ({ args: ["run", named.program, "--format", format] })),
    { args: ["run", named.program, "--json"] },
    { args: ["run", named.broken] }, { args: ["run", named.broken, "--json"] }, { args: ["run", named.missing] },
    { args: ["run", "-"], stdin: broken }, { args: ["run", named.program, "--watch"] }, { args: ["run", named.missing, "--watch"] },
    ...[named.onnx, named.strangeOnnx, named.forest, named.badForest, named.tokenizer].map((name) => ({ args: ["run", "-"], stdin: `model m = file(${JSON.stringify(name)})\nm(${quoted})\nm(1)` })),
    { args: ["run", "-", "--state", named.state], stdin: "persistent n = 0\nassign n = n + 1\nn" },
    { args: ["run", named.program, "--on", `postgresql://${inName}:1/${inName}`] }, { args: ["run", named.program, "--on", "duckdb", "--into", named.missing] }, { args: ["run", named.program, "--on", hostile] },
    { args: ["run", named.program, "--allow-read", named.missing, `--${inName}`] },
  ],
  train: [
    { args: ["train", named.program] }, { args: ["train", named.broken, "--json"] }, { args: ["train", named.missing] },
    { args: ["train", "-", "--data", named.badJson], stdin: "variable w = 1\nminimise w" }, { args: ["train", named.program, "--optimiser", hostile] },
    { args: ["train", "-", "--data", named.csv], stdin: "input x: tensor(b[])\nvariable w = 1\nloss = sum(w * x)\nminimise loss" }, { args: ["train", "-", "--checkpoint", named.state, "--data", "values.json"], stdin: "variable w = 1\nloss = w * w\nminimise loss" },
    { args: ["train", "-", "--dimension", hostile], stdin: "variable w = 1\nminimise w" }, { args: ["run", named.program, "--state", named.badJson] },
  ],
  eval: [
    ...formats.map((format) => ({ args: ["eval", tensor, "--format", format] })),
    { args: ["eval", tensor, "--json"] }, { args: ["eval", inName] }, { args: ["eval", inName, "--json"] },
    { args: ["eval", "q", "--set", `q=@${named.csv}`] }, { args: ["eval", "q", "--set", `q=@${named.json}`] },
    { args: ["eval", "q", "--set", `q=@${named.badJson}`] }, { args: ["eval", "q", "--set", `q=@${named.missing}`] },
    { args: ["eval", "q", "--set", hostile] }, { args: ["eval", "q", "--set", `${hostile}=1`] }, { args: ["eval", "q", "--set", `q=${hostile}`] },
    { args: ["eval", "q", "--inputs", "values.json"] }, { args: ["eval", "q", "--inputs", named.badJson] },
    { args: ["eval", "1", "--dialect", hostile] }, { args: ["eval", "1", hostile] },
  ],
  check:   [{ args: ["check", named.program] }, { args: ["check", named.broken] }, { args: ["check", named.broken, "--json"] }, { args: ["check", app] }, { args: ["check", bad] }, { args: ["check", bad, "--json"] }, { args: ["check", bad, "--github"] }, { args: ["check", named.missing] }],
  fmt:     [{ args: ["fmt", "-"], stdin: program }, { args: ["fmt", named.broken] }, { args: ["fmt", "--check", named.program] }, { args: ["fmt", named.missing] }],
  explain: [{ args: ["explain", tensor] }, { args: ["explain", tensor, "--plan"] }, { args: ["explain", tensor, "--json"] }, { args: ["explain", named.program] }, { args: ["explain", named.broken] }],
  why:     [{ args: ["why", `sum(${tensor}, x)`, `k:${quoted}`] }, { args: ["why", tensor, `k:${hostile}`] }, { args: ["why", tensor, hostile] }, { args: ["why", `sum(${tensor}, x)`, `k:${quoted}`, "--json"] }],
  profile: [{ args: ["profile", app] }, { args: ["profile", app, hostile] }, { args: ["profile", bad] }, { args: ["profile", app, "--json"] }, { args: ["profile", named.missing] }],
  expand:  [{ args: ["expand", `softmax(${tensor}, k)`] }, { args: ["expand", `softmax(${tensor}, k)`, "--json"] }, { args: ["expand", hostile] }],
  repl:    [{ args: ["repl"], stdin: `${tensor}\nc = ${tensor}\nc\n.mode csv\nc\n.mode literal\nc\n${inName}\n.type ${inName}\n.load ${named.missing}\n.load ${named.broken}\n.save ${named.missing}\n.explain c\n.why c{k:${quoted},x:0}\n.expand c\n.plot c\n.inputs\n.set q = ${tensor}\n.set ${inName} = 1\n.mode ${inName}\n.${inName}\n.dialect ${inName}\n` }],
  lsp:     [{ args: ["lsp"] }, { args: ["lsp", "--stdio", hostile] }, { args: ["lsp", `--${inName}`] }],
  batch:   [{ args: ["batch"], stdin: `${[{ expr: tensor }, { expr: hostile, id: hostile }, { expr: "q", vars: { [hostile]: hostile, q: tensor } }].map((each) => JSON.stringify(each)).join("\n")}\n${inName}\n{"id":"${inName.replace(/\p{Cc}/gu, "")}","expr":"1"}\n` }],
  link:    [{ args: ["link", named.program] }, { args: ["link", named.broken] }, { args: ["link", named.missing] }, { args: ["link", "-e", hostile] }, { args: ["link", "-e", "q", "--set", `q=${tensor}`] }],
  open:    [{ args: ["open", setup(cells)] }, { args: ["open", setup(cells), "--run"] }, { args: ["open", setup(cells), "--json"] }, { args: ["open", setup(cells), "--run", "--json"] }, { args: ["open", setup(hostile)] }, { args: ["open", hostile] }],
  "eval-expr": [{ args: ["eval-expr", tensor] }, { args: ["eval-expr", tensor, hostile] }, { args: ["eval-expr", "--verbose", tensor] }, { args: ["eval-expr", "interactive", "script.txt"] }, { args: ["eval-expr", "interactive", named.missing] }, { args: ["eval-expr", "interactive", "script.txt", "convert"] }, { args: ["eval-expr", "interactive", "script.txt", "link"] }, { args: ["eval-expr", "interactive"], stdin: `def ${inName} 1\nexpr ${tensor}\n${tensor}\n${inName}\nlist\n` }, { args: ["eval-expr", "json-repl"], stdin: JSON.stringify([{ expr: tensor, verbose: true }, { expr: hostile }, { expr: tensor, name: hostile }]) }],
  serve:   [{ args: ["serve", "--port", "0", "--origin", hostile] }, { args: ["serve", "--host", hostile] }, { args: ["serve", "--host", hostile, "--allow-remote"] }, { args: ["serve", "--port", hostile] }],
  playground: [{ args: ["playground", "--port", hostile] }, { args: ["playground", hostile] }],
  plot:    [{ args: ["plot", tensor] }, { args: ["plot", `sum(${tensor}, x)`] }, { args: ["plot", tensor, "--svg", "-"] }, { args: ["plot", tensor, "--svg", named.missing] }, { args: ["plot", hostile] }],
  convert: [...["literal", "json", "csv"].map((to) => ({ args: ["convert", named.csv, "-", "--type", "tensor(k{})", "--to", to] })), { args: ["convert", named.json, "-", "--to", "csv"] }, { args: ["convert", named.badJson, "-", "--to", "csv"] }, { args: ["convert", named.missing, "-", "--to", "csv"] }, { args: ["convert", named.csv, named.missing, "--to", "csv"] }, { args: ["convert", hostile, hostile] }, { args: ["convert", named.csv, "-", "--type", hostile, "--to", "csv"] }],
  sample:  [{ args: ["sample", hostile] }, { args: ["sample", "tensor(k{})", "--form", hostile] }],
  score: [
    { args: ["score", app, "--document", "document.json", "--query", "query.json"] },
    { args: ["score", app, "--documents", "feed.jsonl", "--query", "query.json"] },
    { args: ["score", app, "--documents", "feed.jsonl", "--query", "query.json", "--json"] },
    { args: ["score", app, "--documents", "bad-feed.jsonl"] }, { args: ["score", app, "--document", "document.json", "--query", "bad-query.json"] },
    { args: ["score", app, "--document", "document.json", "--response", "response.json"] }, { args: ["score", app, "--documents", "feed.jsonl", "--compare", "response.json"] },
    { args: ["score", app, "--profile", hostile] }, { args: ["score", app, "--document", "document.json", "--feature", hostile] },
    { args: ["score", app, "--document", "document.json", "--nearest", hostile] }, { args: ["score", app, "--document", "document.json", "--now", hostile] },
    { args: ["score", app, "--document", "document.json", "--features", "response.json"] }, { args: ["score", bad, "--document", "document.json"] },
  ],
  test:    [{ args: ["test", app] }, { args: ["test", app, "--tap"] }, { args: ["test", app, "--filter", hostile] }, { args: ["test", app, "--junit", named.missing] }, { args: ["test", app, "--watch"] }, { args: ["test", named.missing] }],
  capture: [{ args: ["capture", "response.json", app] }, { args: ["capture", "response.json", app, "--profile", "p", "--query", "query.json"] }, { args: ["capture", named.badJson, app] }, { args: ["capture", named.missing] }],
  prelude: [{ args: ["prelude", hostile] }],
  sql:     [{ args: ["sql", named.program] }, { args: ["sql", named.broken] }, { args: ["sql", "-", "--table", `q=${hostile}`], stdin: "q" }, { args: ["sql", "-", "--table", `q=${quoted}(${quoted}=${quoted},value=${quoted})`], stdin: "q" }, { args: ["sql", "-", "--bindings", named.badYaml], stdin: "q" }, { args: ["sql", "-", "--bindings", named.bindings], stdin: "input q: tensor(k{})\nq" }, { args: ["sql", named.program, "--dialect", hostile] }],
  export:  [{ args: ["export", "vespa", named.program, "--out", named.missing] }, { args: ["export", "vespa", named.broken, "--out", named.missing] }, { args: ["export", hostile, named.program, "--out", "x"] }],
  conformance: [{ args: ["conformance", "--on", hostile] }, { args: ["conformance", "--on", "duckdb", "--cases", named.missing] }],
  help: [{ args: ["help", hostile] }, { args: ["help", "--search", hostile] }],
  completions: [{ args: ["completions", hostile] }],
};

const every = Object.entries(cases).flatMap(([name, list]) => list.map((each) => ({ name, ...each })));

describe.each([
  { of: "in colour", env: {} },
  { of: "without colours", env: { NO_COLOR: "1" } },
])("at a terminal $of", ({ env }) => {
  test.each(every)("$name shows nothing that is obeyed: $args", async ({ args, stdin = "" }) => {
    const { out, err, code } = await shown(args, stdin, true, env);
    expect([foundIn(out), foundIn(err)]).toEqual([undefined, undefined]);
    expect(out + err === "" && code !== 0, "something is said").toBe(false);
    expect(code, "and nothing of it is a defect of Sphex").not.toBe(70);
  });
});

/** The formats that have escapes. */
const escaping = every.filter(
  ({ args, name }) =>
    args.some((each) => ["--json", "literal", "json"].includes(each)) ||
    name === "batch" ||
    args.includes("json-repl") ||
    name === "convert",
);

test.each(
  escaping.filter(
    ({ args }) =>
      !["open", "convert"].includes(args[0] ?? "") || args.includes("json") || args.includes("--json"),
  ),
)("$name uses the escapes of its format in pipes: $args", async ({ args, stdin = "" }) => {
  const { out } = await shown(args, stdin, false);
  expect(foundIn(out.replace(/\r\n/g, "\n"))).toBeUndefined();
});

test("a conversation shows nothing that is obeyed, but for what the editor of lines sends", async () => {
  const input = new PassThrough();
  let text = "";
  const output = Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        text += chunk;
        done();
      },
    }),
    { isTTY: true, columns: 100 },
  );
  const ended = runRepl({
    ...{ options: () => ({ readFile: () => program }), settings: {}, isTTY: true, cwd: folder },
    ...{ input, output, errors: output, problemOptions: { colour: true } },
    tensorOptions: () => ({ format: "pretty", width: 100, colour: true }),
  });
  const modes = formats.flatMap((format) => [`.mode ${format}`, tensor]);
  const lines = [
    ...modes,
    ".load any",
    `.type ${quoted} + 1`,
    "c",
    `.why c{k:${quoted},x:0}`,
    ".plot c",
    ".explain c",
  ];
  input.end(lines.map((each) => `${each}\r`).join(""));
  expect(await ended).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
  const shown = text.replace(/\x1b\[\d*[AGJ]|\x1b\[\?2004[hl]|\r\n/g, "\n");
  expect(foundIn(shown)).toBeUndefined();
  expect(shown.split("owned").length).toBeGreaterThan(20);
});

test("nothing writes to the streams of the process but through that writer", () => {
  const folder = fileURLToPath(new URL("../../src", import.meta.url));
  const uses = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !["cli/terminal/io.ts", "cli/main.ts"].includes(path))
    .filter((path) =>
      /\bconsole\.\w+\(|\bprocess\.(?:stdout|stderr)\b/.test(readFileSync(join(folder, path), "utf8")),
    );
  expect(uses).toEqual([]);
});

describe("escapes", () => {
  test("mean what was there before, in literals and in JSON", () => {
    const tensor = Tensor.from(parseType("tensor(k{})"), { [hostile]: 1, "naïve\n": 3 });
    expect(foundIn(`${tensor}`)).toBeUndefined();
    expect(parseTensor(`${tensor}`).equals(tensor)).toBe(true);
    const json = writeTensor(tensor, "json");
    expect(foundIn(`${json}`)).toBeUndefined();
    expect(readTensor(json, "json").equals(tensor)).toBe(true);
  });

  test("leave other texts as they are, whole families among them", () => {
    for (const text of ["a\nb", "Grüße, 世界, עברית, ไทย", "👩‍👩‍👧 ❤️ 👍🏽 🇩🇪", "é e\u0301"])
      expect(escapeHidden(text)).toBe(text);
    expect(escapeHidden("a\tb\u200db")).toBe("a\\u0009b\\u200db");
    expect(escapeForeign("\x1b[1;31merror\x1b[0m \x1b[8m\x1b[5n")).toBe(
      "\x1b[1;31merror\x1b[0m \\u001b[8m\\u001b[5n",
    );
  });

  test("of what hides behind a letter, in texts with columns", () => {
    expect(clip("a\u200cb\u200d\u200dc", 100)).toBe("a\ufffdb\ufffd\ufffdc");
    expect(columnsOf("a\u200cb\u200d\u200dc")).toBe(6);
    expect(columnsOf("👩‍👩‍👧")).toBe(2);
  });
});
