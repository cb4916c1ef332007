import { textInUtf8 } from "../../formats/utf8.js";
import { element } from "../../language/values/element.js";
import type { JsonReader } from "../json-reader.js";
import {
  byClass,
  type CategoryLabels,
  deepest,
  type Forest,
  longestLabel,
  type Split,
  type SplitTest,
  type Transform,
  type Tree,
} from "./forest.js";

/** Models of XGBoost: what `dump_model` writes as JSON, a list of trees, and what `save_model` writes as JSON, a whole learner. */
export function readXgboost(json: JsonReader): Forest {
  return json.isList ? dumpedForest(json) : savedForest(json.at("learner"));
}

/**
 * XGBoost rounds a value to a float, and then asks whether it is below a float. A double is rounded to below the threshold if it lies below the
 * middle of the threshold and the float before it, or on the middle if that is rounded down: to even.
 */
export function belowAsFloat(threshold: number): SplitTest {
  const float = Math.fround(threshold);
  if (!Number.isFinite(float)) return { kind: "below", threshold: float };
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, float);
  const pattern = bits.getInt32(0);
  // The float before: one step toward zero above it, one step away below it.
  if (float === 0) bits.setInt32(0, -0x7fffffff);
  else bits.setInt32(0, pattern + (float > 0 ? -1 : 1));
  const before = bits.getFloat32(0);
  const isBeforeEven = (bits.getInt32(0) & 1) === 0;
  return { kind: isBeforeEven ? "at most" : "below", threshold: (before + float) / 2 };
}

/**
 * A dump has neither the base score nor the objective: its sum is what the trees say. Nor does it list the features: where data had no names
 * for them, these are numbers, and otherwise nobody knows their order.
 */
function dumpedForest(json: JsonReader): Forest {
  if (json.list.length === 0) return json.fail("list with a tree");
  const found = new Set<string>();
  for (const tree of json.list) addFeatures(tree, found, 0);
  const areNumbered = [...found].every((name) => numbered.test(name));
  const features = areNumbered
    ? [...found].sort((one, other) => numberOf(one) - numberOf(other))
    : [...found];
  const positions = new Map(features.map((name, at) => [name, at]));
  const trees = json.list.map((tree) => dumpedTree(tree, positions));
  return {
    features,
    isUnordered: !areNumbered,
    classes: [trees],
    bases: [0],
    divisor: 1,
    transform: { kind: "none" },
  };
}

/** What XGBoost calls a feature without a name. */
const numbered = /^f\d+$/;

const numberOf = (name: string): number => Number(name.slice(1));

/** The features that a tree asks for, which has no more levels than trees may have. */
function addFeatures(node: JsonReader, found: Set<string>, depth: number): void {
  if (depth > deepest) return node.fail("tree of fewer levels");
  if (!node.at("leaf").isAbsent) return;
  found.add(node.at("split").text);
  for (const child of node.at("children").list) addFeatures(child, found, depth + 1);
}

function dumpedTree(node: JsonReader, positions: ReadonlyMap<string, number>): Tree {
  const leaf = node.at("leaf");
  if (!leaf.isAbsent) return { kind: "leaf", value: leaf.number };
  const children = node.at("children").list;
  const child = (name: string): JsonReader => {
    const id = node.at(name).number;
    return (
      children.find((each) => each.at("nodeid").number === id) ?? node.at(name).fail("node within the tree")
    );
  };
  const [yes, no] = [child("yes"), child("no")];
  if (yes === no) return node.at("no").fail("node of one parent");
  // Of a feature that is there or not no condition is written, and not which of 0 and a missing value stood for the latter.
  const condition = node.at("split_condition");
  const test: SplitTest = condition.isList
    ? { kind: "category", categories: condition.numbers, truncates: false }
    : belowAsFloat(condition.number);
  const missing = node.at("missing");
  return {
    kind: "split",
    feature: positions.get(node.at("split").text) ?? node.at("split").fail("node within the tree"),
    test,
    passesMissing: !missing.isAbsent && missing.number === node.at("yes").number,
    yes: dumpedTree(yes, positions),
    no: dumpedTree(no, positions),
  };
}

/** A forest asks for no more features than somebody can have named. */
const mostFeatures = 100_000;

/** Without trees, as before the first round of learning, a model predicts its base scores, of outputs that no tree counts. */
const mostBareOutputs = 1_000;

function savedForest(learner: JsonReader): Forest {
  const booster = learner.at("gradient_booster");
  const isDart = !booster.at("gbtree").isAbsent;
  const model = (isDart ? booster.at("gbtree") : booster).at("model");
  const drops = booster.at("weight_drop");
  const weights = isDart ? drops.numbers : undefined;
  const weightOf = (tree: number): number =>
    weights === undefined ? 1 : (weights[tree] ?? drops.fail("number for each tree"));
  const parameters = learner.at("learner_model_param");
  const names = learner.at("feature_names").isAbsent
    ? []
    : learner.at("feature_names").list.map((each) => each.text);
  const count = parameters.at("num_feature").count(mostFeatures);
  const features = Array.from({ length: Math.max(count, names.length) }, (_, at) => names[at] ?? `f${at}`);
  const labels = categoryLabels(model);
  const trees = model
    .at("trees")
    .list.map((tree, at) => savedTree(tree, { features: features.length, labels }, weightOf(at)));
  const most = trees.length === 0 ? mostBareOutputs : trees.length;
  const groupsBy = (name: string): number =>
    parameters.at(name).isAbsent ? 1 : parameters.at(name).count(most);
  const groups = Math.max(1, groupsBy("num_class"), groupsBy("num_target"));
  const members = model.at("tree_info").numbers;
  const memberOf = (tree: number): number =>
    members[tree] ?? model.at("tree_info").fail("number for each tree");
  const classes = byClass(trees, groups, memberOf);
  const objective = learner.at("objective").at("name").text;
  const written = parameters.at("base_score").text.replaceAll(/[[\]]/g, "").split(",").map(Number);
  const { transform, link } = objectiveOf(objective);
  const bases = classes.map((_, at) => link(written[at] ?? element(written, 0)));
  return { features, classes, bases, divisor: 1, transform };
}

interface Objective {
  readonly transform: Transform;
  /** From the scale of predictions, which the base score is on, to that of sums. */
  readonly link: (score: number) => number;
}

const logit = (score: number): number => Math.log(score / (1 - score));
const same = (score: number): number => score;

const objectives: Readonly<Record<string, Objective>> = {
  "binary:logistic": { transform: { kind: "sigmoid", slope: 1 }, link: logit },
  "reg:logistic": { transform: { kind: "sigmoid", slope: 1 }, link: logit },
  "binary:hinge": { transform: { kind: "positive" }, link: same },
  "binary:logitraw": { transform: { kind: "none" }, link: same },
  "count:poisson": { transform: { kind: "exponential" }, link: Math.log },
  "reg:gamma": { transform: { kind: "exponential" }, link: Math.log },
  "reg:tweedie": { transform: { kind: "exponential" }, link: Math.log },
  "survival:aft": { transform: { kind: "exponential" }, link: Math.log },
  "survival:cox": { transform: { kind: "exponential" }, link: Math.log },
  "multi:softprob": { transform: { kind: "softmax" }, link: same },
  "multi:softmax": { transform: { kind: "greatest" }, link: same },
};

const objectiveOf = (name: string): Objective =>
  objectives[name] ?? { transform: { kind: "none" }, link: same };

/** The labels of categories, as later versions write them down where data had labels: codes are positions in these lists. */
function categoryLabels(model: JsonReader): CategoryLabels {
  if (model.at("cats").isAbsent || model.at("cats").at("enc").isAbsent) return new Map();
  const lists = model.at("cats").at("enc").list.map(labelsOf);
  return new Map([...lists.entries()].filter(([, list]) => list.length > 0));
}

/** Numbers, or texts as bytes, each from one offset to the next. */
function labelsOf(encoded: JsonReader): readonly (number | string)[] {
  const { numbers } = encoded.at("values");
  if (encoded.at("offsets").isAbsent) return numbers;
  const offsets = encoded.at("offsets").numbers;
  const bytes = Uint8Array.from(numbers);
  return offsets.slice(1).map((end, at) => {
    const start = offsets[at];
    if (start === undefined || !(start >= 0 && start <= end && end <= bytes.length))
      return encoded.at("offsets").fail("number of what there is");
    if (end - start > longestLabel) return encoded.at("values").fail("text of fewer characters");
    return textInUtf8(bytes.subarray(start, end), "a part") ?? encoded.at("values").fail("text");
  });
}

/** A tree as arrays with an entry for each node. */
function savedTree(tree: JsonReader, columns: Columns, weight: number): Tree {
  const shape = tree.at("tree_param");
  if (!shape.isAbsent && shape.at("size_leaf_vector").numberOr(1) > 1)
    return tree.fail("tree with a number at each leaf");
  return new SavedTree(tree, columns, weight).node(0, 0);
}

/** The columns that trees ask about: how many there are, and the labels of those with categories. */
interface Columns {
  readonly features: number;
  readonly labels: CategoryLabels;
}

class SavedTree {
  private readonly left: readonly number[];
  private readonly right: readonly number[];
  private readonly features: readonly number[];
  private readonly defaultsLeft: readonly number[];
  /** Of a leaf its value, of another node the threshold that it asks about. */
  private readonly conditions: readonly JsonReader[];
  /** 1 for categories; empty where all nodes ask about thresholds. */
  private readonly types: readonly number[];
  private readonly categories: ReadonlyMap<number, readonly number[]>;
  private readonly built = new Set<number>();

  constructor(
    private readonly tree: JsonReader,
    private readonly columns: Columns,
    private readonly weight: number,
  ) {
    const numbers = (name: string): readonly number[] => tree.at(name).numbers;
    [this.left, this.right] = [numbers("left_children"), numbers("right_children")];
    [this.features, this.defaultsLeft] = [numbers("split_indices"), numbers("default_left")];
    this.conditions = tree.at("split_conditions").list;
    this.types = tree.at("split_type").isAbsent ? [] : numbers("split_type");
    this.categories = categoriesOf(tree);
  }

  node(at: number, depth: number): Tree {
    if (depth > deepest) return this.tree.fail("tree of fewer levels");
    if (this.built.has(at)) return this.tree.fail("node of one parent");
    this.built.add(at);
    const [left, right] = [this.entry(this.left, at), this.entry(this.right, at)];
    if (left === -1) return { kind: "leaf", value: this.entry(this.conditions, at).number * this.weight };
    const feature = this.entry(this.features, at);
    if (!(feature >= 0 && feature < this.columns.features)) return this.tree.fail("node within the tree");
    const isDefaultLeft = this.entry(this.defaultsLeft, at) !== 0;
    const [smaller, larger] = [this.node(left, depth + 1), this.node(right, depth + 1)];
    if (this.types[at] !== 1) {
      const test = belowAsFloat(this.entry(this.conditions, at).number);
      return { kind: "split", feature, test, passesMissing: isDefaultLeft, yes: smaller, no: larger };
    }
    // The categories that are listed go to the right.
    const test = this.categoryTest(feature, this.categories.get(at) ?? []);
    return { kind: "split", feature, test, passesMissing: !isDefaultLeft, yes: larger, no: smaller };
  }

  private categoryTest(feature: number, categories: readonly number[]): Split["test"] {
    const labels = this.columns.labels.get(feature);
    return labels === undefined
      ? { kind: "category", categories, truncates: false }
      : { kind: "among", labels: categories.map((code) => this.entry(labels, code)) };
  }

  private entry<T>(list: readonly T[], at: number): T {
    return list[at] ?? this.tree.fail("node within the tree");
  }
}

/** The categories of each node that asks for some. */
function categoriesOf(tree: JsonReader): ReadonlyMap<number, readonly number[]> {
  if (tree.at("categories_nodes").isAbsent) return new Map();
  const all = tree.at("categories").numbers;
  const column = (name: string): ((node: number) => number) => {
    const { numbers } = tree.at(name);
    return (node) => numbers[node] ?? tree.at(name).fail("number for each node that asks for categories");
  };
  const [startOf, sizeOf] = [column("categories_segments"), column("categories_sizes")];
  let left = all.length;
  return new Map(
    tree.at("categories_nodes").numbers.map((node, at) => {
      const start = startOf(at);
      const listed = all.slice(start, start + sizeOf(at));
      left -= listed.length;
      return [node, left < 0 ? tree.at("categories_sizes").fail("number of what there is") : listed];
    }),
  );
}
