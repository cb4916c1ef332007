import { cellsIn, flattened, namesOf } from "../../axes.js";
import { number, reduce } from "../../expression.js";
import { elementTypes } from "../../file/element-type.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated } from "../../operand.js";
import type { Value } from "../../value.js";
import { reshaped } from "../reshaping.js";
import type { Become, OperatorTable } from "../table.js";

/** What is done to features before a model sees them. They lie along the last axis. */

/** Numbers of an attribute, one for each feature or one for all, as an operand. */
function perFeature(node: NodeImport, x: Value, name: string, otherwise: number): string {
  const list = node.floats(name) ?? [];
  const features = x.shape.at(-1) ?? 1;
  const [first = otherwise] = list;
  if (list.length <= 1) return number(first);
  if (list.length !== features) node.refuse({ kind: "shapes", shapes: [x.shape, [list.length]] });
  return node.table(name, list, [features], "float").text;
}

const scaler: Become = (node) => {
  const x = node.input(0);
  const [offset, scale] = [perFeature(node, x, "offset", 0), perFeature(node, x, "scale", 1)];
  node.define(`(${x.text} - ${offset}) * ${scale}`, x.shape, "float");
};

const imputer: Become = (node) => {
  const x = node.input(0);
  if (node.has("imputed_value_int64s"))
    node.refuse({ kind: "attribute", name: "imputed_value_int64s", value: "…" });
  const missing = node.float("replaced_value_float", 0);
  const test = Number.isNaN(missing) ? "isNan(a)" : `a == ${number(missing)}`;
  const replacement = perFeature(node, x, "imputed_value_floats", 0);
  node.define(`join(${x.text}, ${replacement}, f(a, b)(if(${test}, b, a)))`, x.shape, "float");
};

const binarizer: Become = (node) => {
  const x = node.input(0);
  node.define(`map(${x.text}, f(a)(a > ${number(node.float("threshold", 0))}))`, x.shape, x.element);
};

/** What each row is divided by. */
const norms: Readonly<Record<string, (x: string, last: readonly string[]) => string>> = {
  MAX: (x, last) => reduce("max", x, last),
  L1: (x, last) => reduce("sum", `abs(${x})`, last),
  L2: (x, last) => `sqrt(${reduce("sum", `(${x} * ${x})`, last)})`,
};

const normalizer: Become = (node) => {
  const x = node.input(0);
  const norm = node.choice("norm", norms, "MAX");
  const last = x.shape.length - 1;
  const names = namesOf(x.shape, [last]);
  const length = node.intermediate("norm", norm(x.text, names), flattened(x.shape, [last]), "float");
  // A row of zeros stays one.
  const text = `join(${x.text}, ${length.text}, f(a, b)(if(b == 0, a, a / b)))`;
  node.define(text, x.shape, "float");
};

/** Some of the features of each row, in an order of their own; the indexes are a list, however many axes they have. */
const featureExtractor: Become = (node) => {
  const [x, indexes] = [node.input(0), node.input(1)];
  const outer = x.shape.length === 1 ? [1] : x.shape.slice(0, -1);
  const list = [cellsIn(indexes.shape)];
  const listed = node.intermediate("indexes", reshaped(node, indexes, list), list, indexes.element, [
    indexes,
  ]);
  const shape = [...outer, ...list];
  const text = generated(shape, x.element, (at) => {
    const chosen = elementAt(listed, at.slice(-1));
    return elementAt(x, [...(x.shape.length === 1 ? [] : at.slice(0, -1)), chosen]);
  });
  node.define(text, shape, x.element);
};

/** The features of all inputs, as floats. */
const vectorizer: Become = (node) => {
  const parts = node.allInputs;
  const widths = node.integers("inputdimensions") ?? [];
  node.checkFit(`${parts.map(({ shape }) => shape.slice(1))}` === `${widths}`, parts);
  const floats = parts.map((part) =>
    part.element === "float" ? part : node.operation("Cast", [part], { to: elementTypes.float.code }),
  );
  node.operation("Concat", floats, { axis: 1 }, 0);
};

// biome-ignore format: a table
export const featureOperators: OperatorTable = {
  "ai.onnx.ml.ArrayFeatureExtractor": { 1: featureExtractor },
  "ai.onnx.ml.Binarizer":             { 1: binarizer },
  "ai.onnx.ml.FeatureVectorizer":     { 1: vectorizer },
  "ai.onnx.ml.Imputer":               { 1: imputer },
  "ai.onnx.ml.Normalizer":            { 1: normalizer },
  "ai.onnx.ml.Scaler":                { 1: scaler },
};
