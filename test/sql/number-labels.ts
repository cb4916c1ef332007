import { expect } from "vitest";
import { compile, evaluate } from "../../src/index.js";
import { onEngine, type SqlEngine } from "../../src/sql.js";

/** Numbers that are computed as labels. */
const numbers: readonly number[] = [
  ...[0, -0, -0.5, -1.5, 2 ** 53, 2 ** 63 - 1024, -(2 ** 63), 2 ** 63, -(2 ** 64), 1e20, 1e21, 1e23],
  ...[2 ** 100 + 2 ** 60, -(2 ** 126), 1e37, -1e76, 2 ** 255, -1e300, Number.MAX_VALUE],
];

/** What is not finite has the label of the least integer of 64 bits, as for Vespa's content nodes. */
const labelOf = (number: number): string =>
  Number.isFinite(number) ? `${BigInt(Math.trunc(number))}` : "-9223372036854775808";

/** Requires that an engine makes labels of numbers as the language does, as long as they are no larger than this. */
export async function expectNumberLabels(engine: SqlEngine, most = Number.POSITIVE_INFINITY): Promise<void> {
  const tried = [...numbers.filter((each) => Math.abs(each) <= most), Number.NaN, Number.POSITIVE_INFINITY];
  const labels = [...new Set(tried.map(labelOf))];
  const t = `tensor(k{}):{${labels.map((each, at) => `"${each}":${at + 1}`).join()}}`;
  const n = `tensor(x[${tried.length}]):[${tried.join()}]`;
  const expression = `tensor(x[${tried.length}])(t{k:(n{x:(x)})})`;
  const expected = tried.map((each) => labels.indexOf(labelOf(each)) + 1);
  const types = `input t: tensor(k{})\ninput n: tensor(x[${tried.length}])`;
  const bound = compile(`${types}\n${expression}`).on(onEngine(engine), {
    t: { tensor: t },
    n: { tensor: n },
  });
  expect([...(await bound.run()).data]).toEqual(expected);
  expect([...evaluate(expression, { t, n }).data]).toEqual(expected);
}
