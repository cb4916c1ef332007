import { axisName } from "../../axes.js";
import { number, reduce } from "../../expression.js";
import type { Constant } from "../../file/constant.js";
import type { ElementType } from "../../file/element-type.js";
import type { Numbers } from "../../file/numbers.js";
import type { NodeImport } from "../../node.js";
import { moved, renamed } from "../../operand.js";
import type { Become, OperatorTable } from "../table.js";

/** Encoders of the domain `ai.onnx.ml`: what categories become, which are whole numbers, floats or texts. */

/** A list of numbers in an attribute, which may be of any element, or a tensor. */
function listed(
  node: NodeImport,
  name: "keys" | "values",
): Pick<Constant, "element" | "numbers"> | undefined {
  const tensor = node.tensor(`${name}_tensor`);
  if (tensor !== undefined) return tensor;
  if (node.has(`${name}_int64s`)) return { element: "int64", numbers: node.integers(`${name}_int64s`) ?? [] };
  if (node.has(`${name}_floats`)) return { element: "float", numbers: node.floats(`${name}_floats`) ?? [] };
  if (node.has(`${name}_strings`)) return { element: "int64", numbers: node.textNumbers(`${name}_strings`) };
  return undefined;
}

/** What stands for keys that are none. */
function otherwise(node: NodeImport, element: ElementType): number {
  const tensor = node.tensor("default_tensor");
  const [own] = tensor?.numbers ?? [];
  if (own !== undefined) return own;
  if (element === "float") return node.float("default_float", -0);
  if (node.has("values_strings")) return node.textNumber(node.text("default_string", "_Unused"));
  return node.integer("default_int64", -1);
}

/** A table along a dimension of its own. */
const alongKeys = (node: NodeImport, suffix: string, numbers: Numbers, element: ElementType): string =>
  renamed(node.table(suffix, numbers, [numbers.length], element), ["k"]);

/** Whether each element of a value is each of some keys. */
const matches = (x: string, keys: string, areEqual = "a == b"): string =>
  `join(${x}, ${keys}, f(a, b)(${areEqual}))`;

/** What each key stands for, where an element is one. */
const labelEncoder: Become = (node) => {
  const x = node.input(0);
  const [keys, values] = [listed(node, "keys"), listed(node, "values")];
  if (keys === undefined) return node.refuse({ kind: "attribute missing", name: "keys_…" });
  if (values === undefined) return node.refuse({ kind: "attribute missing", name: "values_…" });
  const { element } = values;
  const count = node.asMany([...values.numbers], "values", keys.numbers.length).length;
  // NaN is a key since opset 4.
  const areEqual =
    keys.element === "float" && node.opset >= 4 ? "a == b || (isNan(a) && isNan(b))" : "a == b";
  const match = matches(x.text, alongKeys(node, "keys", keys.numbers, keys.element), areEqual);
  const table = alongKeys(node, "values", values.numbers, element);
  const along = count === 1 ? [] : ["k"];
  const chosen = reduce("sum", `join(${match}, ${table}, f(a, b)(if(a != 0, b, 0)))`, along);
  const isKey = reduce("max", `(${match})`, along);
  node.define(`where(${isKey}, ${chosen}, ${number(otherwise(node, element))})`, x.shape, element);
};

/** An axis more, with 1 at the category that an element is. */
const oneHotEncoder: Become = (node) => {
  const x = node.input(0);
  const categories = [...(node.integers("cats_int64s") ?? []), ...node.textNumbers("cats_strings")];
  const [rank, count] = [x.shape.length + 1, categories.length];
  if (count === 0) node.refuse({ kind: "attribute missing", name: "cats_…" });
  const name = axisName(rank, rank - 1);
  const table = renamed(node.table("categories", categories, [count], "int64"), [name]);
  const shape = [...x.shape, count];
  const match = matches(
    moved(x, rank, (axis) => axis),
    table,
  );
  const indicators = node.intermediate("indicators", match, shape, "float");
  if (node.integer("zeros", 1) !== 0)
    return void node.define(`cell_cast(${indicators.text}, float)`, shape, "float");
  // ONNX Runtime ends the run at an element that is no category.
  const isCategory = reduce("max", indicators.text, count === 1 ? [] : [name]);
  node.define(`cell_cast(where(${isCategory}, ${indicators.text}, 0 / 0), float)`, shape, "float");
};

// biome-ignore format: a table
export const encoders: OperatorTable = {
  "ai.onnx.ml.LabelEncoder":  { 2: labelEncoder },
  "ai.onnx.ml.OneHotEncoder": { 1: oneHotEncoder },
};
