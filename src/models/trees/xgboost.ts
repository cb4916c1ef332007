import { textInUtf8 } from "../../formats/utf8.js";
import { element } from "../../language/values/element.js";
import type { JsonReader } from "../json-reader.js";
import { byClass, type CategoryLabels, type Forest, longestLabel, type Transform } from "./forest.js";
import { dumpedForest } from "./xgboost-dump.js";
import { savedTree } from "./xgboost-tree.js";

/** Models of XGBoost: what `dump_model` writes as JSON, a list of trees, and what `save_model` writes as JSON, a whole learner. */
export function readXgboost(json: JsonReader): Forest {
  return json.isList ? dumpedForest(json) : savedForest(json.at("learner"));
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
