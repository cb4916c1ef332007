import { axisName, namesOf, sizeAt, without } from "../axes.js";
import { number, reduce } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated } from "../operand.js";
import type { Value } from "../value.js";
import type { Become, OperatorTable } from "./table.js";

/** How far predictions are from labels. */

const negativeLogLikelihood: Become = (node) => defineLoss(node, node.input(0));

const softmaxCrossEntropy: Become = (node) => {
  const x = node.input(0);
  const name = axisName(x.shape.length, 1);
  const text = sizeAt(x.shape, 1) === 1 ? `${x.text} * 0` : `log_softmax(${x.text}, ${name})`;
  const logarithms = node.isUsed(1)
    ? node.define(text, x.shape, x.element, 1)
    : node.intermediate("logarithms", text, x.shape, x.element);
  defineLoss(node, logarithms);
};

/** The negative logarithm of the probability of each label, weighted by the label, each or all together. */
function defineLoss(node: NodeImport, logarithms: Value): void {
  const [labels, weights] = [node.input(1), node.optional(2)];
  node.checkFit(`${labels.shape}` === `${without(logarithms.shape, [1])}`, [logarithms, labels]);
  if (weights !== undefined)
    node.checkFit(`${weights.shape}` === `${logarithms.shape[1]}`, [logarithms, weights]);
  const ignored = node.integer("ignore_index");
  const reduction = node.text("reduction", "mean");
  const perLabel = (body: (label: string, indexes: readonly string[]) => string): string =>
    generated(labels.shape, logarithms.element, (indexes) => {
      const label = elementAt(labels, indexes);
      const value = body(label, indexes);
      return ignored === undefined ? value : `if(${label} == ${number(ignored)}, 0, ${value})`;
    });
  const weight = (label: string): string => (weights === undefined ? "1" : elementAt(weights, [label]));
  const losses = perLabel((label, [batch = "0", ...rest]) => {
    const loss = `-${elementAt(logarithms, [batch, label, ...rest])}`;
    return weights === undefined ? loss : `${loss} * ${weight(label)}`;
  });
  if (reduction === "none") return void node.define(losses, labels.shape, logarithms.element);
  const names = namesOf(labels.shape);
  const sum = reduce("sum", losses, names);
  const text = reduction === "sum" ? sum : `${sum} / ${reduce("sum", perLabel(weight), names)}`;
  node.define(text, [], logarithms.element);
}

// biome-ignore format: a table
export const losses: OperatorTable = {
  NegativeLogLikelihoodLoss: { 12: negativeLogLikelihood },
  SoftmaxCrossEntropyLoss:   { 12: softmaxCrossEntropy },
};
