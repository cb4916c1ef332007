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
export const objective = "the value to minimise needs a name";
export const nameObjective = "write loss = …, and then minimise loss";
export const dimensionMessage = "dimensions have names here, and no order";
const generated = "a tensor is generated from its type and the value of each cell";
const along = "vectors are compared or scaled along a dimension, which is named";
const arithmetic = "this is written with an operator";
export const interactiveMessage = "this is a command of the REPL, where it begins with a dot";

// biome-ignore format: a table
const rows: readonly NameRow[] = [
  { of: ["mean ( S )", "average ( S )", "Mean ( S )", "AVG ( S )", "reduce_mean ( S )"], is: "avg(S)" },
  ...["sum", "max", "min", "prod"].map((name): NameRow => ({ of: [`reduce_${name} ( S )`], is: `${name}(S)` })),
  { of: ["std ( A )", "stddev ( A )", "stdev ( A )"], is: "sqrt(avg((A - avg(A)) ^ 2))", message: deviation },
  { of: ["std ( A , X )", "stddev ( A , X )", "stdev ( A , X )"], is: "sqrt(avg((A - avg(A, X)) ^ 2, X))", message: deviation },
  { of: ["var ( A )", "variance ( A )"],      is: "avg((A - avg(A)) ^ 2)", message: variance },
  { of: ["var ( A , X )", "variance ( A , X )"], is: "avg((A - avg(A, X)) ^ 2, X)", message: variance },
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
  { of: ["squeeze ( S )", "flatten ( S )", "reshape ( S )", "view ( S )", "ravel ( S )"], message: dimensionMessage, hint: "drop a dimension with a slice, as in t{x:0}, or generate another tensor" },
  { of: ["unsqueeze ( S )", "expand_dims ( S )"], message: dimensionMessage, hint: "expand(t, x) adds a dimension x of size 1" },
  { of: ["concatenate ( S )", "cat ( S )", "append ( S )", "stack ( S )", "hstack ( S )", "vstack ( S )"], message: "two tensors are concatenated along a dimension", hint: "write concat(a, b, x), with the name of the dimension for x" },
  { of: ["len ( A )", "length ( A )", "size ( A )", "numel ( A )", "shape ( A )"], is: "count(A)", message: "count gives the number of cells" },
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
  { of: ["ln ( A )"],                         is: "log(A)" },
  { of: ["log2 ( A )"],                       is: "log(A) / log(2)" },
  { of: ["log1p ( A )"],                      is: "log(1 + A)" },
  { of: ["expm1 ( A )"],                      is: "exp(A) - 1" },
  { of: ["logaddexp ( A , B )"],              is: "log(exp(A) + exp(B))" },
  { of: ["logsumexp ( A , X )"],              is: "log(sum(exp(A), X))" },
  { of: ["log_softmax ( A , X )"],            is: "log(softmax(A, X))" },
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
  { of: ["sgn ( A )"],                        is: "sign(A)" },
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
  { of: ["silu ( A )", "swish ( A )"],        is: "A * sigmoid(A)" },
  { of: ["gelu ( A )"],                       is: "A * (1 + erf(A / sqrt(2))) / 2" },
  { of: ["softplus ( A )"],                   is: "log(1 + exp(A))" },
  { of: ["cosine ( A , B , X )", "cos_sim ( A , B , X )", "cosine_sim ( A , B , X )"], is: "cosine_similarity(A, B, X)" },
  { of: ["distance ( A , B , X )", "euclidean ( A , B , X )", "l2_distance ( A , B , X )"], is: "euclidean_distance(A, B, X)" },
  { of: ["normalize ( A , X )", "normalise ( A , X )"], is: "l2_normalize(A, X)" },
  { of: ["cosine ( A , B )", "cos_sim ( A , B )", "cosine_sim ( A , B )"], message: along, hint: "write cosine_similarity(a, b, x), with the name of the dimension for x" },
  { of: ["distance ( A , B )", "euclidean ( A , B )", "l2_distance ( A , B )"], message: along, hint: "write euclidean_distance(a, b, x), with the name of the dimension for x" },
  { of: ["normalize ( A )", "normalise ( A )"], message: along, hint: "write l2_normalize(t, x), where the sum of squares is to be 1, or l1_normalize(t, x), where the sum is, with the name of the dimension for x" },
  { of: ["topk ( A , N )", "top_k ( A , N )"], is: "top(N, A)" },
  { of: ["topk ( N , A )", "top_k ( N , A )"], is: "top(N, A)" },
  { of: ["rank ( A )"],                       is: "cell_order(A, min)" },
  { of: ["argsort ( S )"],                    message: "the cells of a tensor have no order, and there is no list of their indexes by size", hint: "cell_order(t, min) comes closest: it gives the rank of each cell, from 0, and not the cell of each rank" },
  { of: ["sort ( S )", "sorted ( S )"],       message: "the cells of a tensor have no order", hint: "cell_order(t, max) ranks them, and top(n, t) takes the highest" },
  { of: ["cumsum ( S )", "cumulative_sum ( S )"], message: "a running sum is a product with a triangle of ones, that is summed", hint: "write sum(t * tensor(x[n],y[n])(x <= y), x), with the name and the size of the dimension for x and n" },
  { of: ["cumprod ( S )", "cummax ( S )", "cummin ( S )", "diff ( S )"], message: "there is no function of the cells before a cell", hint: "generate a tensor of slices, as in tensor(i[2])(t{x:(i + 1)} - t{x:(i)})" },
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
