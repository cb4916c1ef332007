import type { ModelProgram } from "../../language/check/models/models.js";
import type { BuildScalar } from "../../language/check/models/scalar-builder.js";
import { element } from "../../language/values/element.js";
import { ProgramNames } from "../names.js";
import type { Forest, Transform, Tree } from "./forest.js";
import { atom, textBuilder } from "./scalar-text.js";
import { sumOfTrees } from "./tree-value.js";

/** A forest as a program: its features are inputs, and its one result is the prediction. */
export interface ForestProgram {
  readonly text: string;
  /** The names of the inputs, by those of the features. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** A forest as a text that people can read. */
export function forestProgram(forest: Forest): ForestProgram {
  const inputs = featureInputs(forest);
  const declarations = inputs.map(({ name }) => `input ${name}: tensor()`);
  const text = [...declarations, ...marginLines(forest), ...outcomeLines(forest), ""].join("\n");
  return { text, inputs: new Map(inputs.map(({ label, name }) => [label, name])) };
}

/** The text of a forest of more splits is nothing that somebody reads, and would take seconds to parse. */
const mostWritten = 1_000;

/** A forest as a program that others call. If it has more than so many splits, its sums are built without a text. */
export function forestCall(forest: Forest, most = mostWritten): ModelProgram {
  const isWritten = splitsIn(forest.classes.flat()) <= most;
  return {
    text: [...(isWritten ? marginLines(forest) : []), ...outcomeLines(forest)].join("\n"),
    inputs: featureInputs(forest).map(({ name }) => name),
    outputs: ["prediction"],
    constants: new Map(),
    ...(isWritten ? {} : { scalars: new Map(margins(forest)) }),
  };
}

function splitsIn(trees: readonly Tree[]): number {
  let splits = 0;
  const open = [...trees];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "leaf") continue;
    splits++;
    open.push(next.yes, next.no);
  }
  return splits;
}

/** What the library calls a feature, and the word for it, which is no other name of the program. */
interface FeatureInput {
  readonly label: string;
  readonly name: string;
}

/** The inputs of a forest, in the order of its features. */
export function featureInputs(forest: Forest): FeatureInput[] {
  const own = ["margins", "prediction", "class", ...marginNames(forest)];
  const names = new ProgramNames(new Set(own));
  return forest.features.map((label) => ({ label, name: names.unique(label) }));
}

const marginNames = ({ classes }: Forest): string[] =>
  classes.length === 1 ? ["margin"] : classes.map((_, at) => `margin_${at}`);

/** The sum of the trees of each class, by its name. */
function margins(forest: Forest): (readonly [name: string, margin: BuildScalar])[] {
  const names = marginNames(forest);
  return forest.classes.map((trees, at) => [
    element(names, at),
    (features, build) => sumOfTrees(trees, forest, element(forest.bases, at), features, build),
  ]);
}

function marginLines(forest: Forest): string[] {
  const features = featureInputs(forest).map(({ name }) => atom(name));
  return margins(forest).map(([name, margin]) => `${name} = ${margin(features, textBuilder).text}`);
}

/** The statements that make the prediction of the sum of each class. */
function outcomeLines(forest: Forest): string[] {
  const { transform, classes } = forest;
  if (classes.length === 1) return [`prediction = ${transformed("margin", transform, 1)}`];
  return [
    `margins = tensor(class[${classes.length}]):[${marginNames(forest).join(", ")}]`,
    `prediction = ${transformed("margins", transform, classes.length)}`,
  ];
}

const number = (value: number): string => textBuilder.number(value).text;

function transformed(margin: string, transform: Transform, classes: number): string {
  switch (transform.kind) {
    case "none":
      return margin;
    case "sigmoid":
      return transform.slope === 1 ? `sigmoid(${margin})` : `sigmoid(${number(transform.slope)} * ${margin})`;
    case "exponential":
      return `exp(${margin})`;
    case "positive":
      return `${margin} > 0`;
    case "softplus":
      return `log(1 + exp(${margin}))`;
    case "signed square":
      return `sign(${margin}) * ${margin} * ${margin}`;
    case "softmax":
      return `softmax(${margin} - max(${margin}, class), class)`;
    case "greatest":
      return `min(join(${margin} == max(${margin}, class), tensor(class[${classes}])(class), f(a, b)(if(a != 0, b, ${classes}))), class)`;
  }
}
