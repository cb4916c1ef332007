import { model, node, port } from "./onnx/write-model.js";

/** Files of models, of tables and of state, in which a hostile text stands wherever a name may. */
export function hostileModels(text: string) {
  const quoted = JSON.stringify(text);
  const output = `y${text}`;
  const split = { nodeid: 0, split: text, split_condition: 1, yes: 1, no: 2 };
  const leaves = [
    { nodeid: 1, leaf: 0 },
    { nodeid: 2, leaf: 1 },
  ];
  const normalizer = { type: "Replace", pattern: { Regex: `(${text}+)+` } };
  return [
    ["onnx", model(node("Relu", [text], output), port(11, text, [2, `n${text}`]), port(12, output, [2]))],
    ["strangeOnnx", model(node(`Strange${text}`, [text], "y"), port(11, text, [2]), port(12, "y", [2]))],
    ["forest", JSON.stringify([{ ...split, children: leaves }])],
    ["badForest", JSON.stringify([{ ...split, split_condition: text, children: [] }])],
    ["tokenizer", JSON.stringify({ model: { type: text, vocab: { [text]: 0 } }, normalizer })],
    [
      "bindings",
      `${quoted}: {table: ${quoted}, ${quoted}: 1}\nq: {file: ${quoted}, dimensions: {${quoted}: ${quoted}}, missing: ${quoted}}\n`,
    ],
    ["state", JSON.stringify({ sphex: "state", version: 1, tensors: { [text]: text } })],
  ] as const;
}
