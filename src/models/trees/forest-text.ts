import { ProgramNames } from "../names.js";
import { type Forest, type Split, type Transform, type Tree, zeroThreshold } from "./forest.js";

/** A forest as a program: its features are inputs, and its one result is the prediction. */
export interface ForestProgram {
  readonly text: string;
  /** The names of the inputs, by those of the features. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** A part of a program that does not depend on the names of others: sums of trees, for features of these names. */
export function forestProgram(forest: Forest): ForestProgram {
  const names = new ProgramNames(new Set(["margin", "margins", "prediction", "class"]));
  const inputs = forest.features.map((feature) => [feature, names.unique(feature)] as const);
  const words = inputs.map(([, name]) => name);
  const sums = forest.classes.map((trees, at) => sumText(trees, forest, forest.bases[at] ?? 0, words));
  const declarations = inputs.map(([, name]) => `input ${name}: tensor()`);
  const lines = [...declarations, ...predictionLines(sums, forest.transform), ""];
  return { text: lines.join("\n"), inputs: new Map(inputs) };
}

/** The statements that make the prediction of the sum of each class. */
function predictionLines(sums: readonly string[], transform: Transform): string[] {
  const [only = "0"] = sums;
  if (sums.length === 1) return [`margin = ${only}`, `prediction = ${transformed("margin", transform, 1)}`];
  const margins = sums.map((_, at) => `margin_${at}`);
  return [
    ...sums.map((sum, at) => `${margins[at]} = ${sum}`),
    `margins = tensor(class[${sums.length}]):[${margins.join(", ")}]`,
    `prediction = ${transformed("margins", transform, sums.length)}`,
  ];
}

/** The sum of all trees of a forest of one class, as an expression. */
export function sumText(
  trees: readonly Tree[],
  { divisor }: Forest,
  base: number,
  features: readonly string[],
): string {
  const terms = trees.map((tree) => treeText(tree, features));
  const sum = terms.length === 0 ? "0" : terms.join(" +\n    ");
  const mean = divisor === 1 ? sum : `(${sum}) / ${divisor}`;
  return base === 0 ? mean : `${mean} + ${signedNumber(base)}`;
}

/** One tree, as an expression of features with these texts. */
export function treeText(tree: Tree, features: readonly string[]): string {
  if (tree.kind === "leaf") return signedNumber(tree.value);
  return `if(${conditionText(tree, features[tree.feature] ?? "")}, ${treeText(tree.yes, features)}, ${treeText(tree.no, features)})`;
}

function conditionText({ test, passesMissing }: Split, x: string): string {
  const orMissing = (condition: string): string =>
    passesMissing ? `${condition} || isNan(${x})` : condition;
  switch (test.kind) {
    case "below":
      return passesMissing ? `!(${x} >= ${number(test.threshold)})` : `${x} < ${number(test.threshold)}`;
    case "at most":
      return passesMissing ? `!(${x} > ${number(test.threshold)})` : `${x} <= ${number(test.threshold)}`;
    case "at most, or 0 missing": {
      // A 0 goes where a missing value goes, whatever the threshold says.
      const isZero = `abs(${x}) <= ${zeroThreshold}`;
      const isAbove = test.threshold >= zeroThreshold;
      const isBelow = test.threshold < -zeroThreshold;
      if (passesMissing) return `!(${x} > ${number(test.threshold)})${isAbove ? "" : ` || ${isZero}`}`;
      return `${x} <= ${number(test.threshold)}${isBelow ? "" : ` && !(${isZero})`}`;
    }
    case "among": {
      const [only] = test.labels;
      // A list has numbers as they are written.
      if (typeof only === "number" && !Number.isFinite(only)) return orMissing(`${x} == ${number(only)}`);
      const items = test.labels.map((each) => (typeof each === "number" ? `${each}` : JSON.stringify(each)));
      return orMissing(`${x} in [${items.join(", ")}]`);
    }
    case "category": {
      const { categories, truncates } = test;
      const whole =
        truncates && categories.includes(0) ? `if(${x} < 0, ceil(${x}), floor(${x}))` : `floor(${x})`;
      return orMissing(`${whole} in [${categories.join(", ")}]`);
    }
  }
}

const number = (value: number): string => {
  if (Number.isFinite(value)) return `${value}`;
  if (Number.isNaN(value)) return "(0 / 0)";
  return value > 0 ? "(1 / 0)" : "(-1 / 0)";
};
const signedNumber = (value: number): string => (value < 0 ? `(${number(value)})` : number(value));

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
