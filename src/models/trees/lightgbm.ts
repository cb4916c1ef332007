import { mapTuple } from "../../language/source/lists.js";
import { element } from "../../language/values/element.js";
import type { JsonReader } from "../json-reader.js";
import {
  byClass,
  type CategoryLabels,
  deepest,
  type Forest,
  longestLabel,
  type SplitTest,
  type Transform,
  type Tree,
  zeroThreshold,
} from "./forest.js";

/** Models of LightGBM: what `dump_model` says, as JSON. */
export function readLightgbm(json: JsonReader): Forest {
  const features = json.at("feature_names").list.map((each) => each.text);
  const labels = categoryLabels(json, features);
  const trees = json
    .at("tree_info")
    .list.map((tree) => treeOf(tree.at("tree_structure"), features.length, labels, 0));
  const perIteration = Math.max(
    1,
    json.at("num_tree_per_iteration").isAbsent ? 1 : json.at("num_tree_per_iteration").count(trees.length),
  );
  const classes = byClass(trees, perIteration, (at) => at % perIteration);
  const isAverage = json.at("average_output").value === true;
  const divisor = isAverage ? Math.max(1, trees.length / perIteration) : 1;
  return {
    features,
    classes,
    bases: classes.map(() => 0),
    divisor,
    transform: transformOf(json.at("objective").textOr("")),
  };
}

/** `binary sigmoid:1` */
function transformOf(objective: string): Transform {
  const [name = "", ...settings] = objective.split(" ");
  const slope = Number(settings.find((each) => each.startsWith("sigmoid:"))?.slice("sigmoid:".length) ?? 1);
  switch (name) {
    case "binary":
    case "multiclassova":
      return { kind: "sigmoid", slope };
    case "cross_entropy":
      return { kind: "sigmoid", slope: 1 };
    case "cross_entropy_lambda":
      return { kind: "softplus" };
    case "poisson":
    case "gamma":
    case "tweedie":
      return { kind: "exponential" };
    case "multiclass":
      return { kind: "softmax" };
    default:
      return { kind: settings.includes("sqrt") ? "signed square" : "none" };
  }
}

/**
 * What the codes of categories stood for in a table of pandas, by feature. The file has a list for each column of categories, and does not say
 * which: also one whose value is always the same, which is then no feature with categories. Lists that go with no choice of features
 * are refused.
 */
function categoryLabels(json: JsonReader, features: readonly string[]): CategoryLabels {
  const written = json.at("pandas_categorical");
  const infos = json.at("feature_infos");
  if (written.isAbsent || infos.isAbsent) return new Map();
  const lists = written.list.map((list) => list.list.map(labelOf));
  const codes = features.map((name) => (infos.at(name).isAbsent ? undefined : codesOf(infos.at(name))));
  const isCategorical = (at: number): boolean => (codes[at]?.length ?? 0) > 0;
  const isConstant = (at: number): boolean => codes[at] === undefined;
  const positions = [...features.keys()];
  const categorical = positions.filter(isCategorical);
  if (lists.length === 0 || categorical.length === 0) return new Map();
  const choices = [categorical, positions.filter((at) => isCategorical(at) || isConstant(at))];
  const chosen = choices.find(
    (choice) =>
      choice.length === lists.length &&
      choice.every(
        (feature, at) => codes[feature]?.every((code) => code < element(lists, at).length) ?? true,
      ),
  );
  if (chosen !== undefined) return new Map(chosen.map((feature, at) => [feature, element(lists, at)]));
  const areCodes = lists.every((list) => list.every((label, code) => label === code));
  return areCodes ? new Map() : written.fail("list of labels for each feature with categories");
}

/** The codes of categories that were seen of a feature, -1 of what is missing; none of a number. */
const codesOf = (info: JsonReader): readonly number[] =>
  info.at("values").isAbsent ? [] : info.at("values").numbers;

/** A label; one that is true or false is a number, as it is in programs. */
function labelOf(label: JsonReader): number | string {
  const { value } = label;
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  return `${value}`.length > longestLabel ? label.fail("text of fewer characters") : `${value}`;
}

function treeOf(node: JsonReader, features: number, labels: CategoryLabels, depth: number): Tree {
  if (depth > deepest) return node.fail("tree of fewer levels");
  if (node.at("split_feature").isAbsent) return leafOf(node);
  const feature = node.at("split_feature").number;
  if (!Number.isInteger(feature) || feature < 0 || feature >= features)
    return node.at("split_feature").fail("node within the tree");
  const [yes, no] = mapTuple([node.at("left_child"), node.at("right_child")], (each) =>
    treeOf(each, features, labels, depth + 1),
  );
  return { kind: "split", feature, ...testOf(node, labels.get(feature)), yes, no };
}

/** Trees with a linear model at each leaf are not read. */
function leafOf(node: JsonReader): Tree {
  const coefficients = node.at("leaf_coeff");
  if (!coefficients.isAbsent && coefficients.list.length > 0)
    return node.fail("tree with a number at each leaf");
  const constant = node.at("leaf_const");
  return { kind: "leaf", value: (constant.isAbsent ? node.at("leaf_value") : constant).number };
}

function testOf(
  node: JsonReader,
  labels: readonly (number | string)[] | undefined,
): { test: SplitTest; passesMissing: boolean } {
  const threshold = node.at("threshold");
  if (node.at("decision_type").text === "==") {
    // A missing value is in no category.
    const categories = `${threshold.value}`.split("||").map(Number);
    const test: SplitTest =
      labels === undefined
        ? { kind: "category", categories, truncates: true }
        : { kind: "among", labels: categories.map((code) => labels[code] ?? code) };
    return { test, passesMissing: false };
  }
  const isDefaultLeft = node.at("default_left").value === true;
  switch (node.at("missing_type").textOr("None")) {
    case "NaN":
      return { test: atMost(threshold.number), passesMissing: isDefaultLeft };
    case "Zero":
      return {
        test: { kind: "at most, or 0 missing", threshold: threshold.number },
        passesMissing: isDefaultLeft,
      };
    default:
      // A missing value counts as 0.
      return { test: atMost(threshold.number), passesMissing: threshold.number >= 0 };
  }
}

/** At most a threshold; a value that LightGBM takes for 0 is 0. */
function atMost(threshold: number): SplitTest {
  if (Math.abs(threshold) > zeroThreshold) return { kind: "at most", threshold };
  return threshold < 0
    ? { kind: "below", threshold: -zeroThreshold }
    : { kind: "at most", threshold: zeroThreshold };
}
