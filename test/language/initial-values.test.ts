import { describe, expect, test } from "vitest";
import { compile, parseTensor, parseType, SphexError, Tensor, uniform } from "../../src/index.js";

/** What is found by chance is found once: as the initial value of a tensor, in a run, and for those who look at it afterwards. */

const counting = () => {
  let calls = 0;
  return {
    calls: () => calls,
    functions: { next: { parameters: [], returns: "tensor()", pure: false, call: () => ++calls } },
  } as const;
};

describe("an initial value of a session", () => {
  const text = "variable v = sum(random(x[2]))\nvariable w = sum(random(x[2]))\nv\nw";

  test("that is random is the same in runs, and for those who ask, and each is another", () => {
    const session = compile(text).session();
    const [v, w] = [session.get("v").asNumber(), session.get("w").asNumber()];
    expect(v).not.toBe(w);
    for (let run = 0; run < 3; run++) expect(session.runAll().map((each) => each.asNumber())).toEqual([v, w]);
    session.assign({ v: 5 });
    expect(session.runAll().map((each) => each.asNumber())).toEqual([5, w]);
    session.reset();
    expect(session.runAll().map((each) => each.asNumber())).toEqual([v, w]);
  });

  test("that is random is the same after training at next to no rate", async () => {
    const session = compile(
      `${text}\nloss = (v - w)^2\ninput y: tensor(row[])\nz = loss + sum(y) * 0\nminimise z`,
    ).session();
    const before = session.runAll().map((each) => each.asNumber());
    for await (const _ of session.train({ data: { y: [1, 2] }, rate: Number.MIN_VALUE, optimiser: "sgd" }));
    expect(session.runAll({ y: [1] }).map((each) => each.asNumber())).toEqual(before);
  });

  test("by a function that is not pure calls it once", async () => {
    const { calls, functions } = counting();
    const session = compile("variable w = next()\nw", { functions }).session();
    expect(session.run().asNumber()).toBe(1);
    expect(session.get("w").asNumber()).toBe(1);
    expect((await session.runAsync()).asNumber()).toBe(1);
    expect(calls()).toBe(1);
  });
});

test("a mistake in an initial value is told once, and not where something is assigned", () => {
  const codes = (text: string): readonly string[] => {
    try {
      compile(text);
      return [];
    } catch (error) {
      return error instanceof SphexError ? error.problems.map(({ code }) => code) : [`${error}`];
    }
  };
  expect(codes("persistent a = nothing\nassign a = 2\n1")).toEqual(["name/unknown"]);
  expect(codes("variable k: tensor(x{}) = 1\nassign k = 2\nbegin k = 3\n1")).toEqual(["role/type"]);
  expect(codes("constant c = nothing\nassign c = 2\n1")).toEqual(["name/unknown"]);
  expect(codes("constant c = 1\nassign c = 2\n1")).toEqual(["assign/role"]);
});

describe("what is found by chance in a run", () => {
  test("a prepared program has for its named values, too", () => {
    const { functions } = counting();
    const prepared = compile("a = random(x[2])\nb = random(x[2])\nc = next() + 0\na\nb\nc", {
      functions,
    }).prepare();
    for (let run = 0; run < 2; run++) {
      const results = prepared.runAll();
      for (const [at, name] of ["a", "b", "c"].entries())
        expect(`${results.value(name)}`).toBe(`${results[at]}`);
    }
  });

  test("a result has also where somebody asks why", async () => {
    const program = compile("u = sum(random(x[2]))\nv = sum(random(x[2]))\nv - u\nu", {
      random: undefined,
    } as object);
    const [, u] = program.runAll().map((each) => each.asNumber());
    expect(program.why({}, {}, { result: 1 }).steps[0]?.value).toBe(u);
    expect((await program.whyAsync({}, {}, { result: 1 })).steps[0]?.value).toBe(u);
  });
});

test("plain data of a tensor may change when it was passed", () => {
  const plain = () => Tensor.from(parseType("tensor(x[3])"), [0, 1, 2]).toTransferable();
  const session = compile("variable w: tensor(x[3]) = tensor(x[3])(0)\nw * 1").session();
  const assigned = plain();
  session.assign({ w: assigned });
  const fixed = plain();
  const prepared = compile("input a: tensor(x[3])\na", { random: uniform(1) }).prepare({ a: fixed });
  const before = prepared.run();
  for (const { data } of [assigned, fixed]) (data as Float64Array)[1] = 99;
  expect(`${session.get("w")}`).toBe("tensor(x[3]):[0.0, 1.0, 2.0]");
  expect(`${before} ${prepared.run()}`).toBe(`${before} ${before}`);
  expect(`${before}`).toBe(`${parseTensor("tensor(x[3]):[0,1,2]")}`);
});

test("a function of the program that has the name of one that training calls is refused", async () => {
  const text =
    "average(a) = avg(a)\nmomentum(a, b, c) = a\ninput x: tensor(row[])\nvariable b = 1\nloss = average((x - b)^2)\nminimise loss";
  const train = async (optimiser: "sgd" | "momentum"): Promise<void> => {
    for await (const _ of compile(text)
      .session()
      .train({ data: { x: [1, 2] }, optimiser }));
  };
  await train("sgd");
  await expect(train("momentum")).rejects.toMatchObject({
    problems: [{ code: "train/function", span: { start: 20 } }],
  });
});

describe("training along a dimension that has a size", () => {
  const session = () =>
    compile(
      "input x: tensor(row[4])\ninput y: tensor(row[4])\nvariable b = 0\nloss = avg((x + b - y)^2)\nminimise loss",
    ).session();
  const options = {
    data: { x: [1, 2, 3, 4], y: [11, 12, 13, 14] },
    dimension: "row",
    optimiser: "sgd",
    rate: 0.1,
  } as const;

  test("takes all items at once", async () => {
    const trained = session();
    for await (const _ of trained.train(options));
    expect(trained.get("b").asNumber()).toBeCloseTo(2, 12);
  });

  test("in parts is refused", async () => {
    const trained = session();
    const train = async (): Promise<void> => {
      for await (const _ of trained.train({ ...options, batch: 2 }));
    };
    await expect(train()).rejects.toThrow(SphexError);
    await expect(train()).rejects.toMatchObject({ problems: [{ code: "train/dimension" }] });
  });
});
