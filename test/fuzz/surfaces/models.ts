import { compile } from "../../../src/index.js";
import { readOnnx, readTokenizer, readTrees } from "../../../src/models.js";
import type { Choice } from "../../hunt/choice.js";
import { model, node, number, port, raw, weights } from "../../models/onnx/write-model.js";
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
  saved:    ['{"learner":{"feature_names":[<text*,>],"gradient_booster":{"model":{"trees":[<arrays*,>],"tree_info":[<id*,>]}},"learner_model_param":{"base_score":"<number>","num_class":"<id>","num_feature":"<id>"},"objective":{"name":"<goal>"}}}'],
  arrays:   ['{"left_children":[<node*,>],"right_children":[<node*,>],"split_indices":[<id*,>],"split_conditions":[<number*,>],"default_left":[<id*,>]}', '{"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],"split_conditions":[<number>,1,2],"default_left":[0,1,0],"split_type":[<id>,0,0],"categories":[<id*,>],"categories_nodes":[0],"categories_segments":[<id>],"categories_sizes":[<id>]}'],
  goal:     ["binary:logistic", "multi:softmax", "reg:quantileerror", "x"],
  node:     ["-1", "1", "2", "3", "0"],
  lines:    ["tree\n<head*\n>\n\nTree=0\n<list*\n>\n\nend of trees\n<behind>", "tree\nfeature_names=a b\n\nTree=0\nleaf_value=1 2 3\nsplit_feature=0 1\nthreshold=<number> <id>\ndecision_type=<id> 10\nleft_child=<node> -1\nright_child=-3 -2\ncat_boundaries=0 <id>\ncat_threshold=<id> 5\nend of trees"],
  head:     ["feature_names=a b", "num_tree_per_iteration=<id>", "objective=<aim>", "feature_infos=none [0:1]", "average_output"],
  list:     ["leaf_value=<number> <number>", "split_feature=<id>", "threshold=<number>", "decision_type=<id>", "left_child=<node>", "right_child=<node>", "cat_boundaries=0 <id>", "cat_threshold=<id>", "is_linear=<id>"],
  behind:   ["", "pandas_categorical:[[<text*,>]]", "pandas_categorical:<text>"],
  tokens:   ['{"model":<kind>,"normalizer":<normal>,"pre_tokenizer":<pre>,"post_processor":<post>,"added_tokens":[<added*,>]}', '{"model":<kind>}', "{<text*,>}"],
  kind:     ['{"type":"WordPiece","vocab":{<word*,>},"unk_token":"a","continuing_subword_prefix":"##"}', '{"type":"BPE","vocab":{<word*,>},"merges":[<merge*,>]}', '{"type":"Unigram","vocab":[<score*,>],"unk_id":<id>}', '{"vocab":<text>}'],
  word:     ["<text>:<id>", '"a":0', '"##b":1', '"b":<id>'],
  merge:    ['"a b"', '["a","b"]', "<text>"],
  score:    ["[<text>,<number>]", '["a",-1]'],
  normal:   ["null", '{"type":"Lowercase"}', '{"type":"NFKC"}', '{"type":"Sequence","normalizers":[<normal*,>]}', '{"type":"Replace","pattern":{"Regex":<regex>},"content":<text>}', '{"type":"BertNormalizer"}', '{"type":"Precompiled"}', '{"type":<text>}'],
  pre:      ["null", '{"type":"Whitespace"}', '{"type":"BertPreTokenizer"}', '{"type":"Metaspace","replacement":"_"}', '{"type":"ByteLevel"}', '{"type":"Split","pattern":{"Regex":<regex>},"behavior":"Isolated","invert":false}', '{"type":"Sequence","pretokenizers":[<pre*,>]}'],
  post:     ["null", '{"type":"BertProcessing","sep":["a",0],"cls":["b",1]}', '{"type":"TemplateProcessing","single":[],"pair":[]}', '{"type":<text>}'],
  regex:    ['" "', '"\\\\s+"', '"(a+)+"', '"["', '"(?i:a|b)?"', "<text>"],
  added:    ['{"id":<id>,"content":<text>,"special":true}', '{"content":"a"}', "1"],
  text:     ['"age"', '"a b"', '""', '"x"', '"if"'],
  number:   ["0", "1", "-1.5", "1e300", "1e400", "1e-35", '"1||2"', "null", '"x"'],
  id:       ["0", "1", "2", "-1", "1.5", "1e9"],
});

/** A value as UBJSON has it, with lengths that are sometimes wrong. */
function ubjson(choice: Choice): Uint8Array {
  const bytes: number[] = [];
  const sign = (text: string): void => {
    for (const each of text) bytes.push(each.charCodeAt(0));
  };
  const name = (text: string): void => {
    sign("i");
    bytes.push(choice.percent(3) ? choice.below(256) : text.length);
    sign(text);
  };
  const value = (depth: number): void => {
    const kind = choice.oneOf(
      depth > 5 ? ["i", "T"] : ["i", "U", "I", "l", "d", "S", "T", "Z", "[", "{", "[$"],
    );
    sign(kind);
    if (kind === "S") name("ab");
    else if (kind === "[$") {
      sign(choice.oneOf(["i#", "d#", "Z#", "[#", "S#", "{#"]));
      sign("i");
      bytes.push(choice.below(6));
      for (let at = choice.below(24); at > 0; at--) bytes.push(choice.below(256));
    } else if (kind === "[") {
      for (let at = choice.below(4); at > 0; at--) value(depth + 1);
      sign("]");
    } else if (kind === "{") {
      for (let at = choice.below(4); at > 0; at--) {
        name(choice.oneOf(["learner", "feature_names", "gradient_booster", "model", "trees", "a"]));
        value(depth + 1);
      }
      sign("}");
    } else
      for (let at = { i: 1, U: 1, I: 2, l: 4, d: 4 }[kind] ?? 0; at > 0; at--) bytes.push(choice.below(256));
  };
  sign("{");
  name("learner");
  value(0);
  sign("}");
  return Uint8Array.from(bytes);
}

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
  textSurface({
    name: "saved forests",
    weight: 1,
    derive: (choice) => grammar.derive(choice.percent(50) ? "saved" : "lines", choice),
    attempt: (input) => void outcome(() => readTrees({ name: "model", text: input })),
  }),
  bytesSurface({
    name: "ubjson",
    weight: 1,
    derive: ubjson,
    attempt: (bytes) => void outcome(() => readTrees({ name: "model.ubj", bytes })),
  }),
  textSurface({
    name: "tokenizer",
    weight: 1,
    derive: (choice) => grammar.derive("tokens", choice),
    attempt: (input, choice) => {
      const tokenizer = outcome(() => readTokenizer({ name: "tokenizer.json", text: input }));
      if (tokenizer === undefined) return;
      for (const text of ["", "a b ab é", "b".repeat(200), "\0\ud800 🐝"])
        outcome(() => tokenizer.encode(text, choice.percent(50) ? choice.between(1, 9) : undefined));
    },
  }),
];
