import { element } from "../../../../language/values/element.js";
import { axesFrom, axisName } from "../../axes.js";
import { number, reduce } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { renamed } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { defineLabel, defineTwo, greatestClass, labelsOf, transformed } from "./class-scores.js";

/** Linear models and support vectors of the domain `ai.onnx.ml`: sums of products, of features, or of how near a row is to vectors. */

const [row, target] = [axisName(2, 0), axisName(2, 1)];

/** The rows of the input, and how many there are of them and of features. */
function rowsOf(node: NodeImport): { x: Value; rows: number; features: number } {
  const x = node.input(0);
  const [rows, features] = x.shape;
  if (rows === undefined || features === undefined || x.shape.length !== 2)
    return node.refuse({ kind: "shapes", shapes: [x.shape] });
  return { x, rows, features };
}

const refuseUnless = (node: NodeImport, name: string, expected: string): void => {
  const value = node.text(name, expected);
  if (value !== expected) node.refuse({ kind: "attribute", name, value });
};

/** Numbers of an attribute, of which there must be so many. */
const listed = (node: NodeImport, name: string, count: number): readonly number[] =>
  node.asMany(node.floats(name) ?? [], name, count);

/** The weighted sums of what lies along the last axis of a value, with what is added to each: the weights of one sum lie in a row. */
function weightedSums(
  node: NodeImport,
  x: Value,
  weights: readonly number[],
  bases: readonly number[],
): Value {
  const [rows = 1, width = 1] = x.shape;
  const count = weights.length / width;
  const matrix = node.table("weights", weights, [count, width], "float");
  const product = `${renamed(x, [row, "k"])} * ${renamed(matrix, [target, "k"])}`;
  const base = bases.length === 0 ? "" : ` + ${node.table("bases", bases, [count], "float").text}`;
  const text = `${reduce("sum", product, width === 1 ? [] : ["k"])}${base}`;
  return node.intermediate("sums", text, [rows, count], "float");
}

const linearRegressor: Become = (node) => {
  const { x, features } = rowsOf(node);
  const targets = node.integer("targets", 1);
  refuseUnless(node, "post_transform", "NONE");
  const bases = node.floats("intercepts") ?? [];
  if (![0, targets].includes(bases.length)) listed(node, "intercepts", targets);
  const sums = weightedSums(node, x, listed(node, "coefficients", targets * features), bases);
  node.define(sums.text, sums.shape, "float");
};

const linearClassifier: Become = (node) => {
  const { x, rows, features } = rowsOf(node);
  const labels = labelsOf(node, "classlabels_ints", "classlabels_strings");
  const bases = node.floats("intercepts") ?? [];
  const isOne = labels.length === 2 && bases.length === 1;
  const count = isOne ? 1 : labels.length;
  listed(node, "intercepts", count);
  const scores = weightedSums(node, x, listed(node, "coefficients", count * features), bases);
  if (!isOne) return defineClasses(node, scores, labels, rows);
  defineTwo(node, pairOf(node, scores, `(1 - ${scores.text})`), `${scores.text} > 0`, labels, rows);
};

/** What two classes have of one score, which is that of the second: the first has another one, unless they are probabilities. */
const pairOf = (node: NodeImport, { text }: Value, first: string): readonly [string, string] =>
  node.choice<readonly [string, string]>(
    "post_transform",
    { NONE: [first, text], LOGISTIC: [`sigmoid(-${text})`, `sigmoid(${text})`] },
    "NONE",
  );

/** A score for each class, of which the greatest is the row's. */
function defineClasses(node: NodeImport, scores: Value, labels: readonly number[], rows: number): void {
  node.define(transformed(node, scores), scores.shape, "float", 1);
  defineLabel(node, greatestClass(node, scores, rows, labels.length), labels, rows);
}

/** How near rows are to vectors, by the product of the two; with a factor, what is added to it, and an exponent. */
const kernels: Readonly<
  Record<string, (product: string, gamma: string, base: string, degree: string) => string>
> = {
  LINEAR: (product) => product,
  POLY: (product, gamma, base, degree) => `pow(${gamma} * ${product} + ${base}, ${degree})`,
  SIGMOID: (product, gamma, base) => `tanh(${gamma} * ${product} + ${base})`,
};

/** How near each row is to each of so many vectors. */
function nearness(node: NodeImport, x: Value, count: number): Value {
  const [rows = 1, features = 1] = x.shape;
  const vectors = node.table(
    "vectors",
    listed(node, "support_vectors", count * features),
    [count, features],
    "float",
  );
  const [gamma = "0", base = "0", degree = "0"] = listed(node, "kernel_params", 3).map(number);
  const [own, other] = [renamed(x, [row, "k"]), renamed(vectors, [target, "k"])];
  const along = features === 1 ? [] : ["k"];
  const isRadial = node.text("kernel_type", "LINEAR") === "RBF";
  const text = isRadial
    ? `exp(-${gamma} * ${reduce("sum", `join(${own}, ${other}, f(a, b)((a - b) * (a - b)))`, along)})`
    : node.choice("kernel_type", kernels, "LINEAR")(
        reduce("sum", `(${own} * ${other})`, along),
        gamma,
        base,
        degree,
      );
  return node.intermediate("nearness", text, [rows, count], "float");
}

const supportRegressor: Become = (node) => {
  const { x, features } = rowsOf(node);
  const count = node.integer("n_supports", 0);
  refuseUnless(node, "post_transform", "NONE");
  const width = count === 0 ? features : count;
  const summed = count === 0 ? x : nearness(node, x, count);
  const sums = weightedSums(node, summed, listed(node, "coefficients", width), listed(node, "rho", 1));
  const isOneClass = node.integer("one_class", 0) !== 0;
  node.define(isOneClass ? `map(${sums.text}, f(a)(if(a > 0, 1, -1)))` : sums.text, sums.shape, "float");
};

/** Each pair of classes has a score, which says for which of the two it is. */
interface Pair {
  readonly first: number;
  readonly second: number;
}

/** The coefficients of all vectors for a score: those of other classes have none. */
function pairWeights({ first, second }: Pair, owners: readonly number[], all: readonly number[]): number[] {
  return owners.map((owner, vector) => {
    const line = owner === first ? second - 1 : owner === second ? first : undefined;
    return line === undefined ? 0 : element(all, line * owners.length + vector);
  });
}

const supportClassifier: Become = (node) => {
  const { x, rows, features } = rowsOf(node);
  const labels = labelsOf(node, "classlabels_ints", "classlabels_strings");
  // ONNX Runtime brings the probabilities of pairs together step by step, and stops where they hardly change.
  if (node.has("prob_a")) return node.refuse({ kind: "attribute", name: "prob_a", value: "…" });
  const sizes = node.integers("vectors_per_class") ?? [];
  const { length: classes } = labels;
  if (sizes.length === 0) {
    const [base = 0] = listed(node, "rho", 1);
    const weights = listed(node, "coefficients", classes * features);
    const bases = labels.map(() => base);
    return defineClasses(node, weightedSums(node, x, weights, bases), labels, rows);
  }
  node.asMany(sizes, "vectors_per_class", classes);
  const owners = sizes.flatMap((size, owner) => Array<number>(node.few(size)).fill(owner));
  const coefficients = listed(node, "coefficients", (classes - 1) * owners.length);
  const pairs = labels.flatMap((_, first) =>
    axesFrom(first + 1, classes).map((second): Pair => ({ first, second })),
  );
  const weights = pairs.flatMap((pair) => pairWeights(pair, owners, coefficients));
  const scores = weightedSums(
    node,
    nearness(node, x, owners.length),
    weights,
    listed(node, "rho", pairs.length),
  );
  if (classes > 2) return defineVoted(node, scores, pairs, labels);
  defineTwo(node, pairOf(node, scores, `(-${scores.text})`), `${scores.text} <= 0`, labels, rows);
};

/** The class that most pairs are for. */
function defineVoted(
  node: NodeImport,
  scores: Value,
  pairs: readonly Pair[],
  labels: readonly number[],
): void {
  const [rows = 1] = scores.shape;
  node.define(transformed(node, scores), scores.shape, "float", 1);
  const isFirst = node.intermediate("votes", `${scores.text} > 0`, scores.shape, "float");
  const gains = labels.flatMap((_, each) =>
    pairs.map(({ first, second }) => Number(each === first) - Number(each === second)),
  );
  const rest = labels.map((_, each) => pairs.filter(({ second }) => second === each).length);
  const votes = weightedSums(node, isFirst, gains, rest);
  defineLabel(node, greatestClass(node, votes, rows, labels.length), labels, rows);
}

// biome-ignore format: a table
export const linearModels: OperatorTable = {
  "ai.onnx.ml.LinearClassifier": { 1: linearClassifier },
  "ai.onnx.ml.LinearRegressor":  { 1: linearRegressor },
  "ai.onnx.ml.SVMClassifier":    { 1: supportClassifier },
  "ai.onnx.ml.SVMRegressor":     { 1: supportRegressor },
};
