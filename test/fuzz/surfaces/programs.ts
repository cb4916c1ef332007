import {
  check,
  compile,
  evaluate,
  expand,
  explain,
  format,
  parseAddress,
  parseTensor,
  parseType,
  showTensor,
  why,
} from "../../../src/index.js";
import type { Choice } from "../../hunt/choice.js";
import { Grammar } from "../grammar.js";
import { demand, expectSound, outcome, type Surface, textSurface } from "../surface.js";

/** Programs, expressions, types, literals and addresses. */

const limits = { cells: 1e4, steps: 1e5 };
const options = { limits } as const;
const vespa = { limits, dialect: "vespa" } as const;

// biome-ignore format: a grammar
const grammar = new Grammar({
  program:    ["<expression>", "<statement*\n>", "<statement*;>", "<statement*\n# remark\n>"],
  statement:  ["<expression>", "<name> = <expression>", "<name>(<name*, >) = <expression>", "input <feature>: <type>", "input <feature>: <type> = <expression>", "constant <name>: <type> = <expression>", "variable <name> = <expression>", "persistent <name>: <type> = <expression>", 'constant <name>: <type> = file("a.json")'],
  expression: ["<number>", "<name>", "<literal>", "<call>", "<call>", "<expression> <operator> <expression>", "<prefix><expression>", "(<expression>)", "<expression><slice>", "<expression> in [<expression*, >]", "<type>(<expression>)", "if(<expression>, <expression>, <expression>)", "switch (<expression>) { case <number>: <expression>, default: <expression> }", "<feature>", "<text>"],
  call:       ["<unary>(<expression>)", "<binary>(<expression>, <expression>)", "map(<expression>, <lambda1>)", "join(<expression>, <expression>, <lambda2>)", "merge(<expression>, <expression>, <lambda2>)", "reduce(<expression>, <aggregator>, <dimension>)", "<aggregator>(<expression>, <dimension>)", "rename(<expression>, <dimension>, <dimension>)", "rename(<expression>, (<dimension*,>), (<dimension*,>))", "concat(<expression>, <expression>, <dimension>)", "cell_cast(<expression>, <cells>)", "cell_order(<expression>, max)", "map_subspaces(<expression>, <lambda1>)", "filter_subspaces(<expression>, <lambda1>)", "range(<size>)", "diag(<size>,<size>)", "random(<size>)", "range(<dimension>[<size>])", "<composite>(<expression>, <dimension>)", "matmul(<expression>, <expression>, <dimension>)", "top(<size>, <expression>)", "unpack_bits(<expression>)", "<name>(<expression*, >)"],
  unary:      ["exp", "abs", "sqrt", "log", "floor", "isNan", "relu", "sigmoid", "tanh", "erf", "square", "trunc", "round_even", "asinh", "atanh", "isInfinite"],
  binary:     ["max", "min", "pow", "atan2", "fmod", "ldexp", "hamming", "bit", "bit_and", "bit_xor"],
  composite:  ["softmax", "l1_normalize", "l2_normalize", "argmax", "argmin", "expand", "mod"],
  aggregator: ["sum", "avg", "count", "max", "min", "prod", "median"],
  lambda1:    ["f(x)(x)", "f(<name>)(<expression>)"],
  lambda2:    ["f(a,b)(a + b)", "f(<name>,<name>)(<expression>)"],
  operator:   ["+", "-", "*", "/", "%", "^", "==", "!=", "<", ">", "<=", ">=", "~=", "&&", "||"],
  prefix:     ["-", "!"],
  slice:      ["[0]", "[<size>]", "{<label>}", "{<dimension>:<label>}", "{<dimension>:<size>, <dimension>:(<expression>)}", "[(<expression>)]"],
  literal:    ["tensor(x[2]):[1,2]", "<type>:<cells2>"],
  cells2:     ["[<number*,>]", "{<entry*,>}", "{<cell*,>}", "[[<number*,>],[<number*,>]]", "{<label>:[<number*,>]}", "0102ff", "{}"],
  entry:      ["<label>:<number>"],
  cell:       ["{<binding*,>}:<number>"],
  binding:    ["<dimension>:<label>"],
  type:       ["tensor(x[2])", "tensor(<dim*,>)", "tensor<<cells>>(<dim*,>)"],
  dim:        ["x[2]", "<dimension>[<size>]", "<dimension>{}", "<dimension>[]"],
  dimension:  ["x", "y", "k", "i", "j"],
  cells:      ["float", "double", "int8", "bfloat16", "half", "short", "int", "long", "byte", "flot"],
  size:       ["2", "1", "3", "0", "10", "100000"],
  number:     ["1", "0", "-1", "2.5", "1e300", "0.1", "17", "1e-300", "9007199254740993"],
  name:       ["a", "b", "t", "x", "f", "in", "tensor", "sum", "constructor"],
  label:      ["a", "b", "0", "1", "'b c'", '"d"', "-1"],
  feature:    ["query(q)", "attribute(price)", "bm25(title).out", "onnx(m).out.0"],
  text:       ['"a"', "'b\\n'", '"\\q"'],
  address:    ["<binding*,>", "{<binding*,>}", " { <binding*, > } "],
});

/** A program that has no mistake is formatted to one that reads as the same, and computes something or is refused. */
function attemptProgram(text: string, choice: Choice): void {
  const problems = check(text, options);
  expectSound(problems);
  const formatted = format({ name: "text", text });
  expectSound(formatted.problems);
  if (formatted.text !== undefined) {
    const again = format({ name: "text", text: formatted.text });
    demand(
      again.text === formatted.text,
      `formatted twice it is ${JSON.stringify(again.text ?? again.problems)}`,
    );
    const errors = (found: typeof problems): string =>
      `${found.filter((each) => each.isError).map(({ code }) => code)}`;
    const after = check(formatted.text, options);
    demand(
      errors(after) === errors(problems),
      `formatted it has ${errors(after)} instead of ${errors(problems)}`,
    );
  }
  if (choice.percent(20)) outcome(() => expand(text));
  if (choice.percent(10)) expectSound(check(text, vespa));
  if (problems.some((each) => each.isError)) return;
  const results = outcome(() => {
    const { results } = compile(text, {
      ...options,
      backend: choice.percent(15) ? "engine" : "reference",
    }).runAll();
    return results.map(String);
  });
  if (results !== undefined && choice.percent(10)) outcome(() => explain(text, {}, options));
}

function attemptExpression(text: string, choice: Choice): void {
  const value = outcome(() => evaluate(text, {}, options));
  if (value === undefined) return;
  const shown = `${value}`;
  demand(`${parseTensor(shown)}` === shown, `its value reads back as ${parseTensor(shown)}`);
  if (choice.percent(5)) outcome(() => why(text, {}, {}, options));
}

const shows = ["literal", "json", "csv", "markdown", "table", "pretty"] as const;

function attemptLiteral(text: string, choice: Choice): void {
  const value = outcome(() => parseTensor(text));
  if (value === undefined || value.data.length > 10_000) return;
  const shown = `${value}`;
  const again = parseTensor(shown);
  demand(`${again}` === shown && again.type.equals(value.type), `it reads back as ${again}`);
  const format = choice.oneOf(shows);
  demand(typeof showTensor(value, { format }) === "string", `it is not shown as ${format}`);
}

function attemptType(text: string): void {
  const type = outcome(() => parseType(text));
  if (type !== undefined)
    demand(parseType(`${type}`).equals(type), `it reads back as ${parseType(`${type}`)}`);
}

const from = (rule: string) => (choice: Choice) => grammar.derive(rule, choice);

export const programSurfaces: readonly Surface[] = [
  textSurface({ name: "program", weight: 8, derive: from("program"), attempt: attemptProgram }),
  textSurface({ name: "expression", weight: 6, derive: from("expression"), attempt: attemptExpression }),
  textSurface({ name: "literal", weight: 6, derive: from("literal"), attempt: attemptLiteral }),
  textSurface({ name: "type", weight: 2, derive: from("type"), attempt: attemptType }),
  textSurface({
    name: "address",
    weight: 1,
    derive: from("address"),
    attempt: (text) => void outcome(() => parseAddress(text)),
  }),
];
