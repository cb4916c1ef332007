import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { type ColumnCase, outcomeOf } from "./column-types.js";
import { engine, hasDuckDb } from "./duckdb.js";

const [labels, indexes, blocks] = ["tensor(k{})", "tensor(k[])", "tensor(k{},x[3])"];
const zeros = { missing: "zero" } as const;
const block = { block: "v" };

// biome-ignore format: a table
const cases: readonly ColumnCase[] = [
  { query: "SELECT DATE '2024-02-29' AS k, 7 AS v",                      type: labels, is: "tensor(k{}):{'2024-02-29':7.0}" },
  { query: "SELECT TIMESTAMP '2024-02-29 01:02:03.5' AS k, 7 AS v",      type: labels, is: "tensor(k{}):{'2024-02-29 01:02:03.5':7.0}" },
  { query: "SELECT true AS k, false AS v",                               type: labels, is: "tensor(k{}):{true:0.0}" },
  { query: "SELECT 1.50::DECIMAL(9,3) AS k, 0.1::DECIMAL(9,3) AS v",     type: labels, is: "tensor(k{}):{'1.500':0.1}" },
  { query: "SELECT '2'::ENUM('1','2') AS k, '2'::ENUM('1','2') AS v",    type: labels, is: "tensor(k{}):{2:2.0}" },
  { query: "SELECT 170141183460469231731687303715884105727::HUGEINT AS k, 255::UTINYINT AS v", type: labels, is: "tensor(k{}):{170141183460469231731687303715884105727:255.0}" },
  { query: "SELECT [1, 2] AS k, {'a': 1}.a AS v",                        type: labels, is: "tensor(k{}):{'[1, 2]':1.0}" },
  { query: "SELECT '6f9619ff-8b86-d011-b42d-00c04fc964ff'::UUID AS k, 7 AS v", type: labels, is: "tensor(k{}):{'6f9619ff-8b86-d011-b42d-00c04fc964ff':7.0}" },
  { query: "SELECT 'a ' AS k, 1 AS v UNION ALL SELECT 'a', 2",           type: labels, is: "tensor(k{}):{a:2.0, 'a ':1.0}" },
  { query: "SELECT 'a' AS k, '1010'::BIT AS v",                          type: labels, is: "rows/type" },
  { query: "SELECT '1'::BIT AS k, 1 AS v",                               type: indexes, binding: zeros, is: "rows/type,rows/index" },
  { query: "SELECT NULL AS k, NULL AS v",                                type: labels, is: "rows/null" },
  { query: "SELECT NULL AS k, NULL AS v",                                type: labels, binding: { nulls: "absent" }, is: "tensor(k{}):{}" },
  { query: "SELECT NULL AS k, NULL AS v",                                type: indexes, binding: { nulls: "absent" }, is: "tensor(k[]):{}" },
  { query: "SELECT 'a' AS k, DATE '2024-02-29' AS v",                    type: labels, is: "engine/failed" },
  { query: "SELECT 'a' AS k, {'a': 1} AS v",                             type: labels, is: "engine/failed" },
  { query: "SELECT 'a' AS k, '1,5' AS v",                                type: labels, is: "engine/failed" },
  // Labels are their bytes, whatever a column takes for equal.
  { query: "SELECT unnest(['a', 'A']) COLLATE NOCASE AS k, 1 AS v",      type: labels, is: "tensor(k{}):{A:1.0, a:1.0}" },
  { query: "SELECT unnest(['e\u0301', 'é']) COLLATE NOACCENT AS k, 1 AS v", type: labels, expression: "sum(r)", is: "tensor():{2.0}" },
  { query: "SELECT 1.0 AS k, 7 AS v",                                    type: indexes, binding: zeros, is: "tensor(k[]):{0:0.0, 1:7.0}" },
  { query: "SELECT 1.5 AS k, 7 AS v",                                    type: indexes, binding: zeros, is: "rows/index" },
  { query: "SELECT 1.4::DOUBLE AS k, 7 AS v",                            type: indexes, binding: zeros, is: "rows/index" },
  { query: "SELECT '1.5' AS k, 7 AS v",                                  type: indexes, binding: zeros, is: "rows/index" },
  { query: "SELECT -0.4 AS k, 7 AS v",                                   type: indexes, binding: zeros, is: "rows/index" },
  { query: "SELECT 'a' AS k, [1, 2, 3]::UTINYINT[3] AS v",               type: blocks, binding: block, is: "tensor(k{},x[3]):{a:[1.0, 2.0, 3.0]}" },
  { query: "SELECT 'a' AS k, '[1, 2, 3]' AS v",                          type: blocks, binding: block, is: "tensor(k{},x[3]):{a:[1.0, 2.0, 3.0]}" },
  { query: "SELECT 'a' AS k, [1.5, 2, 3]::DECIMAL(4,2)[] AS v",          type: blocks, binding: block, expression: "sum(r * r, x)", is: "tensor(k{}):{a:15.25}" },
  { query: "SELECT 'a' AS k, [1, 2] AS v",                               type: blocks, binding: block, is: "rows/missing" },
  { query: "SELECT 'a' AS k, [1, 2, 3, 4] AS v",                         type: blocks, binding: block, expression: "sum(r, x)", is: "rows/index" },
  { query: "SELECT 'a' AS k, [1, NULL, 3] AS v",                         type: blocks, binding: block, is: "rows/null" },
  { query: "SELECT 'a' AS k, NULL::INT[] AS v",                          type: blocks, binding: block, is: "rows/null" },
  { query: "SELECT 'a' AS k, NULL::INT[] AS v",                          type: blocks, binding: { ...block, nulls: "absent" }, is: "tensor(k{},x[3]):{}" },
  { query: "SELECT 'a' AS k, []::INT[] AS v",                            type: blocks, binding: block, expression: "sum(r, x)", is: "rows/missing" },
  { query: "SELECT 'a' AS k, []::INT[] AS v",                            type: blocks, binding: { ...block, ...zeros }, is: "tensor(k{},x[3]):{a:[0.0, 0.0, 0.0]}" },
  { query: "SELECT 'a' AS k, []::INT[] AS v",                            type: blocks, binding: { ...block, ...zeros }, expression: "sum(r, x)", is: "tensor(k{}):{a:0.0}" },
  { query: "SELECT 'a' AS k, [[1], [2], [3]] AS v",                      type: blocks, binding: block, is: "engine/failed" },
];

test.skipIf(!hasDuckDb).each(cases)("$query bound to $type with $binding is $is", patient, async (each) => {
  expect(await outcomeOf(engine, each)).toBe(each.is);
});
