import { mapTuple } from "../../../../language/source/lists.js";
import { number } from "../../expression.js";
import type { NodeImport } from "../../node.js";

/** The functions that recurrent operators name in their attributes, of an operand, with alpha and beta where they have these. */
interface ActivationRow {
  readonly alpha?: number;
  readonly beta?: number;
  readonly text: (x: string, alpha: string, beta: string) => string;
}

// biome-ignore format: a table
const rows: Readonly<Record<string, ActivationRow>> = {
  affine:          { alpha: 1, beta: 0,       text: (x, alpha, beta) => `(${alpha} * ${x} + ${beta})` },
  elu:             { alpha: 1,                text: (x, alpha) => `map(${x}, f(a)(if(a < 0, ${alpha} * (exp(a) - 1), a)))` },
  hardsigmoid:     { alpha: 0.2, beta: 0.5,   text: (x, alpha, beta) => `max(0, min(1, ${alpha} * ${x} + ${beta}))` },
  leakyrelu:       { alpha: 0.01,             text: (x, alpha) => `map(${x}, f(a)(if(a < 0, ${alpha} * a, a)))` },
  relu:            {                          text: (x) => `relu(${x})` },
  scaledtanh:      { alpha: 1, beta: 1,       text: (x, alpha, beta) => `${alpha} * tanh(${beta} * ${x})` },
  sigmoid:         {                          text: (x) => `sigmoid(${x})` },
  softplus:        {                          text: (x) => `softplus(${x})` },
  softsign:        {                          text: (x) => `map(${x}, f(a)(a / (1 + abs(a))))` },
  tanh:            {                          text: (x) => `tanh(${x})` },
  thresholdedrelu: { alpha: 1,                text: (x, alpha) => `map(${x}, f(a)(if(a > ${alpha}, a, 0)))` },
};

/** A function of an operand that is a name, a number, or stands in parentheses. */
export type Activation = (x: string) => string;

/**
 * The functions of each direction of a recurrent operator. The lists of alpha and beta have values only for those that take one,
 * one after the other.
 */
export function activationsOf(
  node: NodeImport,
  otherwise: readonly string[],
  directions: number,
): Activation[][] {
  const listed = node.texts("activations");
  const names = listed.length === 0 ? Array.from({ length: directions }, () => otherwise).flat() : listed;
  if (names.length !== otherwise.length * directions)
    node.refuse({ kind: "attribute", name: "activations", value: `${names}` });
  const [alphas, betas] = [
    [...(node.floats("activation_alpha") ?? [])],
    [...(node.floats("activation_beta") ?? [])],
  ];
  const all = names.map((name): Activation => {
    const key = name.toLowerCase();
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row === undefined) return node.refuse({ kind: "attribute", name: "activations", value: name });
    const [alpha, beta] = mapTuple([row.alpha, row.beta], (value, at) =>
      value === undefined ? "" : number((at === 0 ? alphas : betas).shift() ?? value),
    );
    return (x) => row.text(x, alpha, beta);
  });
  return Array.from({ length: directions }, (_, at) =>
    all.slice(at * otherwise.length, (at + 1) * otherwise.length),
  );
}
