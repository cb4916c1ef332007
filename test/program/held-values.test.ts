import { describe, expect, test } from "vitest";
import {
  backendNames,
  compile,
  evaluate,
  parseTensor,
  parseType,
  type Results,
  Tensor,
} from "../../src/index.js";
import { codesOf } from "../problem-codes.js";

/** What programs and sessions hold after a run, and what a host does with it meanwhile. */

const size = 70_000;
const [own, sum] = [compile(`input x: tensor(x[${size}])\nx + 1`), size * 2];

/** A result whose cells nobody has read. */
const result = (): Tensor =>
  own.run({ x: Tensor.from(parseType(`tensor(x[${size}])`), new Float64Array(size).fill(1)) });

/** Runs that take memory that was given back. */
function others(): void {
  for (let times = 0; times < 8; times++) own.run({ x: new Float64Array(size).fill(-times) });
}

describe("a tensor that is disposed of", () => {
  test("stays in what was prepared with it, for its sizes and others", () => {
    const fixed = result();
    const program = compile(`input p: tensor(x[${size}])\ninput q: tensor(y[])\nn = sum(p)\nn + sum(q)`);
    const prepared = program.prepare({ p: fixed });
    fixed.dispose();
    others();
    for (const q of [[1, 2], [3], [1, 2]]) {
      const results = prepared.runAll({ q });
      expect([results[0]?.asNumber(), results.value("n").asNumber()]).toEqual([
        sum + q.reduce((a, b) => a + b),
        sum,
      ]);
    }
  });

  test("stays in the session that it was assigned to, or that it came from", () => {
    const session = compile(`variable p: tensor(x[${size}]) = tensor(x[${size}])(0)\nsum(p)`).session();
    const assigned = result();
    session.assign({ p: assigned });
    assigned.dispose();
    others();
    expect(session.run().asNumber()).toBe(sum);
    session.get("p").dispose();
    others();
    expect([session.run().asNumber(), session.get("p").at(5)]).toEqual([sum, 2]);
  });

  test("is refused by a session, and nothing is assigned with it", () => {
    const text = `persistent n = 1\nvariable p: tensor(x[${size}]) = tensor(x[${size}])(0)\nsum(p) + n`;
    const session = compile(text).session();
    const freed = result();
    freed.dispose();
    expect(codesOf(() => session.assign({ n: 5, p: freed }))).toEqual(["value/disposed"]);
    expect([session.get("n").asNumber(), session.get("p").at(5), session.run().asNumber()]).toEqual([
      1, 0, 1,
    ]);
  });
});

describe("an input that is disposed of", () => {
  const type = `tensor(x[${size}])`;

  test.each([
    ...backendNames,
  ])("stays in a result that is the input, and the other way round, on %s", async (backend) => {
    const program = compile(`input p: ${type}\np`, { backend });
    const [first, second, third] = [result(), result(), result()];
    const [now, later] = [program.run({ p: first }), program.runAsync({ p: second })];
    first.dispose();
    second.dispose();
    program.run({ p: third }).dispose();
    others();
    expect([now.at(7), (await later).at(7), third.at(7)]).toEqual([2, 2, 2]);
  });

  test("stays in what is evaluated of it, the first time as the second", () => {
    const small = compile("input x: tensor(x[1000])\nx + 1");
    for (let time = 0; time < 2; time++) {
      const input = small.run({ x: new Float64Array(1000).fill(4) });
      const evaluated = evaluate("a", { a: input });
      input.dispose();
      expect(evaluated.at(0)).toBe(5);
    }
  });

  test.each([...backendNames])("stays in the session whose run assigned it, on %s", (backend) => {
    const text = `input p: ${type}\npersistent q: ${type} = tensor(x[${size}])(0)\nassign q = p\nsum(q)`;
    const session = compile(text, { backend }).session();
    const input = result();
    session.run({ p: input });
    input.dispose();
    others();
    expect(session.run({ p: new Float64Array(size) }).asNumber()).toBe(sum);
  });

  test("stays in data that something is learnt from, in batches or all at once", async () => {
    const text = "input y: tensor(row[])\nvariable bias = 0\nloss = avg((bias - y)^2)\nminimise loss";
    for (const batch of [size / 2, size]) {
      const data = compile(`input x: tensor(row[${size}])\nx + 0`).run({ x: new Float64Array(size).fill(2) });
      const session = compile(text).session();
      const training = session.train({
        data: { y: data },
        validation: { y: data },
        epochs: 3,
        rate: 0.1,
        batch,
      });
      for await (const { epoch } of training)
        if (epoch === 1) {
          data.dispose();
          others();
        }
      expect(session.get("bias").asNumber()).toBeGreaterThan(0.2);
    }
  });

  test("stays in data that are freed or written over before the first step", async () => {
    const text = "input y: tensor(row[])\nvariable bias = 0\nloss = avg((bias - y)^2)\nminimise loss";
    const freed = compile("input x: tensor(row[2])\nx * 1").run({ x: [1, 3] });
    for (const y of [[1, 3], Float64Array.of(1, 3), freed]) {
      const validation = [0, 2];
      const data = { y };
      const training = compile(text)
        .session()
        .train({ data, validation: { y: validation } });
      if (y instanceof Tensor) y.dispose();
      else y.fill(100);
      validation.fill(100);
      data.y = [];
      const { value } = await training.next();
      expect(value?.loss).toBe(5);
      expect(value?.validation).toBeCloseTo(2, 2);
    }
  });

  test("stays in named values of a run between two steps, which make another variable", async () => {
    const text = `input y: tensor(row[])\nvariable w: ${type} = tensor(x[${size}])(1)\nloss = avg((sum(w) / ${size} - y)^2)
minimise loss\ntotal = sum(w)\nsum(w * 2)`;
    const session = compile(text).session();
    const y = Array.from({ length: 12 }, (_, row) => row);
    const epoch = session.train({ data: { y }, batch: 1, rate: 1, optimiser: "sgd" }).next();
    const runs: Results[] = [];
    // A run waits for the step that is next, so that there are steps between any two.
    for (let run = 0; run < 4; run++) runs.push(await session.runAllAsync({ y }));
    await epoch;
    others();
    for (const results of runs)
      expect(results.value("total").asNumber() * 2).toBeCloseTo(results[0]?.asNumber() ?? Number.NaN, 6);
    expect(new Set(runs.map((results) => results[0]?.asNumber())).size).toBe(4);
  });

  test("stays in a batch that is run with pauses", async () => {
    const values = Array.from({ length: 900 }, (_, at) => `v${at} = sum(x * ${at}) + median(x * ${at})`);
    const text = ["input x: tensor(x[100])", ...values, values.map((_, at) => `v${at}`).join(" + ")].join(
      "\n",
    );
    const batch = Tensor.from(parseType("tensor(b[20],x[100])"), new Float64Array(2000).fill(1));
    const input = compile("input x: tensor(b[20],x[100])\nx + 0").run({ x: batch });
    const running = compile(text).prepare().runBatchAsync("b", { x: input });
    input.dispose();
    expect((await running).at(0)).toBe((101 * 899 * 900) / 2);
  });
});

describe("a named value that is read after a run", () => {
  test("takes the time of the program alone, and is computed once", () => {
    let now = 0;
    const limits = { time: 100 };
    const text = "input s: tensor()\nm = sum(tensor(x[1000000])(x * s))\ns";
    const results = compile(text, { limits, clock: () => now, backend: "reference" }).runAll({ s: 2 });
    now = 10_000;
    const value = results.value("m");
    expect(value.asNumber()).toBe(999_999_000_000);
    now = 20_000;
    expect(results.value("m")).toBe(value);
  });

  test.each([...backendNames])("has what the host answered by promises, on %s", async (backend) => {
    let calls = 0;
    const price = async (item: Tensor): Promise<number> => {
      calls++;
      return 10 * item.asNumber();
    };
    for (const pure of [true, false]) {
      calls = 0;
      const functions = { price: { parameters: ["tensor()"], returns: "tensor()", pure, call: price } };
      const text = "input s: tensor()\npersistent acc: tensor() = 0\ntotal = price(s) + 1\ntotal * 2";
      const program = compile(text, { functions, backend });
      for (const runnable of [program, program.prepare(), program.session()])
        expect((await runnable.runAllAsync({ s: 2 })).value("total").asNumber()).toBe(21);
      expect(calls).toBe(3);
      const session = program.session();
      await session.runAsync({ s: 3 }, { assign: { acc: "total" } });
      expect(session.get("acc").asNumber()).toBe(31);
    }
  });

  test("is assigned after a run that does not need it", async () => {
    const functions = {
      price: {
        parameters: ["tensor()"],
        returns: "tensor()",
        call: async (item: Tensor) => 10 * item.asNumber(),
      },
    };
    const program = compile("input s: tensor()\npersistent acc: tensor() = 0\ntotal = price(s)\ns", {
      functions,
    });
    const session = program.session();
    await session.runAsync({ s: 4 }, { assign: { acc: "total" } });
    expect(session.get("acc").asNumber()).toBe(40);
  });
});

test("cells become those of another type of the same dimensions and sizes only", () => {
  const tensor = parseTensor("tensor(x[3]):[1,2,3]");
  expect(`${tensor.as(parseType("tensor<float>(x[])"))}`).toBe("tensor<float>(x[]):{0:1.0, 1:2.0, 2:3.0}");
  for (const type of [
    "tensor(y[3])",
    "tensor(x[2])",
    "tensor(x[5])",
    "tensor(x{})",
    "tensor()",
    "tensor(x[3],y[1])",
  ])
    expect(codesOf(() => tensor.as(parseType(type)))).toEqual(["value/dimensions"]);
  expect(codesOf(() => Tensor.scalar(3, parseType("tensor(x[2])")))).toEqual(["value/not-a-number"]);
});
