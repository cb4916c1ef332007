import {
  approximately,
  bit,
  bitwise,
  elu,
  erf,
  hamming,
  ldexp,
  roundHalfEven,
  roundHalfUp,
  sigmoid,
  sign,
  tanh,
} from "./special.js";

/**
 * The scalar functions, one aligned row each: parameters, what it computes in doubles, an
 * example whose value does not come from this code, and a description. On tensors a function of one parameter is a map
 * and one of two is a join. The rows below the line have no name in the language: they are its operators.
 */
export interface ScalarFunction {
  readonly parameters: readonly string[];
  /** Takes as many numbers as there are parameters; further arguments are ignored. */
  readonly compute: (x: number, y: number) => number;
  readonly example: readonly [text: string, value: number];
  readonly description: string;
}

const row = (
  parameters: string,
  compute: (x: number, y: number) => number,
  example: readonly [string, number],
  description: string,
): ScalarFunction => ({ parameters: parameters.split(" "), compute, example, description });

// Of 0 and -0, which are equal, the first is taken, as Vespa's engine does.
const larger = (x: number, y: number): number => (Number.isNaN(y) || x < y ? y : x);
const smaller = (x: number, y: number): number => (Number.isNaN(y) || y < x ? y : x);

const truth = (condition: boolean): number => (condition ? 1 : 0);

// biome-ignore format: a table
const named = {
  abs:     row("x",   Math.abs,                       ["abs(-2)", 2],            "The size of x."),
  fabs:    row("x",   Math.abs,                       ["fabs(-2)", 2],           "The size of x."),
  acos:    row("x",   Math.acos,                      ["acos(1)", 0],            "The angle whose cosine is x, in radians."),
  acosh:   row("x",   Math.acosh,                     ["acosh(1)", 0],           "The number whose hyperbolic cosine is x; NaN below 1."),
  asin:    row("x",   Math.asin,                      ["asin(0)", 0],            "The angle whose sine is x, in radians."),
  asinh:   row("x",   Math.asinh,                     ["asinh(0)", 0],           "The number whose hyperbolic sine is x."),
  atan:    row("x",   Math.atan,                      ["atan(0)", 0],            "The angle whose tangent is x, in radians."),
  atan2:   row("y x", Math.atan2,                     ["atan2(0,1)", 0],         "The angle of the point (x, y), in radians."),
  atanh:   row("x",   Math.atanh,                     ["atanh(0)", 0],           "The number whose hyperbolic tangent is x; NaN beyond 1 and -1."),
  bit:     row("x n", bit,                            ["bit(-43,7)", 1],         "Bit n of x as a signed byte; 0 where n is not 0 to 7, and bit 0 for NaN."),
  bit_and: row("x y", bitwise.and,                    ["bit_and(12,10)", 8],     "The bits that both x and y have, in two's complement without fractions; NaN from 2^53 on."),
  bit_or:  row("x y", bitwise.or,                     ["bit_or(12,10)", 14],     "The bits that x or y has, in two's complement without fractions; NaN from 2^53 on."),
  bit_xor: row("x y", bitwise.xor,                    ["bit_xor(12,10)", 6],     "The bits that one of x and y has, in two's complement without fractions; NaN from 2^53 on."),
  ceil:    row("x",   Math.ceil,                      ["ceil(1.2)", 2],          "The least whole number not below x."),
  cos:     row("x",   Math.cos,                       ["cos(0)", 1],             "The cosine of x radians."),
  cosh:    row("x",   Math.cosh,                      ["cosh(0)", 1],            "The hyperbolic cosine of x."),
  elu:     row("x",   elu,                            ["elu(-1)", -0.6321205588285577], "exp(x) - 1 below 0, otherwise x."),
  erf:     row("x",   erf,                            ["erf(0.5)", 0.5204998778130465], "The error function of x."),
  exp:     row("x",   Math.exp,                       ["exp(0)", 1],             "e to the power of x."),
  floor:   row("x",   Math.floor,                     ["floor(-1.5)", -2],       "The greatest whole number not above x."),
  fmod:    row("x y", (x, y) => x % y,                ["fmod(-7,3)", -1],        "The remainder of x / y, with the sign of x."),
  hamming: row("x y", hamming,                        ["hamming(97,1)", 2],      "How many of the low 8 bits of x and y differ."),
  isInfinite:   row("x",   (x) => truth(Math.abs(x) === Number.POSITIVE_INFINITY), ["isInfinite(1/0)", 1], "1 where x is infinite, of either sign, otherwise 0."),
  isNan:   row("x",   (x) => truth(Number.isNaN(x)),  ["isNan(0/0)", 1],         "1 where x is not a number, otherwise 0."),
  ldexp:   row("x e", ldexp,                          ["ldexp(3,2.9)", 12],      "x times 2 to the power of e without its fraction."),
  log:     row("x",   Math.log,                       ["log(1)", 0],             "The natural logarithm of x."),
  log10:   row("x",   Math.log10,                     ["log10(1000)", 3],        "The logarithm of x to base 10."),
  max:     row("x y", larger,       ["max(1,2)", 2],           "The larger of x and y; NaN if either is."),
  min:     row("x y", smaller,       ["min(1,2)", 1],           "The smaller of x and y; NaN if either is."),
  pow:     row("x y", (x, y) => x ** y,               ["pow(2,10)", 1024],       "x to the power of y."),
  relu:    row("x",   (x) => (x < 0 ? 0 : x),         ["relu(-2)", 0],           "0 where x is below 0, otherwise x."),
  round:   row("x",   roundHalfUp,                    ["round(-2.5)", -2],       "The nearest whole number, between -2^63 and 2^63; halves go up."),
  round_even: row("x", roundHalfEven,                 ["round_even(2.5)", 2],    "The nearest whole number; halves go to the even one."),
  sigmoid: row("x",   sigmoid,                        ["sigmoid(0)", 0.5],       "1 / (1 + exp(-x))."),
  sign:    row("x",   sign,                           ["sign(-3)", -1],          "-1 below 0 and of NaN, otherwise 1."),
  sin:     row("x",   Math.sin,                       ["sin(0)", 0],             "The sine of x radians."),
  sinh:    row("x",   Math.sinh,                      ["sinh(0)", 0],            "The hyperbolic sine of x."),
  sqrt:    row("x",   Math.sqrt,                      ["sqrt(9)", 3],            "The square root of x."),
  square:  row("x",   (x) => x * x,                   ["square(3)", 9],          "x times x."),
  tan:     row("x",   Math.tan,                       ["tan(0)", 0],             "The tangent of x radians."),
  tanh:    row("x",   tanh,                           ["tanh(0)", 0],            "The hyperbolic tangent of x."),
  trunc:   row("x",   Math.trunc,                     ["trunc(-1.5)", -1],       "x without its fraction."),
} satisfies Record<string, ScalarFunction>;

// biome-ignore format: a table
const unnamed = {
  add:            row("x y", (x, y) => x + y,                  ["1+2", 3],      "The sum of x and y."),
  subtract:       row("x y", (x, y) => x - y,                  ["5-3", 2],      "The difference of x and y."),
  multiply:       row("x y", (x, y) => x * y,                  ["2*3", 6],      "The product of x and y."),
  divide:         row("x y", (x, y) => x / y,                  ["6/4", 1.5],    "The quotient of x and y."),
  equal:          row("x y", (x, y) => truth(x === y),         ["1==1", 1],     "1 where x is y, otherwise 0."),
  notEqual:       row("x y", (x, y) => truth(x !== y),         ["1!=1", 0],     "1 where x is not y, otherwise 0."),
  less:           row("x y", (x, y) => truth(x < y),           ["1<2", 1],      "1 where x is below y, otherwise 0."),
  lessOrEqual:    row("x y", (x, y) => truth(x <= y),          ["2<=1", 0],     "1 where x is not above y, otherwise 0."),
  greater:        row("x y", (x, y) => truth(x > y),           ["1>2", 0],      "1 where x is above y, otherwise 0."),
  greaterOrEqual: row("x y", (x, y) => truth(x >= y),          ["2>=2", 1],     "1 where x is not below y, otherwise 0."),
  approximately:  row("x y", approximately,                    ["1~=1.00000001", 1], "1 where x is y to the precision of a float, otherwise 0."),
  and:            row("x y", (x, y) => truth(x !== 0 && y !== 0), ["1&&2", 1],  "1 where neither x nor y is 0, otherwise 0."),
  or:             row("x y", (x, y) => truth(x !== 0 || y !== 0), ["0||0", 0],  "1 where x or y is not 0, otherwise 0."),
  not:            row("x",   (x) => truth(x === 0),            ["!0", 1],       "1 where x is 0, otherwise 0."),
  negate:         row("x",   (x) => -x,                        ["-(2)", -2],    "x with the other sign."),
  // Vespa's engine keeps the left operand unless the right one is strictly better, NaN or not (D17).
  vespaMax:       row("x y", (x, y) => (x < y ? y : x),        ["max(1,2)", 2], "As max, but the left operand stays where either is NaN."),
  vespaMin:       row("x y", (x, y) => (y < x ? y : x),        ["min(1,2)", 1], "As min, but the left operand stays where either is NaN."),
} satisfies Record<string, ScalarFunction>;

export const scalarFunctions = { ...named, ...unnamed };
/** The name of an operator or function of numbers, as core has it. */
export type ScalarName = keyof typeof scalarFunctions;

/** The scalar function that a program may call by this name, if there is one. */
export function scalarNamed(name: string): ScalarName | undefined {
  return Object.hasOwn(named, name) ? (name as keyof typeof named) : undefined; // narrowed by the line before
}

/** What Vespa has in place of the functions that it lacks; nothing where that is long. */
export const vespaForms: Partial<Readonly<Record<ScalarName, string | undefined>>> = {
  acosh: "log(x + sqrt(x * x - 1))",
  asinh: "log(x + sqrt(x * x + 1)), above 0",
  atanh: "log((1 + x) / (1 - x)) / 2",
  bit_and: undefined,
  bit_or: undefined,
  bit_xor: undefined,
  isInfinite: "fabs(x) == 1 / 0",
  round_even: undefined,
  trunc: "if(x < 0, ceil(x), floor(x))",
};

export const scalarNames: readonly string[] = Object.keys(named);
