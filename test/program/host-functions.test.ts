import { describe, expect, it } from "vitest";
import { reference } from "../../src/backends/reference/backend.js";
import {
  type Backend,
  type BackendName,
  backendNames,
  check,
  compile,
  compileExpression,
  type HostFunction,
  type Options,
  parseTensor,
  parseType,
  SphexError,
  showExplanation,
  showPlan,
  showWhy,
  Tensor,
} from "../../src/index.js";
import { ProgramDocument } from "../../src/service/service.js";
import { onEngine, textEngine } from "../../src/sql.js";
import { codesOf } from "../problem-codes.js";

/** Moves a point, and counts how often it was asked to. */
function geo(pure = true) {
  const calls: number[][] = [];
  const move: HostFunction = {
    parameters: ["tensor(x[2])", "tensor()"],
    returns: "tensor(x[2])",
    pure,
    description: "The point, moved along both axes.",
    call: (point, by) => {
      const numbers = point.toNested() as number[]; // of one axis
      calls.push(numbers);
      return numbers.map((each) => each + by.asNumber());
    },
  };
  return { calls, options: { functions: { geo: move } } satisfies Options };
}

const text = "input p: tensor(x[2])\nsum(geo(p * 2, 1) + p)";

const codesAsync = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const [settled] = await Promise.allSettled([promise]);
  if (settled.status === "fulfilled") return [];
  return codesOf(() => {
    throw settled.reason;
  });
};

describe("a function of the host", () => {
  it.each([...backendNames])("is called by the backend %s, between what is computed there", (backend) => {
    const { calls, options } = geo();
    const program = compile(text, { ...options, backend });
    expect(program.run({ p: [1, 2] }).asNumber()).toBe(2 + 1 + 4 + 1 + 3);
    expect(calls).toEqual([[2, 4]]);
    expect(program.run({ p: [0, 1] }).asNumber()).toBe(0 + 1 + 2 + 1 + 1);
    expect(
      program
        .prepare()
        .run({ p: [1, 2] })
        .asNumber(),
    ).toBe(11);
    const prepared = program.prepare();
    for (let time = 0; time < 4; time++) expect(prepared.run({ p: [time, 2] }).asNumber()).toBe(3 * time + 8);
  });

  it.each([...backendNames])("has a type for the checker, for the backend %s", (backend) => {
    const { options } = geo();
    const program = compileExpression("geo(tensor(x[2]):[1,2], 1)", { ...options, backend });
    expect(program.results[0]?.type.toString()).toBe("tensor(x[2])");
    expect(program.run().toNested()).toEqual([2, 3]);
  });

  it("has as many arguments as parameters, each of a type that fits", () => {
    const { options } = geo();
    const found = (expression: string) => check(expression, options).map(({ code }) => code);
    expect(found("geo(tensor(x[2]):[1,2])")).toEqual(["call/arity"]);
    expect(found("geo(tensor(y[2]):[1,2], 1)")).toEqual(["call/host-argument"]);
    expect(found("geo(tensor(x[3]):[1,2,3], 1)")).toEqual(["call/host-argument"]);
    expect(found("geo")).toEqual(["name/unknown"]);
    expect(found("geoo(1)")).toEqual(["name/unknown-function"]);
    expect(check("geoo(1)", options)[0]?.description.hint).toContain("geo");
  });

  it("may be called by functions of the program", () => {
    const { options } = geo();
    const program = compile("moved(p, by) = geo(p * 2, by)\nmoved(tensor(x[2]):[1,2], 1)", options);
    expect(program.run().toNested()).toEqual([3, 5]);
    expect(check("moved(p) = geo(p)\nother(p) = geo(p, q)", options).map(({ code }) => code)).toEqual([
      "call/arity",
      "name/unknown",
    ]);
  });

  it("may stand in a branch that is not taken, before labels that a run tells", () => {
    const type = "tensor<half>(B{},j{},k[4],x[3],y[2])";
    const same: HostFunction = { parameters: [type], returns: type, call: (value) => value };
    const cells = Array.from({ length: 72 }, (_, at) => ({
      address: {
        B: Math.floor(at / 24),
        j: Math.floor(at / 24),
        k: at % 4,
        x: at % 3,
        y: at % 8 < 4 ? 0 : 1,
      },
      value: at,
    }));
    const t = Tensor.from(parseType(type), cells);
    const text = `input s: tensor<int8>(x[2])
input c: tensor()
input t: ${type}
input u: ${type}
blocks = map_subspaces(tensor(B{},j{},x[3],y[2]):{{B:a,j:a,x:0,y:0}:1}, f(b)(tensor<half>(k[4],x[3],y[2])(1)))
(switch (2) { case tensor<int8>(x[2]):[1, 2]{x:1}: if(c, t, t), case 1: same(u), default: blocks }
  != tensor<bfloat16>(a{},k[4],x[3],y[2],z{}):{}){a:s{x:1}, x:1}`;
    const program = compile(text, { functions: { same } });
    const found = program.run({ s: [2, 7], c: -1, t, u: t });
    expect(`${found}`).toBe("tensor<float>(B{},j{},k[4],y[2],z{}):{}");
  });

  it.each([...backendNames])("is called at each turn of all generators around it: %s", (backend) => {
    let calls = 0;
    const functions = { z: { parameters: [], returns: "tensor()", call: () => ++calls } };
    const text = "tensor(x[2])(sum(tensor(y[2])(sum(tensor(w[2])(z())))))";
    expect(compileExpression(text, { backend, functions }).run().toNested()).toEqual([10, 26]);
    expect(calls).toBe(8);
  });

  it("takes arguments in the types of its parameters", () => {
    const seen: string[] = [];
    const look: HostFunction = {
      parameters: ["tensor(x[3])", "tensor(k{})"],
      returns: "tensor()",
      call: (dense, sparse) => {
        seen.push(`${dense}`, `${sparse}`);
        return 1;
      },
    };
    compile("look(tensor<float>(x[2]):[1,2], tensor<float>(k{}):{a:1})", { functions: { look } }).run();
    expect(seen).toEqual(["tensor(x[3]):[1.0, 2.0, 0.0]", "tensor(k{}):{a:1.0}"]);
  });

  it.each([...backendNames])("that is pure is called once for equal arguments, by %s", (backend) => {
    const once = geo(true);
    const often = geo(false);
    const twice = "input p: tensor(x[2])\nsum(geo(p, 1)) + sum(geo(p, 1))";
    expect(
      compile(twice, { ...once.options, backend })
        .run({ p: [1, 2] })
        .asNumber(),
    ).toBe(10);
    expect(once.calls.length).toBe(1);
    expect(
      compile(twice, { ...often.options, backend })
        .run({ p: [1, 2] })
        .asNumber(),
    ).toBe(10);
    expect(often.calls.length).toBe(2);
  });

  it.each([
    ...backendNames,
  ])("that is not pure is called in every run, in the order of the text, by %s", (backend) => {
    let count = 0;
    const next: HostFunction = { parameters: [], returns: "tensor()", call: () => ++count };
    const program = compile("next() * 10 + next()", { functions: { next }, backend });
    expect(program.run().asNumber()).toBe(12);
    expect(program.run().asNumber()).toBe(34);
    expect(count).toBe(4);
    const prepared = program.prepare();
    prepared.run();
    prepared.run();
    expect(count).toBe(8);
  });

  it.each([...backendNames])("is called for each cell in a lambda and in a generator, by %s", (backend) => {
    const seen: number[] = [];
    const halve: HostFunction = {
      parameters: ["tensor()"],
      returns: "tensor()",
      call: (value) => {
        seen.push(value.asNumber());
        return value.asNumber() / 2;
      },
    };
    const options = { functions: { halve }, backend };
    expect(compile("map(tensor(x[3]):[2,4,6], f(x)(halve(x) + 1))", options).run().toNested()).toEqual([
      2, 3, 4,
    ]);
    expect(seen).toEqual([2, 4, 6]);
    expect(compile("tensor(x[3])(halve(x))", options).run().toNested()).toEqual([0, 0.5, 1]);
    expect(
      compile("map_subspaces(tensor(k{},x[2]):{a:[1,3]}, f(t)(halve(sum(t))))", options).run().toString(),
    ).toBe("tensor(k{}):{a:2.0}");
  });

  it.each([...backendNames])("may be asynchronous in asynchronous runs, by %s", async (backend) => {
    const fetched: HostFunction = {
      parameters: ["tensor()"],
      returns: "tensor(k{})",
      call: async (value) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { a: value.asNumber(), b: 2 };
      },
    };
    const program = compile("input q: tensor()\nsum(fetched(q + 1) * 10)", {
      functions: { fetched },
      backend: backend as BackendName,
    });
    expect((await program.runAsync({ q: 3 })).asNumber()).toBe(60);
    expect((await program.runAsync({ q: 4 })).asNumber()).toBe(70);
    expect(codesOf(() => program.run({ q: 3 }))).toEqual(["function/promise"]);
    expect((await program.runAsync({ q: 3 })).asNumber()).toBe(60);
  });

  it("that never answers is given up with the signal", async () => {
    const never: HostFunction = {
      parameters: [],
      returns: "tensor()",
      call: () => new Promise(() => undefined),
    };
    const controller = new AbortController();
    const run = compile("never() + 1", { functions: { never } }).runAsync({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect(await codesAsync(run)).toEqual(["limit/cancelled"]);
  });

  it.each([
    ...backendNames,
  ])("that fails is a problem of its call, whose cause is the error, by %s", async (backend) => {
    const cause = new Error("no network");
    const fails: HostFunction = {
      parameters: [],
      returns: "tensor()",
      call: () => {
        throw cause;
      },
    };
    const late: HostFunction = { ...fails, call: () => Promise.reject(cause) };
    const program = compile("1 + fails()", { functions: { fails, late }, backend });
    try {
      program.run();
      expect.fail("it does not fail");
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      const [problem] = error.problems;
      expect(problem?.code).toBe("function/failed");
      expect(problem?.message).toContain("no network");
      expect(problem?.span.start).toBe(4);
      expect(error.cause).toBe(cause);
    }
    const other = compile("1 + late()", { functions: { fails, late }, backend });
    expect(await codesAsync(other.runAsync())).toEqual(["function/failed"]);
  });

  it("that returns something else than it declares is a problem of its call", () => {
    for (const wrong of ["x", undefined, null, [1, 2, 3], { a: 1 }, () => 1, 1n, Symbol("s")]) {
      const other: HostFunction = { parameters: [], returns: "tensor(x[2])", call: () => wrong as never };
      expect(codesOf(() => compile("other()", { functions: { other } }).run())).toEqual(["function/result"]);
    }
  });

  it("is charged to the limits of the run", () => {
    let time = 0;
    const slow: HostFunction = {
      parameters: ["tensor()"],
      returns: "tensor(x[])",
      call: () => {
        time += 100;
        return new Float64Array(50);
      },
    };
    const limited = (limits: Options["limits"]) => () =>
      compile("sum(slow(1)) + sum(slow(2))", {
        functions: { slow },
        clock: () => time,
        ...(limits === undefined ? {} : { limits }),
      }).run();
    expect(codesOf(limited({ time: 150 }))).toEqual(["limit/time"]);
    expect(codesOf(limited({ cells: 20 }))).toEqual(["limit/cells"]);
    expect(codesOf(limited({ steps: 3000 }))).toEqual(["limit/steps"]);
    expect(codesOf(limited({ bytes: 700 }))).toEqual(["limit/bytes"]);
    expect(codesOf(limited(undefined))).toEqual([]);
  });

  it("may keep its arguments, and change what it returned", () => {
    const retained: Tensor[] = [];
    const mine = Tensor.from(parseType("tensor(x[2])"), [1, 2]);
    const keep: HostFunction = {
      parameters: ["tensor(x[2])"],
      returns: "tensor(x[2])",
      call: (value) => {
        retained.push(value);
        return mine;
      },
    };
    const program = compile("input p: tensor(x[2])\nkeep(p + 1)", { functions: { keep } }).prepare();
    const first = program.run({ p: [1, 2] });
    program.run({ p: [5, 6] });
    (mine.data as Float64Array)[0] = 77;
    expect(retained.map((each) => each.toNested())).toEqual([
      [2, 3],
      [6, 7],
    ]);
    expect(first.toNested()).toEqual([1, 2]);
  });

  it("stops fusion, and the plan tells so", () => {
    const { options } = geo();
    const plan = showPlan(compile(text, options).plan({ p: [1, 2] }));
    expect(plan).toContain("geo");
    expect(plan).toContain("function of the host");
  });

  it("is in the explanation, in why, and in the primitive form", () => {
    const { options } = geo();
    const program = compile(text, options);
    expect(showExplanation(program.explain({ p: [1, 2] }))).toContain("geo");
    expect(showWhy(program.why({}, { p: [1, 2] }))).toContain("geo");
    expect(program.primitive()).toContain("geo(");
    expect(
      compileExpression(program.primitive(), { ...options, inputs: { p: "tensor(x[2])" } })
        .run({ p: [1, 2] })
        .asNumber(),
    ).toBe(11);
  });

  it("is completed, described and explained to editors", () => {
    const { options } = geo();
    const document = new ProgramDocument("a", "a = ge", options);
    expect(document.completion(6).candidates.map(({ text: each }) => each)).toContain("geo(");
    document.text = "a = geo(tensor(x[2]):[1,2], 1)";
    expect(document.hover(5)).toMatchObject({
      code: "geo(tensor(x[2]), tensor()): tensor(x[2])",
      remarks: ["The point, moved along both axes."],
    });
    expect(document.signature(28)).toMatchObject({ signature: "geo(tensor(x[2]), tensor())", active: 1 });
  });

  it("has no derivative, unless nothing depends on it", () => {
    const { options } = geo();
    const problems = (expression: string) =>
      check(`input p: tensor(x[2])\n${expression}`, options).flatMap((each) =>
        each.isError ? [each.code] : [],
      );
    expect(problems("gradient(sum(geo(p, 1)), p)")).toEqual(["gradient/operation"]);
    expect(problems("gradient(sum(geo(tensor(x[2]):[1,2], 1) * p), p)")).toEqual([]);
  });

  it("is refused before it is run by a backend that calls none", () => {
    const { calls, options } = geo();
    const without: Backend = { ...reference, operations: { ...reference.operations, host: "none" } };
    expect(codesOf(() => compile(text, { ...options, backend: without }))).toEqual(["backend/unsupported"]);
    expect(codesOf(() => compile("1 + 1", { ...options, backend: without }))).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("is refused by a database, which cannot call it", () => {
    const { options } = geo();
    const program = compile(text, options);
    const bindings = { p: { tensor: parseTensor("tensor(x[2]):[1,2]") } };
    expect(codesOf(() => program.on(onEngine(textEngine("duckdb")), bindings).sql())).toEqual([
      "sql/unsupported",
    ]);
  });

  it("is refused where its declaration is wrong, all at once", () => {
    const good = geo().options.functions.geo;
    const functions = {
      "a b": good,
      sum: good,
      softmax: good,
      none: null,
      list: { ...good, parameters: "tensor()" },
      result: { ...good, returns: 5 },
      call: { ...good, call: 1 },
      pure: { ...good, pure: "yes" },
      described: { ...good, description: 1 },
    };
    expect(codesOf(() => compile("1", { functions: functions as never }))).toEqual(
      Object.keys(functions).map(() => "option/function"),
    );
    expect(
      codesOf(() => compile("1", { functions: { geo: { ...good, returns: "tensor(x[" } } })),
    ).not.toEqual([]);
  });

  it("gives way to what a program calls so itself, with a warning", () => {
    const { options } = geo();
    const program = compile("geo(a) = a + 1\ngeo(1)", options);
    expect(program.run().asNumber()).toBe(2);
    expect(program.warnings.map(({ code }) => code)).toEqual(["name/shadows"]);
  });
});
