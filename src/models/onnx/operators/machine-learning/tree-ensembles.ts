import { element } from "../../../../language/values/element.js";
import type { Split, SplitTest, Tree } from "../../../trees/forest.js";
import { atom, textBuilder } from "../../../trees/scalar-text.js";
import { sumOfTrees, treeValue } from "../../../trees/tree-value.js";
import { axesFrom, axisName, dimensionsOf, type Shape, sizeAt } from "../../axes.js";
import { generate, number } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { defineLabel, defineTwo, greatestClass, labelsOf, transformed } from "./class-scores.js";

/** Forests of the domain `ai.onnx.ml`: sums of trees, for each target or class. A row is one input of them. */

/** A node of a tree by its number: a question, or what a leaf adds to targets. */
type EnsembleNode =
  | { readonly kind: "leaf"; readonly weights: ReadonlyMap<number, number> }
  | (Pick<Split, "feature" | "test" | "passesMissing"> & {
      readonly kind: "split";
      readonly yes: string;
      readonly no: string;
    });

/** Trees by the names of their roots, and all nodes. */
interface Ensemble {
  readonly roots: readonly string[];
  readonly nodes: ReadonlyMap<string, EnsembleNode>;
  readonly targets: number;
  readonly bases: readonly number[];
  readonly aggregation: string;
}

/** A test, and whether it is the opposite of what it is asked for. */
interface Question {
  readonly test: SplitTest;
  readonly isOpposite: boolean;
}

/** The questions of nodes: those for more are the opposites of those for less. */
const questions: Readonly<Record<string, (threshold: number) => Question>> = {
  BRANCH_LEQ: (threshold) => ({ test: { kind: "at most", threshold }, isOpposite: false }),
  BRANCH_LT: (threshold) => ({ test: { kind: "below", threshold }, isOpposite: false }),
  BRANCH_GTE: (threshold) => ({ test: { kind: "below", threshold }, isOpposite: true }),
  BRANCH_GT: (threshold) => ({ test: { kind: "at most", threshold }, isOpposite: true }),
  BRANCH_EQ: (value) => ({ test: { kind: "among", labels: [value] }, isOpposite: false }),
  BRANCH_NEQ: (value) => ({ test: { kind: "among", labels: [value] }, isOpposite: true }),
};

function splitOf(
  { test, isOpposite }: Question,
  { feature, passesMissing, yes, no }: Omit<Extract<EnsembleNode, { kind: "split" }>, "kind" | "test">,
): EnsembleNode {
  if (!isOpposite) return { kind: "split", feature, test, passesMissing, yes, no };
  // A missing value is unequal to everything.
  const passes = test.kind !== "among" && !passesMissing;
  return { kind: "split", feature, test, passesMissing: passes, yes: no, no: yes };
}

const integersOf = (node: NodeImport, name: string): readonly number[] => node.integers(name) ?? [];

function floatsOf(node: NodeImport, name: string): readonly number[] {
  if (node.has(`${name}_as_tensor`)) return Array.from(node.tensor(`${name}_as_tensor`)?.numbers ?? []);
  return node.floats(name) ?? [];
}

/** A node by its tree, and its number there. */
const keyOf = (tree: number | undefined, id: number | undefined): string => `${tree} ${id}`;

/** What each leaf adds to the targets or classes that it weighs. */
function leafWeights(node: NodeImport, kind: "target" | "class"): ReadonlyMap<string, Map<number, number>> {
  const weights = new Map<string, Map<number, number>>();
  const [trees, ids] = [integersOf(node, `${kind}_treeids`), integersOf(node, `${kind}_nodeids`)];
  const targets = node.asMany(integersOf(node, `${kind}_ids`), `${kind}_ids`, trees.length);
  const values = node.asMany(floatsOf(node, `${kind}_weights`), `${kind}_weights`, trees.length);
  for (const [at, tree] of trees.entries()) {
    const key = keyOf(tree, ids[at]);
    const leaf = weights.get(key) ?? new Map<number, number>();
    const target = element(targets, at);
    // Of two weights ONNX Runtime adds both, or the first alone where there is one target.
    if (leaf.has(target)) refuseAttribute(node, `${kind}_ids`, `${target} twice in a leaf`);
    weights.set(key, leaf.set(target, element(values, at)));
  }
  return weights;
}

/** The trees of attributes that list nodes, and what leaves add: those of regressors are called targets, of classifiers classes. */
function listedEnsemble(node: NodeImport, kind: "target" | "class", targets: number): Ensemble {
  const modes = node.texts("nodes_modes");
  const ofNodes = (name: string, numbers = integersOf(node, name)): readonly number[] =>
    node.asMany(numbers, name, modes.length);
  const [trees, ids] = [ofNodes("nodes_treeids"), ofNodes("nodes_nodeids")];
  const weights = leafWeights(node, kind);
  const features = ofNodes("nodes_featureids");
  const thresholds = ofNodes("nodes_values", floatsOf(node, "nodes_values"));
  const [yes, no] = [integersOf(node, "nodes_truenodeids"), integersOf(node, "nodes_falsenodeids")];
  const missing = integersOf(node, "nodes_missing_value_tracks_true");
  const nodes = new Map<string, EnsembleNode>();
  const roots = new Map<number, string>();
  for (const [at, mode] of modes.entries()) {
    const tree = element(trees, at);
    const own = keyOf(tree, ids[at]);
    if (!roots.has(tree)) roots.set(tree, own);
    const question = questions[mode];
    if (mode === "LEAF") {
      nodes.set(own, { kind: "leaf", weights: weights.get(own) ?? new Map() });
      continue;
    }
    if (question === undefined) return node.refuse({ kind: "attribute", name: "nodes_modes", value: mode });
    const threshold = element(thresholds, at);
    // No comparison with it is true, nor its opposite false.
    if (Number.isNaN(threshold)) return refuseAttribute(node, "nodes_values", "NaN");
    const passesMissing = missing[at] === 1;
    const branches = { yes: keyOf(tree, yes[at]), no: keyOf(tree, no[at]) };
    nodes.set(
      own,
      splitOf(question(threshold), { feature: element(features, at), passesMissing, ...branches }),
    );
  }
  const aggregation = node.text("aggregate_function", "SUM");
  return { roots: [...roots.values()], nodes, targets, bases: floatsOf(node, "base_values"), aggregation };
}

/** The trees of one target. What leads to equal leaves is no question. */
function treesFor(node: NodeImport, { roots, nodes }: Ensemble, target: number): Tree[] {
  const open = new Set<string>();
  const features = sizeAt(node.input(0).shape, 1);
  const treeAt = (name: string): Tree => {
    const found = nodes.get(name);
    // A tree that goes in a circle has no end.
    if (found === undefined || open.has(name)) return node.refuse({ kind: "unknown value", name });
    if (found.kind === "leaf") return { kind: "leaf", value: found.weights.get(target) ?? 0 };
    if (!(found.feature >= 0 && found.feature < features))
      return refuseAttribute(node, "nodes_featureids", `${found.feature}`);
    open.add(name);
    const [yes, no] = [treeAt(found.yes), treeAt(found.no)];
    open.delete(name);
    if (yes.kind === "leaf" && no.kind === "leaf" && yes.value === no.value) return yes;
    return { ...found, yes, no };
  };
  return roots.map(treeAt);
}

const isNothing = (tree: Tree): boolean => tree.kind === "leaf" && tree.value === 0;

/** The score of a target for each row, with a second axis of size 1. */
function scores(node: NodeImport, x: Value, ensemble: Ensemble): Value[] {
  const { bases, targets } = ensemble;
  if (bases.length > 0 && bases.length !== targets) refuseAttribute(node, "base_values", `${bases}`);
  // To a target that no leaf on the way weighs ONNX Runtime adds no base.
  if (targets > 1 && bases.some((base) => base !== 0) && !hasAllScores(ensemble))
    refuseAttribute(node, "base_values", "… for targets without a score");
  const rows: Shape = [sizeAt(x.shape, 0), 1];
  const [dimension] = dimensionsOf(rows);
  const features = axesFrom(0, sizeAt(x.shape, 1)).map((feature) =>
    elementAt(x, [axisName(2, 0), `${feature}`]),
  );
  return axesFrom(0, targets).map((target) => {
    const trees = treesFor(node, ensemble, target);
    const base = bases[target] ?? 0;
    const text = aggregated(node, trees, ensemble, base, features);
    const cells = dimension === undefined ? `(${text})` : generate("float", [dimension], text);
    return node.intermediate("score", cells, rows, "float");
  });
}

function aggregated(
  node: NodeImport,
  trees: readonly Tree[],
  { aggregation, roots }: Ensemble,
  base: number,
  features: readonly string[],
): string {
  const values = features.map(atom);
  const sumOver = (divisor: number): string =>
    sumOfTrees(
      trees.filter((tree) => !isNothing(tree)),
      { divisor },
      base,
      values,
      textBuilder,
    ).text;
  if (aggregation === "SUM") return sumOver(1);
  if (aggregation === "AVERAGE") return sumOver(roots.length);
  if (aggregation !== "MIN" && aggregation !== "MAX")
    return node.refuse({ kind: "attribute", name: "aggregate_function", value: aggregation });
  const [first = "0", ...rest] = trees.map((tree) => treeValue(tree, values, textBuilder).text);
  const best = rest.reduce((left, right) => `${aggregation.toLowerCase()}(${left}, ${right})`, first);
  return base === 0 ? best : `${best} + ${number(base)}`;
}

/** Scores of one row each beside each other. */
function joined(node: NodeImport, values: readonly Value[], rows: number): Value {
  const [first = node.refuse("no element"), ...rest] = values;
  if (rest.length === 0) return first;
  const text = rest.reduce((left, right) => `concat(${left}, ${right.text}, ${axisName(2, 1)})`, first.text);
  return node.intermediate("scores", `cell_cast(${text}, float)`, [rows, values.length], "float");
}

/** The rows of an input; one with a single axis is one row. */
function rowsOf(node: NodeImport): Value {
  const x = node.input(0);
  if (x.shape.length === 2) return x;
  return node.refuse({ kind: "shapes", shapes: [x.shape] });
}

/** An attribute that has another meaning in each of the tools. */
const refuseAttribute = (node: NodeImport, name: string, value: string): never =>
  node.refuse({ kind: "attribute", name, value });

const regressor: Become = (node) => {
  const x = rowsOf(node);
  const targets = node.integer("n_targets", 1);
  const transform = node.text("post_transform", "NONE");
  // ONNX Runtime ignores it then.
  if (targets === 1 && transform !== "NONE") refuseAttribute(node, "post_transform", transform);
  const ensemble = listedEnsemble(node, "target", targets);
  // A tree that does not weigh a target says nothing of it.
  const isExtreme = ["MIN", "MAX"].includes(ensemble.aggregation);
  if (isExtreme && !hasAllScores(ensemble, "every"))
    refuseAttribute(node, "target_ids", "… without some targets");
  const all = scores(node, x, ensemble);
  const value = joined(node, all, sizeAt(x.shape, 0));
  node.define(transformed(node, value), value.shape, "float");
};

const classifier: Become = (node) => {
  const x = rowsOf(node);
  const labels = labelsOf(node, "classlabels_int64s", "classlabels_strings");
  const ensemble = listedEnsemble(node, "class", labels.length);
  const rows = sizeAt(x.shape, 0);
  if (labels.length === 2) return ofTwo(node, x, ensemble, labels);
  // A class that no leaf on the way weighs has no score, and is never chosen.
  if (!hasAllScores(ensemble)) refuseAttribute(node, "class_ids", "… without some classes");
  const value = joined(node, scores(node, x, ensemble), rows);
  node.define(transformed(node, value), value.shape, "float", 1);
  defineLabel(node, greatestClass(node, value, rows, labels.length), labels, rows);
};

/** Whether each class has some tree, or every one, that weighs it in all of its leaves. */
function hasAllScores({ roots, nodes, targets }: Ensemble, trees: "some" | "every" = "some"): boolean {
  const weighs = (name: string, target: number): boolean => {
    const found = nodes.get(name);
    if (found === undefined || found.kind === "leaf") return found?.weights.has(target) === true;
    return weighs(found.yes, target) && weighs(found.no, target);
  };
  return axesFrom(0, targets).every((target) => roots[trees]((root) => weighs(root, target)));
}

/** Two classes of which the first has scores, for the second one: what they are depends on whether they are probabilities. */
function ofTwo(node: NodeImport, x: Value, ensemble: Ensemble, labels: readonly number[]): void {
  const rows = sizeAt(x.shape, 0);
  const ids = integersOf(node, "class_ids");
  if (ids.some((each) => each !== 0)) refuseAttribute(node, "class_ids", `${[...new Set(ids)]}`);
  const transform = node.text("post_transform", "NONE");
  if (transform !== "NONE" && transform !== "LOGISTIC") refuseAttribute(node, "post_transform", transform);
  const [score = node.refuse("no element")] = scores(node, x, { ...ensemble, targets: 1 });
  const arePositive = floatsOf(node, "class_weights").every((each) => each >= 0);
  const opposite = arePositive ? `(1 - ${score.text})` : `(-${score.text})`;
  const [no, yes] =
    transform === "LOGISTIC" ? [`sigmoid(-${score.text})`, `sigmoid(${score.text})`] : [opposite, score.text];
  defineTwo(node, [no, yes], `${score.text} > ${arePositive ? 0.5 : 0}`, labels, rows);
}

// biome-ignore format: a table
export const treeEnsembles: OperatorTable = {
  "ai.onnx.ml.TreeEnsembleClassifier": { 1: classifier },
  "ai.onnx.ml.TreeEnsembleRegressor":  { 1: regressor },
};
