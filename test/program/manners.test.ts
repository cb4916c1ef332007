import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import {
  compile,
  compileAsync,
  parseTensor,
  readTensor,
  SphexError,
  type Tensor,
  writeNpz,
  writeNpzOf,
  writeTensor,
} from "../../src/index.js";
import { command } from "../command.js";

/** What an embedder expects of values and of calls without having read of it. */

async function codesOf(action: () => unknown): Promise<readonly string[]> {
  try {
    await action();
    return [];
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
}

test("console.log shows the type and a table", () => {
  expect(inspect(parseTensor("tensor(k{},x[2]):{a:[1,2],bb:[3,-0.5]}"))).toBe(
    [
      "tensor(k{},x[2]) of 4 cells",
      "   k  x  value",
      "   a  0    1.0",
      "   a  1    2.0",
      "  bb  0    3.0",
      "  bb  1   -0.5",
    ].join("\n"),
  );
  expect(inspect({ a: parseTensor("3.5") })).toContain("a: tensor() 3.5");
  expect(inspect(parseTensor("tensor(k{}):{}"))).toMatch(/^tensor\(k\{\}\) of 0 cells/);
});

test("console.log and JSON show the border of a program, and not what is within", () => {
  const program = compile("input q: tensor<float>(x[3])\nfirst = sum(q)\nsum(q)\nq * 2");
  const border = "\n  input q: tensor<float>(x[3])\n  result tensor()\n  result tensor<float>(x[3])";
  expect(inspect(program)).toBe(`Program${border}`);
  expect(inspect(program.prepare())).toBe(`Prepared program${border}`);
  expect(inspect([program.session()])).toContain("Session\n");
  expect(inspect(program.inputs)).toBe("Map(1) { 'q' => TensorType tensor<float>(x[3]) }");
  expect(JSON.parse(JSON.stringify(program))).toEqual({
    inputs: { q: "tensor<float>(x[3])" },
    results: [{ type: "tensor()" }, { type: "tensor<float>(x[3])" }],
  });
  const many = Array.from({ length: 100 }, (_, at) => `input i${at}: tensor()`).join("\n");
  expect(inspect(compile(`${many}\n1`)).split("\n")).toHaveLength(22);
});

test("console.log of an error shows what its problems say", () => {
  try {
    compile("1 + y");
  } catch (error) {
    const shown = inspect(error);
    expect(shown).toContain("message: 'nothing here is called y'");
    expect(shown).toContain("column: 5");
    expect(shown).not.toContain("describe");
  }
  expect.assertions(3);
});

test("of an error that nobody catches Node shows the message alone", () => {
  const program = `1 + y\n${"2 + 3\n".repeat(1000)}`;
  try {
    compile(program);
  } catch (error) {
    // As Node does then.
    const shown = inspect(error, { customInspect: false });
    expect(shown).toContain("program:1:5: name/unknown: nothing here is called y");
    expect(shown).not.toContain("2 + 3");
    expect(Object.keys(error as object)).toEqual(["name"]);
  }
  expect.assertions(3);
});

test("what console.log shows is bounded, harmless, and no error", () => {
  const large = compile("tensor(x[1000],y[1000])(x + y)").run();
  const shown = inspect(large);
  expect(shown.split("\n").length).toBeLessThan(20);
  expect(shown).toContain("… 999988 more");
  const hostile = parseTensor('tensor(k{}):{"\\u001b[2J":1}');
  expect(inspect(hostile)).not.toContain("\x1b");
  const many = parseTensor(
    `tensor(${Array.from({ length: 300 }, (_, at) => `d${at}[1]`)}):${"[".repeat(300)}1${"]".repeat(300)}`,
  );
  expect(inspect(many).length).toBeLessThan(1000);
  const disposed = compile("input a: tensor()\ntensor(x[5000])(x) * a").prepare().run({ a: 1 });
  disposed.dispose();
  expect(inspect(disposed)).toMatch(/^tensor\(x\[5000\]\)/);
});

test.each([
  "npy",
  "npz",
] as const)("axes that a tensor lacks are refused by the writer of %s", async (format) => {
  const tensor = parseTensor("tensor(x[2],y[3]):[[1,2,3],[4,5,6]]");
  const write = async (axes: readonly string[]): Promise<unknown> =>
    format === "npy" ? writeTensor(tensor, format, { axes }) : await writeNpz(tensor, axes);
  for (const axes of [["x"], ["x", "z"], ["x", "x"], ["x", "y", "z"], []])
    expect(await codesOf(() => write(axes)), `${axes}`).toEqual(["value/axes"]);
});

test("the writer of .npy honours the order of axes", () => {
  const tensor = parseTensor("tensor(x[2],y[3]):[[1,2,3],[4,5,6]]");
  const data = writeTensor(tensor, "npy", { axes: ["y", "x"] });
  expect(readTensor(data, "npy", { axes: ["y", "x"] }).equals(tensor)).toBe(true);
  expect([...readTensor(data, "npy").data]).toEqual([1, 4, 2, 5, 3, 6]);
});

const program = 'constant a: tensor(x[2]) = file("a.json")\nconstant b: tensor(x[2]) = file("b.npy")\na + b';
const vector = (text: string): Tensor => parseTensor(text, "tensor(x[2])");

test("readers may be asynchronous, and are asked for each file once", async () => {
  const asked: string[] = [];
  const compiled = await compileAsync(`${program}\na * b\nconstant c: tensor(x[2]) = file("a.json")`, {
    readFile: async (path) => {
      asked.push(path);
      return await Promise.resolve("[1,2]");
    },
    readBytes: async (path) => {
      asked.push(path);
      const bytes = writeTensor(vector("[10,20]"), "npy");
      return await Promise.resolve(bytes as Uint8Array); // of a format of bytes
    },
  });
  expect(asked.sort()).toEqual(["a.json", "b.npy"]);
  expect(compiled.runAll().results.map((each) => [...each.data])).toEqual([
    [11, 22],
    [10, 40],
  ]);
});

test("a host that only reads bytes reads archives, and texts as UTF-8", async () => {
  const files = new Map([
    ["w.npz", await writeNpzOf({ a: vector("[10,20]") }, { isStored: true })],
    ["c.json", new TextEncoder().encode('{"cells":[{"address":{"k":"blåbær"},"value":7}]}')],
  ]);
  const readBytes = (path: string): Uint8Array => files.get(path) ?? new Uint8Array();
  const text = `constant a: tensor(x[2]) = file("w.npz").a
constant c: tensor(k{}) = file("c.json")
sum(a) + c{k:"blåbær"}`;
  expect(compile(text, { readBytes }).run().asNumber()).toBe(37);
  const compiled = await compileAsync(text, {
    readBytes: async (path) => await Promise.resolve(readBytes(path)),
  });
  expect(compiled.run().asNumber()).toBe(37);
});

test("what goes wrong in an asynchronous reader is a problem with its place", async () => {
  const readFile = (): Promise<string> => Promise.reject(new Error("it is lost"));
  const text = 'constant a: tensor(x[2]) = file("a.json")\na';
  try {
    await compileAsync(text, { readFile });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const [problem] = error.problems;
    expect(problem?.code).toBe("file/unreadable");
    expect(problem?.message).toContain("it is lost");
    expect(text.slice(problem?.span.start, problem?.span.end)).toBe('file("a.json")');
  }
  expect(await codesOf(() => compileAsync(text))).toEqual(["file/no-reader"]);
  expect(await codesOf(() => compileAsync("a +"))).toEqual(["syntax/unexpected"]);
});

test("reading is given up when a signal is aborted", async () => {
  const never = new Promise<string>(() => undefined);
  const controller = new AbortController();
  const compiling = codesOf(() =>
    compileAsync('constant a: tensor() = file("a.json")\na', {
      readFile: () => never,
      signal: controller.signal,
    }),
  );
  controller.abort();
  expect(await compiling).toEqual(["limit/cancelled"]);
});

test("a line of a batch may choose the reference, and nothing else", async () => {
  const lines = ["reference", "enginee", 3].map((backend, id) =>
    JSON.stringify({ id, expr: "1 + 1", backend }),
  );
  const { out } = await command().run(["batch"], { stdin: [lines.join("\n")] });
  const answers = out
    .trim()
    .split("\n")
    .map((line): { error?: { code: string } } => JSON.parse(line));
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, "batch/line", "batch/line"]);
});

test("the errors alone take less than 2.6 kB, compressed", () => {
  const { outputFiles } = buildSync({
    entryPoints: [new URL("../../src/errors.ts", import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  expect(contents.length).toBeGreaterThan(1000);
  expect(gzipSync(contents, { level: 9 }).length).toBeLessThan(2600);
  const { exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(exports["./errors"].default).toBe("./dist/errors.js");
});
