import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  backendNames,
  compile,
  compileExpression,
  parseType,
  startThreads,
  Tensor,
  type Threads,
  uniform,
} from "../../src/index.js";
import { holds } from "../chance.js";
import { command } from "../command.js";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/**
 * Steps shared by threads. The script of a worker is bundled as it is for others; some workers get a few lines before it
 * that count what they do, or let them die where it hurts most.
 */
const folder = temporaryFolder();
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
let script = "";

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileOf("../../src/thread/thread.ts")],
    bundle: true,
    write: false,
    platform: "neutral",
    mainFields: ["module", "main"],
    format: "iife",
    target: "es2022",
    logLevel: "silent",
  });
  script = outputFiles[0]?.text ?? "";
});

let scripts = 0;

/** Starts workers that do something else first. */
function workers(before = "", counts = new Int32Array(new SharedArrayBuffer(4))): () => Worker {
  const path = join(folder, `thread${scripts++}.mjs`);
  writeFileSync(path, `import { workerData } from "node:worker_threads";\n${before}\n${script}`);
  return () => new Worker(path, { workerData: counts });
}

let threads: Threads | undefined;
afterEach(async () => {
  await threads?.stop();
  threads = undefined;
});

/** A tensor of numbers whose sums depend on their order. */
function sample(text: string, seed: number): Tensor {
  const type = parseType(text);
  const random = uniform(seed);
  const numbers = Array.from({ length: type.blockSize }, () => (random() - 0.5) * 10 ** (random() * 4));
  return Tensor.from(type, (type.cellType === "float" ? Float32Array : Float64Array).from(numbers));
}

interface Case {
  readonly expression: string;
  readonly types: Readonly<Record<string, string>>;
}

/** The bytes of an expression's value: by a program that pauses, and by one that was prepared, twice each. */
async function bytesOf({ expression, types }: Case): Promise<readonly string[]> {
  const inputs = Object.fromEntries(
    Object.entries(types).map(([name, type], at) => [name, sample(type, at)]),
  );
  const program = compileExpression(expression, { inputs: types });
  const prepared = program.prepare();
  const found = [
    await program.runAsync(inputs),
    program.run(inputs),
    prepared.run(inputs),
    prepared.run(inputs),
  ];
  return found.map(({ data }) => {
    const copy = data.slice();
    return Buffer.from(copy.buffer).toString("base64");
  });
}

const sizes = fc.integer({ min: 40, max: 200 });
const cell = fc.constantFrom("", "<float>");

const products = fc.record({ i: sizes, j: sizes, k: sizes, left: cell, right: cell }).map(
  ({ i, j, k, left, right }): Case => ({
    expression: "sum(a * b, k)",
    types: { a: `tensor${left}(i[${i}],k[${k}])`, b: `tensor${right}(j[${j}],k[${k}])` },
  }),
);

const elementwise = fc
  .record({ size: fc.integer({ min: 70_000, max: 150_000 }), type: cell, turned: fc.boolean() })
  .map(
    ({ size, type, turned }): Case => ({
      expression: turned ? "exp(a / 1000) * b - max(a, b)" : "tanh(a) * (a < b) + exp(b / 1000)",
      types: { a: `tensor${type}(i[${size}])`, b: `tensor(i[${size}])` },
    }),
  );

const rows = fc
  .record({ b: fc.integer({ min: 60, max: 500 }), i: fc.integer({ min: 300, max: 900 }), type: cell })
  .chain(({ b, i, type }) =>
    fc.constantFrom(
      { expression: "softmax(a, i)", types: { a: `tensor${type}(b[${b}],i[${i}])` } },
      { expression: "sum(exp(a / 9000), i)", types: { a: `tensor${type}(b[${b}],i[${i}])` } },
      { expression: "sum(exp(a / 9000), b)", types: { a: `tensor${type}(b[${b}],i[${i}])` } },
      { expression: "max(tanh(a), i)", types: { a: `tensor${type}(b[${b}],i[${i}])` } },
    ),
  );

const dots = fc.integer({ min: 1_100_000, max: 1_300_000 }).map(
  (size): Case => ({
    expression: "sum((a - b)^2)",
    types: { a: `tensor(i[${size}])`, b: `tensor(i[${size}])` },
  }),
);

const isPossible = typeof SharedArrayBuffer !== "undefined";
if (!isPossible) console.info("no SharedArrayBuffer here: threads are not tested");

describe.skipIf(!isPossible)("threads", () => {
  test.each([
    { what: "matrix products", cases: products, numRuns: 12 },
    { what: "elementwise operations", cases: elementwise, numRuns: 6 },
    { what: "rows", cases: rows, numRuns: 8 },
    { what: "a long sum", cases: dots, numRuns: 2 },
  ])("give the same bits, however many there are: $what", async ({ cases, numRuns }) => {
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const start = workers(counting, counts);
    let last: Case = product;
    await holds(
      fc.asyncProperty(cases as fc.Arbitrary<Case>, async (each) => {
        last = each;
        const expected = await bytesOf(each);
        expect(expected[3]).toBe(expected[2]);
        for (const count of [2, 3]) {
          threads = await startThreads({ count, start });
          expect(threads.count).toBe(count);
          expect(await bytesOf(each)).toEqual(expected);
          await threads.stop();
        }
      }),
      numRuns,
    );
    // Otherwise nothing was tested. A busy machine may leave other threads no time at first.
    const expected = await bytesOf(last);
    threads = await startThreads({ count: 2, start });
    for (let turn = 0; turn < 100 && counts[0] === 0; turn++) expect(await bytesOf(last)).toEqual(expected);
    expect(counts[0]).toBeGreaterThan(0);
  });

  test("end by themselves where others have taken their place", async () => {
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const first = await startThreads({ count: 2, start: workers() });
    threads = await startThreads({ count: 2, start: workers(counting, counts) });
    await first.stop();
    for (let turn = 0; turn < 100 && counts[0] === 0; turn++) await bytesOf(product);
    expect(counts[0]).toBeGreaterThan(0);
  });

  test("train to the same bits, however many there are", patient, async () => {
    const program = compile(`input x: tensor(row[],input[200])
      input y: tensor(row[],output[100])
      variable v: tensor(hidden[150],input[200]) = tensor(hidden[150],input[200])(sin(7 * hidden + 3 * input))
      variable w: tensor(hidden[150],output[100]) = tensor(hidden[150],output[100])(sin(5 * hidden + 11 * output))
      loss = avg((sum(tanh(sum(x * v, input) / 20) * w, hidden) - y)^2)
      minimise loss`);
    const data = {
      x: sample("tensor(row[200],input[200])", 1),
      y: sample("tensor(row[200],output[100])", 2),
    };
    const bytes = async (): Promise<readonly string[]> => {
      const session = program.session();
      const losses: number[] = [];
      for await (const { loss } of session.train({ data, epochs: 2, batch: 100, rate: 0.01 }))
        losses.push(loss);
      const tensors = ["v", "w"].map((name) => Buffer.from(session.get(name).data.slice().buffer));
      return [`${losses}`, ...tensors.map((each) => each.toString("base64"))];
    };
    const expected = await bytes();
    const counts = new Int32Array(new SharedArrayBuffer(4));
    for (const count of [2, 3]) {
      counts[0] = 0;
      threads = await startThreads({ count, start: workers(counting, counts) });
      // A busy machine may leave other threads no time at first.
      for (let turn = 0; turn < 20 && counts[0] === 0; turn++) expect(await bytes()).toEqual(expected);
      expect(counts[0]).toBeGreaterThan(0);
      await threads.stop();
    }
  });

  test("go on when one dies in the middle of its work, and give what one thread gives", async () => {
    const dying = `const take = Atomics.compareExchange;
      Atomics.compareExchange = (...all) => {
        const found = take(...all);
        if (found === 0) { Atomics.add(workerData, 0, 1); process.exit(); }
        return found;
      };`;
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const { expression, types } = product;
    const inputs = { a: sample(types.a, 1), b: sample(types.b, 2) };
    const prepared = compileExpression(expression, { inputs: types }).prepare();
    const expected = prepared.run(inputs);
    threads = await startThreads({ count: 2, start: workers(dying, counts) });
    for (let run = 0; run < 1000 && threads.count === 2; run++)
      expect(prepared.run(inputs).equals(expected)).toBe(true);
    expect(counts[0]).toBe(1);
    expect(threads.count).toBe(1);
    expect(prepared.run(inputs).equals(expected)).toBe(true);
  });

  test("that end by themselves are done without", async () => {
    const started: Worker[] = [];
    const start = workers();
    threads = await startThreads({
      count: 3,
      start: () => {
        const worker = start();
        started.push(worker);
        return worker;
      },
    });
    const expected = await bytesOf(product);
    await started[0]?.terminate();
    expect(await bytesOf(product)).toEqual(expected);
    expect(threads.count).toBe(2);
    await started[1]?.terminate();
    expect(await bytesOf(product)).toEqual(expected);
    expect(threads.count).toBe(1);
  });

  test.each([
    {
      what: "throws",
      start: (): Worker => {
        throw new Error("no workers today");
      },
    },
    { what: "names no script", start: () => new Worker(join(folder, "nowhere.mjs")) },
    { what: "has a script that fails", start: () => workers("throw new Error('no');")() },
  ])("are not there where starting them $what", async ({ start }) => {
    threads = await startThreads({ count: 3, start });
    expect(threads.count).toBe(1);
    expect((await bytesOf(product)).length).toBe(4);
  });

  test("that never answer are ended, and reported", async () => {
    const ended: number[] = [];
    const mute = (): Worker => {
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      worker.on("exit", () => ended.push(worker.threadId));
      return worker;
    };
    const kinds = [mute, workers()];
    const starting = startThreads({ count: 3, timeout: 3000, start: () => (kinds.shift() ?? mute)() });
    await expect(starting).rejects.toMatchObject({
      problems: [{ code: "threads/silent", message: "1 of 2 workers that were started did not answer" }],
    });
    expect(ended.length).toBe(1);
    expect((await bytesOf(product)).length).toBe(4);
  });

  test("can be stopped while a run is paused", async () => {
    threads = await startThreads({ count: 2, start: workers() });
    const { expression, types } = product;
    const program = compileExpression(expression, { inputs: types });
    const inputs = { a: sample(types.a, 1), b: sample(types.b, 2) };
    const expected = program.run(inputs);
    const running = program.runAsync(inputs);
    await threads.stop();
    expect((await running).equals(expected)).toBe(true);
  });

  test("stop at the limits of a run", async () => {
    threads = await startThreads({ count: 2, start: workers() });
    const { expression, types } = product;
    const inputs = { a: sample(types.a, 1), b: sample(types.b, 2) };
    const program = compileExpression(expression, { inputs: types, limits: { steps: 1_000_000 } });
    for (let run = 0; run < 3; run++) expect(() => program.run(inputs)).toThrow("more steps");
  });

  test("do not keep a process from ending", async () => {
    const { status, output } = await processOf("");
    expect(output).toBe(`3 ${sumOfSquares}\n`);
    expect(status).toBe(0);
  });

  test("are not there without shared memory", async () => {
    const { status, output } = await processOf("delete globalThis.SharedArrayBuffer;");
    expect(output).toBe(`1 ${sumOfSquares}\n`);
    expect(status).toBe(0);
  });
});

/** The sum of y² for y from 0 to 199. */
const sumOfSquares = (199 * 200 * 399) / 6;

/** A process of its own that asks for three threads, runs something, and stops none of them. */
async function processOf(
  before: string,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const [main, thread] = [join(folder, `main${scripts++}.mjs`), join(folder, "plain.mjs")];
  writeFileSync(thread, script);
  const contents = `import { Worker } from "node:worker_threads";
    import { evaluate, startThreads } from ${JSON.stringify(fileOf("../../src/index.ts"))};
    ${before}
    const { count } = await startThreads({ count: 3, start: () => new Worker(${JSON.stringify(thread)}) });
    console.log(count, evaluate("sum(tensor(x[200],y[200])(x + y) * tensor(y[200],z[200])(y), y){x: 0, z: 0}").at(0));`;
  await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    outfile: main,
    logLevel: "silent",
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], patient);
  return { status, output: `${stdout}${stderr}` };
}

describe("the command", () => {
  const { run } = command();
  const expression = "sum(sum(tensor(x[150],y[150])(x - 2 * y) * tensor(y[150],z[150])(y - z), y)^2)";

  test.each(backendNames)("takes --backend %s", async (backend) => {
    expect(await run(["eval", "1 + 1", "--backend", backend])).toEqual({ code: 0, out: "2.0\n", err: "" });
  });

  test.each([
    { args: ["--backend", "numpy"], says: "--backend <name>" },
    { args: ["--threads", "0"], says: "from 1 to 62" },
    { args: ["--threads", "63"], says: "from 1 to 62" },
    { args: ["--threads", "two"], says: "whole number" },
  ])("refuses $args", async ({ args, says }) => {
    const { code, out, err } = await run(["eval", "1 + 1", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });

  test("gives the same with --threads and --wide, and says on stderr what cannot be had", async () => {
    const plain = await run(["eval", expression]);
    expect(plain.err).toBe("");
    const threaded = await run(["eval", expression, "--threads", "2"]);
    const isBuilt = existsSync(fileOf("../../dist/thread.js"));
    expect({ ...threaded, err: "" }).toEqual(plain);
    expect(threaded.err).toBe(
      isBuilt && isPossible ? "" : "sphex: threads could not be started: 2 were asked for, 1 will work\n",
    );
    const wide = await run(["eval", "1 + 1", "--wide", "--backend", "closures"]);
    expect(wide.out).toBe("2.0\n");
    expect(wide.err).toContain("no wide vectors here");
    const alone = await run(["eval", "1 + 1", "--threads", "2", "--backend", "reference"]);
    expect(alone.out).toBe("2.0\n");
    expect(alone.err).toContain("no threads here: --threads needs the backend engine");
  });

  test("answers a batch with --threads", async () => {
    const line = JSON.stringify({ id: 1, expr: "1 + 1" });
    const { code, out } = await run(["batch", "--threads", "2"], { stdin: [`${line}\n`] });
    expect([code, JSON.parse(out).id]).toEqual([0, 1]);
  });
});

const counting = `const wake = Atomics.notify;
  Atomics.notify = (...all) => { Atomics.add(workerData, 0, 1); return wake(...all); };`;

const product = {
  expression: "sum(a * b, k)",
  types: { a: "tensor(i[200],k[150])", b: "tensor(j[250],k[150])" },
};
