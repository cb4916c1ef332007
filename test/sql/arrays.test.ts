import { expect, test } from "vitest";
import { compile, evaluate } from "../../src/index.js";
import {
  type Bindings,
  type ConformanceCase,
  conformance,
  onEngine,
  ownCases,
  textEngine,
} from "../../src/sql.js";
import { casesOf, inputsOf } from "../conformance/cases.js";
import { arrayCases } from "./array-cases.js";
import { engine, hasDuckDb } from "./duckdb.js";

/** Dense blocks as arrays: which statements have them, and that their values are those of cells. */
const patience = { timeout: 900_000 };

async function outcomesOf(cases: Iterable<ConformanceCase>) {
  const surprises: string[] = [];
  let agrees = 0;
  for await (const { case: each, outcome } of conformance(engine, cases, { hasBlocks: true })) {
    if (outcome.kind === "agrees") agrees++;
    if (outcome.kind === "wrong") surprises.push(`${each.expression}: ${outcome.difference}`);
    if (outcome.kind === "unsupported") surprises.push(`${each.expression}: ${outcome.reason}`);
  }
  return { agrees, surprises };
}

test.skipIf(!hasDuckDb)("what is computed of arrays agrees, and so do our own cases", patience, async () => {
  const cases = [...arrayCases, ...ownCases];
  const { agrees, surprises } = await outcomesOf(cases);
  expect(surprises).toEqual([]);
  expect(agrees).toBe(cases.length);
});

test.skipIf(!hasDuckDb)("random programs whose inputs are arrays agree", patience, async () => {
  const cases = casesOf("random")
    .filter((_, at) => at % 15 === 2)
    .map(
      ({ expr, vars }): ConformanceCase => ({
        expression: expr,
        inputs: inputsOf(vars ?? {}),
        dialect: "vespa",
      }),
    );
  const { agrees, surprises } = await outcomesOf(cases);
  expect(surprises).toEqual([]);
  expect(agrees).toBeGreaterThan(150);
});

const embeddings: Bindings = {
  e: { source: { table: "embeddings" }, dimensions: { doc: "id" }, block: "vector", isTrusted: true },
};
const sql = (expression: string, dialect: string): string =>
  compile(`input e: tensor<float>(doc{},x[3])\n${expression}`, {})
    .on(onEngine(textEngine(dialect)), embeddings)
    .sql();

// biome-ignore format: a table
test.each([
  { text: "sum(e * tensor<float>(x[3]):[1,2,3], x)",     has: "list_inner_product(", isCell: false },
  { text: "sum(e * e)",                                  has: "list_inner_product(a.\"value\", a.\"value\")", isCell: false },
  { text: "reduce(e, max, x)",                           has: "list_max(",           isCell: false },
  { text: "sum((e - tensor(x[3]):[1,2,3]) ^ 2, x)",      has: "list_transform(",     isCell: false },
  { text: "map_subspaces(e, f(t)(sum(t * t)))",          has: "list_inner_product(", isCell: false },
  { text: "sum(e, doc)",                                 has: "unnest(",             isCell: true },
  { text: "reduce(e, median, x)",                        has: "list_sort(",          isCell: false },
  { text: "reduce(e, median)",                           has: "unnest(",             isCell: true },
])("$text is computed of arrays where it can be", ({ text, has, isCell }) => {
  const found = sql(text, "duckdb");
  expect(found).toContain(has);
  expect(found.includes("unnest(")).toBe(isCell);
});

test("each engine that is run has the product of two arrays in its own words", () => {
  const text = "sum(e * tensor<float>(x[3]):[1,2,3], x)";
  expect(sql(text, "clickhouse")).toContain("arrayDotProduct(");
  expect(sql(text, "postgresql")).toContain("FROM unnest(");
  expect(sql(text, "trino")).not.toContain("transform(");
});

test.skipIf(!hasDuckDb)(
  "rows that are trusted are cells as they are; others are stored as cells first",
  async () => {
    const program = compile("input e: tensor<float>(doc{},x[2])\nsum(e, x)");
    const query = "SELECT 'a' AS id, [0.1, 0.2] AS vector";
    const binding = { source: { query }, dimensions: { doc: "id" }, block: "vector" };
    const found = await program.on(onEngine(engine), { e: binding }).run();
    expect(found.equals(evaluate("sum(e, x)", { e: "tensor<float>(doc{},x[2]):{a:[0.1,0.2]}" }))).toBe(true);
  },
);
