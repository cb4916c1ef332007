import { zipSync } from "fflate";
import { expect, test } from "vitest";
import {
  compile,
  compileExpression,
  evaluate,
  type ProgramLimits,
  parseTensor,
  readNpz,
  readTensor,
  SphexError,
  tensorFormats,
  writeTensor,
} from "../../src/index.js";
import { npy } from "../growth/formats.js";

/** The limit of bytes in all: what is stored counts while a program is compiled and while it runs, before it is stored. */

function refusal(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): string {
  if (!(error instanceof SphexError)) throw error;
  const [problem] = error.problems;
  if (problem?.code !== "limit/bytes") return `${problem?.code}`;
  const { span, values } = problem;
  return `${values.bytes} after ${values.before} of ${values.limit} at ${span.source.text.slice(span.start, span.end)}`;
}

const backends = ["engine", "closures", "reference"] as const;

test.each(backends)("tensors of a run are counted together by %s", (backend) => {
  // Each has 8,000 bytes, and neither can be fused away: a sum of cells is read by each cell.
  const text = "input n: tensor()\na = sin(tensor(x[1000])(x + n))\nb = a * sum(a)\nb / sum(b)";
  const run = (bytes: number) => () => compile(text, { backend, limits: { bytes } }).run({ n: 1 });
  expect(refusal(run(100_000))).toBeUndefined();
  expect(refusal(run(15_000))).toMatch(/^8000 after \d+ of 15000 at /);
  expect(refusal(run(7_000))).toMatch(/^8000 after \d+ of 7000 at /);
});

test.each(backends)("the cells of a large tensor are refused before there are any by %s", (backend) => {
  const options = { backend, limits: { bytes: 1e6, cells: 1e12 } } as const;
  expect(refusal(() => evaluate("tensor(x[1000000000])(x) + n", { n: 1 }, options))).toMatch(
    /^8000000000 after \d+ of 1000000/,
  );
});

test("a plan that is run again is counted again", () => {
  const program = compile("input n: tensor()\nsin(tensor(x[1000])(x + n))", { limits: { bytes: 12_000 } });
  for (const n of [1, 2, 3]) expect(program.run({ n }).bytes).toBe(8000);
});

test("the text, its literals and its files are counted when it is compiled", () => {
  const text = (cells: number): string => `constant a = tensor(x[${cells}]):[${"1,".repeat(cells - 1)}1]\na`;
  expect(refusal(() => compile(text(100), { limits: { bytes: 2000 } }))).toBeUndefined();
  const long = text(100);
  expect(refusal(() => compile(long, { limits: { bytes: 2 * long.length + 799 } }))).toMatch(
    new RegExp(`^800 after ${2 * long.length} of `),
  );
  expect(refusal(() => compile(long, { limits: { bytes: 400 } }))).toMatch(
    new RegExp(`^${2 * long.length} after 0 of 400 at constant`),
  );
});

test("what a program stores when it is compiled counts in its runs", () => {
  const file = "[1,2,3,4]";
  const text = 'constant a: tensor(x[4]) = file("a.json")\ninput n: tensor()\na * tensor(x[4])(x + n)';
  const compiled = 2 * text.length + 2 * file.length + 32;
  const run = (bytes: number) => () =>
    compile(text, { backend: "reference", readFile: () => file, limits: { bytes } }).run({ n: 1 });
  expect(refusal(run(compiled - 1))).toMatch(/^32 after \d+ of \d+ at file\("a.json"\)/);
  expect(refusal(run(compiled + 8))).toMatch(new RegExp(`^32 after ${compiled + 8} of `));
  expect(refusal(run(compiled + 8 + 64))).toBeUndefined();
});

test.each(tensorFormats)("a file of the format %s counts with what it becomes", (format) => {
  const tensor = parseTensor("tensor(x[4]):[1,2,3,4]");
  const data = writeTensor(tensor, format);
  const size = typeof data === "string" ? 2 * data.length : data.length;
  const read = (bytes: number) => () => readTensor(data, format, { type: "tensor(x[4])", limits: { bytes } });
  expect(refusal(read(size - 1))).toBe(`${size} after 0 of ${size - 1} at `);
  expect(refusal(read(size + 31))).toBe(`32 after ${size} of ${size + 31} at `);
  expect(refusal(read(size + 32))).toBeUndefined();
});

test("an archive is counted before it is unpacked, however little of it there is", async () => {
  const cells = 40_000_000;
  const header = `{'descr': '|i1', 'fortran_order': False, 'shape': (${cells},), }\n`;
  const bomb = zipSync({ "a.npy": [npy(header, new Uint8Array(cells)), { level: 9 }] });
  expect(bomb.length).toBeLessThan(100_000);
  const read = async (limits: ProgramLimits): Promise<string | undefined> => {
    try {
      await readNpz(bomb, { limits });
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  };
  expect(await read({ bytes: 30_000_000 })).toMatch(
    new RegExp(`^${cells + 12 + header.length} after ${bomb.length} of 30000000`),
  );
});

test("a batch, a prepared program and a session have the limit, too", () => {
  const limits = { bytes: 12_000 };
  const program = compileExpression("sin(tensor(x[2000])(x + n))", { inputs: { n: "tensor()" }, limits });
  const expected = /^16000 after \d+ of 12000/;
  expect(refusal(() => program.prepare().run({ n: 1 }))).toMatch(expected);
  expect(refusal(() => program.session().run({ n: 1 }))).toMatch(expected);
  const small = compileExpression("sin(tensor(x[100])(x + n))", { inputs: { n: "tensor()" }, limits });
  const batch = parseTensor(`tensor(b[20]):[${Array.from({ length: 20 }, (_, at) => at)}]`);
  expect(refusal(() => small.prepare().runBatch("b", { n: batch }))).toMatch(expected);
});
