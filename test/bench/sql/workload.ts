import type { Bindings } from "../../../src/sql.js";

/** A program on tables, beside what somebody who knows SQL writes for the same. */
export interface SqlWorkload {
  readonly name: string;
  /** Statements that make the tables, with about so many cells. */
  readonly tables: (cells: number) => readonly string[];
  readonly program: string;
  readonly bindings: Bindings;
  readonly handwritten: string;
}

const table = (name: string, dimensions: Readonly<Record<string, string>>, more = {}): Bindings[string] => ({
  source: { table: name },
  dimensions,
  isTrusted: true,
  ...more,
});

const items = 1000;
/** As many ratings as cells: each user has rated a tenth of all items. */
const ratings = (cells: number): string =>
  `CREATE OR REPLACE TABLE r AS SELECT 'u' || u AS "user", 'i' || i AS item, ((u * 7 + i * 13) % 100) / 10.0::DOUBLE AS value FROM range(${Math.ceil(cells / (items / 10))}) AS a (u), range(${items}) AS b (i) WHERE (u * 31 + i * 17) % 10 = 0`;
const features = `CREATE OR REPLACE TABLE f AS SELECT 'i' || i AS item, 'f' || g AS feature, ((i * g) % 7)::DOUBLE AS value FROM range(${items}) AS a (i), range(8) AS b (g)`;
const rated = table("r", { user: "user", item: "item" });
const length = 64;

export const workloads: readonly SqlWorkload[] = [
  {
    name: "contraction",
    tables: (cells) => [ratings(cells), features],
    program: "input r: tensor(user{},item{})\ninput f: tensor(item{},feature{})\nsum(r * f, item)",
    bindings: { r: rated, f: table("f", { item: "item", feature: "feature" }) },
    handwritten:
      'SELECT f.feature, r."user", sum(r.value * f.value) AS value FROM r JOIN f ON r.item = f.item GROUP BY f.feature, r."user"',
  },
  {
    name: "group by",
    tables: (cells) => [ratings(cells)],
    program: "input r: tensor(user{},item{})\nsum(r, item)",
    bindings: { r: rated },
    handwritten: 'SELECT "user", sum(value) AS value FROM r GROUP BY "user"',
  },
  {
    name: "softmax per user",
    tables: (cells) => [ratings(cells)],
    program: "input r: tensor(user{},item{})\nsum(softmax(r, item) ^ 2, item)",
    bindings: { r: rated },
    handwritten: `WITH m AS (SELECT "user", max(value) AS top FROM r GROUP BY "user"),
e AS MATERIALIZED (SELECT r."user", exp(r.value - m.top) AS value FROM r JOIN m ON r."user" = m."user"),
s AS (SELECT "user", sum(value) AS total FROM e GROUP BY "user")
SELECT e."user", sum((e.value / s.total) * (e.value / s.total)) AS value FROM e JOIN s ON e."user" = s."user" GROUP BY e."user"`,
  },
  {
    name: "MaxSim",
    tables: (cells) => [
      `CREATE OR REPLACE TABLE d AS SELECT 'd' || (n // 20) AS doc, 't' || (n % 20) AS token, list_transform(range(${length}), lambda x: ((x * n) % 17) / 7.0::DOUBLE)::DOUBLE[] AS vector FROM range(${Math.ceil(cells / length)}) AS a (n)`,
      `CREATE OR REPLACE TABLE q AS SELECT 'q' || n AS word, list_transform(range(${length}), lambda x: ((x + n) % 5)::DOUBLE)::DOUBLE[] AS vector FROM range(8) AS a (n)`,
    ],
    program: `input d: tensor(doc{},token{},x[${length}])\ninput q: tensor(word{},x[${length}])\nsum(reduce(sum(d * q, x), max, token), word)`,
    bindings: {
      d: table("d", { doc: "doc", token: "token" }, { block: "vector" }),
      q: table("q", { word: "word" }, { block: "vector" }),
    },
    handwritten: `SELECT doc, sum(best) AS value FROM (
  SELECT d.doc, q.word, max(list_inner_product(d.vector, q.vector)) AS best FROM d, q GROUP BY d.doc, q.word
) GROUP BY doc`,
  },
];
