import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryFull } from "../../src/backends/engine/memory/arena.js";
import { readYaml } from "../../src/formats/yaml/read.js";
import { compile, evaluate, SphexError } from "../../src/index.js";
import { overflowOf, overflowProblem } from "../../src/language/limits/overflow.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { command } from "../command.js";
import { patient } from "../patience.js";

/** What is used up is told apart from mistakes of ours, which JavaScript calls by the same name. */

afterEach(() => vi.restoreAllMocks());

const span = { source: { name: "test", text: "a" }, start: 0, end: 1 };

/** The error that work throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function deeper(): number {
  return 1 + deeper();
}

const nested = (): unknown => {
  let list: unknown[] = [];
  for (let level = 0; level < 1_000_000; level++) list = [list];
  return list;
};

const doubled = (): string => {
  let text = "x";
  while (text.length > 0) text += text;
  return text;
};

interface MemoryClass {
  new (size: { initial: number; maximum?: number }): { grow(pages: number): number };
}
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: MemoryClass } }).WebAssembly; // the types lack it

const memories = (): unknown => {
  const all: unknown[] = [];
  while (all.length < 1_000_000) all.push(new Memory({ initial: 1, maximum: 65_536 }));
  return all;
};

// biome-ignore format: a table
test.each([
  { name: "a function that calls itself",  work: deeper },
  { name: "too many arguments",            work: () => Math.max(...new Array<number>(10_000_000).fill(0)) },
  { name: "a list in lists as JSON",       work: () => JSON.stringify(nested()) },
  { name: "of another context",            work: () => runInNewContext("(function deeper() { return 1 + deeper(); })()") },
])("the stack is used up: $name", ({ work }) => {
  expect(overflowOf(thrownBy(work))).toBe("limit/stack");
});

// biome-ignore format: a table
test.each([
  { name: "an array",                work: () => new Array(2 ** 32) },
  { name: "a longer array",          work: () => { [0].length = 2 ** 32; } },
  { name: "a typed array",           work: () => new Float64Array(2 ** 40) },
  { name: "a buffer",                work: () => new ArrayBuffer(2 ** 43) },
  { name: "a text",                  work: () => "x".repeat(2 ** 30) },
  { name: "a text and another",      work: doubled },
  { name: "a large whole number",    work: () => 1n << 2n ** 31n },
  { name: "memory of WebAssembly",   work: memories },
  { name: "more of such memory",     work: () => new Memory({ initial: 1 }).grow(65_536) },
])("memory is used up: $name", patient, ({ work }) => {
  expect(overflowOf(thrownBy(work))).toBe("limit/memory");
});

// biome-ignore format: a table
test.each([
  { name: "digits",                  work: () => (1).toFixed(101) },
  { name: "a precision",             work: () => (1).toPrecision(101) },
  { name: "a base",                  work: () => (1).toString(99) },
  { name: "a time",                  work: () => new Date(Number.NaN).toISOString() },
  { name: "an offset in an array",   work: () => new Float64Array(2).set([1, 2, 3], 1) },
  { name: "an offset in a buffer",   work: () => new Float64Array(new ArrayBuffer(16), 4) },
  { name: "an offset of a view",     work: () => new DataView(new ArrayBuffer(1)).getFloat64(0) },
  { name: "a negative length",       work: () => new Float64Array(-1) },
  { name: "a negative buffer",       work: () => new ArrayBuffer(-1) },
  { name: "a negative count",        work: () => "x".repeat(-1) },
  { name: "a character",             work: () => String.fromCodePoint(-1) },
  { name: "a form of text",          work: () => "x".normalize("NFX") },
  { name: "a fraction as a whole",   work: () => BigInt(1.5) },
  { name: "a language",              work: () => new Intl.NumberFormat("no-such-language-at-all") },
  { name: "pages",                   work: () => new Memory({ initial: 65_537 }) },
  { name: "more pages than allowed", work: () => new Memory({ initial: 1, maximum: 2 }).grow(2) },
])("a defect of Sphex stays one: $name", ({ work }) => {
  const error = thrownBy(work);
  expect(error).toBeInstanceOf(RangeError);
  expect(overflowProblem(error, span)).toBe(error);
});

test("other errors stay what they are, whatever their messages", () => {
  for (const error of [new Error("Maximum call stack size exceeded"), new TypeError("Out of memory"), "text"])
    expect(overflowProblem(error, span)).toBe(error);
});

test("the engine's own memory is memory", () => {
  expect(overflowOf(new MemoryFull())).toBe("limit/memory");
});

const internal = (message: string): Error => Object.assign(new Error(message), { name: "InternalError" });

// Messages as in the sources of SpiderMonkey (ErrorNumbers.msg), and as JavaScriptCore of Bun 1.1 throws them.
// biome-ignore format: a table
test.each([
  { error: new RangeError("Maximum call stack size exceeded."),                                               code: "limit/stack" },
  { error: internal("too much recursion"),                                                                    code: "limit/stack" },
  { error: new RangeError("too many function arguments"),                                                     code: "limit/stack" },
  { error: new RangeError("Out of memory"),                                                                   code: "limit/memory" },
  { error: new RangeError("Out of memory: BigInt generated from this operation is too big"),                  code: "limit/memory" },
  { error: new RangeError("length too large: 8796093022208"),                                                 code: "limit/memory" },
  { error: new RangeError("Array length must be a positive integer of safe magnitude."),                      code: "limit/memory" },
  { error: internal("allocation size overflow"),                                                              code: "limit/memory" },
  { error: new RangeError("invalid array length"),                                                            code: "limit/memory" },
  { error: new RangeError("repeat count must be less than infinity and not overflow maximum string size"),    code: "limit/memory" },
  { error: "out of memory",                                                                                   code: "limit/memory" },
  { error: new RangeError("length cannot be negative: -1"),                                                   code: undefined },
  { error: new RangeError("toFixed() argument must be between 0 and 100"),                                    code: undefined },
  { error: new RangeError("repeat count must be non-negative"),                                               code: undefined },
  { error: internal("buffer too small"),                                                                      code: undefined },
])("other engines: $error", ({ error, code }) => {
  expect(overflowOf(error)).toBe(code);
});

test("a mistake while a program runs is thrown as it is, and ends the command with code 70", async () => {
  const random = (): number => Number((1).toFixed(101));
  expect(thrownBy(() => evaluate("random(x[2])", {}, { random }))).not.toBeInstanceOf(SphexError);
  vi.spyOn(scalarFunctions.exp, "compute").mockImplementation(random);
  const { code, err } = await command().run(["exp(1)"]);
  expect([code, err]).toEqual([70, expect.stringContaining("toFixed() digits")]);
});

test("a stack that a program uses up is its problem", () => {
  const dimensions = Array.from({ length: 3000 }, (_, at) => `d${at}[1]`).join();
  const text = `tensor(${dimensions}):${"[".repeat(3000)}1${"]".repeat(3000)}`;
  const error = thrownBy(() => compile(text, { limits: { nesting: 1_000_000 } }));
  expect(error instanceof SphexError && error.problems.map(({ code }) => code)).toEqual(["limit/stack"]);
});

test("an escape in YAML that is no character is a mistake of syntax, not of depth", async () => {
  const { problems } = await readYaml({ name: "test", text: '"\\UFFFFFFFF"' });
  expect(problems.map(({ code }) => code)).toEqual(["yaml/syntax"]);
});
