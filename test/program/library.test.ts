import { describe, expect, test } from "vitest";
import {
  check,
  compile,
  evaluate,
  parseProgram,
  parseTensor,
  parseType,
  SphexError,
  Tensor,
  TensorType,
  uniform,
} from "../../src/index.js";

/** The public library, as an embedder uses it. */

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map((each) => each.code);
    throw error;
  }
  return [];
}

describe("evaluate", () => {
  test("takes literals, numbers and tensors, and gives a tensor", () => {
    const b = Tensor.from(parseType("tensor(x[2])"), [3, 4]);
    const product = evaluate("sum(a * b) + c", { a: "tensor(x[2]):[1,2]", b, c: 0.5 });
    expect(product.asNumber()).toBe(11.5);
    expect(`${product.type}`).toBe("tensor()");
  });

  test("ignores line breaks", () => {
    expect(evaluate("1\n+ 2\n\n").asNumber()).toBe(3);
    expect(evaluate("4\n-1").asNumber()).toBe(3);
  });

  test("gives features their canonical names", () => {
    expect(
      evaluate("$q + query( q ) + attribute(a.b)", { "query(q)": 1, "attribute( a.b )": 2 }).asNumber(),
    ).toBe(4);
  });

  test("takes a text as data by its hash", () => {
    expect(evaluate('s == "foo"', { s: { string: "foo" } }).asNumber()).toBe(1);
  });

  test.each([
    { value: null, found: "null" },
    { value: undefined, found: "a value of type undefined" },
    { value: () => 1, found: "a value of type function" },
    { value: [1, 2], found: "an array without a declared type" },
    { value: { a: 1 }, found: "a value of type object without a declared type" },
  ])("what is no value is a problem: $found", ({ value, found }) => {
    try {
      evaluate("a", { a: value as unknown as number }); // as callers without types give it
      expect.unreachable();
    } catch (error) {
      const { problems } = error as SphexError; // anything else has no problems, and fails below
      expect(problems.map(({ code, description }) => [code, description.found])).toEqual([
        ["input/value", found],
      ]);
    }
  });

  test("reports all problems of an expression, each at its place", () => {
    try {
      evaluate("sum(a, y) + b * nothing", { a: "tensor(x[2]):[1,2]", b: 1 });
      expect.unreachable();
    } catch (error) {
      const { problems } = error as SphexError; // anything else has no problems, and fails below
      expect(problems.map(({ code, span }) => [code, span.start, span.end])).toEqual([
        ["type/unknown-dimension", 7, 8],
        ["name/unknown", 16, 23],
      ]);
      expect(problems[0]?.position).toEqual({ line: 1, column: 8 });
      expect((error as SphexError).message).toContain("there is no dimension y here");
    }
  });
});

describe("compile", () => {
  const source = `
    input query(q): tensor<float>(x[3])
    input bias: tensor() = 0.5
    constant w: tensor(x[3]) = tensor(x[3]):[1,2,3]
    variable b: tensor(x[3]) = tensor(x[3]):[0,0,1]
    persistent seen: tensor() = 10
    scaled(t, d) = t / sum(t, d)
    weighted = query(q) * w + b
    sum(weighted, x) + bias
    seen + 1; scaled(w, x)`;

  test("lists inputs, constants, variables, persistents and results with their types", () => {
    const program = compile(source);
    const types = (map: ReadonlyMap<string, TensorType>) =>
      [...map].map(([name, type]) => `${name}: ${type}`);
    expect(types(program.inputs)).toEqual(["query(q): tensor<float>(x[3])", "bias: tensor()"]);
    expect(types(program.constants)).toEqual(["w: tensor(x[3])"]);
    expect(types(program.variables)).toEqual(["b: tensor(x[3])"]);
    expect(types(program.persistents)).toEqual(["seen: tensor()"]);
    expect(program.results.map(({ type }) => `${type}`)).toEqual(["tensor()", "tensor()", "tensor(x[3])"]);
    expect(program.warnings).toEqual([]);
  });

  test("runs: the last result, all results by position, named values by name", () => {
    const program = compile(source);
    const inputs = { "query(q)": new Float32Array([1, 1, 2]) };
    expect(`${program.run(inputs)}`).toBe("tensor(x[3]):[0.16666666666666666, 0.3333333333333333, 0.5]");
    const { results, value } = program.runAll(inputs);
    // 1*1 + 1*2 + 2*3 + 1 and the default bias
    expect(results.map(String).slice(0, 2)).toEqual(["tensor():{10.5}", "tensor():{11.0}"]);
    expect(`${value("weighted")}`).toBe("tensor(x[3]):[1.0, 2.0, 7.0]");
    expect(problemsOf(() => value("nothing"))).toEqual(["name/unknown"]);
    expect(program.runAll({ $q: "[1,0,0]", bias: 1 }).results[0]?.asNumber()).toBe(3);
  });

  test("takes inputs that only the host declares", () => {
    const program = compile("sum(q * q)", { inputs: { q: "tensor<float>(x[3])" } });
    expect(program.run({ q: [1, 2, 3] }).asNumber()).toBe(14);
    expect(program.run({ q: new Float32Array([3, 4, 0]) }).asNumber()).toBe(25);
  });

  test("refuses an input that is given twice by two of its names, wherever inputs are given", () => {
    const program = compile("input query(q): tensor(x[2]); query(q)");
    const one = parseTensor("tensor(b[1],x[2]):[[1,2]]");
    expect(problemsOf(() => program.run({ "query(q)": [1, 2], $q: [3, 4] }))).toEqual(["input/repeated"]);
    expect(problemsOf(() => program.prepare().runBatch("b", { "query(q)": one, $q: one }))).toEqual([
      "input/repeated",
    ]);
    const inputs = { "query(q)": "tensor(x[2])", $q: "tensor(x[3])" };
    expect(problemsOf(() => compile("query(q)", { inputs }))).toEqual(["input/repeated"]);
  });

  test("refuses missing, unknown and unfit inputs", () => {
    const program = compile("sum(q)", { inputs: { q: "tensor(x[3])" } });
    expect(problemsOf(() => program.run())).toEqual(["input/missing"]);
    expect(problemsOf(() => program.run({ q: [1, 2, 3], r: 1 }))).toEqual(["input/unknown"]);
    expect(problemsOf(() => program.run({ q: "tensor(y[3]):[1,2,3]" }))).toEqual(["input/type"]);
    expect(problemsOf(() => program.run({ q: [1, 2] }))).toEqual(["value/size"]);
    expect(problemsOf(() => program.run({ q: new Uint16Array(3) }))).toEqual(["value/array-type"]);
  });

  test("takes an assignable value: narrower cells, and smaller sizes filled up with zeros", () => {
    const program = compile("q", { inputs: { q: "tensor<float>(x[3])" } });
    expect(`${program.run({ q: "tensor<int8>(x[2]):[1,2]" })}`).toBe("tensor<float>(x[3]):[1.0, 2.0, 0.0]");
  });

  test("in a program without expressions the last named value is the result", () => {
    expect(compile("a = 1\nb = a + 1").run().asNumber()).toBe(2);
    expect(problemsOf(() => compile("input a: tensor()").run({ a: 1 }))).toEqual(["program/no-result"]);
  });

  test("reads the tensor of a constant through the host", () => {
    const files: Record<string, string> = {
      "values.json": '{"type":"tensor(x[2])","values":[1,2]}',
      "cells.json": '{"cells":[{"address":{"x":"1"},"value":5}]}',
      "literal.txt": "tensor(x[2]):[3,4]",
    };
    const readFile = (path: string): string => {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    };
    for (const [path, sum] of [
      ["values.json", 3],
      ["cells.json", 5],
      ["literal.txt", 7],
    ] as const) {
      const program = compile(`constant w: tensor(x[2]) = file("${path}")\nsum(w)`, { readFile });
      expect(program.run().asNumber()).toBe(sum);
    }
    const codes = (text: string, host: object) => problemsOf(() => compile(text, host));
    expect(codes('constant w: tensor(x[2]) = file("nowhere")\nsum(w)', { readFile })).toEqual([
      "file/unreadable",
    ]);
    expect(codes('constant w: tensor(x[2]) = file("values.json")\nsum(w)', {})).toEqual(["file/no-reader"]);
    expect(codes('constant w = file("values.json")\nsum(w)', { readFile })).toEqual(["file/no-type"]);
  });

  test("what Vespa rejects is a warning, and an error in dialect vespa", () => {
    const text = "tensor(x[2]):[1,2] + tensor(x[3]):[1,2,3]";
    expect(compile(text).warnings.map(({ code, severity }) => [code, severity])).toEqual([
      ["type/size-mismatch", "portability"],
    ]);
    expect(problemsOf(() => compile(text, { dialect: "vespa" }))).toEqual(["type/size-mismatch"]);
  });

  test("check reports everything and evaluates nothing", () => {
    expect(
      check("a = b\nb = a\nc(x) = x + d\nc(1)\nsum(2, z)")
        .map((each) => each.code)
        .sort(),
    ).toEqual(["name/cycle", "name/unknown", "type/unknown-dimension"]);
  });

  test.each([
    "half",
    "float",
    "bfloat16",
    "double",
  ])("random numbers of %s are below 1, however they are rounded", (cells) => {
    const program = compile(`random<${cells}>(x[2])`, { random: () => 1 - 2 ** -53 });
    expect(program.run().at(1)).toBeLessThan(1);
  });

  test("random is the same for the same seed, and each call draws anew", () => {
    const program = compile("random(x[2]) == random(x[2])\nrandom(x[2])", { random: uniform(7) });
    expect(`${program.runAll().results[0]}`).toBe("tensor(x[2]):[0.0, 0.0]");
    const draw = (seed: number) => `${compile("random(x[3])", { random: uniform(seed) }).run()}`;
    expect(draw(1)).toBe(draw(1));
    expect(draw(1)).not.toBe(draw(2));
  });
});

describe("limits", () => {
  test("cells of a tensor, before it is made", () => {
    expect(problemsOf(() => evaluate("tensor(x[100000],y[100000])(x)"))).toEqual(["limit/cells"]);
    const limits = { cells: 10 };
    expect(problemsOf(() => evaluate("tensor(x[11])(x)", {}, { limits }))).toEqual(["limit/cells"]);
    expect(evaluate("sum(tensor(x[10])(1))", {}, { limits }).asNumber()).toBe(10);
    const a = "tensor(k{}):{a:1,b:2,c:3,d:4}";
    expect(problemsOf(() => evaluate("a * b", { a, b: "tensor(j{}):{a:1,b:2,c:3}" }, { limits }))).toEqual([
      "limit/cells",
    ]);
  });

  test("steps, nesting, expansions", () => {
    expect(problemsOf(() => evaluate("sum(tensor(x[1000])(x))", {}, { limits: { steps: 500 } }))).toEqual([
      "limit/steps",
    ]);
    expect(problemsOf(() => evaluate("((1))", {}, { limits: { nesting: 1 } }))).toEqual(["limit/nesting"]);
    expect(problemsOf(() => compile("f(x) = x\nf(1) + f(2)", { limits: { expansions: 1 } }))).toEqual([
      "limit/expansions",
    ]);
  });

  test("time, by the clock that the host gives", () => {
    let now = 0;
    const clock = () => (now += 10);
    const limits = { time: 100 };
    expect(problemsOf(() => evaluate("sum(tensor(x[10000000])(x))", {}, { limits, clock }))).toEqual([
      "limit/time",
    ]);
    expect(evaluate("1 + 1", {}, { limits, clock }).asNumber()).toBe(2);
  });

  test("runAsync lets other work go on and stops on a signal", async () => {
    const program = compile(
      "input n: tensor()\nsum(tensor(x[1000],y[5000])(atan2(x, y + 1) * 0 + x * y * n))",
    );
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    expect((await program.runAsync({ n: 1 })).asNumber()).toBe((999 * 1000 * 4999 * 5000) / 4);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    const controller = new AbortController();
    const running = program.runAsync({ n: 2 }, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ problems: [{ code: "limit/cancelled" }] });
  });
});

describe("sessions", () => {
  const program = compile(`
    input x: tensor()
    variable rate: tensor() = 2
    persistent total: tensor() = 0
    next = total + x * rate
    next`);

  test("keep variable and persistent tensors between runs", () => {
    const session = program.session();
    expect(session.run({ x: 5 }, { assign: { total: "next" } }).asNumber()).toBe(10);
    expect(session.run({ x: 1 }).asNumber()).toBe(12);
    session.assign({ rate: 3 });
    expect(session.run({ x: 1 }).asNumber()).toBe(13);
    expect(session.get("total").asNumber()).toBe(10);
    session.reset();
    expect(session.get("rate").asNumber()).toBe(2);
    expect(program.run({ x: 5 }).asNumber()).toBe(10);
  });

  test("assign to tensors of any name", () => {
    const session = compile(
      "input x: tensor(); persistent __proto__ = 1; next = __proto__ + x; next",
    ).session();
    const assigning = { assign: Object.fromEntries([["__proto__", "next"]]) };
    expect(session.run({ x: 2 }, assigning).asNumber()).toBe(3);
    expect(session.run({ x: 2 }).asNumber()).toBe(5);
    expect(session.get("__proto__").asNumber()).toBe(3);
  });

  test("change nothing when something fails", () => {
    const session = program.session();
    expect(problemsOf(() => session.assign({ rate: 7, total: "tensor(x[2]):[1,2]" }))).toEqual([
      "input/type",
    ]);
    expect(session.get("rate").asNumber()).toBe(2);
    expect(problemsOf(() => session.run({}, { assign: { total: "next" } }))).toEqual(["input/missing"]);
    expect(session.get("total").asNumber()).toBe(0);
    expect(problemsOf(() => session.assign({ x: 1 }))).toEqual(["role/unknown"]);
  });
});

describe("tensors", () => {
  test("are read cell by cell, by address, as nested values and as data", () => {
    const tensor = parseTensor("tensor<float>(k{},x[2]):{a:[1,2],b:[3,4]}");
    expect([...tensor.cells()].map(({ address, value }) => [address.k, address.x, value])).toEqual([
      ["a", "0", 1],
      ["a", "1", 2],
      ["b", "0", 3],
      ["b", "1", 4],
    ]);
    expect(tensor.get({ k: "b", x: 1 })).toBe(4);
    expect(tensor.get({ k: "c", x: 1 })).toBeUndefined();
    expect(tensor.get({ k: "b", x: 2 })).toBeUndefined();
    expect(tensor.toNested()).toEqual({ a: [1, 2], b: [3, 4] });
    expect(tensor.data).toEqual(new Float32Array([1, 2, 3, 4]));
    expect(problemsOf(() => tensor.asNumber())).toEqual(["value/not-a-number"]);
  });

  test("are made from typed arrays, nested values and cells", () => {
    const type = parseType("tensor<int8>(x[2],y[2])");
    const expected = "tensor<int8>(x[2],y[2]):[[1, 2], [3, 4]]";
    expect(`${Tensor.from(type, new Int8Array([1, 2, 3, 4]))}`).toBe(expected);
    expect(
      `${Tensor.from(type, [
        [1, 2],
        [3, 4],
      ])}`,
    ).toBe(expected);
    const cells = [1, 2, 3, 4].map((value, at) => ({ address: { x: at >> 1, y: at & 1 }, value }));
    expect(`${Tensor.from(type, cells)}`).toBe(expected);
    expect(`${Tensor.from(parseType("tensor(k{},j{})"), { a: { b: 1 } })}`).toBe(
      "tensor(j{},k{}):{{j:a,k:b}:1.0}",
    );
    expect(problemsOf(() => Tensor.from(type, [[1, 2], [3]]))).toEqual(["value/size"]);
    const nothing = { a: null } as unknown as { a: number }; // as callers without types give it
    expect(problemsOf(() => Tensor.from(parseType("tensor(k{},j{})"), nothing))).toEqual(["value/shape"]);
  });

  test.each([
    ["tensor(x[],y[])", 4, "the sizes of tensor(x[],y[]) do not follow from 4 cells"],
    ["tensor(x[],y[2])", 3, "the sizes of tensor(x[],y[2]) do not follow from 3 cells"],
    ["tensor(x[3])", 2, "tensor(x[3]) has 3 cells, not 2"],
  ])("%s is not made from %d numbers in a row", (type, count, message) => {
    expect(() => Tensor.from(parseType(type), new Float64Array(count))).toThrow(message);
    expect(`${Tensor.from(parseType("tensor(x[],y[2])"), new Float64Array(2))}`).toBe(
      "tensor(x[],y[2]):{{x:0,y:0}:0.0, {x:0,y:1}:0.0}",
    );
  });

  test("labels are data: __proto__ and constructor are labels like others", () => {
    const tensor = parseTensor("tensor(k{}):{__proto__:1,constructor:2}");
    expect(tensor.get({ k: "__proto__" })).toBe(1);
    expect(`${evaluate("t{k:__proto__} + t{constructor}", { t: tensor })}`).toBe("tensor():{3.0}");
    expect(Object.entries(tensor.toNested())).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
  });

  test("types are immutable values", () => {
    const type = parseType("tensor<float>( y[2] , x{} )");
    expect(`${type}`).toBe("tensor<float>(x{},y[2])");
    expect(type).toBeInstanceOf(TensorType);
    expect(type.equals(parseType("tensor<float>(x{},y[2])"))).toBe(true);
    expect(problemsOf(() => parseType("tensor(x[0])"))).toEqual(["type/dimension-size"]);
  });
});

test("a text with a known type may be JSON", () => {
  const cells = '{"cells":[{"address":{"x":"0"},"value":3}]}';
  expect(`${parseTensor(cells, "tensor(x[2])")}`).toBe("tensor(x[2]):[3.0, 0.0]");
  expect(problemsOf(() => parseTensor("{nonsense", "tensor(x[2])"))).toEqual(["syntax/unclosed"]);
});

test("JSON of a program's tree is as long as the program, and not as its square", () => {
  const jsonOf = (statements: number): string =>
    JSON.stringify(parseProgram({ name: "p", text: "a = 1\n".repeat(statements) }));
  expect(jsonOf(400).length).toBeLessThan(2.2 * jsonOf(200).length);
});
