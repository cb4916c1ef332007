import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, SphexError } from "../../src/index.js";
import { element } from "../../src/language/values/element.js";
import { isNear } from "../../src/language/values/near.js";
import { forestModel } from "../../src/models/reader.js";
import { belowAsFloat } from "../../src/models/trees/float-threshold.js";
import type { Forest, Tree } from "../../src/models/trees/forest.js";
import { readForest } from "../../src/models/trees/read.js";
import { type ForestLibrary, type OnnxModel, readOnnx, readTrees } from "../../src/models.js";
import { patient } from "../patience.js";
import type { Attribute } from "./campaign/graph.js";
import { modelBytes } from "./campaign/write.js";
import { type ForestCase, features, forestDifferences, predictionsOf } from "./trees/forest-case.js";

/** Forests that XGBoost and LightGBM have trained, with what these predict themselves: `trees/make.py` makes them anew. */
interface Case {
  readonly library: ForestLibrary;
  readonly name: string;
  readonly model: unknown;
  /** What XGBoost's `dump_model` writes of the same forest. */
  readonly dump: unknown;
  readonly rows: readonly (readonly (number | null)[])[];
  readonly predictions: readonly (readonly number[])[];
  readonly margins?: readonly (readonly number[])[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("trees/models.json", import.meta.url), "utf8"),
);

/** The predictions of a forest as a program, for rows in which null is missing. */
const predictions = (model: unknown, { library, rows }: Case): number[][] =>
  predictionsOf(readTrees({ name: "model.json", text: JSON.stringify(model) }, library), rows);

interface FileCase extends Case {
  readonly format: "ubj" | "txt";
  /** UBJSON as base64, or the text. */
  readonly content: string;
}

const fileCases: readonly FileCase[] = JSON.parse(
  readFileSync(new URL("trees/files.json", import.meta.url), "utf8"),
);

const bytesOf = ({ format, content }: FileCase): Uint8Array =>
  format === "ubj" ? Buffer.from(content, "base64") : new TextEncoder().encode(content);

/** Rows whose prediction is another one: XGBoost adds floats, LightGBM doubles. */
function differences(
  found: readonly (readonly number[])[],
  { rows, predictions, library }: Case,
  offset = 0,
): unknown[] {
  const tolerance = library === "xgboost" ? 2e-6 : 1e-12;
  return found.flatMap((numbers, at) => {
    const expected = predictions[at] ?? [];
    const isSame =
      numbers.length === expected.length &&
      numbers.every((each, index) => {
        const number = element(expected, index);
        return isNear(each + offset, number, tolerance * Math.max(1, Math.abs(number)));
      });
    return isSame ? [] : [{ row: rows[at], found: numbers, expected }];
  });
}

describe.each(
  fileCases.map((each) => [`${each.name}, as ${each.format}`, each] as const),
)("%s", (_, each) => {
  test("predicts what the library does for every row", () => {
    const found = predictionsOf(readTrees({ name: "model", bytes: bytesOf(each) }), each.rows);
    expect(differences(found, each)).toEqual([]);
  });

  test("is refused where it ends too early, and nothing else happens", () => {
    const bytes = bytesOf(each);
    for (let part = 0; part < 40; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 41));
      try {
        expect(readTrees({ name: "model", bytes: cut }).text).toContain("prediction");
      } catch (error) {
        expect(error).toBeInstanceOf(SphexError);
      }
    }
  });
});

describe.each(cases.map((each) => [`${each.library}, ${each.name}`, each] as const))("%s", (_, each) => {
  test("predicts what the library does for every row", () => {
    expect(each.rows.length).toBeGreaterThan(20);
    expect(differences(predictions(each.model, each), each)).toEqual([]);
  });
});

/** What a program that calls a forest makes of rows, whose sums are a text where they have at most so many splits. */
function called(forest: Forest, rows: readonly (readonly number[])[], mostWritten: number): number[][] {
  const names = forest.features.map((_, at) => `x${at}`);
  const inputs = names.map((name) => `input ${name}: tensor()`);
  const text = ['model m = file("m.json")', ...inputs, `m(${names.join(", ")}).prediction`].join("\n");
  const model = forestModel(forest, mostWritten);
  const program = compile(text, { models: () => model, readBytes: () => new Uint8Array() });
  return rows.map((row) => {
    const values = Object.fromEntries(names.map((name, at) => [name, row[at] ?? Number.NaN]));
    return Array.from(program.run(values).data, Number);
  });
}

/** Rows with a number for each feature of a forest, in its order. */
function rowsFor(forest: Forest, rows: Case["rows"]): number[][] {
  const word = (name: string): string => name.replaceAll(" ", "_");
  const columns = forest.features.map((each) => features.findIndex((name) => word(name) === word(each)));
  return rows.map((row) => columns.map((column) => row[column] ?? Number.NaN));
}

test.each(
  cases.map((each) => [`${each.library}, ${each.name}`, each] as const),
)("a forest that is no text is the same to the last bit: %s", (_, each) => {
  const forest = readForest({ name: "m.json", text: JSON.stringify(each.model) }, each.library);
  const rows = rowsFor(forest, each.rows);
  const found = called(forest, rows, 0);
  expect(differences(found, each)).toEqual([]);
  expect(found).toEqual(called(forest, rows, Number.POSITIVE_INFINITY));
});

test("features that are called like the sums of classes are none of these", () => {
  const leaf = (value: number): Tree => ({ kind: "leaf", value });
  const below = (feature: number): Tree => ({
    ...{ kind: "split", feature, passesMissing: false, test: { kind: "below", threshold: 5 } },
    ...{ yes: leaf(10), no: leaf(20) },
  });
  const forest: Forest = {
    ...{ features: ["margin_0", "margin_1", "margins"], divisor: 1, bases: [0, 0] },
    ...{ classes: [[below(0)], [below(0), below(1)]], transform: { kind: "none" } },
  };
  for (const most of [0, 9]) expect(called(forest, [[1, 9]], most)).toEqual([[10, 30]]);
});

/** A tree of ONNX on two columns, of which some attributes are others. */
function onnxTree(others: Readonly<Record<string, Attribute>>): OnnxModel {
  const attributes = {
    ...{ nodes_treeids: [0, 0, 0], nodes_nodeids: [0, 1, 2], nodes_featureids: [0, 0, 0] },
    ...{ nodes_truenodeids: [1, 0, 0], nodes_falsenodeids: [2, 0, 0], n_targets: 1 },
    ...{ nodes_modes: { strings: ["BRANCH_LEQ", "LEAF", "LEAF"] }, nodes_values: { floats: [1, 0, 0] } },
    ...{ target_treeids: [0, 0], target_nodeids: [1, 2], target_ids: [0, 0] },
    target_weights: { floats: [3, 4] },
    ...others,
  };
  const step = { operator: "TreeEnsembleRegressor", domain: "ai.onnx.ml", inputs: ["x"], outputs: ["y"] };
  const bytes = modelBytes({
    ...{ opset: 17, constants: new Map(), steps: [{ ...step, attributes }] },
    inputs: new Map([["x", { element: "float", shape: [1, 2], numbers: [0, 2] }]]),
    outputs: new Map([["y", { element: "float", shape: [1, 1] }]]),
  });
  return readOnnx({ name: "trees.onnx", bytes });
}

test.each([2, -1])("a tree of ONNX that asks for column %s of two is refused", (column) => {
  const model = onnxTree({ nodes_featureids: [column, 0, 0] });
  expect(() => model.program()).toThrow(`nodes_featureids = ${column}`);
});

test.each([
  "nodes_treeids",
  "nodes_featureids",
  "target_ids",
])("a tree of ONNX with fewer %s than it lists is refused", (name) => {
  expect(() => onnxTree({ [name]: [] }).program()).toThrow(`its ${name} must have`);
});

test("trees of XGBoost of which nothing says whose they are, are refused", () => {
  const whole = JSON.parse(learner("reg:squarederror", "1", [1]));
  whole.learner.gradient_booster.model.tree_info = [];
  expect(() => readTrees({ name: "m.json", text: JSON.stringify(whole) })).toThrow(
    "tree_info must be a number for each tree",
  );
});

test("a tree of ONNX that compares with NaN is refused", () => {
  expect(() => onnxTree({ nodes_values: { floats: [Number.NaN, 0, 0] } }).program()).toThrow(
    "nodes_values = NaN",
  );
  expect(onnxTree({}).program().text).toContain("if(");
});

const dumped = cases.filter(({ dump, margins }) => dump !== null && margins?.[0]?.length === 1);

test.each(
  dumped.map((each) => [each.name, each] as const),
)("a dump of XGBoost says the margin without the base score: %s", (name, each) => {
  expect(name).not.toBe("");
  const margins = each.margins ?? [];
  const found = predictions(each.dump, each);
  const base = (margins[0]?.[0] ?? Number.NaN) - (found[0]?.[0] ?? Number.NaN);
  expect(differences(found, { ...each, predictions: margins }, base)).toEqual([]);
});

test("a double is below a threshold where its float is", () => {
  for (const threshold of [0.1, 1, -1, 0, 2.5, -0.3, 1e-40, 16777216, 3.4e38]) {
    const float = Math.fround(threshold);
    const test = belowAsFloat(threshold);
    if (test.kind !== "below" && test.kind !== "at most") throw new Error("a test of a threshold");
    const middle = test.threshold;
    for (const value of [
      middle,
      middle * (1 + 2 ** -50),
      middle * (1 - 2 ** -50),
      float,
      -float,
      0,
      threshold,
    ]) {
      const passes = test.kind === "below" ? value < middle : value <= middle;
      expect([threshold, value, passes]).toEqual([threshold, value, Math.fround(value) < float]);
    }
  }
});

// biome-ignore format: a table
const broken = [
  { library: "xgboost",  text: "{",                                             code: "model/json",    words: "it is not JSON" },
  { library: "xgboost",  text: "[]",                                            code: "model/content", words: "it must be a list with a tree" },
  { library: "xgboost",  text: "7",                                             code: "model/content", words: "it must be an object" },
  { library: "xgboost",  text: '[{"split":"a","yes":1,"no":2,"split_condition":1,"children":[]}]', code: "model/content", words: "0.yes must be a node within the tree" },
  { library: "xgboost",  text: '[{"split":"a","yes":1,"no":2,"split_condition":"x","children":[{"nodeid":1,"leaf":0},{"nodeid":2,"leaf":0}]}]', code: "model/content", words: "0.split_condition must be a number" },
  { library: "lightgbm", text: '{"feature_names":["a"],"tree_info":[{"tree_structure":{"split_feature":3}}]}', code: "model/content", words: "tree_info.0.tree_structure.split_feature must be a node within the tree" },
  { library: "lightgbm", text: '{"feature_names":3}',                           code: "model/content", words: "feature_names must be a list" },
] as const;

test.each(broken)("$library: $text is a problem", ({ library, text, code, words }) => {
  expect(() => readTrees({ name: "m.json", text }, library)).toThrow(words);
  expect(() => readTrees({ name: "m.json", text }, library)).toThrow(code);
});

/** A learner of XGBoost with one tree of a single leaf for each output. */
const learner = (objective: string, base: string, leaves: readonly number[], parameters = {}): string =>
  JSON.stringify({
    learner: {
      feature_names: ["a"],
      learner_model_param: { base_score: base, num_class: "0", num_feature: "1", ...parameters },
      objective: { name: objective },
      gradient_booster: {
        model: {
          tree_info: leaves.map((_, output) => output),
          trees: leaves.map((leaf) => ({
            ...{ left_children: [-1], right_children: [-1], split_indices: [0], default_left: [0] },
            split_conditions: [leaf],
          })),
        },
      },
    },
  });

// By the definitions of the objectives: a hinge asks whether the margin is above 0; the base of a survival is a time, and its margin a logarithm.
// biome-ignore format: a table
test.each([
  { text: learner("binary:hinge", "0.5", [0.25]),                                        expected: [1] },
  { text: learner("binary:hinge", "0.5", [-0.5]),                                        expected: [0] },
  { text: learner("survival:aft", "2", [Math.log(3)]),                                   expected: [6] },
  { text: learner("reg:quantileerror", "[1E0,5E0]", [0.5, -1], { num_target: "2" }),     expected: [1.5, 4] },
  { text: learner("reg:squarederror", "1", [0.5, -1, 2], { num_target: "3" }),           expected: [1.5, 0, 3] },
  { text: learner("reg:squarederror", "1", [0.5], { num_target: "1" }),                  expected: [1.5] },
  { text: learner("reg:squarederror", "[5E-1]", [], { num_target: "1" }),                expected: [0.5] },
  { text: learner("count:poisson", "2.5", [], { num_target: "1" }),                      expected: [2.5] },
  { text: learner("multi:softprob", "[5E-1,5E-1,5E-1]", [], { num_class: "3" }),         expected: [1 / 3, 1 / 3, 1 / 3] },
  { text: learner("multi:softmax", "0.5", Array.from({ length: 1001 }, (_, at) => at / 1001), { num_class: "1001" }), expected: [1000] },
])("outputs of XGBoost: $expected", ({ text, expected }) => {
  const found = predictionsOf(readTrees({ name: "m.json", text }), [[0]])[0] ?? [];
  expect(found.length).toBe(expected.length);
  for (const [at, value] of found.entries()) expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 12);
});

describe("what is between two categories", () => {
  /** 1 in the categories 0 and 2, otherwise 7. */
  const light = JSON.stringify({
    feature_names: ["age"],
    tree_info: [
      {
        tree_structure: {
          ...{ split_feature: 0, threshold: "0||2", decision_type: "==", missing_type: "NaN" },
          left_child: { leaf_value: 1 },
          right_child: { leaf_value: 7 },
        },
      },
    ],
  });
  const boosted = JSON.stringify([
    {
      ...{ nodeid: 0, split: "age", split_condition: [0, 2], yes: 1, no: 2, missing: 2 },
      children: [
        { nodeid: 1, leaf: 1 },
        { nodeid: 2, leaf: 7 },
      ],
    },
  ]);
  const values = [0, 0.5, 1, 1.5, 2, 2.9, 3, -0.5, -1, -1.5, null, 1e20];

  // The libraries cut fractions off; XGBoost knows no category below 0.
  // biome-ignore format: a table
  test.each([
    { library: "lightgbm", text: light,   expected: [1, 1, 7, 7, 1, 1, 7, 1, 7, 7, 7, 7] },
    { library: "xgboost",  text: boosted, expected: [1, 1, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7] },
  ] as const)("is the lower one for $library", ({ library, text, expected }) => {
    const rows = values.map((value) => [value]);
    expect(predictionsOf(readTrees({ name: "m.json", text }, library), rows).flat()).toEqual(expected);
  });
});

describe("trees whose leaves are no single numbers are refused", () => {
  const words = "must be a tree with a number at each leaf";

  test("in JSON of LightGBM", () => {
    const leaf = { leaf_value: 1, leaf_const: 2, leaf_features: [0], leaf_coeff: [0.5] };
    const text = JSON.stringify({ feature_names: ["a"], tree_info: [{ tree_structure: leaf }] });
    expect(() => readTrees({ name: "m.json", text })).toThrow(words);
  });

  test("in the text of LightGBM", () => {
    const text = "tree\nfeature_names=a\n\nTree=0\nnum_leaves=1\nleaf_value=1\nis_linear=1\n\nend of trees\n";
    expect(() => readTrees({ name: "m.txt", text }, "lightgbm")).toThrow(words);
  });

  test("in models of XGBoost", () => {
    const whole = JSON.parse(learner("reg:squarederror", "1", [1]));
    whole.learner.gradient_booster.model.trees[0].tree_param = { size_leaf_vector: "2" };
    expect(() => readTrees({ name: "m.json", text: JSON.stringify(whole) })).toThrow(words);
  });
});

test("a threshold of LightGBM's text may be infinite", () => {
  const lines = [
    ...["tree", "feature_names=age", "", "Tree=0", "num_leaves=2", "split_feature=0", "threshold=inf"],
    ...["decision_type=8", "left_child=-1", "right_child=-2", "leaf_value=1 7", "", "end of trees", ""],
  ];
  const program = readTrees({ name: "m.txt", text: lines.join("\n") }, "lightgbm");
  expect(predictionsOf(program, [[5], [1e300], [null]]).flat()).toEqual([1, 1, 7]);
});

// LightGBM: what is at most 1e-35, as a float, from 0 is missing, before it is compared; 1 is the left leaf.
// biome-ignore format: a table
test.each([
  { threshold: -1.0000000180025095e-35, default_left: false, expected: [7, 7, 7, 1, 7] },
  { threshold: -1.0000000180025095e-35, default_left: true,  expected: [1, 1, 1, 1, 7] },
  { threshold: 1e-36,                   default_left: false, expected: [7, 7, 7, 1, 7] },
  { threshold: 1e-36,                   default_left: true,  expected: [1, 1, 1, 1, 7] },
])("a 0 that is missing is next to the threshold $threshold, $default_left", ({ threshold, default_left, expected }) => {
  const split = { split_feature: 0, threshold, default_left, decision_type: "<=", missing_type: "Zero" };
  const leaves = { left_child: { leaf_value: 1 }, right_child: { leaf_value: 7 } };
  const text = JSON.stringify({ feature_names: ["age"], tree_info: [{ tree_structure: { ...split, ...leaves } }] });
  const rows = [-1.0000000180025095e-35, 0, 1.0000000180025095e-35, -1e-34, 1e-34].map((value) => [value]);
  expect(predictionsOf(readTrees({ name: "m.json", text }, "lightgbm"), rows).flat()).toEqual(expected);
});

/** A file that `trees/at-random.py` has written. */
const forests = process.env.FORESTS;

test.skipIf(forests === undefined)("forests at random predict what their libraries do", patient, () => {
  const lines = readFileSync(forests ?? "", "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeGreaterThan(50);
  for (const line of lines) {
    const each: ForestCase = JSON.parse(line);
    expect(forestDifferences(each), `${each.seed}`).toEqual([]);
  }
});
