import { axisName, dimensionsOf } from "../../axes.js";
import { generate, reduce } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt } from "../../operand.js";
import type { Value } from "../../value.js";

/** What classifiers of the domain `ai.onnx.ml` make of the scores of a row: the label of its class, and what the scores become. */

/** What becomes of the scores of a row. */
const transforms: Readonly<Record<string, (x: string, classes: readonly string[]) => string>> = {
  NONE: (x) => x,
  LOGISTIC: (x) => `sigmoid(${x})`,
  SOFTMAX: (x, [only]) => (only === undefined ? `${x} * 0 + 1` : `stable_softmax(${x}, ${only})`),
};

export function transformed(node: NodeImport, x: Value): string {
  const transform = node.choice("post_transform", transforms, "NONE");
  const classes = dimensionsOf(x.shape).filter((each) => each.name === axisName(2, 1));
  return transform(
    x.text,
    classes.map((each) => each.name),
  );
}

/** The labels of the classes; of texts their numbers. */
export function labelsOf(node: NodeImport, name: string, texts: string): readonly number[] {
  const labels = [...(node.integers(name) ?? []), ...node.textNumbers(texts)];
  return labels.length < 2 ? node.refuse({ kind: "attribute missing", name }) : labels;
}

/** The first of the classes with the greatest score, for each of so many rows. */
export function greatestClass(node: NodeImport, scores: Value, rows: number, count: number): Value {
  const name = axisName(2, 1);
  const index = `tensor(${name}[${count}])(${name})`;
  const best = `${scores.text} == ${reduce("max", scores.text, [name])}`;
  const first = reduce("min", `join(${best}, ${index}, f(a, b)(if(a != 0, b, ${count})))`, [name]);
  return node.intermediate("class", first, [rows, 1], "int64");
}

/** Two classes of one score: what each has of it, and whether the second one is chosen. */
export function defineTwo(
  node: NodeImport,
  [first, second]: readonly [string, string],
  isSecond: string,
  labels: readonly number[],
  rows: number,
): void {
  node.define(`cell_cast(concat(${first}, ${second}, ${axisName(2, 1)}), float)`, [rows, 2], "float", 1);
  defineLabel(node, node.intermediate("class", isSecond, [rows, 1], "int64"), labels, rows);
}

/** The label of each row's class. */
export function defineLabel(node: NodeImport, chosen: Value, labels: readonly number[], rows: number): void {
  const table = node.table("labels", labels, [labels.length], "int64");
  const at = elementAt({ ...chosen, shape: [rows] }, []);
  const own = rows === 1 ? at : `${chosen.text}{${axisName(2, 0)}:(${axisName(1, 0)})}`;
  const label = elementAt(table, [own]);
  node.define(rows === 1 ? label : generate("double", dimensionsOf([rows]), label), [rows], "int64", 0);
}
