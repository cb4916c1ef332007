import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import * as sphex from "../../src/index.js";
import { builtins } from "../../src/language/check/calls/builtins.js";
import { preludeNames } from "../../src/language/check/prelude-names.js";
import { aggregatorNames } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions, scalarNames } from "../../src/language/scalar/functions.js";
import { operatorSymbols, prefixes } from "../../src/language/scalar/operators.js";
import { cellTypeNames, cellTypes } from "../../src/language/types/cell.js";
import { nearTensor } from "../language/near-tensor.js";

/**
 * The documents say what is so: the reference quotes the grammar, its examples and those of the README have the values
 * that they show, nothing that can be called is missing, and every link leads somewhere.
 */
const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Block {
  readonly language: string;
  readonly text: string;
  /** Of the first line in it, from 1. */
  readonly line: number;
}

/** The fenced blocks of a document, in order. */
function blocksOf(document: string, language: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; lines: string[]; line: number } | undefined;
  for (const [at, line] of read(document).split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { language: fence[1] ?? "", lines: [], line: at + 2 };
    else {
      blocks.push({ language: open.language, text: open.lines.join("\n"), line: open.line });
      open = undefined;
    }
  }
  return blocks.filter((block) => block.language === language);
}

describe("the grammar in the reference", () => {
  const rules = read("grammar/sphex.ebnf")
    .split("\n")
    .filter((line) => line.includes("::="));
  const quoted = blocksOf("grammar/README.md", "ebnf").flatMap(({ text }) => text.split("\n"));

  test("has every rule once, as it is, and in its order", () => {
    expect(rules.length).toBeGreaterThan(40);
    expect(quoted).toEqual(rules);
  });
});

describe.each(["README.md", "grammar/README.md"])("the examples of %s", (document) => {
  const examples = blocksOf(document, "sphex").filter(({ text }) => /^#>/m.test(text));

  test("are there", () => expect(examples.length).toBeGreaterThan(0));

  test.each(examples)("have the values that they show: line $line", ({ text }) => {
    const expected = text
      .split("\n")
      .flatMap((line) => (line.startsWith("#>") ? [line.slice(2).trim()] : []));
    const { results } = sphex.compile(text, { readFile: (path) => read(join("examples", path)) }).runAll();
    expect(results.map(String)).toHaveLength(expected.length);
    // A single number stands as the command and the REPL print it: 3.0.
    for (const [at, result] of results.entries())
      if (result.type.isScalar && Number.isInteger(result.asNumber()))
        expect(expected[at]).toBe(sphex.showTensor(result));
    for (const [at, result] of results.entries()) nearTensor(result, sphex.parseTensor(expected[at] ?? ""));
  });
});

describe.each(["README.md", "examples/library/README.md"])("the programs of %s", (document) => {
  test.each(blocksOf(document, "ts"))("print what they say: line $line", async ({ text }) => {
    // Behind a call that logs, or in the line below it.
    const expected = [...text.matchAll(/console\.log\(.*\);\s+\/\/ (.*)$/gm)].map((match) => match[1] ?? "");
    expect(await printed(text)).toEqual(expected);
    expect([...text.matchAll(/console\.log/g)]).toHaveLength(expected.length);
  });
});

test("the problem in README.md looks as it says", () => {
  const [picture] = blocksOf("README.md", "text");
  const [, name = "", text = ""] = /┌ (.*?):.*\n1 │ (.*)\n/.exec(picture?.text ?? "") ?? [];
  const shown = sphex.check(text, { name }).map((problem) => sphex.showProblem(problem, { width: 80 }));
  expect(shown).toEqual([picture?.text]);
});

/** What a program that imports the library logs, a line for each call. */
async function printed(program: string): Promise<string[]> {
  const body = program.replace(/^import \{(.*)\} from "sphex";$/gm, "const {$1} = sphex;");
  const { code } = transformSync(`async (sphex, console) => {${body}\n}`, { loader: "ts" });
  const lines: string[] = [];
  const log = (...values: unknown[]): void => void lines.push(values.map(String).join(" "));
  // A text of this repository; what it may use is what it is given.
  await new Function(`return ${code.trim().replace(/;$/, "")}`)()(sphex, { log });
  return lines;
}

/** The first cells of the rows of the tables under a heading. */
function rowsOf(document: string, heading: string): string[] {
  const text = read(document);
  const start = text.indexOf(`\n## ${heading}\n`) + 1;
  const end = text.indexOf("\n## ", start);
  const section = text.slice(start, end < 0 ? undefined : end);
  return section
    .split("\n")
    .flatMap((line) => (line.startsWith("| ") ? [line.split(/(?<!\\)\|/)[1] ?? ""] : []));
}

describe("the tables of the reference", () => {
  const reference = "grammar/README.md";

  test("have every scalar function, with its parameters", () => {
    const rows = rowsOf(reference, "Scalar functions").join();
    for (const name of scalarNames) {
      const { parameters } = scalarFunctions[name as keyof typeof scalarFunctions];
      expect(rows).toContain(`\`${name}(${parameters.join(",")})\``);
    }
  });

  test("have every aggregator", () => {
    const rows = rowsOf(reference, "Aggregators").map((row) => row.trim());
    expect(rows.slice(2)).toEqual(aggregatorNames.map((name) => `\`${name}\``));
  });

  test("have every operator", () => {
    const rows = rowsOf(reference, "Expressions").join().replaceAll("\\|", "|");
    for (const symbol of [...operatorSymbols, ...Object.keys(prefixes), "in"]) {
      expect(rows).toContain(`\`${symbol}\``);
    }
  });

  test("have every cell type, with its width", () => {
    const rows = read(reference).split("\n");
    for (const name of cellTypeNames) {
      const row = new RegExp(`^\\| \`${name}\` +\\| ${cellTypes[name].width} +\\|`);
      expect(rows.filter((line) => row.test(line))).toHaveLength(1);
    }
  });

  test("and its text name every function that can be called", () => {
    const text = read(reference);
    const aggregators: readonly string[] = aggregatorNames; // a table of their own
    const names = [...builtins.keys(), ...preludeNames().all].filter((name) => !aggregators.includes(name));
    expect(names.filter((name) => !text.includes(`\`${name}(`))).toEqual([]);
  });
});

const readmes = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("README.md"))
  .map((path) => join("src", path));

describe.each([
  "README.md",
  "CHANGELOG.md",
  "grammar/README.md",
  "grammar/paper.md",
  "grammar/DECISIONS.md",
  "examples/README.md",
  "examples/library/README.md",
  ...readmes,
])("the links of %s", (document) => {
  const text = read(document).replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));

  test("lead to files and headings that are there", () => {
    const broken = links.filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** The anchors that headings become. */
function anchorsOf(document: string): Set<string> {
  const headings = [...read(document).matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? "");
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/ /g, "-"),
    ),
  );
}
