import { describe, expect, test } from "vitest";
import {
  check,
  compile,
  compileAsync,
  compileExpression,
  type InputValue,
  type Problem,
  parseTensor,
  SphexError,
} from "../../src/index.js";

/** A text is read and compiled within the limits of its program, however long it is. */

/** A clock that goes on by a millisecond whenever somebody looks at it. */
const steadyClock = (): (() => number) => {
  let now = 0;
  return () => now++;
};

const tokens = 200_001;
const sum = `1${"+1".repeat((tokens - 1) / 2)}`;
const list = `tensor(x[${(tokens - 1) / 2}]):[${"1,".repeat((tokens - 3) / 2)}1]`;
const lines = "a=1\n".repeat(tokens / 4);

async function problemOf(action: () => unknown): Promise<Problem | undefined> {
  try {
    await action();
  } catch (error) {
    if (error instanceof SphexError) return error.problems[0];
    throw error;
  }
  return undefined;
}

// biome-ignore format: a table
const ways: readonly (readonly [string, (text: string, options: object) => unknown])[] = [
  ["compile",           (text, options) => compile(text, options)],
  ["compileExpression", (text, options) => compileExpression(text, options)],
  ["compileAsync",      (text, options) => compileAsync(text, options)],
  ["check",             (text, options) => { throw new SphexError(check(text, options)); }],
];

describe.each(ways)("%s", (_, run) => {
  test.each([
    ["a sum", sum],
    ["a list of cells", list],
    ["many lines", lines],
  ])("ends in time while it reads %s", async (_, text) => {
    if (run === ways[1]?.[1] && text === lines) return; // it is no expression
    const found = await problemOf(() => run(text, { limits: { time: 20 }, clock: steadyClock() }));
    expect(found?.code).toBe("limit/time");
    // It was read to its end at most by the lexer, which counts what it has read; so 20 looks at the clock are little more.
    expect(Number((found?.values as { steps?: number }).steps)).toBeLessThan(tokens + 22 * 2048);
  });

  test("counts what it reads as steps", async () => {
    const found = await problemOf(() => run(sum, { limits: { steps: tokens - 10 } }));
    expect(found?.code).toBe("limit/steps");
  });

  test("counts what it reads itself, and not what was read before", async () => {
    for (let text = 0; text < 200; text++)
      expect(await problemOf(() => run(`1 + ${text}`, { limits: { steps: 100 } }))).toBeUndefined();
  });

  test("reads nothing that has more bytes than are allowed", async () => {
    const found = await problemOf(() => run(sum, { limits: { bytes: sum.length } }));
    expect(found?.code).toBe("limit/bytes");
  });
});

test("a text whose words take more bytes than are allowed is refused before it is read", () => {
  const lines = "ab\n".repeat(400_000);
  let looks = 0;
  const clock = (): number => looks++;
  const [found, ...others] = check(lines, { limits: { bytes: 300_000_000 }, clock });
  // Of each line a word and its end.
  expect(found?.values).toMatchObject({ bytes: 320_000_000, before: 2 * lines.length, isText: true });
  expect([found?.code, others.length]).toEqual(["limit/bytes", 0]);
  expect(looks).toBeLessThan(10);
  const remark = `1 # ${"a b ".repeat(300_000)}\n// '\n"`;
  expect(check(remark, { limits: { bytes: 20_000_000 } }).map(({ code }) => code)).toEqual([
    "syntax/unterminated",
  ]);
});

test.each([
  "tensor(x[100000])",
  "tensor(x[])",
])("the text of an input %s is read within the limit of time", async (type) => {
  const body = list.slice(list.indexOf(":") + 1);
  const program = compile(`input x: ${type}; sum(x)`, { limits: { time: 20 }, clock: steadyClock() });
  const prepared = program.prepare();
  for (const run of [() => program.run({ x: body }), () => prepared.runAsync({ x: body })]) {
    const found = await problemOf(run);
    expect([found?.code, found?.span.source.name]).toEqual(["limit/time", "x"]);
    expect(Number((found?.values as { steps?: number }).steps)).toBeLessThan(tokens + 22 * 2048);
  }
});

describe.each(["engine", "closures", "reference"] as const)("The limit of cells, by %s", (backend) => {
  const cells = (text: string, inputs = {}) =>
    problemOf(() =>
      compile(text, { backend, limits: { cells: 1000 } })
        .runAll(inputs)
        .value("a"),
    );
  const wide = Array.from({ length: 12 }, (_, at) => `tensor(d${at}[2])(1)`).join(" + ");

  test.each([
    ["a result whose cells are all one", wide],
    ["a named value", `a = ${wide}\n1`],
    ["an input as it is", "input t: tensor(x[])\na = t\na"],
  ])("holds for %s", async (_, text) => {
    const inputs = text.startsWith("input") ? { t: new Float64Array(1001) } : {};
    expect((await cells(text, inputs))?.code).toBe("limit/cells");
  });

  test("holds for what a session assigns", async () => {
    const session = compile(`variable v: tensor(x[]) = tensor(x[1]):[0]\nassign v = tensor(x[1001])(1)\n1`, {
      backend,
      limits: { cells: 1000 },
    }).session();
    expect((await problemOf(() => session.run()))?.code).toBe("limit/cells");
    expect(`${session.get("v")}`).toBe("tensor(x[]):{0:0.0}");
  });
});

describe("reading the inputs and running share the limits", () => {
  const numbers = Array.from({ length: 40_000 }, (_, at) => at % 7);
  const text = `tensor(x[40000]):[${numbers}]`;
  const program = "input x: tensor(x[40000]); sum(map(x, f(v)(v * v + 1)))";
  const ways = ["run", "runAsync"] as const;

  // A clock that goes on by a millisecond at each look: reading takes about as many as running does.
  test.each(ways)("of time, by %s", async (way) => {
    const looks = async (inputs: object): Promise<number> => {
      let count = 0;
      const clock = (): number => count++;
      await compile(program, { limits: { time: 1e9 }, clock, backend: "reference" })[way](inputs);
      return count;
    };
    const [whole, running] = [await looks({ x: text }), await looks({ x: parseTensor(text) })];
    expect(whole).toBeGreaterThan(running + 10);
    const time = running + 5;
    const options = { limits: { time }, clock: steadyClock(), backend: "reference" } as const;
    expect((await problemOf(() => compile(program, options)[way]({ x: text })))?.code).toBe("limit/time");
    expect(await problemOf(() => compile(program, options)[way]({ x: parseTensor(text) }))).toBe(undefined);
  });

  test.each(ways)("of steps, by %s", async (way) => {
    const run = (steps: number, x: InputValue) =>
      problemOf(() => compile("input x: tensor(x[40000]); 1", { limits: { steps } })[way]({ x }));
    expect((await run(39_000, text))?.code).toBe("limit/steps");
    expect([await run(39_000, numbers), await run(41_000, text)]).toEqual([undefined, undefined]);
  });

  test.each(ways)("of bytes, by %s", async (way) => {
    const tensor = 8 * numbers.length;
    const limits = (bytes: number) => ({ limits: { bytes: 2 * program.length + bytes } });
    const run = (bytes: number) => problemOf(() => compile(program, limits(bytes))[way]({ x: text }));
    expect((await run(2 * text.length - 1))?.code).toBe("limit/bytes");
    expect((await run(2 * text.length + tensor - 1))?.code).toBe("limit/bytes");
    expect(await run(2 * text.length + 3 * tensor)).toBe(undefined);
  });

  test("a run of a session that waits for its turn loses no time", async () => {
    let now = 0;
    const wait = {
      parameters: [],
      returns: "tensor()",
      call: () => Promise.resolve().then(() => (now += 15)),
    };
    const options = { limits: { time: 20 }, clock: () => now, functions: { wait } };
    const session = compile("wait()", options).session();
    const runs = Array.from({ length: 4 }, () => session.runAsync());
    expect((await Promise.all(runs)).map(Number.isFinite)).toHaveLength(4);
  });
});
