import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluate } from "../src/compile.js";
import type { InputValue } from "../src/inputs.js";
import { parseTensor } from "../src/inputs.js";
import { textAsNumber } from "../src/scalar/hash.js";
import { SphexError } from "../src/source/problem.js";
import { cellTypes } from "../src/types/cell.js";

/**
 * The cases of test/cases: one Markdown file a topic, a line a case. Values and problems are written by people or come
 * from Vespa's engines; nothing here can rewrite them. A line is
 *
 *     - given name = `literal`                            an input of all cases of the file
 *     - `expression` → `value`                            `⏎` stands for a line break
 *     - `expression` with a = `literal`; b = `literal`, vespa → problem `code, code`
 */
type Dialect = "formalism" | "vespa";

interface Line {
  readonly expression: string;
  readonly inputs: Readonly<Record<string, InputValue>>;
  readonly dialects: readonly Dialect[];
  readonly value?: string;
  readonly problems?: string;
}

const pattern = /^- `(.*?)`(?: with (.*?))?(?:, (vespa|formalism))? → (problem )?`(.*)`$/;

function readFile(text: string): Line[] {
  const shared = Object.fromEntries(
    [...text.matchAll(/^- given (\S+) = `(.*)`$/gm)].map(([, name, value]) => [name, read(`${value}`)]),
  );
  const dialects: Dialect[] = text.includes("Compared in dialect `vespa`")
    ? ["vespa"]
    : ["formalism", "vespa"];
  return text
    .split("\n")
    .filter((line) => line.startsWith("- `"))
    .map((line) => {
      const [whole, expression, inputs, only, isProblem, expected = ""] = pattern.exec(line) ?? [];
      if (whole === undefined || expression === undefined) throw new Error(`no case: ${line}`);
      const own = [...(inputs ?? "").matchAll(/(\S+) = `(.*?)`/g)].map(([, name, value]) => [
        name,
        read(`${value}`),
      ]);
      return {
        expression: expression.replaceAll("⏎", "\n"),
        inputs: { ...shared, ...Object.fromEntries(own) },
        dialects: only === undefined ? dialects : [only as Dialect], // one of the two in the pattern
        ...(isProblem === undefined ? { value: expected } : { problems: expected }),
      };
    });
}

/** A number, a text in double quotes, or a literal. */
function read(text: string): InputValue {
  if (text.startsWith('"')) return textAsNumber(JSON.parse(text));
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The value in canonical text, or the codes of the problems. */
function answer({ expression, inputs }: Line, dialect: Dialect): string {
  try {
    return evaluate(expression, inputs, { dialect }).toString();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map((each) => each.code).join(",");
  }
}

/** Engines differ in the last digits of functions and sums; ours must be as near as decision D16 says. */
function expectSame(found: string, wanted: string): void {
  if (!found.startsWith("tensor")) expect(found).toBe(wanted);
  const [ours, theirs] = [parseTensor(found), parseTensor(wanted)];
  expect(`${ours.type}`).toBe(`${theirs.type}`);
  const tolerance = cellTypes[ours.type.cellType].width === 8 ? 1e-14 : 1e-6;
  const cells = [...theirs.cells()];
  expect([...ours.cells()].map((cell) => cell.address)).toEqual(cells.map((cell) => cell.address));
  for (const [at, { value }] of [...ours.cells()].entries()) {
    const other = cells[at]?.value ?? Number.NaN;
    const same =
      Object.is(value, other) || value === other || Math.abs(value - other) <= tolerance * Math.abs(other);
    if (!same) expect(found).toBe(wanted);
  }
}

const folder = new URL("cases/", import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".md") && !name.startsWith("messages"),
);

describe.each(files.sort())("%s", (file) => {
  const lines = readFile(readFileSync(new URL(file, folder), "utf8"));
  for (const [at, line] of lines.entries()) {
    for (const dialect of line.dialects) {
      test(`${at + 1}. ${line.expression} (${dialect})`, () => {
        const found = answer(line, dialect);
        if (line.problems !== undefined) expect(found).toBe(line.problems);
        else expectSame(found, line.value ?? "");
      });
    }
  }
});
