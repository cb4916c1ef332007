import { describe, expect, test } from "vitest";
import type { Backend } from "../../src/backends/backend.js";
import { backendNamed, backendNames, backends } from "../../src/backends/backends.js";
import { engine } from "../../src/backends/engine/backend.js";
import { reference } from "../../src/backends/reference/backend.js";
import { type Support, supportTable } from "../../src/backends/support.js";
import {
  compile,
  compileExpression,
  type Problem,
  parseTensor,
  parseType,
  SphexError,
  Tensor,
} from "../../src/index.js";
import { inputsOf, lambdaOf, type OperationName, visit } from "../../src/language/core/operations.js";
import { type InputValues, inputTypes } from "../../src/program/inputs/inputs.js";
import type { Options } from "../../src/program/options.js";
import { linesOf } from "../case-files.js";
import { checkedExpression } from "../core.js";
import { patient } from "../patience.js";

/** What each row of the list of backends must do, whichever it is. That it has the right values is for `agreement.test.ts`. */

const operationNames = Object.keys(inputsOf) as OperationName[]; // the table is total

/** The codes of the problems, with the texts that they are about. */
function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map(
      ({ code, span: { source, start, end } }) => `${code}: ${source.text.slice(start, end)}`,
    );
  }
  return [];
}

const literal = (values: readonly Tensor[]): string[] => values.map((value) => `${value}`);

test("names differ, and say what they are the names of", () => {
  expect(new Set(backendNames).size).toBe(backends.length);
  for (const { name, description } of backends) {
    expect(name).toMatch(/^[a-z]+$/);
    expect(description).toMatch(/^(?:the|plans) .*[^.]$/);
  }
});

/** A backend that can compute little: what it cannot is asked of nobody. */
const little: Backend = {
  ...reference,
  name: "little",
  operations: {
    ...supportTable("none"),
    ...{ constant: "full", input: "full", parameter: "full", apply: "full", join: "full" },
  },
};

/** A test of a backend, which is skipped where its programs are refused. */
function check(title: string, body: () => unknown): void {
  test(title, async ({ skip }) => {
    try {
      await body();
    } catch (error) {
      const isRefused = error instanceof SphexError && error.problems.some(isUnsupported);
      skip(isRefused, "it cannot compute this");
      throw error;
    }
  });
}

const isUnsupported = ({ code }: Problem): boolean => code === "backend/unsupported";

test("a backend is used for what it can compute, whatever else it cannot", () => {
  const inputs = { a: "tensor(x[2])", b: "tensor(x[2])" };
  const values = { a: [1, 2], b: [3, 5] };
  expect(`${compileExpression("a * b", { inputs, backend: little }).run(values)}`).toBe(
    "tensor(x[2]):[3.0, 10.0]",
  );
  const refused = (text: string) => problemsOf(() => compileExpression(text, { inputs, backend: little }));
  expect(refused("max(a * b) + sum(b, x)")).toEqual([
    "backend/unsupported: max(a * b)",
    "backend/unsupported: sum(b, x)",
  ]);
});

describe.each(
  [...backends, little].map((backend): [string, Backend] => [backend.name, backend]),
)("%s", (name, backend) => {
  const compiled = (text: string, options: Options = {}) => compile(text, { ...options, backend });

  test.runIf(backendNamed(name) !== undefined)("is chosen by its name", () => {
    const program = compileExpression("a + 1", { inputs: { a: "tensor()" }, backend: name as never });
    expect(program.run({ a: 2 }).asNumber()).toBe(3);
  });

  describe("runs", () => {
    const text =
      "input a: tensor(x[]); input k: tensor(k{}) = tensor(k{}):{p:2}; s = sum(a * a); s * k; s + 1";
    const results = (sum: number, label = "p", factor = 2): string[] => [
      `tensor(k{}):{${label}:${sum * factor}.0}`,
      `tensor():{${sum + 1}.0}`,
    ];

    check("inputs of one layout after another, and the first again", () => {
      const program = compiled(text);
      for (const runnable of [program, program.prepare()]) {
        const all = (inputs: InputValues): string[] => {
          const found = runnable.runAll(inputs);
          return literal("results" in found ? found.results : found);
        };
        expect(all({ a: "tensor(x[2]):[1,2]" })).toEqual(results(5));
        expect(all({ a: "tensor(x[3]):[1,2,3]" })).toEqual(results(14));
        expect(all({ a: "tensor(x[2]):[3,4]" })).toEqual(results(25));
        expect(all({ a: "tensor(x[2]):[3,4]", k: "tensor(k{}):{q:3}" })).toEqual(results(25, "q", 3));
        expect(all({ a: "tensor(x[2]):[1,2]" })).toEqual(results(5));
        expect(all({ a: "tensor(x[2]):[1,2]", k: "tensor(k{}):{}" })[0]).toBe("tensor(k{}):{}");
      }
    });

    check("named values that are requested after a run, by chance as in the results", () => {
      const { results, value } = compiled("n = random(1.0); d = n * 2; d + 0").runAll();
      expect(value("d").asNumber()).toBe(results[0]?.asNumber());
      expect(value("n").asNumber() * 2).toBe(value("d").asNumber());
    });

    check("once, and with pauses, as at a stretch", async () => {
      const program = compiled("input a: tensor(x[300]); sum(rename(a, x, y) * a, x)");
      const a = Tensor.from(
        parseType("tensor(x[300])"),
        Array.from({ length: 300 }, (_, at) => at - 7),
      );
      const value = program.run({ a });
      expect(program.runOnce({ a }).equals(value)).toBe(true);
      expect((await program.runAsync({ a })).equals(value)).toBe(true);
    });

    check("as its outcomes ask, in turn", () => {
      const program = compiled("input k: tensor(k{}); filter_subspaces(k, f(v)(v > 1))").prepare();
      const run = (k: string): string => `${program.run({ k: `tensor(k{}):${k}` })}`;
      expect(run("{p:1,q:2}")).toBe("tensor(k{}):{q:2.0}");
      expect(run("{p:3,q:2}")).toBe("tensor(k{}):{p:3.0, q:2.0}");
      expect(run("{p:0,q:0}")).toBe("tensor(k{}):{}");
      expect(run("{p:1,q:5}")).toBe("tensor(k{}):{q:5.0}");
    });
  });

  describe("results", () => {
    const prepare = () => compiled("input a: tensor(x[5000]); a * 2").prepare();
    const filled = (number: number): Float64Array => new Float64Array(5000).fill(number);

    check("stay as they are, whatever is run later", () => {
      const prepared = prepare();
      const all = [1, 2, 3].map((number) => prepared.run({ a: filled(number) }));
      expect(all.map((each) => each.at(4999))).toEqual([2, 4, 6]);
    });

    check("that are disposed of leave others alone, and later runs", () => {
      const prepared = prepare();
      const [first, second] = [prepared.run({ a: filled(1) }), prepared.run({ a: filled(2) })];
      first.dispose();
      expect(second.at(0)).toBe(4);
      const third = prepared.run({ a: filled(3) });
      expect([second.at(4999), third.at(4999)]).toEqual([4, 6]);
      second.dispose();
      second.dispose();
      expect(third.at(0)).toBe(6);
    });

    check("are written into an array of their kind and size", () => {
      const prepared = prepare();
      const into = new Float64Array(5000);
      expect(prepared.run({ a: filled(4) }, { into }).at(0)).toBe(8);
      prepared.run({ a: filled(5) });
      expect([into[0], into[4999]]).toEqual([8, 8]);
      expect(problemsOf(() => prepared.run({ a: filled(4) }, { into: new Float32Array(5000) }))).toEqual([
        expect.stringMatching(/^value\/into: /),
      ]);
      prepared.runInto(into, { a: filled(6) });
      expect([into[0], into[4999]]).toEqual([12, 12]);
      expect(problemsOf(() => prepared.runInto(new Float64Array(4999), { a: filled(4) }))).toEqual([
        expect.stringMatching(/^value\/into: /),
      ]);
    });
  });

  describe("problems", () => {
    check("an input that a run lacks, at the expression that reads it", () => {
      const program = compiled("input a: tensor(); input b: tensor(); if(a > 0, b * 2, 7)");
      expect(problemsOf(() => program.run({ a: 1 }))).toEqual(["input/missing: b"]);
      expect(program.run({ a: 0 }).asNumber()).toBe(7);
      expect(problemsOf(() => program.prepare().run({ a: 1 }))).toEqual(["input/missing: b"]);
    });

    const vector = (size: number): Tensor => Tensor.from(parseType("tensor(x[])"), new Array(size).fill(0));
    let now = 0;
    const clock = (): number => (now += 4);

    // biome-ignore format: a table
    for (const { text, limits, problem } of [
      { text: "a * rename(a, x, y)",                limits: { cells: 9999 }, problem: "limit/cells: a * rename(a, x, y)" },
      { text: "sum(sin(a) * sin(rename(a, x, y)))", limits: { steps: 9999 }, problem: "limit/steps: s" },
      { text: "sum(sin(a) * sin(rename(a, x, y)))", limits: { time: 5 },     problem: "limit/time: s" },
    ])
      check(`${problem}: the next run is none the worse`, () => {
        const program = compiled(`input a: tensor(x[]); ${text}`, { limits, clock });
        const before = `${program.run({ a: vector(2) })}`;
        expect(problemsOf(() => program.run({ a: vector(400) }))).toEqual([expect.stringContaining(problem)]);
        expect(`${program.run({ a: vector(2) })}`).toBe(before);
      });

    check("a run that is aborted, before or while it goes on; the next one is none the worse", async () => {
      const program = compiled("input a: tensor(x[]); sum(sin(a) * sin(rename(a, x, y)))");
      const codesOf = async (signal: AbortSignal, progress?: () => void): Promise<string> =>
        program
          .runAsync({ a: vector(1500) }, { signal, progress })
          .then(String, ({ problems }: SphexError) => problems.map(({ code }) => code).join());
      expect(await codesOf(AbortSignal.abort())).toBe("limit/cancelled");
      const controller = new AbortController();
      let pauses = 0;
      expect(await codesOf(controller.signal, () => ++pauses === 2 && controller.abort())).toBe(
        "limit/cancelled",
      );
      expect(pauses).toBe(2);
      expect(program.run({ a: vector(3) }).asNumber()).toBe(0);
      expect((await program.runAsync({ a: vector(3) })).asNumber()).toBe(0);
    });
  });

  describe("what it can do", () => {
    check("many runs at once, or a problem that tells that it cannot", () => {
      const program = compiled("input x: tensor(i[2]); input w: tensor(i[2]); sum(x * w)");
      const prepared = program.prepare({ w: [1, 2] });
      const x = parseTensor("tensor(b[2],i[2]):[[1,2],[3,4]]");
      if (backend.features.batch) expect(`${prepared.runBatch("b", { x })}`).toBe("tensor(b[2]):[5.0, 11.0]");
      else expect(problemsOf(() => prepared.runBatch("b", { x }))).toEqual(["backend/batch: b"]);
    });

    test("what a host may lack is looked for", () => {
      const { host } = backend;
      expect(typeof (host?.isAvailable() ?? true)).toBe("boolean");
      if (host === undefined) return;
      const without = { ...backend, host: { ...host, isRequired: true, isAvailable: () => false } };
      expect(problemsOf(() => compile("1 + 1", { backend: without }))).toEqual([
        `backend/unavailable: ${name}`,
      ]);
    });

    test("has a row for each operation", () => {
      expect(Object.keys(backend.operations).sort()).toEqual([...operationNames].sort());
    });

    test.runIf(backend.inspect !== undefined)("is as its table tells", patient, () => {
      const seen = new Map<OperationName, Set<boolean>>();
      for (const { expression, inputs, problems } of ["core.md", "plans.md", "edges.md"].flatMap(linesOf)) {
        if (problems !== undefined) continue;
        const { types, values } = inputTypes(inputs, {});
        if (problemsOf(() => compileExpression(expression, { inputs: types })).length > 0) continue;
        const plan = compileExpression(expression, { inputs: types, backend, optimise: false }).plan(values);
        for (const { operation, byReference } of plan.values)
          seen.set(operation, (seen.get(operation) ?? new Set()).add(byReference));
      }
      const contradictions = [...seen].filter(([operation, found]) =>
        [...found].some((byReference) => isDenied[backend.operations[operation]](byReference)),
      );
      expect(contradictions.map(([operation]) => operation)).toEqual([]);
      expect(seen.size).toBeGreaterThan(12);
    });
  });
});

/** The cases that show each operation, with the operations that they come down to. */
const coreCases = linesOf("core.md").map(({ expression, inputs }) => {
  const { types } = inputTypes(inputs, {});
  const operations = new Set<OperationName>();
  const checked = checkedExpression(expression, new Map(Object.entries(types)), "formalism");
  const open = checked.results.map(({ node }) => node);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    operations.add(node.op);
    const lambda = lambdaOf(node);
    open.push(...visit(inputsOf, node), ...(lambda === undefined ? [] : [lambda.body]));
  }
  const compiled = (options: Options) => compileExpression(expression, { inputs: types, ...options });
  return { expression, operations, compiled };
});

// Cases have no host: for its functions this is in host-functions.test.ts.
test.each(
  operationNames.filter((name) => name !== "host"),
)("programs that need %s are refused where it is missing, and no others", (operation) => {
  const without = { ...reference, operations: { ...reference.operations, [operation]: "none" } };
  const refused = coreCases.filter(({ compiled }) => {
    const problems = problemsOf(() => compiled({ backend: without }));
    for (const each of problems) expect(each).toMatch(/^backend\/unsupported: ./);
    return problems.length > 0;
  });
  const expected = coreCases.filter(({ operations }) => operations.has(operation));
  expect(refused.map(({ expression }) => expression)).toEqual(expected.map(({ expression }) => expression));
  expect(expected.length).toBeGreaterThan(0);
});

test("a program tells what runs it, and what that does without here", () => {
  const { name, description } = engine;
  expect(compile("1").backend).toEqual({ name, description, lacks: undefined });
  expect(compile("1", { backend: "closures" }).backend.name).toBe("closures");
  const host = { name: "WebAssembly", isRequired: false, isAvailable: () => false };
  expect(compile("1", { backend: { ...engine, host } }).backend).toEqual({
    name,
    description,
    lacks: host.name,
  });
});

/** What a table rules out of a value: that the reference computed it, or that it did not. */
const isDenied: Readonly<Record<Support, (byReference: boolean) => boolean>> = {
  full: (byReference) => byReference,
  partial: () => false,
  reference: (byReference) => !byReference,
  none: () => true,
};
