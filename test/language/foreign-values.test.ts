import { describe, expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { check } from "../../src/program/compile.js";

/**
 * What is written for a function of another library has the value that its documentation says, at numbers of each kind; and no
 * function that computes something else is proposed as the nearest name.
 */
const given = "input a: tensor()\ninput b: tensor()\ninput t: tensor(x[4])\ninput u: tensor(x[4])\n";

/** A text with what its problems say. */
function mended(foreign: string): string {
  const text = given + foreign;
  const [first] = check(text).filter(({ isError }) => isError);
  const { replacement } = first?.description ?? {};
  if (first === undefined || replacement === undefined) return foreign;
  expect(first.code).toMatch(/\/foreign$/);
  return text.slice(given.length, first.span.start) + replacement + text.slice(first.span.end);
}

const clamped = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most);
const { PI, abs, cbrt, exp, floor, hypot, log1p, sign, tanh, trunc } = Math;

// biome-ignore format: a table
const ofOne: readonly (readonly [text: string, compute: (x: number) => number])[] = [
  ["selu(a)", (x) => 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * (exp(x) - 1))],
  ["celu(a)", (x) => (x > 0 ? x : exp(x) - 1)],
  ["hardsigmoid(a)", (x) => clamped(x / 6 + 0.5, 0, 1)],
  ["hard_sigmoid(a)", (x) => clamped(x / 6 + 0.5, 0, 1)],
  ["hardswish(a)", (x) => x * clamped(x / 6 + 0.5, 0, 1)],
  ["hard_swish(a)", (x) => x * clamped(x / 6 + 0.5, 0, 1)],
  ["hardtanh(a)", (x) => clamped(x, -1, 1)],
  ["hardshrink(a)", (x) => (abs(x) > 0.5 ? x : 0)],
  ["softshrink(a)", (x) => (x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0)],
  ["tanhshrink(a)", (x) => x - tanh(x)],
  ["softsign(a)", (x) => x / (1 + abs(x))],
  ["mish(a)", (x) => x * tanh(log1p(exp(x)))],
  ["logsigmoid(a)", (x) => -log1p(exp(-x))],
  ["log_sigmoid(a)", (x) => -log1p(exp(-x))],
  ["prelu(a, 0.1)", (x) => (x > 0 ? x : 0.1 * x)],
  ["leaky_relu(a, 0.1)", (x) => (x > 0 ? x : 0.1 * x)],
  ["conj(a)", (x) => x],
  ["real(a) * 2", (x) => 2 * x],
  ["sgn(a)", sign],
  ["SIGN(a)", sign],
  ["np.sign(a)", sign],
  ["Math.sign(a)", sign],
  ["exp10(a)", (x) => 10 ** x],
  ["cbrt(a)", cbrt],
  ["reciprocal(a - 5)", (x) => 1 / (x - 5)],
  ["2 - negative(a)", (x) => 2 + x],
  ["absolute(a)", abs],
  ["fix(a)", trunc],
  ["ROUNDDOWN(a)", trunc],
  ["ROUNDUP(a)", (x) => (x < 0 ? floor(x) : Math.ceil(x))],
  ["ROUND(a)", (x) => (x < 0 ? -Math.round(-x) : Math.round(x))],
  ["INT(a)", floor],
  ["frac(a)", (x) => x - trunc(x)],
  ["fract(a)", (x) => x - floor(x)],
  ["floor_divide(a, 2)", (x) => floor(x / 2)],
  ["floorDiv(a, 2)", (x) => floor(x / 2)],
  ["QUOTIENT(a, 2)", (x) => trunc(x / 2)],
  ["true_divide(a, 2)", (x) => x / 2],
  ["3 - minus(a, 2)", (x) => 5 - x],
  ["3 * plus(a, 2)", (x) => 3 * (x + 2)],
  ["3 / times(a - 5, 2)", (x) => 3 / ((x - 5) * 2)],
  ["xor(a > 0, a < 2)", (x) => Number(x > 0 !== x < 2)],
  ["equal(a, 1)", (x) => Number(x === 1)],
  ["ne(a, 1)", (x) => Number(x !== 1)],
  ["greater(a, 1)", (x) => Number(x > 1)],
  ["ge(a, 1)", (x) => Number(x >= 1)],
  ["less(a, 1)", (x) => Number(x < 1)],
  ["less_equal(a, 1)", (x) => Number(x <= 1)],
  ["deg2rad(a)", (x) => x * (PI / 180)],
  ["radians(a)", (x) => x * (PI / 180)],
  ["degrees(a)", (x) => x * (180 / PI)],
  ["hypot(a, 3)", (x) => hypot(x, 3)],
  ["LOG(a + 5, 3)", (x) => Math.log(x + 5) / Math.log(3)],
  ["math.log(a + 5, 3)", (x) => Math.log(x + 5) / Math.log(3)],
  ["LN(a + 5)", (x) => Math.log(x + 5)],
  ["LOG2(a + 5)", (x) => Math.log2(x + 5)],
  ["isInf(1 / a)", (x) => Number(x === 0)],
  ["coalesce(a / a, 7)", (x) => (x === 0 ? 7 : 1)],
  ["tf.nn.relu(a)", (x) => (x > 0 ? x : 0)],
  ["torch.nn.functional.hardtanh(a)", (x) => clamped(x, -1, 1)],
];

test.each(ofOne)("%s", (foreign, compute) => {
  const text = mended(foreign);
  expect(text).not.toBe(foreign);
  const program = compile(given + text);
  for (const a of [-4, -3, -2.5, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 2, 2.5, 3, 4])
    expect(program.run({ a }).asNumber(), `${text} of ${a}`).toBeCloseTo(compute(a), 12);
});

const t = [3, -1, 0, 2];
const u = [1, 1, -2, 0];
const total = (cells: readonly number[]): number => cells.reduce((sum, cell) => sum + cell, 0);
const differences = t.map((cell, at) => cell - (u[at] ?? Number.NaN));

// biome-ignore format: a table
const ofMany: readonly (readonly [text: string, value: number])[] = [
  ["AVERAGE(t)", 1],
  ["MEAN(t)", 1],
  ["mean(t)", 1],
  // The squares of 2, -2, -1 and 1, by 3.
  ["VAR(t)", 10 / 3],
  ["stdev(t)", Math.sqrt(10 / 3)],
  ["sd(t)", Math.sqrt(10 / 3)],
  ["reduce_std(t)", Math.sqrt(10 / 4)],
  ["reduce_variance(t)", 10 / 4],
  ["product(t + 2)", 5 * 1 * 2 * 4],
  ["SUMSQ(t)", 14],
  ["count_nonzero(t)", 3],
  ["any(t)", 1],
  ["any(t > 3)", 0],
  ["all(t)", 0],
  ["all(t > -2, x)", 1],
  ["ptp(t)", 4],
  ["mse(t, u)", total(differences.map((each) => each ** 2)) / 4],
  ["rmse(t, u)", Math.sqrt(total(differences.map((each) => each ** 2)) / 4)],
  ["mae(t, u)", total(differences.map(abs)) / 4],
  ["manhattan(t, u)", total(differences.map(abs))],
  ["l1_distance(t, u, x)", total(differences.map(abs))],
  ["cosine_distance(t, u, x)", 1 - 2 / Math.sqrt(14 * 6)],
  ["sum(zeros_like(t))", 0],
  ["sum(ones_like(t))", 4],
];

test.each(ofMany)("%s", (foreign, value) => {
  const text = mended(foreign);
  expect(text).not.toBe(foreign);
  expect(
    compile(given + text)
      .run({ t, u })
      .asNumber(),
    text,
  ).toBeCloseTo(value, 12);
});

describe("what only the writer knows has a hint, and no nearest name", () => {
  // biome-ignore format: a table
  test.each([
    ["mode(t)", /sum\(tensor\(value\[n\]\)\(value\) == t, x\)/],
    ["mode", /sum\(tensor\(value\[n\]\)\(value\) == t, x\)/],
    ["LOG(a)", /^write log10\(t\), or log\(t\)/],
    ["MOD(a, b)", /^write a - b \* floor\(a \/ b\), or mod\(a, b\)/],
    ["ATAN2(a, b)", /^write atan2\(y, x\)$/],
    ["ROUND(a, 2)", /^write round\(t \* 100\) \/ 100/],
    ["sqr(a)", /^write square\(t\), or sqrt\(t\)$/],
    ["pow2(a)", /^write 2 \^ t, or square\(t\)$/],
    ["imag(a)", /^leave it out/],
    ["signbit(a)", /^write t < 0/],
    ["modf(a)", /^write trunc\(t\)/],
    ["leaky_relu(a)", /^write max\(t, 0\) \+ 0\.01 \* min\(t, 0\)/],
    ["glu(t)", /^write a \* sigmoid\(b\)/],
    ["rank(t)", /^write cell_order\(t, min\)/],
    ["RANK(t)", /^write cell_order\(t, min\)/],
    ["LARGE(t, 2)", /^top\(n, t\)/],
    ["shape(t)", /^count\(t\)/],
    ["SUMIF(t, 2)", /sum\(t \* \(t > 1\)\)/],
    ["IFS(a, 1, b, 2)", /^write if\(a, 1, if\(b, 2, 3\)\)/],
    ["svd(t)", /^compute it elsewhere/],
    ["np.linalg.inv(t)", /^compute it elsewhere/],
    ["cross(t, u)", /^generate each cell: /],
    ["addmm(t, u, t)", /^write c \+ matmul\(a, b, x\)/],
    ["mm(t, u)", /^write matmul\(a, b, x\)/],
    ["argwhere(t)", /^filter_subspaces\(t, f\(s\)\(s\)\)/],
    ["cosine_distance(t, u)", /^write 1 - cosine_similarity\(a, b, x\)/],
  ])("%s", (foreign, hint) => {
    const [first] = check(given + foreign).filter(({ isError }) => isError);
    expect(first?.description.hint).toMatch(hint);
    expect(first?.description.replacement).toBeUndefined();
  });

  test("the cells of a cross product are those of the hint", () => {
    const [first] = check(`${given}cross(t, u)`).filter(({ isError }) => isError);
    const text = first?.description.hint?.replace("generate each cell: ", "");
    const inputs = "a = tensor(x[3]):[1,2,3]; b = tensor(x[3]):[4,5,7]; ";
    expect(`${compile(`${inputs}${text}`).run()}`).toBe("tensor(x[3]):[-1.0, 5.0, -3.0]");
  });
});
