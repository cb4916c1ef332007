import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Engine } from "../../src/backends/engine/engine.js";
import { machines } from "../../src/backends/engine/machine/machines.js";
import { SphexError } from "../../src/language/source/problem.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { check, compile, compileExpression } from "../../src/program/compile.js";
import { type InputValue, inputTypes, parseTensor } from "../../src/program/inputs/inputs.js";
import { type HostFunction, parseType } from "../../src/program/options.js";
import { disagreements, type Way } from "../agreement.js";
import { holds } from "../chance.js";
import { evaluate } from "../engine-evaluate.js";
import { expressionsOn, tensorsByName } from "../expressions.js";

/**
 * Plans that are used again: whatever ran before and whatever runs afterwards, a run gives what the reference gives, and
 * goes on giving it.
 */
type Tensors = Readonly<Record<string, Tensor>>;

const parsed = (texts: Readonly<Record<string, string>>): Tensors =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTensor(text)]));

/** Tensors of the same types as others, of other sizes, with other labels, or with none. */
const small: readonly Tensors[] = [
  parsed(tensorsByName),
  parsed({
    ...tensorsByName,
    a: "tensor(x[3]):[5,0,1]",
    k: "tensor(k{}):{}",
    n: "tensor<float>(j{},k{}):{{j:u,k:p}:1,{j:u,k:q}:2,{j:v,k:p}:3,{j:v,k:q}:4}",
    u: "tensor(x[]):[1,2,3]",
  }),
  parsed({
    ...tensorsByName,
    s: "tensor():{1}",
    k: "tensor(k{}):{q:2,s:-3}",
    m: "tensor(k{},x[3]):{q:[1,1,1]}",
    n: "tensor<float>(j{},k{}):{}",
    v: "tensor<half>(k{},y[]):{{k:q,y:0}:2,{k:s,y:0}:-1}",
  }),
];

/** As above, so large that cells stay in the engine's memory. */
const large: readonly Tensors[] = [0, 1, 2].map((which) => {
  const cells = (count: number): number[] =>
    Array.from({ length: count }, (_, at) => ((at * 7 + which * 5) % 11) - 4);
  const labels = [["p", "q"], ["q"], ["p", "q", "r"]][which] ?? [];
  const made = (type: string, count: number): Tensor =>
    Tensor.from(parseType(type), Object.fromEntries(labels.map((label) => [label, cells(count)])));
  return {
    s: parseTensor(`tensor():{${which}}`),
    a: Tensor.from(parseType("tensor(x[1300])"), cells(1300)),
    b: Tensor.from(parseType("tensor(y[3])"), Float64Array.from(cells(3))),
    c: Tensor.from(parseType("tensor<int8>(x[1300])"), cells(1300)),
    m: made("tensor<float>(k{},x[1300])", 1300),
    k: parseTensor(`tensor(k{}):{${labels.map((label, at) => `${label}:${at + 1}`)}}`),
  };
});

const isSound = (text: string, inputs: Tensors): boolean =>
  check(text, { inputs: inputTypes(inputs, {}).types }).every(({ isError }) => !isError);

/** Runs, whatever comes of it. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
  }
}

/** The wanted run between others, some of them with one input given from the start. */
const between =
  (others: readonly Tensors[], fixed: string | undefined): Way =>
  (text, inputs, options) => {
    const { types, values } = inputTypes(inputs, options);
    const program = compileExpression(text, { ...options, inputs: types });
    const value = fixed === undefined ? undefined : values[fixed];
    const prepared = program.prepare(fixed === undefined || value === undefined ? {} : { [fixed]: value });
    const given = (all: Readonly<Record<string, InputValue>>): Record<string, InputValue> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name !== fixed));
    for (const other of others) attempt(() => prepared.run(given(other)).dispose());
    attempt(() => prepared.run(given(values)));
    const result = prepared.run(given(values));
    for (const other of [...others, ...others]) attempt(() => prepared.run(given(other)).dispose());
    return result;
  };

describe.each([
  ["small", small, 250],
  ["large", large, 60],
] as const)("random expressions of %s tensors", (_, all, times) => {
  const names = Object.keys(all[0] ?? {});
  test("a result is what it was when other inputs are given before and after", () => {
    holds(
      fc.property(
        expressionsOn(names).filter((text) => isSound(text, all[0] ?? {})),
        fc.option(fc.constantFrom(...names), { nil: undefined }),
        fc.nat(all.length - 1),
        (text, fixed, expected) => {
          const others = all.filter((_, at) => at !== expected);
          const replayed = { replayed: between(others, fixed) };
          expect(disagreements(replayed, text, all[expected] ?? {})).toEqual([]);
        },
      ),
      times,
    );
  });
});

const ramp = (type: string, number: (at: number) => number): Tensor => {
  const read = parseType(type);
  const { length } = { length: read.indexed.reduce((cells, { size }) => cells * (size ?? 0), 1) };
  return Tensor.from(
    read,
    Float64Array.from({ length }, (_, at) => number(at)),
  );
};

describe("a plan that is used again", () => {
  test("what an earlier stage computes for a result is computed anew, though it left with the result before", () => {
    const text = `input k: tensor(k{},x[1300]); input c: tensor(x[1])
      joined = concat(k, c, x); joined; filter_subspaces(joined, f(p)(p > 0))`;
    const prepared = compile(text).prepare();
    const all = (cell: number) => parseTensor(`tensor(k{},x[1300]):{p:[${new Array(1300).fill(cell)}]}`);
    const results = [1, 2, 3].map((cell) =>
      prepared.runAll({ k: all(cell), c: parseTensor("tensor(x[1]):[9]") }),
    );
    expect(results.map((tensors) => tensors.map((tensor) => tensor.at(5)))).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  test("a call of the reference that reads inputs by itself reads those of its own run", () => {
    const text = `input t: tensor(b[2],j[]); input u: tensor(b[2],j[])
      tensor(y[2])(reduce(if(y, map_subspaces(t, f(c)(c + 1)), u), sum))`;
    const prepared = compile(text).prepare();
    const u = parseTensor("tensor(b[2],j[]):{}");
    const results = ["[[1],[2]]", "[[5],[7]]"].map((t) =>
      prepared.run({ t: parseTensor(`tensor(b[2],j[]):${t}`), u }),
    );
    expect(results.map((result) => result.get({ y: 1 }))).toEqual([5, 14]);
  });

  test("a product of batches goes on as it began when code is made for it", () => {
    const text = "input a: tensor(a[2],b[3],k[4])\ninput b: tensor(b[3],c[50],k[4])\nsum(a * b, k)";
    const [program, reference] = [compile(text), compile(text, { backend: "reference" })];
    for (let run = 0; run < 60; run++) {
      const a = ramp("tensor(a[2],b[3],k[4])", (at) => ((at + run) % 5) - 2);
      const b = ramp("tensor(b[3],c[50],k[4])", (at) => ((at * 3 + run) % 7) - 3);
      expect(program.run({ a, b }).equals(reference.run({ a, b }))).toBe(true);
    }
  });

  test("a view of an array keeps its cells when the next array comes", () => {
    const prepared = compile("input a: tensor(x[2000])\nrename(a, x, y)").prepare();
    const a = new Float64Array(2000);
    const results = [1, 2, 3, 4].map((number) => prepared.run({ a: a.fill(number) }));
    expect(results.map((result) => result.at(1999))).toEqual([1, 2, 3, 4]);
  });

  test("a number of cells that is itself the result stays what it is", () => {
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      address: { j: `${at >> 1}`, k: `${at % 7}` },
      value: 1,
    }));
    const a = Tensor.from(parseType("tensor<int>(j{},k{})"), rows);
    const prepared = compileExpression("cell_cast(count(a, k), int)", { inputs: { a: a.type } }).prepare();
    const results = [prepared.run({ a }), prepared.run({ a }), prepared.run({ a })];
    results[0]?.dispose();
    expect(results.map((result) => result.get({ j: "1499" }))).toEqual([2, 2, 2]);
  });

  test("an object of inputs may get another one, or one that nobody knows", () => {
    const prepared = compile("input a: tensor()\ninput b = 5\na * 10 + b").prepare();
    const inputs: Record<string, number> = { a: 1 };
    expect([prepared.run(inputs).asNumber(), prepared.run(inputs).asNumber()]).toEqual([15, 15]);
    inputs.b = 7;
    expect(prepared.run(inputs).asNumber()).toBe(17);
    inputs.c = 7;
    expect(() => prepared.run(inputs)).toThrow("input/unknown");
  });

  test("an object has no inputs of another that it is made of", () => {
    const program = compile("input a: tensor(); input b: tensor() = 1; a + b");
    expect(program.run({ a: 1, b: 2 }).asNumber()).toBe(3);
    const made = Object.assign(Object.create({ b: 10 }), { a: 1 }) as { a: number };
    expect(program.run(made).asNumber()).toBe(2);
    expect(program.run(Object.assign(Object.create(null), { a: 3, b: 4 })).asNumber()).toBe(7);
  });

  test("the numbers of an array tell one open size, and not two", () => {
    const program = compileExpression("sum(a * 1, y)", { inputs: { a: "tensor(x[],y[])" } });
    const array = { a: new Float64Array(6) };
    expect(() => program.run(array)).toThrow(SphexError);
    program.run({ a: parseTensor("tensor(x[],y[]):[[1,2,3],[4,5,6]]") });
    expect(() => program.run(array)).toThrow(SphexError);
  });

  test("a fixed input that is given has its value in that run alone", () => {
    const prepared = compile("input a: tensor()\ninput b: tensor()\na * 10 + b").prepare({ a: 1 });
    expect(prepared.run({ a: 2, b: 3 }).asNumber()).toBe(23);
    expect(prepared.run({ b: 3 }).asNumber()).toBe(13);
    expect(prepared.run({ a: 4, b: 3 }).asNumber()).toBe(43);
    expect(prepared.run({ b: 4 }).asNumber()).toBe(14);
  });

  test("what is drawn by chance is the same in all of a run", () => {
    const { results, value } = compile("r = random(3)\ns = random(3)\nr - s\nr").runAll();
    expect(value("r").equals(results[1] ?? value("s"))).toBe(true);
    expect(value("r").equals(value("s"))).toBe(false);
    expect(value("s").equals(value("s"))).toBe(true);
  });
});

describe("runs that pause", () => {
  test("what the reference does for the engine lets other work go on, too", async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const written = (row: (at: number) => string): string =>
      `{${Array.from({ length: 300 }, (_, at) => `${row(at)}:${(at * 79) % 307}`).join()}}`;
    const a = parseTensor(`tensor(x{},z{}):${written((at) => `{x:l${at},z:l${at}}`)}`);
    const b = parseTensor(`tensor(y{}):${written((at) => `l${at}`)}`);
    // The rows of the product do not lie in the order of its cells.
    const median = compile("input a: tensor(x{},z{})\ninput b: tensor(y{})\nreduce(a * b, median)");
    await median.runAsync({ a, b });
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  test("branches that need the same constants, one built on the other, run in slices in any order", async () => {
    const text = "if(t, softmax(tensor(x[3])(x), x), softmax(tensor(x[3])(x), x) + 1)";
    const expected = (t: number): string =>
      `${evaluate(text.replace("t,", `${t},`), {}, { backend: "reference" })}`;
    for (const order of [
      [0, 1],
      [1, 0],
      [1, 1, 0],
    ]) {
      const program = compileExpression(text, { inputs: { t: "tensor()" }, limits: { steps: 1e6 } });
      for (const t of order) expect(`${program.run({ t })}`).toBe(expected(t));
      const other = compileExpression(text, { inputs: { t: "tensor()" } });
      for (const t of order) expect(`${await other.runAsync({ t })}`).toBe(expected(t));
    }
  });

  test("what both branches need is computed in each run, whichever is taken", () => {
    const text = "input t: tensor()\ninput q: tensor(x[2])\nif(t > 1, sum(q * q) + exp(sum(q)), exp(sum(q)))";
    const rows = [
      { t: 2, q: [1, -1], value: 3 },
      { t: 2, q: [1, 0], value: 1 + Math.E },
      { t: 0, q: [2, -1], value: Math.E },
      { t: 0, q: [2, -2], value: 1 },
      { t: 2, q: [2, -2], value: 9 },
    ];
    const prepared = compile(text).prepare();
    for (const { t, q, value } of [...rows, ...rows]) {
      const [cell] = prepared.run({ t, q: ramp("tensor(x[2])", (at) => q[at] ?? 0) }).data;
      expect(cell).toBeCloseTo(value, 12);
    }
  });

  test("a run that is aborted leaves its plan to others", async () => {
    const made = vi.spyOn(Engine.prototype, "compiled");
    const program = compile("input a: tensor(x[300],y[1000])\nsum(exp(a) * sin(a), y)");
    const a = ramp("tensor(x[300],y[1000])", (at) => at % 3);
    const expected = program.run({ a });
    const controller = new AbortController();
    const aborted = program.runAsync(
      { a },
      { signal: controller.signal, progress: () => controller.abort() },
    );
    await expect(aborted).rejects.toThrow("limit/cancelled");
    expect(program.run({ a }).equals(expected)).toBe(true);
    expect(made).toHaveBeenCalledTimes(1);
  });
});

describe("where one of several sets of labels is empty, there are no rows", () => {
  test.each([
    ["sum(a * b, j)", "tensor(j{}):{}", "tensor(k{},x[2]):{p:[1,2]}", "tensor(k{},x[2]):{}"],
    ["max(a + b, j)", "tensor(j{}):{}", "tensor(k{}):{p:1}", "tensor(k{}):{}"],
    ["count(a + b, j)", "tensor(j{}):{}", "tensor(k{}):{p:1}", "tensor(k{}):{}"],
    ["sum(a * b, k)", "tensor(k{}):{z:1}", "tensor(j{},k{}):{{j:u,k:p}:1}", "tensor(j{}):{}"],
    ["sum(a * b, j)", "tensor(j{}):{}", "tensor(x[2]):[1,2]", "tensor(x[2]):[0.0, 0.0]"],
  ])("%s of %s and %s", (text, a, b, expected) => {
    expect(`${evaluate(text, { a, b })}`).toBe(expected);
  });
});

test("cells are counted along the labels that they have, whatever other labels there are", () => {
  const inputs = {
    a: "tensor(i{},j{}):{{i:p,j:u}:4,{i:q,j:u}:2}",
    b: "tensor(j{},k{}):{{j:t,k:m}:1,{j:u,k:l}:1,{j:u,k:m}:1,{j:u,k:n}:1}",
  };
  expect(`${evaluate("count(a * b, k)", inputs)}`).toBe("tensor(i{},j{}):{{i:p,j:u}:3.0, {i:q,j:u}:3.0}");
});

describe("memory", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const text = "input a: tensor(x[2000])\na + 1\nrename(a, x, y)\nsum(a)";
  const expected = (number: number): string => `${number + 1} ${number} ${number * 2000}`;
  const seen = (results: readonly Tensor[]): string =>
    results.map((result) => result.at(result.data.length - 1)).join(" ");

  test.each(["arrays", "tensors"])("while it is scarce, results of %s keep their cells", (kind) => {
    const given = (number: number): InputValue => {
      const array = new Float64Array(2000).fill(number);
      return kind === "arrays" ? array : Tensor.from(parseType("tensor(x[2000])"), array);
    };
    vi.spyOn(machines.arena, "bytesInUse", "get").mockReturnValue(2 ** 31);
    const program = compile(text);
    const prepared = program.prepare();
    const numbers = [1, 2, 3, 4];
    const ofProgram = numbers.map((number) => program.runAll({ a: given(number) }).results);
    const ofPrepared = numbers.map((number) => prepared.runAll({ a: given(number) }));
    const once = numbers.map((number) =>
      program.runOnce({ a: Tensor.from(parseType("tensor(x[2000])"), new Float64Array(2000).fill(number)) }),
    );
    expect(ofProgram.map(seen)).toEqual(numbers.map(expected));
    expect(ofPrepared.map(seen)).toEqual(numbers.map(expected));
    expect(once.map((each) => each.asNumber())).toEqual(numbers.map((number) => number * 2000));
  });

  test("when it is at its end, runs go on in another", () => {
    const program = compile(text);
    const prepared = program.prepare();
    const a = new Float64Array(2000).fill(1);
    const before = [program.runAll({ a }).results, prepared.runAll({ a }), prepared.runAll({ a })];
    vi.spyOn(machines.arena, "allocate").mockReturnValue(undefined);
    const after = [2, 3, 4].flatMap((number) => {
      a.fill(number);
      return [program.runAll({ a }).results, prepared.runAll({ a })];
    });
    expect(before.map(seen)).toEqual([1, 1, 1].map(expected));
    expect(after.map(seen)).toEqual([2, 2, 3, 3, 4, 4].map(expected));
  });
});

describe("what is long past gives its memory back", () => {
  /** The memory in use after runs of these numbers. */
  const used = (run: (at: number) => Tensor, from: number, to: number): number => {
    for (let at = from; at < to; at++) expect(run(at).asNumber()).toBeCloseTo(3);
    return machines.arena.bytesInUse;
  };

  test("outcomes", () => {
    // Rows whose labels are not negative are gathered, without outcomes.
    const rows = Array.from({ length: 120 }, (_, at) => [`${-at - 1}`, new Array<number>(500).fill(at)]);
    const t = Tensor.from(parseType("tensor(k{},x[500])"), Object.fromEntries(rows));
    const inputs = { t: "tensor(k{},x[500])", i: "tensor()" };
    const program = compileExpression("sum(softmax(t{k:(i)}, x) * 3)", { inputs, backend: "engine" });
    const run = (at: number): Tensor => program.run({ t, i: -at - 1 });
    const after = used(run, 0, 60);
    expect(used(run, 60, 120)).toBeLessThanOrEqual(after);
  });

  test("layouts", () => {
    const inputs = { t: "tensor(k{})" };
    const program = compileExpression("sum(softmax(t, k) * 3)", { inputs, backend: "engine" });
    const run = (at: number): Tensor => {
      const cells = Array.from({ length: 200 }, (_, row) => [`${1000 + at}-${1000 + row}`, row]);
      return program.run({ t: Tensor.from(parseType("tensor(k{})"), Object.fromEntries(cells)) });
    };
    const after = used(run, 0, 260);
    expect(used(run, 260, 520)).toBeLessThanOrEqual(after);
  });

  test("large layouts, of which fewer are retained", () => {
    const text = "sum(softmax(tensor(x[100000])(sum(t) + x / 100000), x) * 3)";
    const program = compileExpression(text, { inputs: { t: "tensor(y[])" }, backend: "engine" });
    const run = (at: number): Tensor => program.run({ t: new Float64Array(at + 1) });
    const after = used(run, 0, 100);
    expect(used(run, 100, 200)).toBeLessThan(1.1 * after);
  });
});

test("a function of the host may run the program that it is called by", () => {
  const text = "input n: tensor()\nbefore(n) * 10 + sum(tensor(x[4])(x + n))";
  const before: HostFunction = {
    parameters: ["tensor()"],
    returns: "tensor()",
    call: (n) => (n.asNumber() === 0 ? 1 : prepared.run({ n: n.asNumber() - 1 }).asNumber()),
  };
  const prepared = compile(text, { functions: { before }, backend: "engine" }).prepare();
  const expected = (n: number): number => (n === 0 ? 1 : expected(n - 1)) * 10 + 6 + 4 * n;
  for (const n of [0, 0, 3, 1, 5, 5, 2]) expect(prepared.run({ n }).asNumber()).toBe(expected(n));
});
