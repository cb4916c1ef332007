import { type Problem, preludeText, SphexError } from "../index.js";
import type { Memory } from "./memory.js";

/**
 * What a function takes and what it is: its signature is the library's, its sentence that of the prelude or, for what
 * is not written in the language, of this table. A test compares the table with the library.
 */
// biome-ignore format: a table
const says: Readonly<Record<string, string>> = {
  map:              "The function of each cell.",
  reduce:           "The cells along the dimensions, or along all of them, taken together by an aggregator.",
  join:             "The function of each two cells whose addresses agree on the dimensions that both sides have.",
  merge:            "The cells of both sides; the function of both where both have a cell.",
  rename:           "The same cells with another name for a dimension.",
  concat:           "The right side behind the left one along the dimension.",
  cell_cast:        "The cells in another cell type.",
  cell_order:       "The rank of each cell, from 0 for the highest (max) or the lowest (min).",
  map_subspaces:    "The function of each dense subspace.",
  filter_subspaces: "The dense subspaces for which the function is true somewhere.",
  if:               "The second argument where the first is true, otherwise the third.",
  argmax:           "1 for each cell that is the highest along the dimensions, 0 for the others.",
  argmin:           "1 for each cell that is the lowest along the dimensions, 0 for the others.",
  unpack_bits:      "Eight cells, one a bit, for each int8 cell along the last indexed dimension.",
  random:           "Random numbers from 0 up to 1: random(i[3]), or random(3) along dimension i1.",
  avg:              "The arithmetic mean.",
  count:            "How many cells there are.",
  max:              "The largest cell; or, of two tensors, the larger of each two cells.",
  median:           "The middle cell, or the mean of the two middle ones; NaN if any is.",
  min:              "The smallest cell; or, of two tensors, the smaller of each two cells.",
  prod:             "The product of the cells.",
  sum:              "The sum of the cells.",
  abs:              "The size of x.",
  fabs:             "The size of x.",
  acos:             "The angle whose cosine is x, in radians.",
  asin:             "The angle whose sine is x, in radians.",
  atan:             "The angle whose tangent is x, in radians.",
  atan2:            "The angle of the point (x, y), in radians.",
  bit:              "Bit n of x as a signed byte; 0 where n is not 0 to 7.",
  ceil:             "The least whole number not below x.",
  cos:              "The cosine of x radians.",
  cosh:             "The hyperbolic cosine of x.",
  elu:              "exp(x) - 1 below 0, otherwise x.",
  erf:              "The error function of x.",
  exp:              "e to the power of x.",
  floor:            "The greatest whole number not above x.",
  fmod:             "The remainder of x / y, with the sign of x.",
  hamming:          "How many of the low 8 bits of x and y differ.",
  isNan:            "1 where x is not a number, otherwise 0.",
  ldexp:            "x times 2 to the power of e without its fraction.",
  log:              "The natural logarithm of x.",
  log10:            "The logarithm of x to base 10.",
  pow:              "x to the power of y.",
  relu:             "x where positive, otherwise 0.",
  round:            "The nearest whole number; halves go up.",
  sigmoid:          "1 / (1 + exp(-x)).",
  sign:             "-1 below 0, otherwise 1.",
  sin:              "The sine of x radians.",
  sinh:             "The hyperbolic sine of x.",
  sqrt:             "The square root of x.",
  square:           "x times x.",
  tan:              "The tangent of x radians.",
  tanh:             "The hyperbolic tangent of x.",
};

/** The definitions of the prelude, each with the comment before it, by name. */
const prelude: ReadonlyMap<string, string> = new Map(
  preludeText.split(/\n\s*\n/).flatMap((block): [string, string][] => {
    const name = /^(\w+)\(/m.exec(block)?.[1];
    return name === undefined ? [] : [[name, block.trim()]];
  }),
);

/** The functions that every program knows, in alphabetical order. */
export const functionNames: readonly string[] = [
  ...new Set([...prelude.keys(), ...Object.keys(says)]),
].sort();

/** A function's signature, and below it what it does: a sentence and an example, or its definition. */
export function functionHelp(name: string, memory: Memory): string | undefined {
  const own = memory.kept.functions.get(name);
  const comment = /^#[\s\S]*?(?=^\w)/m.exec(prelude.get(name) ?? "")?.[0] ?? says[name];
  if (own === undefined && comment === undefined) return undefined;
  const lines = (own ?? comment ?? "").trim().split("\n");
  return [signatureOf(name, memory), ...lines.map((line) => `  ${line.replace(/^# */, "")}`)].join("\n");
}

/** A call without arguments is refused with the signature. */
function signatureOf(name: string, memory: Memory): string {
  try {
    memory.program(`${name}()`);
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const found = error.problems.find(({ code }) => code === "call/arity");
    if (found !== undefined) return signatureIn(found) ?? `${name}(…)`;
  }
  return `${name}()`;
}

const signatureIn = ({ values }: Problem): string | undefined =>
  "signature" in values && typeof values.signature === "string" ? values.signature : undefined;
