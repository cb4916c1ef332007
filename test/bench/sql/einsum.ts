import type { Bindings } from "../../../src/sql.js";
import type { SqlWorkload } from "./workload.js";

/**
 * The four uses of Einstein summation in SQL (Blacher and others, 2023), each as the sequence of pairwise contractions that the
 * paper makes of it: a common table expression for each, a join of tables with a column for each index, grouped by those that
 * remain.
 */

interface Factor {
  readonly name: string;
  /** Its table, and the index of each of its columns. */
  readonly table: string;
  readonly indexes: readonly string[];
}

/** Factors contracted one after the other; an index goes as soon as no later factor has it. */
function contraction(
  name: string,
  tables: readonly string[],
  factors: readonly Factor[],
  size: number | undefined,
  open: readonly string[] = [],
): SqlWorkload {
  const [first, ...others] = factors;
  if (first === undefined) throw new Error("there is a factor");
  const dimension = (index: string): string => `${index}${size === undefined ? "{}" : `[${size}]`}`;
  const inputs = factors.map(
    ({ name: each, indexes }) => `input ${each}: tensor(${indexes.map(dimension).join(",")})`,
  );
  const steps: string[] = [];
  let [expression, indexes, alias] = [first.name, first.indexes, first.table];
  const columns = new Map(first.indexes.map((index, at): [string, string] => [index, `c${at}`]));
  for (const [at, factor] of others.entries()) {
    const later = new Set([...open, ...others.slice(at + 1).flatMap((each) => each.indexes)]);
    const all = [...new Set([...indexes, ...factor.indexes])];
    const remaining = all.filter((index) => later.has(index));
    const gone = all.filter((index) => !later.has(index));
    expression = `${expression} * ${factor.name}`;
    if (gone.length > 0) expression = `reduce(${expression}, sum, ${gone.join(", ")})`;
    const ofFactor = new Map(
      factor.indexes.map((index, column): [string, string] => [index, `b.c${column}`]),
    );
    const on = factor.indexes.flatMap((index) => {
      const left = columns.get(index);
      return left === undefined ? [] : [`a.${left} = ${ofFactor.get(index)}`];
    });
    const sources = remaining.map((index) =>
      columns.has(index) ? `a.${columns.get(index)}` : ofFactor.get(index),
    );
    const selected = [
      ...sources.map((source, column) => `${source} AS c${column}`),
      "sum(a.value * b.value) AS value",
    ];
    const group = sources.length === 0 ? "" : ` GROUP BY ${sources.join(", ")}`;
    const where = on.length === 0 ? "" : ` WHERE ${on.join(" AND ")}`;
    steps.push(
      `k${at} AS (SELECT ${selected.join(", ")} FROM ${alias} AS a, ${factor.table} AS b${where}${group})`,
    );
    columns.clear();
    for (const [column, index] of remaining.entries()) columns.set(index, `c${column}`);
    [indexes, alias] = [remaining, `k${at}`];
  }
  const bindings: Bindings = Object.fromEntries(
    factors.map(({ name: each, table, indexes: own }) => [
      each,
      {
        source: { table },
        dimensions: Object.fromEntries(own.map((index, at) => [index, `c${at}`])),
        isTrusted: true,
      },
    ]),
  );
  return {
    name,
    tables: () => tables,
    program: [...inputs, expression].join("\n"),
    bindings,
    handwritten: `WITH ${steps.join(",\n")}\nSELECT * FROM ${alias}`,
  };
}

const numbered = (count: number, factor: (at: number) => Omit<Factor, "name">): Factor[] =>
  Array.from({ length: count }, (_, at) => ({ name: `t${at}`, ...factor(at) }));

const variables = 12;
const states = 100;
const qubits = 10;

export const einsums: readonly SqlWorkload[] = [
  // How many assignments satisfy clauses of three neighbouring variables: a clause excludes one of eight.
  contraction(
    "models of a formula",
    [
      "CREATE OR REPLACE TABLE clause AS SELECT a AS c0, b AS c1, c AS c2, CASE WHEN a = 0 AND b = 1 AND c = 0 THEN 0 ELSE 1 END::DOUBLE AS value FROM range(2) AS x (a), range(2) AS y (b), range(2) AS z (c)",
    ],
    numbered(variables - 2, (at) => ({ table: "clause", indexes: [`v${at}`, `v${at + 1}`, `v${at + 2}`] })),
    2,
  ),
  // The probability of what a hidden Markov model has shown: a transition for each step.
  contraction(
    "inference in a model",
    [
      `CREATE OR REPLACE TABLE prior AS SELECT a AS c0, 1 / ${states}::DOUBLE AS value FROM range(${states}) AS x (a)`,
      `CREATE OR REPLACE TABLE step AS SELECT a AS c0, b AS c1, ((a * 7 + b * 3) % 11 + 1) / ${6 * states}::DOUBLE AS value FROM range(${states}) AS x (a), range(${states}) AS y (b)`,
    ],
    [
      { name: "prior", table: "prior", indexes: ["s0"] },
      ...numbered(12, (at) => ({ table: "step", indexes: [`s${at}`, `s${at + 1}`] })),
    ],
    states,
  ),
  // The amplitudes after a layer of Hadamard gates on each qubit, from all of them 0.
  contraction(
    "a quantum circuit",
    [
      "CREATE OR REPLACE TABLE zero AS SELECT a AS c0, (1 - a)::DOUBLE AS value FROM range(2) AS x (a)",
      "CREATE OR REPLACE TABLE hadamard AS SELECT a AS c0, b AS c1, (CASE WHEN a = 1 AND b = 1 THEN -1 ELSE 1 END) / sqrt(2)::DOUBLE AS value FROM range(2) AS x (a), range(2) AS y (b)",
    ],
    Array.from({ length: qubits }, (_, at): Factor[] => [
      { name: `z${at}`, table: "zero", indexes: [`a${at}`] },
      { name: `h${at}`, table: "hadamard", indexes: [`a${at}`, `b${at}`] },
    ]).flat(),
    2,
    Array.from({ length: qubits }, (_, at) => `b${at}`),
  ),
  // Who knows somebody who likes something that is of a kind, counted: a query of triples.
  contraction(
    "a query of triples",
    [
      "CREATE OR REPLACE TABLE knows AS SELECT 'p' || n % 20000 AS c0, 'p' || (n * 7) % 20000 AS c1, 1::DOUBLE AS value FROM range(100000) AS t (n) GROUP BY ALL",
      "CREATE OR REPLACE TABLE likes AS SELECT 'p' || n % 20000 AS c0, 'o' || (n * 11) % 5000 AS c1, 1::DOUBLE AS value FROM range(100000) AS t (n) GROUP BY ALL",
      "CREATE OR REPLACE TABLE kind AS SELECT 'o' || n AS c0, 'k' || n % 20 AS c1, 1::DOUBLE AS value FROM range(5000) AS t (n)",
    ],
    [
      { name: "kind", table: "kind", indexes: ["thing", "kind"] },
      { name: "likes", table: "likes", indexes: ["friend", "thing"] },
      { name: "knows", table: "knows", indexes: ["person", "friend"] },
    ],
    undefined,
    ["person", "kind"],
  ),
];
