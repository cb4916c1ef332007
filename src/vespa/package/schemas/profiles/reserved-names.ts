import type { ReservedBy } from "../../model/messages.js";
import { phaseNames, type RankFunction } from "../../model/model.js";

/**
 * The functions of Vespa's ranking expressions. A rank profile may have functions of the same names, of which it is warned: what
 * a call means then depends on the kind of the function and on how many arguments it has.
 */

/** Of tensors: a call is one of these, whatever the profile has. */
// biome-ignore format: a table
const ofTensors = new Set([
  "map", "map_subspaces", "filter_subspaces", "unpack_bits", "reduce", "join", "merge", "rename", "concat", "tensor", "range", "diag",
  "expand", "l1_normalize", "l2_normalize", "euclidean_distance", "cosine_similarity", "matmul", "softmax", "xw_plus_b", "argmax",
  "argmin", "avg", "count", "prod", "sum", "median", "cell_cast", "cell_order", "top",
]);

/** Of numbers, with how many arguments they have: a function of the profile with as many is meant. */
// biome-ignore format: a table
const ofNumbers: ReadonlyMap<string, number> = new Map([
  ...["abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "elu", "exp", "fabs", "floor", "isNan", "log", "log10", "relu", "round",
    "sigmoid", "sign", "sin", "sinh", "square", "sqrt", "tan", "tanh", "erf"].map((name) => [name, 1] as const),
  ...["atan2", "fmod", "hamming", "ldexp", "bit", "max", "min", "pow"].map((name) => [name, 2] as const),
]);

/** Vespa has the expressions of phases under these names, where it has functions. */
const ofPhases = new Set(phaseNames.map((name) => name.replace("-", "")));

/** The features that are the scores of phases. */
export const scoreFeatures: ReadonlySet<string> = new Set(["firstPhase", "secondPhase", "relevanceScore"]);

/** Why Vespa warns of the name of a function of a rank profile; nothing where it does not. */
export function reservedBy(own: RankFunction): ReservedBy | undefined {
  const { text } = own.name;
  if (ofTensors.has(text) || ofNumbers.has(text)) return isHidden(own) ? "calls" : "language";
  return ofPhases.has(text) && own.parameters.length === 0 ? "phase" : undefined;
}

/** Whether Vespa has something of its own by the name of a function without parameters. */
export const isReserved = (name: string): boolean =>
  ofTensors.has(name) || ofNumbers.has(name) || ofPhases.has(name) || scoreFeatures.has(name);

/** Whether calls with the name of a function mean the one that the language has. */
export function isHidden({ name: { text }, parameters }: RankFunction): boolean {
  const arity = ofNumbers.get(text);
  return (
    parameters.length > 0 && (ofTensors.has(text) || (arity !== undefined && arity !== parameters.length))
  );
}
