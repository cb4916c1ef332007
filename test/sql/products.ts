import { expect } from "vitest";
import { compile } from "../../src/index.js";
import { onEngine, type SqlEngine } from "../../src/sql.js";

/** The rows of a table, in no order of their labels. */
const rows: readonly (readonly [string, number])[] = [
  ["d", 22.8],
  ["b", 16.2],
  ["f", 5.2],
  ["a", 21.6],
  ["e", 0.6],
  ["c", 8.4],
];

const productOf = (all: typeof rows): number => all.reduce((product, [, each]) => product * each, 1);

/** Requires that an engine multiplies cells in the order of their addresses, to the last bit: in another there is another product. */
export async function expectProduct(engine: SqlEngine): Promise<void> {
  const { dialect } = engine;
  const columns = [
    { name: "k", type: dialect.types.label },
    { name: "v", type: dialect.types.number },
  ];
  const query = dialect.rows(
    columns,
    rows.map(([label, number]) => [dialect.text(label) ?? "", dialect.number(number)]),
  );
  const program = compile("input t: tensor(k{})\nreduce(t, prod)\nreduce(concat(t, t * 1.3, x), prod, k)");
  const bound = program.on(onEngine(engine), {
    t: { source: { query }, dimensions: { k: "k" }, value: "v" },
  });
  const inOrder = rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
  expect(productOf(inOrder)).not.toBe(productOf(rows));
  const [all, each] = await bound.runAll();
  expect(all?.asNumber()).toBe(productOf(inOrder));
  expect([...(each?.data ?? [])]).toEqual(
    [1, 1.3].map((factor) => productOf(inOrder.map(([label, number]) => [label, number * factor]))),
  );
}
