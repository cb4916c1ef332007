import type { Draft, MakeStep, StepTable } from "../draft.js";
import type { Attribute } from "../graph.js";

/** Forests, whose thresholds are numbers that features have. */

const modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"];

/** The lists of nodes of some trees, and what their leaves add. */
function ensemble(
  draft: Draft,
  x: string,
  kind: "target" | "class",
  ids: readonly number[],
): Record<string, Attribute> {
  const { choice } = draft;
  const numbers = [...draft.value(x).numbers];
  const features = draft.sizeAt(x, 1);
  const lists: Record<string, number[]> = {};
  const add = (name: string, value: number): void => void (lists[name] ??= []).push(value);
  const named: string[] = [];
  const isPositive = choice.percent(50);
  const weight = (): number => (isPositive ? choice.between(0, 8) : choice.between(-8, 8)) / 16;
  const mode = choice.percent(70) ? choice.oneOf(modes) : undefined;
  const [hasMissing, isSparse] = [
    choice.percent(50),
    kind === "class" && ids.length > 1 && choice.percent(10),
  ];
  for (let tree = choice.between(0, 3); tree >= 0; tree--) {
    let count = 0;
    const grown = (depth: number): number => {
      const id = count++;
      const isLeaf = depth === 0 || choice.percent(20);
      const at = named.length;
      add("nodes_treeids", tree);
      add("nodes_nodeids", id);
      add("nodes_featureids", choice.below(features));
      add(
        "nodes_values",
        isLeaf ? 0 : (numbers[choice.below(numbers.length)] ?? 0) + choice.oneOf([0, 0, 0.25]),
      );
      add("nodes_missing_value_tracks_true", hasMissing ? choice.below(2) : 0);
      add("nodes_truenodeids", 0);
      add("nodes_falsenodeids", 0);
      named.push(isLeaf ? "LEAF" : (mode ?? choice.oneOf(modes)));
      if (isLeaf) {
        for (const target of isSparse ? [choice.oneOf(ids)] : ids) {
          add(`${kind}_treeids`, tree);
          add(`${kind}_nodeids`, id);
          add(`${kind}_ids`, target);
          add(`${kind}_weights`, weight());
        }
        return id;
      }
      const [yes, no] = [grown(depth - 1), grown(depth - 1)];
      (lists.nodes_truenodeids ?? [])[at] = yes;
      (lists.nodes_falsenodeids ?? [])[at] = no;
      return id;
    };
    grown(choice.between(1, 3));
  }
  const floats = new Set(["nodes_values", `${kind}_weights`]);
  const rows = Object.entries(lists).map(([name, list]): [string, Attribute] => [
    name,
    floats.has(name) ? { floats: list } : list,
  ]);
  return { ...Object.fromEntries(rows), nodes_modes: { strings: named } };
}

const rowsOf = (draft: Draft, x: string): string => {
  const isTable = draft.rank(x) === 2 && draft.value(x).element === "float";
  return isTable ? x : draft.leaf([draft.choice.between(1, 4), draft.choice.between(1, 4)]);
};

const regressor: MakeStep = (draft, some) => {
  const { choice } = draft;
  const x = rowsOf(draft, some);
  const targets = choice.between(1, 3);
  const ids = Array.from({ length: targets }, (_, at) => at);
  const attributes: Record<string, Attribute> = {
    ...ensemble(draft, x, "target", ids),
    n_targets: targets,
    aggregate_function: choice.oneOf(["SUM", "SUM", "AVERAGE", "MIN", "MAX"]),
    post_transform: targets === 1 ? "NONE" : choice.oneOf(["NONE", "LOGISTIC", "SOFTMAX"]),
  };
  if (choice.percent(50)) attributes.base_values = { floats: ids.map((each) => each / 4 - 0.5) };
  return {
    operator: "TreeEnsembleRegressor",
    domain: "ai.onnx.ml",
    inputs: [x],
    attributes,
    outputs: ["float"],
    hasJumps: true,
  };
};

const classifier: MakeStep = (draft, some) => {
  const { choice } = draft;
  const x = rowsOf(draft, some);
  const classes = choice.between(2, 4);
  const all = Array.from({ length: classes }, (_, at) => at);
  const ids = classes === 2 ? [0] : all;
  const attributes: Record<string, Attribute> = {
    ...ensemble(draft, x, "class", ids),
    classlabels_int64s: all.map((each) => each * 3 + 1),
    post_transform: choice.oneOf(["NONE", "LOGISTIC", classes === 2 ? "NONE" : "SOFTMAX"]),
  };
  if (choice.percent(40)) attributes.base_values = { floats: ids.map((each) => each / 4 - 0.5) };
  return {
    operator: "TreeEnsembleClassifier",
    domain: "ai.onnx.ml",
    inputs: [x],
    attributes,
    outputs: ["int64", "float"],
    hasJumps: true,
  };
};

export const forestSteps: StepTable = {
  TreeEnsembleRegressor: regressor,
  TreeEnsembleClassifier: classifier,
};
