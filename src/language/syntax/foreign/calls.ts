import { switchedByTurns, switchHint, switchMessage } from "./choices.js";
import { inContext } from "./grouping.js";
import { lexemesOf } from "./lexemes.js";
import { freeDimension, itemsOf } from "./lists.js";
import { type Captures, filled, Template } from "./template.js";

/** What is written in place of a name or a call of another library. */
export interface ForeignName {
  readonly message: string;
  /** Nothing where only the writer knows. */
  readonly replacement: string | undefined;
  readonly hint: string | undefined;
}

/** Calls, a template of each, and what is written instead: a template, or a function. */
export interface NameRow {
  readonly of: readonly string[];
  readonly is?: string | ((captures: Captures) => string | undefined);
  readonly message?: string;
  readonly hint?: string;
}

/** `einsum("ij,jk->ik", a, b)`: the product of the tensors, summed over the letters that the result lacks. */
function summed({ Q = "", S = "" }: Captures): string | undefined {
  if (/[([{]/.test(S)) return undefined;
  const [inputs = "", result] = Q.slice(1, -1).replaceAll(" ", "").split("->");
  if (result === undefined || !/^[a-z,]{0,40}$/.test(inputs)) return undefined;
  const over = [...new Set(inputs.replaceAll(",", ""))].filter((letter) => !result.includes(letter));
  const factors = S.split(",").map((each) => each.trim());
  const product = factors
    .map((each) => (factors.length === 1 ? each : inContext(each, "* ", " *")))
    .join(" * ");
  return over.length === 0 ? product : `sum(${[product, ...over].join(", ")})`;
}

/** `c(1, 2)`, as R has it, of numbers alone. */
const numbers = ({ S = "" }: Captures): string | undefined => {
  const cells = S.split(",").map((each) => each.trim());
  const isNumber = (cell: string): boolean => cell !== "" && Number.isFinite(Number(cell));
  return cells.every(isNumber) ? `tensor(x[${cells.length}]):[${cells.join(", ")}]` : undefined;
};

/** `full(3, x)`: a dimension has a name that the value does not. */
const filledWith = ({ N = "", A = "" }: Captures): string | undefined => {
  const name = freeDimension(A);
  return name && `tensor(${name}[${N}])(${A})`;
};

const deviation =
  "this is the standard deviation of all cells, and not of a sample, which divides by one less than their count";
const variance =
  "this is the variance of all cells, and not of a sample, which divides by one less than their count";
const sample = "this is the one of a sample, which divides by one less than the count of cells";
export const objective = "the value to minimise needs a name";
export const nameObjective = "write loss = …, and then minimise loss";
export const dimensionMessage = "dimensions have names here, and no order";
const generated = "a tensor is generated from its type and the value of each cell";
const along = "vectors are compared or scaled along a dimension, which is named";
const arithmetic = "this is written with an operator";
export const signOfZero = "the sign of 0 is 1 here";
const concatenated = "two tensors are concatenated along a dimension";
const orderless = "the cells of a tensor have no order";
const neighbourless = "there is no function of the cells before a cell";
const real = "numbers are real here";
export const matricesMessage = "a product of matrices takes the dimension that both share";
export const missingMessage = "there are no missing values: a cell has a number, or is not there";
export const shapeMessage = "the type of a tensor has its dimensions and their sizes";
export const shapeHint = "count(t) is how many cells there are, and in the REPL .type t is its type";
export const modeMessage = "there is no function of the value that most cells have";
export const modeHint =
  "how many cells have each value is sum(tensor(value[n])(value) == t, x), with the name of the dimension of t for x";
export const interactiveMessage = "this is a command of the REPL, where it begins with a dot";

// biome-ignore format: a table
const rows: readonly NameRow[] = [
  { of: ["mean ( S )", "average ( S )", "Mean ( S )", "MEAN ( S )", "AVG ( S )", "AVERAGE ( S )", "reduce_mean ( S )"], is: "avg(S)" },
  ...["sum", "max", "min", "prod"].map((name): NameRow => ({ of: [`reduce_${name} ( S )`], is: `${name}(S)` })),
  { of: ["std ( A )", "stddev ( A )", "reduce_std ( A )"], is: "sqrt(avg((A - avg(A)) ^ 2))", message: deviation },
  { of: ["std ( A , X )", "stddev ( A , X )", "reduce_std ( A , X )"], is: "sqrt(avg((A - avg(A, X)) ^ 2, X))", message: deviation },
  { of: ["var ( A )", "variance ( A )", "reduce_variance ( A )"],      is: "avg((A - avg(A)) ^ 2)", message: variance },
  { of: ["stdev ( A )", "STDEV ( A )", "sd ( A )"], is: "sqrt(sum((A - avg(A)) ^ 2) / (count(A) - 1))", message: sample },
  { of: ["VAR ( A )"],                        is: "sum((A - avg(A)) ^ 2) / (count(A) - 1)", message: sample },
  { of: ["var ( A , X )", "variance ( A , X )", "reduce_variance ( A , X )"], is: "avg((A - avg(A, X)) ^ 2, X)", message: variance },
  { of: ["norm ( A )"],                       is: "sqrt(sum(A ^ 2))" },
  { of: ["norm ( A , X )"],                   is: "sqrt(sum(A ^ 2, X))" },
  { of: ["dot ( A , B )", "inner ( A , B )", "vdot ( A , B )", "dot_product ( A , B )"], is: "sum(A * B)", message: "tensors are matched on the dimensions that they share, and their product is summed" },
  { of: ["multiply ( A , B )", "mul ( A , B )", "hadamard ( A , B )"], is: "A * B", message: arithmetic },
  { of: ["outer ( A , B )"],                  message: "tensors of different dimensions are multiplied as in an outer product", hint: "write a * b; if both have a dimension x, rename it in one of them: a * rename(b, x, y)" },
  { of: ["add ( A , B )"],                    is: "A + B", message: arithmetic },
  { of: ["subtract ( A , B )", "sub ( A , B )"], is: "A - B", message: arithmetic },
  { of: ["divide ( A , B )", "div ( A , B )"], is: "A / B", message: arithmetic },
  { of: ["not ( A )", "logical_not ( A )"],   is: "!(A)",    message: arithmetic },
  { of: ["and ( A , B )", "logical_and ( A , B )"], is: "A && B", message: arithmetic },
  { of: ["or ( A , B )", "logical_or ( A , B )"], is: "A || B", message: arithmetic },
  { of: ["transpose ( A )", "permute ( A )", "t ( A )"], is: "A",  message: dimensionMessage },
  { of: ["transpose ( S )", "permute ( S )", "swapaxes ( S )", "moveaxis ( S )"], message: dimensionMessage, hint: "leave it out, or give dimensions other names: rename(t, (x,y), (y,x))" },
  { of: ["einsum ( Q , S )"],                 is: summed,    message: "a contraction is a product that is summed over dimensions: write theirs for the letters" },
  { of: ["einsum ( S )"],                     message: "a contraction is a product that is summed over dimensions", hint: "write sum(a * b, x), with the name of the dimension that is summed for x" },
  { of: ["squeeze ( S )", "flatten ( S )", "reshape ( S )", "view ( S )", "ravel ( S )"], message: dimensionMessage, hint: "drop a dimension with a slice, as in t{x:0}, or generate another tensor" },
  { of: ["unsqueeze ( S )", "expand_dims ( S )"], message: dimensionMessage, hint: "expand(t, x) adds a dimension x of size 1" },
  { of: ["concatenate ( S )", "cat ( S )", "append ( S )", "stack ( S )", "hstack ( S )", "vstack ( S )"], message: concatenated, hint: "write concat(a, b, x), with the name of the dimension for x" },
  { of: ["len ( A )", "length ( A )", "size ( A )", "numel ( A )"], is: "count(A)", message: "count gives the number of cells" },
  { of: ["shape ( A )", "dim ( A )", "ndim ( A )"], message: shapeMessage, hint: shapeHint },
  { of: ["zeros ( N )"],                      is: "tensor(x[N])(0)", message: generated },
  { of: ["ones ( N )"],                       is: "tensor(x[N])(1)", message: generated },
  { of: ["zeros ( X [ N ] )"],                is: "tensor(X[N])(0)", message: generated },
  { of: ["ones ( X [ N ] )"],                 is: "tensor(X[N])(1)", message: generated },
  { of: ["sapply ( A , X )", "lapply ( A , X )"], is: "X(A)", message: "functions of numbers apply to all cells" },
  { of: ["full ( N , A )"],                   is: filledWith, message: generated },
  { of: ["zeros ( N , M )"],                  is: "tensor(x[N],y[M])(0)", message: generated },
  { of: ["ones ( N , M )"],                   is: "tensor(x[N],y[M])(1)", message: generated },
  { of: ["tensor ( N )"],                     is: "tensor(x[N])(0)", message: generated },
  { of: ["tensor ( S )", "array ( S )", "vector ( S )", "list ( S )"], is: ({ S = "" }) => `tensor(x[${itemsOf(`[${S}]`).length}]):[${S}]`, message: "the cells of a tensor stand in brackets after its type" },
  { of: ["c ( S )"],                          is: numbers,   message: "the cells of a tensor stand in brackets after its type" },
  { of: ["VLOOKUP ( S )", "HLOOKUP ( S )", "XLOOKUP ( S )", "INDEX ( S )"], message: "a cell is looked up by its address", hint: "write t{x:a}, or t{x:(i)} with a computed index" },
  { of: ["SUMPRODUCT ( A , B )", "sumproduct ( A , B )"], is: "sum(A * B)", message: "tensors are matched on the dimensions that they share, and their product is summed" },
  { of: ["minimise ( X )", "minimize ( X )"], is: "minimise X", message: objective },
  { of: ["minimise ( S )", "minimize ( S )", "maximise ( S )", "maximize ( S )"], message: objective, hint: nameObjective },
  { of: ["arange ( N )"],                     is: "range(N)" },
  { of: ["eye ( N )", "identity ( N )"],      is: "diag(N, N)" },
  { of: ["clip ( A , B , C )", "clamp ( A , B , C )"], is: "max(B, min(A, C))" },
  { of: ["ifelse ( A , B , C )", "iif ( A , B , C )", "IF ( A , B , C )"], is: "if(A, B, C)" },
  { of: ["SWITCH ( S )", "DECODE ( S )", "decode ( S )"], is: switchedByTurns, message: switchMessage, hint: switchHint },
  { of: ["switch ( S )"],                     message: switchMessage, hint: switchHint },
  { of: ["maximum ( A , B )", "fmax ( A , B )", "greatest ( A , B )"], is: "max(A, B)" },
  { of: ["minimum ( A , B )", "fmin ( A , B )", "least ( A , B )"], is: "min(A, B)" },
  { of: ["power ( A , B )"],                  is: "pow(A, B)" },
  { of: ["ln ( A )", "LN ( A )"],                    is: "log(A)" },
  { of: ["log2 ( A )", "LOG2 ( A )"],                  is: "log(A) / log(2)" },
  { of: ["log1p ( A )"],                      is: "log(1 + A)" },
  { of: ["expm1 ( A )"],                      is: "exp(A) - 1" },
  { of: ["logaddexp ( A , B )"],              is: "max(A, B) + log(1 + exp(-abs(A - B)))" },
  { of: ["logsumexp ( A , X )"],              is: "log(sum(exp(A), X))" },
  { of: ["log_softmax ( A , X )", "logsoftmax ( A , X )"], is: "log(softmax(A, X))" },
  { of: ["softmin ( A , X )"],                is: "softmax(-A, X)" },
  { of: ["amax ( S )"],                       is: "max(S)" },
  { of: ["amin ( S )"],                       is: "min(S)" },
  { of: ["nanmin ( S )", "nanmax ( S )", "nansum ( S )", "nanmean ( S )", "nanprod ( S )", "nanmedian ( S )"], message: "what is not a number counts here, but for max and min", hint: "leave such cells out, or write another number for them: where(isNan(t), 0, t)" },
  { of: ["rsqrt ( A )"],                      is: "1 / sqrt(A)" },
  { of: ["isqrt ( A )"],                      is: "floor(sqrt(A))" },
  { of: ["cot ( A )"],                        is: "1 / tan(A)" },
  { of: ["sec ( A )"],                        is: "1 / cos(A)" },
  { of: ["csc ( A )"],                        is: "1 / sin(A)" },
  { of: ["sinc ( A )"],                       message: "some have a sine of x over x, others of pi times x", hint: "write where(t == 0, 1, sin(t) / t), with 3.141592653589793 * x for t where that is meant" },
  { of: ["erfc ( A )"],                       is: "1 - erf(A)" },
  { of: ["lerp ( A , B , C )", "mix ( A , B , C )"], is: "A + C * (B - A)", message: arithmetic },
  { of: ["cov ( S )", "cor ( S )", "corr ( S )", "corrcoef ( S )"], message: "there is no function of how two tensors vary together", hint: "their covariance is avg((a - avg(a)) * (b - avg(b)))" },
  { of: ["bincount ( S )", "histogram ( S )"], message: "cells are counted by comparing them with each index", hint: "write sum(tensor(bin[n])(bin) == t, x), with the name of the dimension of t for x" },
  { of: ["rand ( S )", "randn ( S )", "randint ( S )", "runif ( S )", "rnorm ( S )"], message: "random numbers are made as cells of a type", hint: "random(x[n]) has numbers from 0 to 1" },
  { of: ["sgn ( A )", "SIGN ( A )", "SGN ( A )"], is: "(A > 0) - (A < 0)", message: signOfZero },
  { of: ["ceiling ( A )"],                    is: "ceil(A)" },
  { of: ["isnan ( A )", "is_nan ( A )"],      is: "isNan(A)" },
  { of: ["isinf ( A )", "is_inf ( A )"],      is: "isInfinite(A)" },
  { of: ["isfinite ( A )", "is_finite ( A )", "isFinite ( A )"], is: "!(isNan(A) || isInfinite(A))" },
  { of: ["isin ( S )"],                       message: "whether a number is one of several is asked with in", hint: "write t in [1, 2]" },
  { of: ["rint ( A )"],                       is: "round_even(A)" },
  { of: ["arcsinh ( A )"],                    is: "asinh(A)" },
  { of: ["arccosh ( A )"],                    is: "acosh(A)" },
  { of: ["arctanh ( A )"],                    is: "atanh(A)" },
  { of: ["bitwise_and ( A , B )"],            is: "bit_and(A, B)" },
  { of: ["bitwise_or ( A , B )"],             is: "bit_or(A, B)" },
  { of: ["bitwise_xor ( A , B )"],            is: "bit_xor(A, B)" },
  { of: ["relu6 ( A )"],                      is: "min(relu(A), 6)" },
  { of: ["logistic ( A )", "expit ( A )"],    is: "sigmoid(A)" },
  { of: ["selu ( A )"],                       is: "1.0507009873554805 * (relu(A) + 1.6732632423543772 * elu(min(A, 0)))" },
  { of: ["celu ( A )"],                       is: "elu(A)" },
  { of: ["hardsigmoid ( A )", "hard_sigmoid ( A )"], is: "min(relu(A + 3), 6) / 6", message: "its slope is 1 / 6 in PyTorch and JAX; in ONNX and older Keras it is 0.2" },
  { of: ["hardswish ( A )", "hard_swish ( A )", "hard_silu ( A )"], is: "A * min(relu(A + 3), 6) / 6" },
  { of: ["hardtanh ( A )", "hard_tanh ( A )"], is: "max(-1, min(A, 1))" },
  { of: ["hardshrink ( A )", "hard_shrink ( A )"], is: "A * (abs(A) > 0.5)" },
  { of: ["softshrink ( A )", "soft_shrink ( A )"], is: "relu(A - 0.5) - relu(-A - 0.5)" },
  { of: ["tanhshrink ( A )", "tanh_shrink ( A )"], is: "A - tanh(A)" },
  { of: ["softsign ( A )", "soft_sign ( A )"], is: "A / (1 + abs(A))" },
  { of: ["mish ( A )"],                       is: "A * tanh(log(1 + exp(A)))" },
  { of: ["logsigmoid ( A )", "log_sigmoid ( A )"], is: "min(A, 0) - log(1 + exp(-abs(A)))" },
  { of: ["prelu ( A , B )", "leaky_relu ( A , B )", "leakyrelu ( A , B )"], is: "max(A, 0) + B * min(A, 0)" },
  { of: ["prelu ( A )", "leaky_relu ( A )", "leakyrelu ( A )"], message: "the slope below 0 is 0.01 for some, 0.2 for others", hint: "write max(t, 0) + 0.01 * min(t, 0), with the slope that is meant" },
  { of: ["glu ( S )"],                        message: "a tensor has no halves", hint: "write a * sigmoid(b), with a and b for the halves" },
  { of: ["crelu ( S )"],                      message: concatenated, hint: "write concat(relu(t), relu(-t), x), with the name of the dimension for x" },
  { of: ["silu ( A )", "swish ( A )"],        is: "A * sigmoid(A)" },
  { of: ["gelu ( A )"],                       is: "A * (1 + erf(A / sqrt(2))) / 2" },
  { of: ["softplus ( A )"],                   is: "max(A, 0) + log(1 + exp(-abs(A)))" },
  { of: ["cosine ( A , B , X )", "cos_sim ( A , B , X )", "cosine_sim ( A , B , X )"], is: "cosine_similarity(A, B, X)" },
  { of: ["distance ( A , B , X )", "euclidean ( A , B , X )", "l2_distance ( A , B , X )"], is: "euclidean_distance(A, B, X)" },
  { of: ["normalize ( A , X )", "normalise ( A , X )"], is: "l2_normalize(A, X)" },
  { of: ["cosine ( A , B )", "cos_sim ( A , B )", "cosine_sim ( A , B )"], message: along, hint: "write cosine_similarity(a, b, x), with the name of the dimension for x" },
  { of: ["distance ( A , B )", "euclidean ( A , B )", "l2_distance ( A , B )"], message: along, hint: "write euclidean_distance(a, b, x), with the name of the dimension for x" },
  { of: ["normalize ( A )", "normalise ( A )"], message: along, hint: "write l2_normalize(t, x), where the sum of squares is to be 1, or l1_normalize(t, x), where the sum is, with the name of the dimension for x" },
  { of: ["topk ( A , N )", "top_k ( A , N )"], is: "top(N, A)" },
  { of: ["topk ( N , A )", "top_k ( N , A )"], is: "top(N, A)" },
  { of: ["rank ( S )", "RANK ( S )"],         message: "the rank of a cell is counted from 0 here, and equal cells have ranks of their own", hint: "write cell_order(t, min), or cell_order(t, max) where the largest is the first" },
  { of: ["LARGE ( S )", "SMALL ( S )"],       message: orderless, hint: "top(n, t) takes the highest n cells, and cell_order(t, max) ranks all of them" },
  { of: ["argsort ( S )"],                    message: "the cells of a tensor have no order, and there is no list of their indexes by size", hint: "cell_order(t, min) comes closest: it gives the rank of each cell, from 0, and not the cell of each rank" },
  { of: ["sort ( S )", "sorted ( S )"],       message: orderless, hint: "cell_order(t, max) ranks them, and top(n, t) takes the highest" },
  { of: ["cumsum ( S )", "cumulative_sum ( S )"], message: "a running sum is a product with a triangle of ones, that is summed", hint: "write sum(t * tensor(x[n],y[n])(x <= y), x), with the name and the size of the dimension for x and n" },
  { of: ["cumprod ( S )", "cummax ( S )", "cummin ( S )", "diff ( S )"], message: neighbourless, hint: "generate a tensor of slices, as in tensor(i[2])(t{x:(i + 1)} - t{x:(i)})" },
  // Of one number, or two.
  { of: ["conj ( A )", "conjugate ( A )", "real ( A )"], is: "A", message: real },
  { of: ["imag ( A )"],                       message: real, hint: "leave it out: the imaginary part would be 0" },
  { of: ["ATAN2 ( A , B )"],                  message: "x comes first in tables, and y here", hint: "write atan2(y, x)" },
  { of: ["LOG ( A )"],                        message: "in tables this is the logarithm to base 10, elsewhere the natural one", hint: "write log10(t), or log(t) for the natural one" },
  { of: ["LOG ( A , B )", "logb ( A , B )", "log ( A , B )"], is: "log(A) / log(B)", message: "a logarithm to another base is a quotient" },
  { of: ["atan ( A , B )"], is: "atan2(A, B)" },
  { of: ["exp10 ( A )"],                      is: "10 ^ A",  message: arithmetic },
  { of: ["pow2 ( A )"],                       message: "some have a power of 2, others a square", hint: "write 2 ^ t, or square(t)" },
  { of: ["sqr ( A )"],                        message: "some have the square, others the square root", hint: "write square(t), or sqrt(t)" },
  { of: ["cbrt ( A )"],                       is: "sign(A) * abs(A) ^ (1 / 3)" },
  { of: ["hypot ( A , B )"],                  is: "sqrt(A ^ 2 + B ^ 2)" },
  { of: ["reciprocal ( A )"],                 is: "1 / A",   message: arithmetic },
  { of: ["negative ( A )", "neg ( A )"],      is: "-A",      message: arithmetic },
  { of: ["absolute ( A )"],                   is: "abs(A)" },
  { of: ["fix ( A )", "ROUNDDOWN ( A )"],     is: "trunc(A)" },
  { of: ["ROUNDUP ( A )"],                    is: "ceil(abs(A)) * sign(A)" },
  { of: ["ROUND ( A )"],                      is: "floor(abs(A) + 0.5) * sign(A)", message: "halves are rounded up by round, and not away from 0" },
  { of: ["ROUND ( A , B )", "round ( A , B )", "ROUNDUP ( A , B )", "ROUNDDOWN ( A , B )"], message: "numbers are rounded to whole ones", hint: "write round(t * 100) / 100, with the power of 10 for 100" },
  { of: ["INT ( A )"],                        is: "floor(A)" },
  { of: ["frac ( A )"],                       is: "A - trunc(A)" },
  { of: ["fract ( A )"],                      is: "A - floor(A)" },
  { of: ["modf ( A )"],                       message: "a function has one value", hint: "write trunc(t), and t - trunc(t) for the rest" },
  { of: ["MOD ( A , B )"],                    message: "the remainder has the sign of the divisor in tables, and that of the dividend in databases", hint: "write a - b * floor(a / b), or mod(a, b) for that of databases" },
  { of: ["floor_divide ( A , B )", "floordiv ( A , B )", "floorDiv ( A , B )"], is: "floor(A / B)" },
  { of: ["QUOTIENT ( A , B )"],               is: "trunc(A / B)" },
  { of: ["true_divide ( A , B )"],            is: "A / B",   message: arithmetic },
  { of: ["minus ( A , B )"],                  is: "A - B",   message: arithmetic },
  { of: ["plus ( A , B )"],                   is: "A + B",   message: arithmetic },
  { of: ["times ( A , B )", "mult ( A , B )"], is: "A * B",  message: arithmetic },
  { of: ["xor ( A , B )", "XOR ( A , B )", "logical_xor ( A , B )"], is: "!(A) != !(B)", message: arithmetic },
  { of: ["equal ( A , B )", "eq ( A , B )"],  is: "A == B",  message: arithmetic },
  { of: ["not_equal ( A , B )", "ne ( A , B )", "neq ( A , B )"], is: "A != B", message: arithmetic },
  { of: ["greater ( A , B )", "gt ( A , B )"], is: "A > B",  message: arithmetic },
  { of: ["greater_equal ( A , B )", "ge ( A , B )", "gte ( A , B )"], is: "A >= B", message: arithmetic },
  { of: ["less ( A , B )", "lt ( A , B )"],   is: "A < B",   message: arithmetic },
  { of: ["less_equal ( A , B )", "le ( A , B )", "lte ( A , B )"], is: "A <= B", message: arithmetic },
  { of: ["signbit ( A )"],                    message: "a number below 0 is found by a comparison", hint: "write t < 0, which is 0 for -0" },
  { of: ["deg2rad ( A )", "radians ( A )", "RADIANS ( A )"], is: "A * 3.141592653589793 / 180" },
  { of: ["rad2deg ( A )", "degrees ( A )", "DEGREES ( A )"], is: "A * 180 / 3.141592653589793" },
  { of: ["isInf ( A )"],                      is: "isInfinite(A)" },
  { of: ["coalesce ( A , B )", "COALESCE ( A , B )", "nvl ( A , B )", "NVL ( A , B )", "ifnull ( A , B )", "IFNULL ( A , B )"], is: "where(isNan(A), B, A)", message: missingMessage },
  { of: ["IFS ( S )", "ifs ( S )"],           message: "a choice of several is a choice in a choice", hint: "write if(a, 1, if(b, 2, 3)), with the conditions for a and b" },
  // Of all cells.
  { of: ["product ( S )", "PRODUCT ( S )"],   is: "prod(S)" },
  { of: ["sumsq ( A )", "SUMSQ ( A )", "ssq ( A )"], is: "sum(A ^ 2)" },
  { of: ["SUMIF ( S )", "COUNTIF ( S )", "AVERAGEIF ( S )"], message: "a test is 1 where it is true, and 0 elsewhere", hint: "write sum(t > 1) for the count of such cells, and sum(t * (t > 1)) for their sum" },
  { of: ["count_nonzero ( A )", "nnz ( A )"], is: "sum(A != 0)" },
  { of: ["any ( A )"],                        is: "max(A != 0)" },
  { of: ["any ( A , X )"],                    is: "max(A != 0, X)" },
  { of: ["all ( A )"],                        is: "min(A != 0)" },
  { of: ["all ( A , X )"],                    is: "min(A != 0, X)" },
  { of: ["ptp ( A )"],                        is: "max(A) - min(A)" },
  { of: ["mode ( S )", "MODE ( S )"],         message: modeMessage, hint: modeHint },
  { of: ["mse ( A , B )", "mse_loss ( A , B )"], is: "avg((A - B) ^ 2)" },
  { of: ["rmse ( A , B )"],                   is: "sqrt(avg((A - B) ^ 2))" },
  { of: ["mae ( A , B )", "l1_loss ( A , B )"], is: "avg(abs(A - B))" },
  { of: ["cosine_distance ( A , B , X )"],    is: "1 - cosine_similarity(A, B, X)" },
  { of: ["cosine_distance ( A , B )"],        message: along, hint: "write 1 - cosine_similarity(a, b, x), with the name of the dimension for x" },
  { of: ["manhattan_distance ( A , B )", "manhattan ( A , B )", "cityblock ( A , B )", "l1_distance ( A , B )"], is: "sum(abs(A - B))" },
  { of: ["manhattan_distance ( A , B , X )", "manhattan ( A , B , X )", "cityblock ( A , B , X )", "l1_distance ( A , B , X )"], is: "sum(abs(A - B), X)" },
  { of: ["mm ( A , B )", "bmm ( A , B )", "mv ( A , B )", "mmult ( A , B )", "MMULT ( A , B )", "tensordot ( S )"], message: matricesMessage, hint: "write matmul(a, b, x), with the name of that dimension for x" },
  { of: ["addmm ( S )"],                      message: matricesMessage, hint: "write c + matmul(a, b, x), with the name of that dimension for x" },
  { of: ["cross ( S )"],                      message: neighbourless, hint: "generate each cell: tensor(x[3])(a{x:((x + 1) % 3)} * b{x:((x + 2) % 3)} - a{x:((x + 2) % 3)} * b{x:((x + 1) % 3)})" },
  ...["det", "inv", "inverse", "pinv", "solve", "svd", "eig", "cholesky", "qr", "lu"].map((name): NameRow => ({ of: [`${name} ( S )`], message: "there is no linear algebra here but products of matrices", hint: "compute it elsewhere, and let it be an input" })),
  { of: ["argwhere ( S )", "nonzero ( S )", "find ( S )", "which ( S )"], message: "there is no list of indexes", hint: "filter_subspaces(t, f(s)(s)) has the cells that are not 0" },
  { of: ["zeros_like ( A )"],                 is: "map(A, f(_)(0))" },
  { of: ["ones_like ( A )"],                  is: "map(A, f(_)(1))" },
  { of: ["filter ( A , B )"],                 is: "filter_subspaces(A, B)" },
  { of: ["int ( A )", "long ( A )", "short ( A )"], message: "numbers have no types of their own, but cells have", hint: "floor(t) drops decimals; cell_cast(t, int8) gives cells another type" },
  { of: ["float ( A )", "double ( A )"],      message: "numbers have no types of their own, but cells have", hint: "leave it out, or give cells another type by cell_cast(t, float)" },
  { of: ["grad ( A , X )"],                   is: "gradient(A, X)" },
  { of: ["exp2 ( A )"],                       is: "2 ^ A",   message: arithmetic },
  { of: ["cast ( A , X )", "astype ( A , X )"], is: "cell_cast(A, X)" },
  { of: ["print ( A )", "echo ( A )"],        is: "A",       message: "an expression is a result by itself" },
  { of: ["exit ( )", "quit ( )"],             message: interactiveMessage, hint: "write .exit" },
  { of: ["help ( S )"],                       message: interactiveMessage, hint: "write .help" },
];

/** A template with the row that it is of. */
interface ForeignRow {
  readonly template: Template;
  readonly row: NameRow;
}

export const rowsOf = (table: readonly NameRow[]): readonly ForeignRow[] =>
  table.flatMap((row) => row.of.map((form) => ({ template: new Template(form), row })));

let calls: readonly ForeignRow[] | undefined;

/** The calls of other libraries. Most texts need none. */
export const foreignCalls = (): readonly ForeignRow[] => (calls ??= rowsOf(rows));

/** The first of the rows that a whole text fits. */
export function rowFor(table: readonly ForeignRow[], text: string): ForeignName | undefined {
  const lexemes = lexemesOf(text);
  for (const { template, row } of table) {
    const fit = template.fitAtStart(lexemes, text);
    if (fit === undefined || fit.to !== lexemes.length) continue;
    const { is, message = `another name is used here for ${lexemes[0]?.text}`, hint } = row;
    const replacement = typeof is === "string" ? filled(is, fit.captures) : is?.(fit.captures);
    if (replacement !== undefined || hint !== undefined) return { message, replacement, hint };
  }
  return undefined;
}
