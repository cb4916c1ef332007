import { describe, expect, test } from "vitest";
import { machines } from "../../src/backends/engine/machine/machines.js";
import { compile, parseType, Tensor } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** What is given back when tensors that were inputs are disposed of, and what others read of them then. */

const size = 2000;

const filledWith = (cell: number): Tensor =>
  Tensor.from(parseType(`tensor(x[${size}])`), new Float64Array(size).fill(cell));

const own = compile(`input x: tensor(x[${size}])\nx + 1`);

/** A result, whose cells lie in the memory of the engine. */
const resultOf = (cell: number): Tensor => own.run({ x: filledWith(cell - 1) });

/** Fills memory that was given back. */
function fill(): void {
  for (let times = 0; times < 8; times++) own.run({ x: filledWith(-1000) });
}

describe("a result that is an input of the next run", () => {
  // biome-ignore format: a table
  const declarations = [
    { text: "of the declared type",                      type: `tensor(x[${size}])` },
    { text: "of a type that the declared one may be of", type: "tensor(x[])" },
  ];

  test.each(declarations)("$text takes no more memory, run after run, if it is disposed of", ({ type }) => {
    const prepared = compile(`input x: ${type}\nx * 0.5 + 1`).prepare();
    let x = filledWith(0);
    const next = (): void => {
      const result = prepared.run({ x });
      x.dispose();
      x = result;
    };
    for (let times = 0; times < 10; times++) next();
    const { bytesInUse } = machines.arena;
    for (let times = 0; times < 100; times++) next();
    expect(machines.arena.bytesInUse).toBe(bytesInUse);
    expect(x.at(size - 1)).toBe(2);
  });

  test("is refused where it was disposed of", ({ skip }) => {
    const prepared = compile("input x: tensor(x[])\nsum(x)").prepare();
    resultOf(0);
    const { bytesInUse } = machines.arena;
    const x = resultOf(3);
    // A run that has to copy the cells of a tensor reads them for good.
    skip(machines.arena.bytesInUse === bytesInUse, "tests before this one have left no memory for results");
    expect(prepared.run({ x }).asNumber()).toBe(3 * size);
    x.dispose();
    fill();
    expect(codesOf(() => prepared.run({ x }))).toEqual(["value/disposed"]);
  });

  test("is refused where it was disposed of before it was an input", () => {
    const prepared = compile("input x: tensor(x[])\nsum(x)").prepare();
    expect(prepared.run({ x: resultOf(3) }).asNumber()).toBe(3 * size);
    const x = resultOf(4);
    x.dispose();
    fill();
    expect(codesOf(() => prepared.run({ x }))).toEqual(["value/disposed"]);
  });
});

describe("an input is disposed of", () => {
  test("and a result that is a view of it has its cells", () => {
    const x = resultOf(5);
    const view = compile("input x: tensor(x[])\nrename(x, x, y)").run({ x });
    x.dispose();
    fill();
    expect([view.at(0), view.at(size - 1)]).toEqual([5, 5]);
  });

  test("and a program that was prepared with it computes with its cells", () => {
    const x = resultOf(7);
    const prepared = compile("input x: tensor(x[])\ninput s: tensor()\nsum(x * s)").prepare({ x });
    expect(prepared.run({ s: 2 }).asNumber()).toBe(14 * size);
    x.dispose();
    fill();
    expect(prepared.run({ s: 3 }).asNumber()).toBe(21 * size);
  });

  test("while an asynchronous run reads it, which goes on with its cells", async () => {
    const x = resultOf(1);
    const rows = 2000;
    const prepared = compile(`input x: tensor(x[])\nsum(tensor(r[${rows}])(sum(sin(x * r))), r)`).prepare();
    const expected = prepared.run({ x }).asNumber();
    const running = prepared.runAsync({ x });
    await new Promise((resolve) => setTimeout(resolve, 5));
    x.dispose();
    fill();
    expect((await running).asNumber()).toBe(expected);
  });

  describe.each(["engine", "closures", "reference"] as const)("by %s", (backend) => {
    const text = "input x: tensor<float>(x[600])\ninput s: tensor()\nif(s > 0, wait(s) + sum(x), 0)";
    const wait = { parameters: ["tensor()"], returns: "tensor()", call: (s: Tensor) => Promise.resolve(s) };
    const program = compile(text, { backend, functions: { wait } });
    const floats = (value: number): Tensor =>
      compile("cell_cast(x + 1, float)", { inputs: { x: "tensor(x[600])" } }).run({
        x: new Float64Array(600).fill(value - 1),
      });
    const session = program.session();
    const ways: Readonly<Record<string, (x: Tensor, s: number) => Promise<number | undefined>>> = {
      program: async (x, s) => (await program.runAsync({ x, s })).asNumber(),
      prepared: async (x, s) => (await program.prepare().runAsync({ x, s })).asNumber(),
      session: async (x, s) => (await session.runAsync({ x, s })).asNumber(),
      explained: async (x, s) => {
        const { nodes, results } = await program.explainAsync({ x, s });
        return nodes[results[0]?.node ?? 0]?.value?.maximum;
      },
    };

    test.each(Object.entries(ways))("before an asynchronous run of a %s has read it", async (_, run) => {
      const running = [1, 2, 3].map((value) => {
        const x = floats(value);
        const result = run(x, 5);
        x.dispose();
        return result;
      });
      fill();
      expect(await Promise.all(running)).toEqual([605, 1205, 1805]);
    });
  });

  test("and an asynchronous run that failed, or was aborted, gives it back", async () => {
    const prepared = compile("input x: tensor(x[])\ninput s: tensor(y[2])\nsum(x) * s").prepare();
    const aborted = { signal: AbortSignal.abort() };
    const x = resultOf(1);
    await expect(prepared.runAsync({ x }, aborted)).rejects.toThrow("cancelled");
    await expect(prepared.runAsync({ x, s: "no" })).rejects.toThrow("s");
    x.dispose();
    expect(codesOf(() => x.at(0))).toEqual(["value/disposed"]);
  });

  test("by a function of the host within the run that reads it, also where the run repeats an earlier one", () => {
    let x = resultOf(2);
    const call = (sum: Tensor): Tensor => {
      x.dispose();
      fill();
      return sum;
    };
    const functions = { dispose: { parameters: ["tensor()"], returns: "tensor()", pure: true, call } };
    const text = "input x: tensor(x[])\ninput s: tensor()\nsum(x + dispose(s))";
    const prepared = compile(text, { functions }).prepare();
    for (let s = 0; s < 4; s++) {
      expect(prepared.run({ x, s }).asNumber()).toBe((2 + s) * size);
      x = resultOf(2);
    }
  });
});

test("an input of another type than the declared one is read where it lies", async () => {
  const prepared = compile("input x: tensor(x[])\nsum(x)").prepare();
  const x = filledWith(3);
  prepared.run({ x });
  const { bytesInUse } = machines.arena;
  for (let times = 0; times < 20; times++) prepared.run({ x });
  await prepared.runAsync({ x });
  expect(machines.arena.bytesInUse).toBe(bytesInUse);
});

test("arrays take no more memory, run after run, in asynchronous runs too", async () => {
  const prepared = compile("input x: tensor(x[])\nsum(x)").prepare();
  const sumOf = async (cell: number): Promise<number> =>
    (await prepared.runAsync({ x: new Float64Array(size).fill(cell) })).asNumber();
  expect([await sumOf(1), await sumOf(2)]).toEqual([size, 2 * size]);
  const { bytesInUse } = machines.arena;
  for (let cell = 3; cell < 20; cell++) expect(await sumOf(cell)).toBe(cell * size);
  expect(machines.arena.bytesInUse).toBeLessThanOrEqual(bytesInUse);
});

test("cells of another type are converted once", () => {
  const type = parseType(`tensor(x[${size}])`);
  const x = Tensor.from(parseType(`tensor<float>(x[${size}])`), new Float32Array(size).fill(0.5));
  expect(x.as(type)).toBe(x.as(type));
  expect(x.as(type).data).toEqual(new Float64Array(size).fill(0.5));
});
