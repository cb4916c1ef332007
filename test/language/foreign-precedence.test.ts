import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import type { Problem } from "../../src/language/source/problem.js";
import { foreignCalls } from "../../src/language/syntax/foreign/calls.js";
import { foreignForms } from "../../src/language/syntax/foreign/forms.js";
import { check } from "../../src/program/compile.js";

/**
 * What is written in place of a form of another language has its value where the form stands: a call is one operand, and what
 * comes of it may be a chain of operators, which the text around it must not take apart.
 */
const given = "input t: tensor(x[3])\ninput u: tensor(x[3])\ninput c: tensor()\n";
const inputs = { t: [1.5, 2, 4], u: [3, 0.5, 2], c: 4 };

const isWrong = ({ isError }: Problem): boolean => isError;

/** A program with what its problems say, all of it, time after time. */
function mended(program: string): string {
  let text = given + program;
  for (let left = 6; left > 0; left--) {
    const edits = check(text)
      .filter(isWrong)
      .flatMap(({ span: { start, end }, description: { replacement } }) =>
        replacement === undefined ? [] : [{ start, end, replacement }],
      )
      .sort((one, other) => other.start - one.start);
    if (edits.length === 0) break;
    let before = text.length;
    for (const { start, end, replacement } of edits) {
      if (end > before) continue;
      text = text.slice(0, start) + replacement + text.slice(end);
      before = start;
    }
  }
  return text.slice(given.length);
}

/** A line for each expression, which names its value. */
const named = (expressions: readonly string[]): string =>
  expressions.map((each, at) => `r${at} = ${each}`).join("\n");

function valuesOf(program: string): readonly string[] {
  const text = `${given}${program}`;
  expect(
    check(text)
      .filter(isWrong)
      .map(({ message }) => message),
    program,
  ).toEqual([]);
  const { value } = compile(text).runAll(inputs);
  return program.split("\n").map((_, at) => `${value(`r${at}`)}`);
}

/** What the holes of a template take here. Names are tensors, or the dimension behind one. */
const taken: Readonly<Record<string, string>> = {
  ...{
    A: "t + 1",
    B: "u - 0.25",
    C: "c > 2",
    P: "t",
    R: "t",
    J: "t + 1",
    T: "2",
    D: "-t ^ 2",
    H: "u ^ 2",
    I: "²",
    L: "[1,2]",
    N: "3",
    M: "2",
  },
  ...{ X: "x", Y: "y", S: "t", Q: '"x,x->x"', V: "tensor(x[2])", K: "“p”", U: "c", F: "t", W: "a b" },
};

const calls = foreignCalls().map(({ template }) => template.text);
/** Forms that end with a bracket, a name or a number of their own on both sides: no text around one belongs to it. */
const operands = foreignForms()
  .filter(({ isOpen, write }) => !isOpen && write !== undefined)
  .map(({ template }) => template.text)
  .filter((form) => !/^[ABCUFJODH,]( |$)|(^| )[ABCUFJODH]$/.test(form));

/** A form with texts for its holes: names stand for a function in front of a bracket, for a tensor alone. */
function written(form: string): string {
  const isLibrary = /^(?:\w+) \. X \(/.test(form);
  return form
    .replace(/(?<![\w\\])[A-Z](?!\w)/g, (hole, at: number) => {
      if (hole === "Q" && form.includes("einsum")) return '"x,x->x"';
      if (hole === "S" && form.includes("einsum")) return "t + 1, u";
      if (hole === "X" && isLibrary) return "log2";
      if (hole === "X" && /^ [.[{²³]/.test(form.slice(at + 1))) return "t";
      if (hole === "Y" && form.startsWith("X . Y")) return "log2";
      if (hole === "S" && form.startsWith("X . Y")) return "";
      return taken[hole] ?? hole;
    })
    .replace(/ ?\. ?/g, ".")
    .replace(/\\ /g, "\\");
}

const contexts = [
  ...["10 - F", "F * 3", "2 / F", "F ^ 2", "2 ^ F", "-F", "!F", "1 + F", "F - 1", "3 - F / 2"],
  ...["F == 2", "F && c", "2 * -F", "max(F, 1)", "if(c > 2, F, 1)", "F{x:1}"],
];

const placed = (context: string, form: string): string => context.replace("F", () => form);

/** Forms of which one library stands for all, and those with a quote or a comma, which others would join. */
const isLeft = (form: string): boolean => /^(?:numpy|torch|tf|jnp|math|Math) \.|['‘’“”]|^N , M$/.test(form);

const cases = [...new Set([...calls, ...operands])]
  .filter((form) => !isLeft(form))
  .map((form) => [form, written(form)] as const);

test("what stands for an operand has its value in all contexts", () => {
  const tried = new Set<string>();
  for (const [form, text] of cases) {
    const [, alone] = mended(named([text])).split(/^r0 = /);
    if (alone === undefined || alone === text) continue;
    const possible = contexts.filter(
      (context) => !check(given + placed(context, `(${alone})`)).some(isWrong),
    );
    if (possible.length === 0) continue;
    tried.add(form);
    const found = mended(named(possible.map((context) => placed(context, text))));
    const expected = named(possible.map((context) => placed(context, `(${alone})`)));
    expect(valuesOf(found), `${found}\n${expected}`).toEqual(valuesOf(expected));
  }
  expect(tried.size).toBeGreaterThan(100);
});

test.each<[text: string, value: number]>([
  ["1/log2(8)", 1 / 3],
  ["2 * expm1(1)", 2 * Math.expm1(1)],
  ["logaddexp(c, 2)", Math.log(Math.exp(4) + Math.exp(2))],
  ["logaddexp(c, 2 - 1)", Math.log(Math.exp(4) + Math.E)],
  ["logaddexp(1000 * c, 999 - 1)", 4000],
  ["softplus(c - 1) * 2", 2 * Math.log(1 + Math.exp(3))],
  ["softplus(1000 * c)", 4000],
  ["1 / rsqrt(c)", 2],
  ["isqrt(c + 1)", 2],
  ["2 / cot(1)", 2 * Math.tan(1)],
  ["2 / sec(1)", 2 * Math.cos(1)],
  ["2 / csc(1)", 2 * Math.sin(1)],
  ["2 * erfc(0)", 2],
  ["lerp(1, c - 1, 0.5) * 2", 4],
  ["amin(tensor(x[2]):[3,1])", 1],
  ["amax(tensor(x[2]):[3,1])", 3],
  ["isfinite(c)", 1],
  ["isFinite(c / 0)", 0],
  ["logsumexp(tensor(y[2]):[0,0], y)", Math.LN2],
  ["sum(log_softmax(tensor(y[2]):[0,0], y))", -2 * Math.LN2],
  ["softmin(tensor(y[2]):[0,1], y){y:0}", 1 / (1 + Math.exp(-1))],
  ["10 - subtract(5,1)", 6],
  ["3 / \\frac{1}{2}", 6],
  ["add(1,2)*3", 9],
  ["2 ^ divide(4, 2)", 4],
  ["-power(c, 2)", -16],
  ["-c²", -16],
  ["-c ** 2", -16],
  ["10 - multiply(c, 2) - 1", 1],
  ["multiply(1 + 1, 1 + 2)", 6],
  ["√4 + 5", 7],
  ["√(4) * 2", 4],
  ["2 / inf", 0],
  ["1/2c", 1 / 8],
  ["6 / 2(c - 1)", 1],
  ["1 / np.log2(8)", 1 / 3],
  ["1.5×2", 3],
  ["2.5(c)", 10],
  ["1/2.5(c)", 1 / 10],
  ["0,125 + 1", 1.125],
  ["1234,567", 1234.567],
  ["1,234.5", 1234.5],
  ["(0,5 + 1) * 2", 3],
  ["-2 ** 2 ** 3", -256],
  ["2 ** -3 ** 2", 2 ** -9],
  ["2 ** 3 ** 2", 512],
  ["c > 5 ? 3 : c > 3 ? 4 : 5", 4],
  ["3 if c > 5 else 4 if c > 3 else 5", 4],
  ["if c > 5 then 3 else if c > 3 then 4 else 5", 4],
  ["sum(full(3, c) * 2)", 24],
  ["sum([1, 2; 3, 4] * tensor(y[2]):[0, 1])", 6],
  ["1 + 7 %/% 2 * 2", 7],
  ["1 + c mod 3 * 2", 3],
  ["c is not 3 and c", 1],
  ["c > 9 and c is None", 0],
  ["c > 5 && c << 1 == 2", 0],
  ["c >> 1 == 2", 1],
  ["d = c > 5 ? 3 : 4; d", 4],
  ["d = 3 if c > 5 else 4; d", 4],
  ["g(a, b) = a > b ? 3 : 4; g(1, 2)", 4],
  ["if (c > 5) then 3 else if (c > 3) then 4 else 5", 4],
  ["if (c > 5) { 3 } else if (c > 3) { 4 } else { 5 }", 4],
  ["2c", 8],
  ["2sqrt(c)", 4],
  ["1/2sqrt(c)", 1 / 4],
  ["3max(c, 1) + 1", 13],
  ["2|c - 6|", 4],
  ["1 / math.inf", 0],
  ["|1 - |c - 9||", 4],
  ["2 * ||c - 9| - 1|", 8],
  ["||tensor(x[2]):[3,4] - |-0.0||| / 5", 1],
  ["2 ^ switch(c; 4: 2; default: 3)", 4],
  ["1 + SWITCH(c + 1, 4, 2, 3) * 2", 7],
  ["-decode(c, 4, 2, 3)", -2],
  ["1 + match c { 1 => 2, 4 => 5, _ => 3 }", 6],
  ["c |> sqrt |> exp * 0 + 1", 1],
  ["tensor(x[2]):[3,4] |> sum - 1", 6],
  ["-c |> abs", 4],
  ["if (c = 4) then 2 else 3", 2],
  ["1 + (7 if c = 5 else 3)", 4],
  ["d = 3; 2d", 6],
  ["c < = 4", 1],
  ["c = = 3", 0],
  ["c -= 1 - 2\nnew_c", 5],
  ["c *= 1 + 2\nnew_c", 12],
  ["np.round(2.5)", 2],
  ["Math.round(-2.5)", -2],
  ["np.mod(-5, 3)", 1],
  ["sum(array(max(1, 2), 3))", 5],
  ["np.std(tensor(x[2]):[1,3]) + 1", 2],
])("%s is %d", (text, value) => {
  expect(
    compile(given + mended(text))
      .run(inputs)
      .asNumber(),
  ).toBeCloseTo(value, 12);
});

test.each([
  "max(1,5; 2)",
  "0b101",
  "1.234,56",
  "1,234,567",
  "c^2(2)",
  "c xor 0 or 1",
  "1 && 1 xor 1",
  "1/2e-1(c)",
  "1/2(c).^2",
  "1/2(c)²",
])("what %s means is left to the writer", (text) => {
  const [first] = check(given + text).filter(isWrong);
  expect(first).toBeDefined();
  expect(first?.description.replacement).toBeUndefined();
});
