import { compile } from "../../../src/index.js";
import { readOnnx, readTrees } from "../../../src/models.js";
import type { Choice } from "../../hunt/choice.js";
import { model, node, number, port, raw, weights } from "../../onnx/write-model.js";
import { Grammar } from "../grammar.js";
import { bytesSurface, outcome, type Surface, textSurface } from "../surface.js";

/** Files of models: whatever they hold, a program comes of it, or problems. */

const operators = [
  "Relu",
  "Add",
  "MatMul",
  "Concat",
  "Softmax",
  "Reshape",
  "Gather",
  "Conv",
  "Transpose",
  "Resize",
  "LSTM",
  "BitShift",
  "BitwiseNot",
  "ReduceMean",
  "Div",
  "Mul",
  "Nothing",
];

function onnxBytes(choice: Choice): Uint8Array {
  const names = ["x", "w", "a", "b"];
  const name = (): string => choice.weighted(names, () => 1);
  const sizes = Array.from({ length: choice.below(4) }, () => choice.between(0, 3));
  const nodes = Array.from({ length: choice.between(1, 4) }, (_, at) =>
    node(
      choice.weighted(operators, () => 1),
      [name(), name()],
      names[at % 4] ?? "a",
    ),
  );
  const content = raw(new Uint8Array(4 * sizes.reduce((cells, size) => cells * size, 1)));
  return model(
    ...nodes,
    weights("w", sizes, content),
    port(11, "x", sizes),
    port(12, name(), sizes),
    number(99, 1),
  );
}

// biome-ignore format: a grammar
const grammar = new Grammar({
  xgboost:  ["[<split*,>]", '{"learner":{<part*,>}}'],
  part:     ['"feature_names":[<text*,>]', '"gradient_booster":{"model":{"trees":[<split*,>],"tree_info":[0,1]}}', '"learner_model_param":{"base_score":"<number>","num_class":"<number>","num_feature":"<number>"}', '"objective":{"name":"binary:logistic"}'],
  split:    ["<leaf>", '{"nodeid":<id>,"split":<text>,"split_condition":<number>,"yes":<id>,"no":<id>,"missing":<id>,"children":[<leaf>,<split>]}', "<leaf>"],
  leaf:     ['{"nodeid":<id>,"leaf":<number>}'],
  lightgbm: ['{"feature_names":[<text*,>],"tree_info":[{"tree_structure":<tree>}],"objective":"<aim>","num_tree_per_iteration":<id>}'],
  tree:     ['{"leaf_value":<number>}', '{"leaf_value":<number>}', '{"split_feature":<id>,"threshold":<number>,"decision_type":"<sign>","default_left":true,"missing_type":"<missing>","left_child":{"leaf_value":<number>},"right_child":<tree>}'],
  aim:      ["binary sigmoid:2", "regression", "multiclass num_class:3", "poisson", ""],
  sign:     ["<=", "==", "<"],
  missing:  ["NaN", "Zero", "None", "x"],
  text:     ['"age"', '"a b"', '""', '"x"', '"if"'],
  number:   ["0", "1", "-1.5", "1e300", "1e400", "1e-35", '"1||2"', "null", '"x"'],
  id:       ["0", "1", "2", "-1", "1.5", "1e9"],
});

const forest = (library: "xgboost" | "lightgbm"): Surface =>
  textSurface({
    name: `forests of ${library}`,
    weight: 1,
    derive: (choice) => grammar.derive(library, choice),
    attempt: (input) => {
      const program = outcome(() => readTrees({ name: "model.json", text: input }, library));
      if (program !== undefined) outcome(() => compile(program.text));
    },
  });

export const modelSurfaces: readonly Surface[] = [
  bytesSurface({
    name: "models of ONNX",
    weight: 1,
    derive: onnxBytes,
    attempt: (input) => void outcome(() => readOnnx({ name: "model.onnx", bytes: input }).program()),
  }),
  forest("xgboost"),
  forest("lightgbm"),
];
