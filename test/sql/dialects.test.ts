import { expect, test } from "vitest";
import { dialects } from "../../src/backends/sql/dialects/dialects.js";
import { compile, compileExpression, parseType, SphexError } from "../../src/index.js";
import { inputTypes } from "../../src/program/inputs/inputs.js";
import { onCluster, onEngine, ownCases, textEngine } from "../../src/sql.js";

/** The texts of statements, in each dialect: what is written by hand here is what its documentation says. */
const program = `input r: tensor(user{},item{})
sum(r{item: "it's"} + tensor(x[3])(1 / x), x)`;
const text = (dialect: string, source = program): string =>
  compile(source)
    .on(onEngine(textEngine(dialect)), {
      r: { source: { table: "shop.ratings" }, dimensions: { user: "u", item: "i" } },
    })
    .sql();

// biome-ignore format: a table
test.each([
  { dialect: "duckdb",     has: ['"shop"."ratings"', "'it''s'", "FROM range(3)", '(1e0 / CAST(', "AS VARCHAR)"] },
  { dialect: "postgresql", has: ['"shop"."ratings"', "'it''s'", "generate_series(0, 2)", "'1'::float8", 'AS text) COLLATE "C"'] },
  { dialect: "postgresql-exact", has: ["CREATE OR REPLACE FUNCTION pg_temp.sphex_divide(x float8, y float8)", "pg_temp.sphex_divide('1'::float8, ", "pg_temp.sphex_sum("] },
  { dialect: "clickhouse", has: ["`shop`.`ratings`", "'it\\'s'", "FROM numbers(3)", "toFloat64('1')", "SETTINGS join_use_nulls = 1"] },
  { dialect: "spark",      has: ["`shop`.`ratings`", "'it\\'s'", "FROM range(3)", "double('1')", "AS STRING)"] },
  { dialect: "trino",      has: ['"shop"."ratings"', "'it''s'", "UNNEST(sequence(0, 2))", "DOUBLE '1'", "AS VARCHAR)"] },
  { dialect: "bigquery",   has: ["`shop`.`ratings`", "'it\\'s'", "UNNEST(GENERATE_ARRAY(0, 2))", "IEEE_DIVIDE(", "AS FLOAT64)"] },
  { dialect: "snowflake",  has: ['"shop"."ratings"', "'it\\'s'", "GENERATOR(ROWCOUNT => 3)", "'1'::FLOAT", "AS VARCHAR)"] },
])("$dialect is written as its engine reads it", ({ dialect, has }) => {
  const found = text(dialect);
  for (const part of has) expect(found).toContain(part);
});

test.each(
  dialects.map(({ name }) => name),
)("every case is a statement of %s, or has a reason not to be", (name) => {
  const reasons = new Set<string>();
  for (const { expression, inputs } of ownCases) {
    const { types, values } = inputTypes(inputs, {});
    const bindings = Object.fromEntries(Object.entries(values).map(([input, tensor]) => [input, { tensor }]));
    try {
      const sql = compileExpression(expression, { inputs: types })
        .on(onEngine(textEngine(name)), bindings)
        .sql();
      expect(sql).not.toContain("undefined");
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const each of error.problems) reasons.add(`${each.description.found}`);
    }
  }
  const lacks = ["bigquery", "snowflake"].includes(name);
  expect([...reasons]).toEqual(lacks ? [expect.stringMatching(/^prod on /)] : []);
});

test.each(
  dialects.map(({ name }) => name),
)("a table of %s is replaced by one that is there already", (name) => {
  const [first = "", ...others] = textEngine(name).dialect.writeTable("SELECT 1", "a.b");
  expect(first).toMatch(others.length === 0 ? /^CREATE OR REPLACE TABLE / : /^CREATE TABLE .*sphex_new_b/);
  expect(first.endsWith("SELECT 1")).toBe(true);
});

test("a shared value is computed once, where an engine can", () => {
  const softmax = compile("softmax(r, item)", { inputs: { r: "tensor(user{},item{})" } });
  const on = (dialect: string): string =>
    softmax
      .on(onEngine(textEngine(dialect)), {
        r: { source: { table: "r" }, dimensions: { user: "u", item: "i" } },
      })
      .sql();
  expect(on("duckdb")).toContain("map_1 AS MATERIALIZED (");
  expect(on("postgresql")).toContain("map_1 AS MATERIALIZED (");
  expect(on("trino")).not.toContain("MATERIALIZED");
});

// biome-ignore format: a table
test.each([
  { what: "a histogram",      expression: "sum(tensor(bin[100])(bin) == r, item)" },
  { what: "a sum by numbers", expression: "sum(where(tensor(bin[100])(bin) == r, s, 0), item)" },
  { what: "rows of a table",  expression: "sum(where(tensor(bin[100])(bin) == r, t, 0), bin)" },
])("$what is grouped or joined, and no number compared with all indexes", ({ expression }) => {
  const inputs = { r: "tensor(user{},item{})", s: "tensor(user{},item{})", t: "tensor(bin[100])" };
  const bindings = Object.fromEntries(
    Object.keys(inputs).map((name) => {
      const dimensions: Record<string, string> = name === "t" ? { bin: "bin" } : { user: "u", item: "i" };
      return [name, { source: { table: name }, dimensions }];
    }),
  );
  const sql = compileExpression(expression, { inputs })
    .on(onEngine(textEngine("duckdb")), bindings)
    .sql();
  // Only blocks of the result are, of which there is one for each user.
  expect(sql.split("CROSS JOIN").length).toBeLessThanOrEqual(2);
  expect(sql).not.toMatch(/CROSS JOIN input/);
});

/** The statement of DuckDB for an expression of tables that are called as the inputs. */
function ofTables(expression: string, inputs: Readonly<Record<string, string>>): string {
  const bindings = Object.fromEntries(
    Object.entries(inputs).map(([name, type]) => {
      const dimensions = Object.fromEntries(parseType(type).names.map((each) => [each, each]));
      return [name, { source: { table: name }, dimensions }];
    }),
  );
  return compileExpression(expression, { inputs })
    .on(onEngine(textEngine("duckdb")), bindings)
    .sql();
}

// biome-ignore format: a table
test.each([
  { expression: "tensor(t[99])(s{t: (t + 1)} - s{t: (t)})",                               joins: 1 },
  { expression: "tensor(i[99])(s{t: (2 * i)})",                                           joins: 1 },
  { expression: "map_subspaces(r, f(v)(tensor(t[100])(v{t: (t)} - v{t: (t - 1)})))",      joins: 1 },
  { expression: "tensor(t[100])(s{t: (t)} * 2)",                                          joins: 0 },
])("the cells that indexes pick in $expression are joined to the rows of a table", ({ expression, joins }) => {
  const sql = ofTables(expression, { s: "tensor(t[100])", r: "tensor(k{},t[100])" });
  expect(sql.split("JOIN ").length - 1).toBe(joins);
  expect(sql).not.toContain("DISTINCT k0");
});

// biome-ignore format: a table
test.each([
  { expression: "top(10, s)",                                              has: "LIMIT 10",         lacks: ["row_number", "JOIN"] },
  { expression: "s * filter_subspaces(2.5 >= cell_order(s, min), f(c)(c))", has: "LIMIT 3",          lacks: ["row_number", "JOIN"] },
  { expression: "tensor(i[9])(sum(top(10, s * i)))",                       has: '"rank" <= 10',    lacks: ["AS DOUBLE) - 1"] },
  { expression: "top(sum(s) / 9, s)",                                      has: "LIMIT (SELECT",    lacks: ["row_number"] },
  { expression: "tensor(i[9])(sum(top(i, s)))",                            has: "row_number()",     lacks: ["LIMIT"] },
  { expression: "discount(s, k)",                                          has: "rank() OVER (",    lacks: ["JOIN"] },
  { expression: "sum(s <= rename(s, k, j), j)",                            has: "count(*) OVER (",  lacks: ["JOIN"] },
  { expression: "descending_rank(s, k)",                                   has: "rank() OVER (",    lacks: ["JOIN"] },
  { expression: "sum(1 - (rename(s, k, j) == s) / 2, j)",                  has: "rank() OVER (",    lacks: ["JOIN"] },
])("the order in $expression is a limit or a window", ({ expression, has, lacks }) => {
  const sql = ofTables(expression, { s: "tensor(k{},u{})" });
  expect(sql).toContain(has);
  for (const each of lacks) expect(sql).not.toContain(each);
});

test.each([
  "sum((s < rename(s, k, j)) / (s > rename(s, k, j)), j)",
  "sum(s * (s < rename(s, k, j)), j)",
])("%s compares all pairs: of two that are equal the term is not finite, or it is not of their order alone", (expression) => {
  const sql = ofTables(expression, { s: "tensor(k{},u{})" });
  expect(sql).toContain("JOIN rename_1");
  expect(sql).not.toContain("OVER");
});

// biome-ignore format: a table
test.each([
  { expression: "s * (s > 3) + exp(-s)",                                   joins: 0 },
  { expression: "s * (cell_order(s, max) < 9)",                            joins: 0 },
  { expression: "merge(s, cell_cast(s, float) * 2, f(a,b)(a - b))",         joins: 0 },
  { expression: "s / sum(s) - (1 - s) / sum(1 - s)",                       joins: 2 },
  { expression: "(s + exp(r)) / (s - r) * (r + 0 / s)",                    joins: 1 },
  { expression: "cell_order(s, max) + cell_order(s * r, max)",             joins: 2 },
  { expression: "map(s, f(x)(x + sum(tensor(i[9])(i)))) * s",              joins: 2 },
])("what is computed from the same rows in $expression is not joined", ({ expression, joins }) => {
  const sql = ofTables(expression, { s: "tensor(k{})", r: "tensor(k{})" });
  expect(sql.split("JOIN ").length - 1).toBe(joins);
});

// biome-ignore format: a table
test.each([
  { expression: "sum(s * q, d) / sum(s, d)",                               queries: 1 },
  { expression: "cosine_similarity(s, q, d)",                              queries: 1 },
  { expression: "sum(s * r, d) / sum(s, d)",                               queries: 2 },
  { expression: "sum(s, d) / sum(s, k)",                                   queries: 2 },
])("what is reduced to the same groups in $expression is reduced at once", ({ expression, queries }) => {
  const sql = ofTables(expression, { s: "tensor(k{},d[9])", q: "tensor(d[9])", r: "tensor(k{},d[9])" });
  expect(sql.split("GROUP BY ").length - 1).toBe(queries);
});

test("a long program is planned in parts, and a short one as a whole", () => {
  const kept = (dialect: string, steps: number): number => {
    const lines = Array.from({ length: steps }, (_, at) => `v${at + 1} = v${at} * 2`);
    const program = compile(["input v0: tensor(k{})", ...lines, `v${steps}`].join("\n"));
    const v0 = { source: { table: "v" }, dimensions: { k: "k" } };
    return (
      program
        .on(onEngine(textEngine(dialect)), { v0 })
        .sql()
        .split(" MATERIALIZED (").length - 1
    );
  };
  for (const { dialect, parts } of [
    { dialect: "duckdb", parts: 4 },
    { dialect: "postgresql", parts: 33 },
  ]) {
    expect(kept(dialect, 10)).toBe(0);
    expect(kept(dialect, 100)).toBe(parts);
  }
});

test("an engine that repeats expressions is not given those that double in each step", () => {
  const lines = Array.from({ length: 12 }, (_, at) => `v${at + 1} = v0 / v${at}`);
  const sql = compile(["input v0: tensor(k{})", ...lines, "v12"].join("\n"))
    .on(onEngine(textEngine("postgresql")), { v0: { source: { table: "v" }, dimensions: { k: "k" } } })
    .sql();
  // Of a quotient the divisor stands five times in its text: three in a row are 125 of the first.
  const kept = sql.split("\n").filter((line) => /^join_(?:step_)?\d+ AS MATERIALIZED/.test(line));
  expect(kept.length).toBeGreaterThanOrEqual(3);
});

test("the stages of a cluster have what must run before their statements, once", () => {
  const r = { source: { table: "r" }, dimensions: { user: "u", item: "i" }, partition: "user" };
  const stages = compile("input r: tensor(user{},item{})\nprod(r, item) + prod(r + 1, item)")
    .on(onCluster([textEngine("postgresql")]), { r })
    .stages();
  const aggregate = "CREATE OR REPLACE AGGREGATE";
  expect(stages.map(({ statements }) => statements.map((each) => each.startsWith(aggregate)))).toEqual([
    [true, false],
  ]);
});
