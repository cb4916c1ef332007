import { describe, expect, it } from "vitest";
import {
  check,
  compile,
  evaluate,
  type Options,
  type Problem,
  parseTensor,
  SphexError,
} from "../../src/index.js";

const problemsOf = (action: () => unknown): readonly Problem[] => {
  try {
    action();
  } catch (error) {
    if (error instanceof SphexError) return error.problems;
    throw error;
  }
  return [];
};

const problems = (action: () => unknown): readonly string[] =>
  problemsOf(action).map(({ code, span }) => `${code} ${span.source.text}`);

/** Options as callers without types write them. */
const untyped = (options: Readonly<Record<string, unknown>>): Options => options as Options;

describe("Options that would do nothing are refused", () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["a slip of the pen", { dialet: "vespa" }, ["option/unknown dialet"]],
    ["a slip in a limit", { limits: { cell: 10 } }, ["option/unknown limits.cell"]],
    ["a name of all objects", { constructor: 1 }, ["option/unknown constructor"]],
    ["another dialect", { dialect: "Vespa" }, ["option/value dialect"]],
    ["another backend", { backend: "clojures" }, ["backend/unknown clojures"]],
    ["a limit that is NaN", { limits: { steps: Number.NaN } }, ["option/value limits.steps"]],
    ["a limit that is undefined", { limits: { cells: undefined } }, ["option/value limits.cells"]],
    ["a limit that is negative", { limits: { nesting: -1 } }, ["option/value limits.nesting"]],
    ["a limit that is a text", { limits: { cells: "10" } }, ["option/value limits.cells"]],
    ["limits that are none", { limits: 5 }, ["option/value limits"]],
    ["a clock that is a time", { clock: 5 }, ["option/value clock"]],
    ["a time without a clock", { limits: { time: 5 } }, ["option/no-clock limits.time"]],
    ["null", { name: null }, ["option/value name"]],
    [
      "all at once",
      { nam: 1, optimise: "no", limits: { tim: 1 } },
      ["option/unknown nam", "option/value optimise", "option/unknown limits.tim"],
    ],
  ])("%s", (_, options, expected) => {
    for (const action of [() => compile("1", untyped(options)), () => evaluate("1", {}, untyped(options))])
      expect(problems(action)).toEqual(expected);
    if (!expected.some((each) => each.startsWith("backend")))
      expect(problems(() => check("1", untyped(options)))).toEqual(expected);
  });

  it("and those that are as they must be are not", () => {
    const options: Required<Options> = {
      dialect: "formalism",
      inputs: { q: "tensor(x[2])" },
      name: "it",
      limits: { cells: 100, steps: 1e6, time: 60_000, nesting: 10, expansions: 0 },
      clock: () => 0,
      readFile: () => "",
      readBytes: () => new Uint8Array(),
      functions: { one: { parameters: [], returns: "tensor()", call: () => 1 } },
      models: ({ name }) => {
        throw new Error(name);
      },
      showFileContents: false,
      random: () => 0.5,
      backend: "closures",
      optimise: false,
    };
    expect(
      compile("q + 1", options)
        .run({ q: parseTensor("tensor(x[2]):[1,2]") })
        .toNested(),
    ).toEqual([2, 3]);
    expect(
      compile("1", { limits: { cells: Number.POSITIVE_INFINITY } })
        .run()
        .asNumber(),
    ).toBe(1);
    expect(
      compile("1", untyped({ clock: undefined, name: undefined }))
        .run()
        .asNumber(),
    ).toBe(1);
  });
});
