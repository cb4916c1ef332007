import { readOnnx, readTokenizer, readTrees } from "../../src/models.js";
import { readBindings } from "../../src/sql/bindings-file.js";
import { floats, model, node, port, raw, weights } from "../models/onnx/write-model.js";
import { attempt, type GrowthRow, many, row, rowsOf, source, type Texts } from "./row.js";

/** Files of models, and bindings of tables. */

const list = (count: number, value: (at: number) => string): string => `[${many(count, value, ",")}]`;

const learner = (features: string, trees: string, classes = "0"): string =>
  `{"learner":{"feature_names":${features},"gradient_booster":{"model":{"trees":${trees},"tree_info":[0]}},"learner_model_param":{"base_score":"0","num_class":"${classes}","num_feature":"1"},"objective":{"name":"reg:squarederror"}}}`;
const leaf = `{"left_children":[-1],"right_children":[-1],"split_indices":[0],"split_conditions":[1],"default_left":[0]}`;
const leafLines = "leaf_value=1\n\n";

const forests: Texts = [
  [
    "trees",
    (n) =>
      learner(
        `["a"]`,
        list(n / 110, () => leaf),
      ),
  ],
  [
    "a class for each tree",
    (n) =>
      learner(
        `["a"]`,
        list(n / 110, () => leaf),
        `${Math.floor(n / 110)}`,
      ),
  ],
  [
    "features",
    (n) =>
      learner(
        list(n / 8, (i) => `"a${i}"`),
        "[]",
      ),
  ],
  [
    "features of one name",
    (n) =>
      learner(
        list(n / 8, (i) => `"a1${".".repeat(i % 7)}"`),
        "[]",
      ),
  ],
  ["a long feature", (n) => learner(`["${"a".repeat(n)}"]`, "[]")],
  [
    "a dump of many features",
    (n) =>
      list(
        n / 150,
        (i) =>
          `{"nodeid":0,"split":"a${i}","split_condition":1,"yes":1,"no":2,"children":[{"nodeid":1,"leaf":0},{"nodeid":2,"leaf":1}]}`,
      ),
  ],
  [
    "children of one node",
    (n) =>
      `[{"nodeid":0,"split":"a","split_condition":1,"yes":1,"no":2,"children":${list(n / 22, (i) => `{"nodeid":${i + 1},"leaf":0}`)}}]`,
  ],
  ["open brackets", (n) => "[".repeat(n)],
  [
    "lines of LightGBM",
    (n) => `tree\nfeature_names=a\n\n${many(n / 24, (i) => `Tree=${i}\n${leafLines}`)}end of trees\n`,
  ],
  [
    "features of LightGBM",
    (n) => `tree\nfeature_names=${many(n / 8, (i) => `a${i}`, " ")}\n\nTree=0\n${leafLines}end of trees\n`,
  ],
  ["sections without trees", (n) => `tree\n${"Tree=0\n".repeat(n / 7)}`],
];

const tokenizers: Texts = [
  [
    "words",
    (n) =>
      `{"model":{"type":"WordPiece","unk_token":"a0","vocab":{${many(n / 12, (i) => `"a${i}":${i}`, ",")}}}}`,
  ],
  ["merges", (n) => `{"model":{"type":"BPE","vocab":{"a":0},"merges":${list(n / 8, (i) => `"a a${i}"`)}}}`],
  [
    "a pattern of braces",
    (n) =>
      `{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"normalizer":{"type":"Replace","pattern":{"Regex":"${"{".repeat(n)}"},"content":""}}`,
  ],
  [
    "a pattern of open groups",
    (n) =>
      `{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"normalizer":{"type":"Replace","pattern":{"Regex":"${"(".repeat(n)}"},"content":""}}`,
  ],
];

const letters = Object.fromEntries(Array.from("abcdefgh", (letter, at) => [letter, at]));
const encoders = {
  WordPiece: { type: "WordPiece", unk_token: "a", continuing_subword_prefix: "##", vocab: letters },
  BPE: { type: "BPE", unk_token: "a", vocab: { ...letters, ab: 8 }, merges: ["a b"] },
  Unigram: { type: "Unigram", unk_id: 0, vocab: Object.keys(letters).map((letter) => [letter, -1]) },
} as const;

const bindings: Texts = [
  ["inputs", (n) => many(n / 20, (i) => `q${i}: {table: t}`, "\n")],
  ["unknown keys", (n) => `q: {${many(n / 8, (i) => `k${i}: 1`, ", ")}}`],
  ["dimensions", (n) => `q: {table: t, dimensions: {${many(n / 10, (i) => `k${i}: k`, ", ")}}}`],
  ["open braces", (n) => "{".repeat(n)],
];

/** A chain of nodes, each of the one before. */
const chain = (count: number): Uint8Array => {
  const nodes = Array.from({ length: Math.ceil(count) }, (_, at) => node("Relu", [`v${at}`], `v${at + 1}`));
  return model(...nodes, port(11, "v0", [2]), port(12, `v${nodes.length}`, [2]));
};

export const modelRows: readonly GrowthRow[] = [
  ...rowsOf("forest", forests, (text) => attempt(() => readTrees({ name: "model", text }))),
  ...rowsOf("tokenizer", tokenizers, (text) => attempt(() => readTokenizer({ name: "t.json", text }))),
  ...Object.entries(encoders).flatMap(([name, own]) => {
    const tokenizer = readTokenizer({ name: "t.json", text: JSON.stringify({ model: own }) });
    return [
      row(
        `tokens of ${name}: one word`,
        (n) => "ab".repeat(n / 2),
        (text) => attempt(() => tokenizer.encode(text)),
        200_000,
      ),
      row(
        `tokens of ${name}: words`,
        (n) => "ab ".repeat(n / 3),
        (text) => attempt(() => tokenizer.encode(text)),
        200_000,
      ),
    ];
  }),
  ...rowsOf("bindings", bindings, (text) => attempt(() => readBindings(source(text)))),
  row(
    "onnx: a chain of nodes",
    (n) => chain(n / 20),
    (bytes) => attempt(() => readOnnx({ name: "m.onnx", bytes }).program()),
  ),
  row(
    "onnx: weights",
    (n) =>
      model(
        node("Add", ["x", "w"], "y"),
        weights("w", [Math.ceil(n / 4)], raw(floats(Array(Math.ceil(n / 4)).fill(1)))),
        port(11, "x", [Math.ceil(n / 4)]),
        port(12, "y", [Math.ceil(n / 4)]),
      ),
    (bytes) => attempt(() => readOnnx({ name: "m.onnx", bytes }).program()),
  ),
  row(
    "onnx: zeros",
    (n) => new Uint8Array(n),
    (bytes) => attempt(() => readOnnx({ name: "m.onnx", bytes }).program()),
  ),
  row(
    "ubjson: open lists",
    (n) => new Uint8Array(n).fill(0x5b).fill(0x7b, 0, 1).fill(0x69, 1, 2),
    (bytes) => attempt(() => readTrees({ name: "m.ubj", bytes })),
  ),
];
