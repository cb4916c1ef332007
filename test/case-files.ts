import { readdirSync, readFileSync } from "node:fs";
import { textAsNumber } from "../src/language/scalar/hash.js";
import type { InputValue } from "../src/program/inputs/inputs.js";

/**
 * The cases of test/cases: one Markdown file a topic, a line a case. Values and problems are written by people or come
 * from Vespa's engines; nothing here can rewrite them. A line is
 *
 *     - given name = `literal`                            an input of all cases of the file
 *     - `expression` → `value`                            `⏎` stands for a line break
 *     - `expression` with a = `literal`; b = `literal`, vespa → problem `code, code`
 *
 * Blocks of `core` and `plan` may stand below a line, indented: the core graph of its expression before any optimising, and
 * the plan of the engine after it. They alone are derived: `npm run cases` writes them anew.
 */
export type Dialect = "formalism" | "vespa";

export interface Line {
  readonly expression: string;
  readonly inputs: Readonly<Record<string, InputValue>>;
  readonly dialects: readonly Dialect[];
  readonly value?: string;
  readonly problems?: string;
  /** Which blocks stand below it. */
  readonly blocks: readonly BlockKind[];
}

/** What is derived of a line. */
export type BlockKind = "core" | "plan";

/** The line of a case, and the blocks below it. */
const cases = /^(- `.*)((?:\n\n {2}```(?:core|plan)\n(?:(?! {2}```$).*\n)* {2}```$)*)/gm;

const pattern = /^- `(.*?)`(?: with (.*?))?(?:, (vespa|formalism))? → (problem )?`(.*)`$/;

/** The cases in a file, by its name. */
export function linesOf(name: string): Line[] {
  const text = textOf(name);
  return [...text.matchAll(cases)].map(([, line = "", blocks = ""]) => lineOf(line, blocks, text));
}

/** The text of a file in which the blocks are these. */
export function withBlocks(name: string, blockOf: (line: Line, kind: BlockKind) => string): string {
  const text = textOf(name);
  return text.replace(cases, (_, written: string, blocks: string) => {
    const line = lineOf(written, blocks, text);
    const fences = line.blocks.flatMap((kind) => ["", `\`\`\`${kind}`, blockOf(line, kind), "```"]);
    return [written, ...fences].join("\n").replace(/\n(?=.)/g, "\n  ");
  });
}

function lineOf(line: string, blocks: string, file: string): Line {
  const shared = [...file.matchAll(/^- given (\S+) = `(.*)`$/gm)].map(([, name, value]) => [
    name,
    read(`${value}`),
  ]);
  const dialects: Dialect[] = file.includes("Compared in dialect `vespa`")
    ? ["vespa"]
    : ["formalism", "vespa"];
  const [whole, expression, inputs, only, isProblem, expected = ""] = pattern.exec(line) ?? [];
  if (whole === undefined || expression === undefined) throw new Error(`no case: ${line}`);
  const own = [...(inputs ?? "").matchAll(/(\S+) = `(.*?)`/g)].map(([, name, value]) => [
    name,
    read(`${value}`),
  ]);
  return {
    expression: expression.replaceAll("⏎", "\n"),
    inputs: Object.fromEntries([...shared, ...own]),
    dialects: only === undefined ? dialects : [only as Dialect], // one of the two in the pattern
    ...(isProblem === undefined ? { value: expected } : { problems: expected }),
    blocks: [...blocks.matchAll(/^ {2}```(core|plan)$/gm)].map(([, kind]) => kind as BlockKind), // one of the two in the pattern
  };
}

const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** A number, a text in double quotes, or a literal. */
function read(text: string): InputValue {
  if (text.startsWith('"')) return textAsNumber(JSON.parse(text));
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

const folder = new URL("cases/", import.meta.url);

/** The files of cases; those of messages are of another form. */
export const caseFiles: readonly string[] = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !name.startsWith("messages"))
  .sort();
