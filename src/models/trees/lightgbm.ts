import type { JsonReader } from "../json-reader.js";
import {
  byClass,
  deepest,
  type Forest,
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

/** A label stands at each node that asks for its category. */
const longestLabel = 1000;

type Labels = ReadonlyMap<number, readonly (number | string)[]>;

/** What the codes of categories stood for in a table of pandas, by feature. */
function categoryLabels(json: JsonReader, features: readonly string[]): Labels {
  const lists = json.at("pandas_categorical");
  const infos = json.at("feature_infos");
  if (lists.isAbsent || infos.isAbsent) return new Map();
  const categorical = features.flatMap((name, at) => {
    const values = infos.at(name).isAbsent ? undefined : infos.at(name).at("values");
    return values === undefined || values.isAbsent || values.list.length === 0 ? [] : [at];
  });
  const labels = lists.list.map((list) =>
    list.list.map((label) => {
      const { value } = label;
      if (typeof value === "number") return value;
      return `${value}`.length > longestLabel ? label.fail("text of fewer characters") : `${value}`;
    }),
  );
  return labels.length === categorical.length
    ? new Map(categorical.map((feature, at) => [feature, labels[at] ?? []]))
    : new Map();
}

function treeOf(node: JsonReader, features: number, labels: Labels, depth: number): Tree {
  if (depth > deepest) return node.fail("tree of fewer levels");
  if (node.at("split_feature").isAbsent) return leafOf(node);
  const feature = node.at("split_feature").number;
  if (!Number.isInteger(feature) || feature < 0 || feature >= features)
    return node.at("split_feature").fail("node within the tree");
  const [yes, no] = [node.at("left_child"), node.at("right_child")].map((each) =>
    treeOf(each, features, labels, depth + 1),
  ) as [Tree, Tree]; // two
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
