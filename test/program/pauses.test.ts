import { describe, expect, test } from "vitest";
import { compile, compileAsync, type InputValue, parseTensor, SphexError } from "../../src/index.js";

/**
 * How often asynchronous work lets other work go on. Turns of the event loop are counted, and no time is measured: work of many
 * parts takes turns in proportion.
 */

/** The turns of the event loop that went by while work was done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at % 10);
const labelled = (count: number): [string, number][] =>
  numbers(count).map((value, at) => [`k${(7 * at) % count}`, value]);

// biome-ignore format: a table
const inputs: readonly { readonly name: string; readonly type: string; readonly value: (count: number) => InputValue }[] = [
  { name: "an array",                      type: "tensor(x[])", value: (count) => `tensor(x[]):[${numbers(count)}]` },
  { name: "cells with addresses",          type: "tensor(k{})", value: (count) => `{${labelled(count).map(([k, v]) => `{k:${k}}:${v}`)}}` },
  { name: "entries",                       type: "tensor(k{})", value: (count) => `{${labelled(count).map(([k, v]) => `${k}:${v}`)}}` },
  { name: "blocks",                        type: "tensor(k{},x[1])", value: (count) => `{${labelled(count).map(([k, v]) => `${k}:[${v}]`)}}` },
  { name: "JSON by label",                 type: "tensor(k{})", value: (count) => JSON.stringify({ cells: Object.fromEntries(labelled(count)) }) },
  { name: "JSON with addresses",           type: "tensor(k{})", value: (count) => JSON.stringify(labelled(count).map(([k, value]) => ({ address: { k }, value }))) },
  { name: "a Map",                         type: "tensor(k{})", value: (count) => new Map(labelled(count)) },
];

describe("inputs are read in slices", () => {
  test.each(inputs)("$name", async ({ type, value }) => {
    const program = compile(`input a: ${type}; 1`);
    const turns = (a: InputValue) => turnsOf(() => program.runAsync({ a }));
    const [few, many] = [await turns(value(10)), await turns(value(100_000))];
    expect(many).toBeGreaterThan(few + 4);
  });
});

test("a program is compiled between the pauses of its statements, and can be aborted", async () => {
  const text = (count: number): string =>
    Array.from({ length: count }, (_, at) => `v${at} = ${at} * 2 + 1`).join("\n");
  const [few, many] = [
    await turnsOf(() => compileAsync(text(10))),
    await turnsOf(() => compileAsync(text(1000))),
  ];
  expect(many).toBeGreaterThan(few + 10);
  expect(`${(await compileAsync(text(1000))).run()}`).toBe("tensor():{1999.0}");
  const abort = new AbortController();
  const compiled = compileAsync(text(1000), { signal: abort.signal });
  setImmediate(() => abort.abort());
  await expect(compiled).rejects.toThrow(SphexError);
});

test("a program with a mistake has its problems either way", async () => {
  const text = "a = 1 +\nb = 2\nc = nowhere + b\nd = (1";
  const codes = (error: unknown) =>
    (error as SphexError).problems.map(({ code, span }) => [code, span.start]);
  let atOnce: unknown;
  try {
    compile(text);
  } catch (error) {
    atOnce = codes(error);
  }
  await expect(compileAsync(text).catch(codes)).resolves.toEqual(atOnce);
});

test("contributions are followed in slices", async () => {
  const program = compile("input a: tensor(x[]); sum(a)");
  const turns = (count: number) => {
    const a = parseTensor(`tensor(x[]):[${numbers(count)}]`);
    return turnsOf(() => program.whyAsync({}, { a }));
  };
  expect(await turns(30_000)).toBeGreaterThan((await turns(100)) + 20);
});

test("a long order is found in slices, beside others", async () => {
  const program = compile("input a: tensor(x[]); cell_order(a, max)");
  const cellsOf = (count: number, step: number): Float64Array =>
    Float64Array.from({ length: count }, (_, at) => (at * step) % count);
  const long = cellsOf(1_000_003, 7919);
  const [first, second] = [
    program.runAsync({ a: long }),
    program.runAsync({ a: cellsOf(1_000_003, 104_729) }),
  ];
  expect(await turnsOf(() => first)).toBeGreaterThan(12);
  for (const [ranks, cells] of [
    [await first, long],
    [await second, cellsOf(1_000_003, 104_729)],
  ] as const)
    for (let at = 0; at < cells.length; at += 9973) expect(ranks.at(at)).toBe(1_000_002 - (cells[at] ?? 0));
});
