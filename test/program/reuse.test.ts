import { describe, expect, test } from "vitest";
import { backendNames, compile, compileExpression, evaluate, type Prepared } from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** Programs, prepared programs and sessions that are used again: nothing of one run is seen in another. */

describe.each(backendNames)("by %s", (backend) => {
  test("a function of the host may run the program that calls it", () => {
    const runs: (() => number)[] = [];
    const base = {
      parameters: ["tensor()"],
      returns: "tensor()",
      pure: true,
      call: (n: { at(position: number): number }) => (n.at(0) === 0 ? 0 : (runs[0]?.() ?? Number.NaN)),
    };
    const text = "input n: tensor()\ninput k: tensor()\nbase(n) * 0 + k * 10 + n";
    const program = compile(text, { functions: { base }, backend });
    const prepared = program.prepare();
    const into = new Float64Array(1);
    // biome-ignore format: a table
    const ways: Readonly<Record<string, (n: number, k: number) => number>> = {
      program: (n, k) => program.run({ n, k }).asNumber(),
      prepared: (n, k) => prepared.run({ n, k }).asNumber(),
      results: (n, k) => prepared.runAll({ n, k })[0]?.asNumber() ?? Number.NaN,
      into: (n, k) => { prepared.runInto(into, { n, k }); return into[0] ?? Number.NaN; },
    };
    for (const [name, run] of Object.entries(ways)) {
      runs[0] = () => run(0, 5);
      expect([name, run(1, 7), run(1, 7), run(1, 7)]).toEqual([name, 71, 71, 71]);
    }
  });

  test("a named value is of the inputs of its run, whatever the host does with its object", () => {
    const prepared = compile("input x: tensor()\ny = x * 2\nx + 1", { backend }).prepare();
    const inputs = { x: 1 };
    for (let time = 0; time < 3; time++) {
      inputs.x = 1;
      const results = prepared.runAll(inputs);
      inputs.x = 100;
      expect([results[0]?.asNumber(), results.value("y").asNumber()]).toEqual([2, 2]);
    }
  });

  test.each([
    "persistent",
    "variable",
  ])("a %s tensor is no input of the program, also after a session ran", (role) => {
    const program = compile(`input q: tensor()\n${role} p = 1\nq + p`, { backend });
    const session = program.session();
    session.assign({ p: 3 });
    for (let time = 0; time < 3; time++) {
      expect(session.run({ q: 1 }).asNumber()).toBe(4);
      // @ts-expect-error
      expect(codesOf(() => program.run({ q: 1, p: 100 }))).toEqual(["input/unknown"]);
      expect(program.run({ q: 1 }).asNumber()).toBe(2);
    }
  });
});

/** Of each cell x the sum over i of i * x * c + d, where the lambda sees scalars: it is compiled when all sizes are there. */
const text = "map(t, f(x)(sum(tensor(i[3])(i * x * c + d))))";
const numbers = { c: "tensor()", d: "tensor()" };

describe("what is prepared where inputs have the sizes", () => {
  const program = compile(text, { inputs: { t: "tensor(b[],a[2])", ...numbers } });

  test("reads arrays by the axes that the options write", () => {
    const written = [
      [1, 2],
      [3, 4],
    ];
    const expected = [
      [3, 9],
      [6, 12],
    ];
    for (const t of [written, Float64Array.of(1, 2, 3, 4)]) {
      const values = { t: t as never, c: 1, d: 0 } as never;
      expect(program.run(values).toNested()).toEqual(expected);
      expect(
        program
          .prepare({ t: t as never } as never)
          .run(values)
          .toNested(),
      ).toEqual(expected);
    }
  });

  const open = compileExpression(text, { inputs: { t: "tensor(x[])", ...numbers } });
  const ofSize: Readonly<Record<number, readonly number[]>> = {
    1: [6],
    2: [6, 9],
    3: [6, 9, 12],
    4: [6, 9, 12, 15],
  };
  const valuesOf = (size: number) => ({
    t: Float64Array.from({ length: size }, (_, at) => at + 1),
    c: 1,
    d: 1,
  });

  test("computes inputs of other sizes as the program does, and goes back", async () => {
    const prepared: Prepared = open.prepare({ t: "tensor(x[3]):[1,2,3]", d: 1 });
    for (const size of [3, 2, 4, 3, 1, 2, 4]) {
      const expected = ofSize[size] ?? [];
      const values = valuesOf(size);
      const into = new Float64Array(size);
      prepared.runInto(into, values);
      const results = [
        open.run(values),
        prepared.run(values),
        ...prepared.runAll(values),
        await prepared.runAsync(values),
      ];
      expect([into, ...results.map(({ data }) => data)].map((data) => [...data])).toEqual(
        Array.from({ length: 5 }, () => [...expected]),
      );
    }
    expect([...prepared.run({ c: 1 }).data]).toEqual([6, 9, 12]);
  });

  test("an expression is evaluated, too", () => {
    for (const size of [2, 3, 2]) {
      const t = `tensor(x[]):[${[1, 2, 3].slice(0, size)}]`;
      expect([...evaluate(text, { t, c: 1, d: 1 }).data]).toEqual(ofSize[size]);
    }
  });
});

test("an asynchronous run has read what is small when it returns, whatever large input stands before", async () => {
  const prepared = compile("input a: tensor(x[])\ninput b: tensor(y[3])\nsum(a) + b").prepare();
  const b = Float64Array.of(1, 2, 3);
  const run = prepared.runAsync({ a: new Float64Array(1_000_000), b });
  b.fill(99);
  expect([...(await run).data]).toEqual([1, 2, 3]);
});

test("what a run of a session assigns is what was said when it began", async () => {
  const session = compile("persistent a = 0\ny = 1\nz = 2\ny + z").session();
  const assign = { a: "y" };
  const run = session.runAsync({}, { assign });
  assign.a = "z";
  await run;
  expect(session.get("a").asNumber()).toBe(1);
});

test("an explanation with times is of the inputs of its first run, and waits for the host in each", async () => {
  const call = async (n: { asNumber(): number }) => n.asNumber() * 2;
  const twice = { parameters: ["tensor()"], returns: "tensor()", pure: true, call };
  let now = 0;
  const clock = () => (now += 0.001); // a short run
  const program = compile("input a: tensor(x[3])\ntwice(sum(a)) + 1", { clock, functions: { twice } });
  const a = Float64Array.of(1, 2, 3);
  const explaining = program.explainAsync({ a });
  a.fill(100);
  const { nodes, results, isWarm } = await explaining;
  expect([nodes[results[0]?.node ?? 0]?.value?.maximum, isWarm]).toEqual([13, true]);
});
