import { expect, test } from "vitest";
import { type ConformanceCase, conformance, ownCases } from "../../src/sql.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { engine, hasDuckDb } from "./duckdb.js";

/** DuckDB has the values of the reference evaluator, on our own cases, random ones, and those of other engines. */
const patience = { timeout: 900_000 };

async function outcomesOf(cases: Iterable<ConformanceCase>) {
  const counts = { agrees: 0, wrong: 0, unsupported: 0, refused: 0 };
  const surprises: string[] = [];
  for await (const { case: each, outcome } of conformance(engine, cases)) {
    counts[outcome.kind]++;
    if (outcome.kind === "wrong") surprises.push(`${each.expression}: ${outcome.difference}`);
    if (outcome.kind === "unsupported") surprises.push(`${each.expression}: ${outcome.reason}`);
  }
  return { ...counts, surprises };
}

test.skipIf(!hasDuckDb)("our own cases agree on DuckDB, all of them", patience, async () => {
  const { agrees, surprises } = await outcomesOf(ownCases);
  expect(surprises).toEqual([]);
  expect(agrees).toBe(ownCases.length);
});

const casesIn = (suite: string): ConformanceCase[] =>
  casesOf(suite).map(({ expr, vars }) => ({
    expression: expr,
    inputs: inputsOf(vars ?? {}),
    dialect: "vespa",
  }));

test.skipIf(!hasDuckDb || !hasCases("engine"))(
  "the cases of Vespa's engine agree on DuckDB",
  patience,
  async () => {
    const { agrees, surprises } = await outcomesOf(casesIn("engine"));
    expect(surprises).toEqual([]);
    expect(agrees).toBeGreaterThan(2500);
  },
);

test.skipIf(!hasDuckDb)("random cases agree on DuckDB", patience, async () => {
  const { agrees, surprises } = await outcomesOf(casesIn("random").filter((_, at) => at % 5 === 0));
  expect(surprises).toEqual([]);
  expect(agrees).toBeGreaterThan(500);
});
