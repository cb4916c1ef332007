import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, type Dialect, parseTensor, Tensor } from "../../src/index.js";
import { outcome } from "../outcome.js";
import { nearTensor } from "./near-tensor.js";

/**
 * grammar/paper.md goes through the paper: each row of its tables has what the paper prints, perhaps what is written here
 * instead, the value, and what dialect `vespa` says. Values were computed by hand, or by Python's math.
 */
const page = readFileSync(new URL("../../grammar/paper.md", import.meta.url), "utf8");

const blocks = [...page.matchAll(/^```sphex\n([\s\S]*?)\n```$/gm)].map(([, text = ""]) => text);
const [names = "", ...programs] = blocks;

type Row = Readonly<Record<string, string>>;

/** The rows of all tables, by the words at the top of their columns. */
const rows: readonly Row[] = [...page.matchAll(/(?:^\|.*\n)+/gm)].flatMap(([table]) => {
  const [head = [], , ...rest] = table.trimEnd().split("\n").map(cellsOf);
  return rest.map((cells) => Object.fromEntries(head.map((title, at) => [title, cells[at] ?? ""])));
});

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** What stands between backquotes, or the whole. */
const unquoted = (cell: string): string => /^`(.*)`$/.exec(cell)?.[1] ?? cell;

const isRefused = ({ problem }: Row): boolean => problem !== undefined;

const texts = rows.flatMap((row) => {
  if (isRefused(row)) return [];
  const {
    expression = "",
    "as printed": printed = expression,
    here = printed,
    formula,
    value = "",
    "in Vespa": vespa = "",
  } = row;
  const [function_ = "", ofFormula = "formula same"] = vespa.split("; ");
  const first = { text: unquoted(here), value: unquoted(value), vespa: function_ };
  if (formula === undefined) return [first];
  return [first, { ...first, text: unquoted(formula), vespa: ofFormula.replace("formula ", "") }];
});

test("the page has the sections of the paper and all of its Table 1", () => {
  const sections = [...page.matchAll(/^#+ ([\d.]+)/gm)].map(([, number]) => number);
  expect(sections).toEqual(["3", "5.1", "5.2", "5.3", "5.3.1", "5.3.7", "5.3.8", "5.3.9", "6", "6.1", "6.2"]);
  // The paper's table has as many: that of inequality too, which is printed with a space.
  expect(rows.filter(({ formula }) => formula !== undefined)).toHaveLength(53);
});

describe.each(["formalism", "vespa"] as const)("in dialect %s", (dialect) => {
  test.each(texts)("$text", ({ text, value, vespa }) => {
    const found = valueIn(dialect, text);
    if (dialect === "formalism" || vespa === "same") return expectValue(found.value, value, text);
    const own = unquoted(vespa);
    if (own.startsWith("tensor")) return expectValue(found.value, own, text);
    expect(found.problems?.map(({ code }) => code)).toContain(own);
  });
});

describe.each(["formalism", "vespa"] as const)("dialect %s refuses", (dialect) => {
  test.each(rows.filter(isRefused))("$['as printed']", ({ "as printed": printed = "", problem = "" }) => {
    const codes = valueIn(dialect, unquoted(printed)).problems?.map(({ code }) => code);
    expect(codes).toContain(unquoted(problem));
  });
});

function valueIn(dialect: Dialect, text: string) {
  return outcome(() => compile(`${names}\n;${text}`, { dialect }).run());
}

/** A type alone is that of random numbers. */
function expectValue(found: Tensor | undefined, value: string, text: string): void {
  expect(found, text).toBeInstanceOf(Tensor);
  if (found === undefined) return;
  if (value.includes(":")) return nearTensor(found, parseTensor(value));
  expect(`${found.type}`).toBe(value);
  for (const { value: cell } of found.cells()) expect(0 <= cell && cell < 1).toBe(true);
}

test.each(
  rows.filter(({ here }) => here !== undefined),
)("what is printed is refused: $['as printed']", (row) => {
  expect(valueIn("formalism", unquoted(row["as printed"] ?? "")).problems).toBeDefined();
});

test.each(programs)("the model %#", (text) => {
  const program = compile(text);
  const inputs = [...program.inputs].map(([name, type]) => [name, emptyOf(`${type}`)] as const);
  const [expected = ""] = [...text.matchAll(/^#> (.*)$/gm)].map(([, value = ""]) => value);
  nearTensor(program.run(Object.fromEntries(inputs)), parseTensor(expected));
});

/** All cells 0, or none. */
const emptyOf = (type: string): Tensor => parseTensor(`${type}:{}`);
