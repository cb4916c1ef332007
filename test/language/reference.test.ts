import { expect, test } from "vitest";
import { builtins } from "../../src/language/check/calls/builtins.js";
import { functionDescriptions } from "../../src/language/check/descriptions/function-descriptions.js";
import { functionRows } from "../../src/language/check/descriptions/topic-rows.js";
import { searchTopics, type Topic, topics } from "../../src/language/check/descriptions/topics.js";
import { aggregatorNames } from "../../src/language/scalar/aggregators.js";
import { operatorSymbols, prefixes } from "../../src/language/scalar/operators.js";
import { cellTypeNames } from "../../src/language/types/cell.js";
import { evaluate } from "../../src/program/compile.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { command } from "../command.js";

/** The reference has all words of the language, its examples are true, and grammar/FUNCTIONS.md is made of it. */

const all = [...topics().values()];

test("every function, aggregator, operator and cell type has its topic", () => {
  const names = [
    ...functionDescriptions().keys(),
    ...builtins.keys(),
    ...aggregatorNames,
    ...operatorSymbols,
  ];
  const missing = [...names, ...Object.keys(prefixes), ...cellTypeNames].filter(
    (name) => !topics().has(name),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(functionRows).filter((name) => !functionDescriptions().has(name))).toEqual([]);
  expect([...functionDescriptions().keys()].filter((name) => functionRows[name] === undefined)).toEqual([]);
});

test.each(all.flatMap(({ examples }) => examples))("%s is %s", (expression, value) => {
  const [ours, theirs] = [
    evaluate(expression),
    parseTensor(value.startsWith("tensor") ? value : `tensor():${value}`),
  ];
  expect(`${ours.type}`).toBe(`${theirs.type}`);
  const cells = [...theirs.cells()];
  expect([...ours.cells()].map(({ address }) => address)).toEqual(cells.map(({ address }) => address));
  for (const [at, cell] of [...ours.cells()].entries())
    expect(cell.value).toBeCloseTo(cells[at]?.value ?? Number.NaN, 12);
});

test("what is related is there", () => {
  const lost = all.flatMap(({ name, related = [] }) =>
    related.filter((each) => !topics().has(each)).map((each) => `${name}: ${each}`),
  );
  expect(lost).toEqual([]);
});

test.each([
  ["top k", "top"],
  ["average", "avg"],
  ["remainder", "fmod"],
  ["matrix product", "matmul"],
  ["cosine", "cos"],
])("a search for %s finds %s", (query, name) => {
  expect(searchTopics(query).map((each) => each.name)).toContain(name);
});

const { run } = command();

test("help says what a word is, and a command, and what a mistyped word was meant for", async () => {
  const { out } = await run(["help", "sum"]);
  expect(out).toContain("sum(tensor, dimension, …)");
  expect(out).toContain("> sum(tensor(x[3]):[1,5,3])\n  9.0");
  expect(out).toContain("Paper: section 5.3.2");
  expect((await run(["help", "plot"])).out).toContain("Usage: sphex plot");
  expect((await run(["help", "--search", "top k"])).out).toMatch(/^top /m);
  expect(await run(["help", "nosuch"])).toMatchObject({ code: 2, out: "" });
  expect((await run(["help", "summ"])).err).toBe("sphex: there is no help on summ: did you mean sum?\n");
  expect((await run(["help"])).out).toContain("Usage: sphex");
});

test("grammar/FUNCTIONS.md has it all: npm run functions writes it", async () => {
  await expect(page()).toMatchFileSnapshot("../../grammar/FUNCTIONS.md");
});

const kinds = [
  ["form", "Statements and forms"],
  ["operator", "Operators"],
  ["aggregator", "Aggregators"],
  ["function", "Functions"],
  ["cell type", "Cell types"],
] as const;

const page = (): string =>
  [
    "# Functions",
    "",
    "Every word of the language: how it is written, what it is, the type of its value, examples with their values, and where the paper",
    "has it. `sphex help NAME` prints an entry. This page is generated: `npm run functions` writes it anew, and a test runs the examples.",
    "",
    ...kinds.flatMap(([kind, title]) => [
      `## ${title}`,
      "",
      ...all.filter((each) => each.kind === kind).flatMap(entry),
    ]),
  ].join("\n");

const entry = ({
  name,
  signature,
  description,
  typeRule,
  examples,
  related = [],
  paper,
}: Topic): string[] => [
  `### \`${name}\``,
  "",
  `\`${signature}\``,
  "",
  description,
  ...(typeRule === undefined ? [] : ["", `Type: ${typeRule}`]),
  ...(examples.length === 0
    ? []
    : ["", "```sphex", ...examples.flatMap(([expression, value]) => [expression, `#> ${value}`]), "```"]),
  "",
  [
    ...(related.length === 0 ? [] : [`Related: ${related.map((each) => `\`${each}\``).join(", ")}.`]),
    paper === undefined ? "Not in the paper." : `Paper: ${paper}.`,
  ].join(" "),
  "",
];
