import type { TensorType } from "../../language/types/type.js";
import { type Optimiser, type OptimiserName, optimisers } from "./optimisers.js";

/** A variable that is trained: its name, and the type of its gradient. */
export interface TrainedVariable {
  readonly name: string;
  readonly type: TensorType;
}

export interface TrainingTextOptions {
  readonly optimiser: OptimiserName;
  /** The longest that all gradients together may be. */
  readonly clip?: number | undefined;
  /** What the square of each variable's cell adds to the objective. */
  readonly l2?: number | undefined;
  /** How labels begin that a variable does not have: an expression of its type, over the inputs of a step. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Names of a training program begin with it. */
const mark = "training_";

/** Whether a name is one of those that training adds to a program. */
export const isAdded = (name: string): boolean => name.startsWith(mark);

/** What messages call a tensor. */
export const shownName = (name: string): string => (isAdded(name) ? "what the optimiser remembers" : name);

/** The input of a training program that has the rate of a step. */
export const rateInput = `${mark}rate`;

/** The named value of a training program that has a variable, the n-th, with the labels that begin in a step. */
export const begunValue = (at: number): string => `${mark}begun${at}`;

/** Cells of a variable stay as they are. A label that it lacks begins where the expression is not 0 throughout. */
function beginning({ name, type }: TrainedVariable, at: number, expression: string): string[] {
  const first = `${mark}first${at}`;
  const whole = `merge(${name}, filter_subspaces(${first}, f(t)(sum(t != 0))), f(a,b)(a))`;
  return [`${first} = ${expression}`, `${begunValue(at)} = cell_cast(${whole}, ${type.cellType})`];
}

/**
 * The statements that make a program train: for each variable its gradient, what the optimiser remembers of it, and what it
 * becomes. All names begin with `training_`. Where a variable has labels, only those change that the gradient has touched, and
 * of others nothing is forgotten.
 */
export function trainingText(
  objective: string,
  variables: readonly TrainedVariable[],
  { optimiser, clip, l2, labels = {} }: TrainingTextOptions,
): string {
  const own = variables.map(({ name, type }, at) => {
    const gradient = `gradient(${objective}, ${name})`;
    const touched = type.isDense ? gradient : `filter_subspaces(${gradient}, f(t)(sum(t != 0)))`;
    return `${mark}g${at} = ${touched}${l2 === undefined ? "" : ` + 2 * ${l2} * ${name}`}`;
  });
  // Squares of what is no longer than 1 do not overflow.
  const squares = variables.map((_, at) => `sum((${mark}g${at} / ${mark}size) ^ 2)`);
  const sizes = variables.map((_, at) => `sum(abs(cell_cast(${mark}g${at}, double)))`);
  return [
    `persistent ${mark}step: tensor() = 0`,
    `${mark}n = ${mark}step + 1`,
    `assign ${mark}step = ${mark}n`,
    `input ${rateInput}: tensor() = 0`,
    ...variables.flatMap((each, at) => {
      const expression = Object.hasOwn(labels, each.name) ? labels[each.name] : undefined;
      return expression === undefined ? [] : beginning(each, at, expression);
    }),
    ...own,
    ...(clip === undefined
      ? []
      : [
          `${mark}size = max(${sizes.join(" + ")}, ${least})`,
          `${mark}scale = min(1, ${clip} / max(${mark}size * sqrt(${squares.join(" + ")}), ${least}))`,
        ]),
    ...variables.flatMap((variable, at) => steps(variable, at, clip !== undefined, optimisers[optimiser])),
  ].join("\n");
}

/** In place of a length of 0, by which nothing is divided. */
const least = 1e-300;

/** What is remembered of a variable, and what becomes of both. */
function steps(
  { name, type }: TrainedVariable,
  at: number,
  isClipped: boolean,
  { remembered, step }: Optimiser,
): string[] {
  const gradient = `${mark}g${at}`;
  // Of a tensor with labels the part that was touched, and the whole with what has become of that.
  const part = (tensor: string): string =>
    type.isDense ? tensor : `join(${tensor}, ${gradient}, f(a,b)(a))`;
  const whole = (tensor: string, next: string): string =>
    type.isDense ? next : `merge(${tensor}, ${next}, f(a,b)(b))`;
  const g = isClipped ? `(${mark}scale * ${gradient})` : gradient;
  const names: Record<string, string> = { w: part(name), g, rate: rateInput, n: `${mark}n` };
  const lines: string[] = [];
  const next = { ...names };
  for (const [letter, text] of Object.entries(remembered)) {
    const memory = `${mark}${letter}${at}`;
    next[letter] = `${memory}_next`;
    lines.push(`persistent ${memory}: ${type} = ${zeros(type)}`);
    lines.push(`${memory}_next = ${withNames(text, { ...names, [letter]: part(memory) })}`);
    lines.push(`assign ${memory} = ${whole(memory, `${memory}_next`)}`);
  }
  return [...lines, `assign ${name} = ${whole(name, withNames(step, next))}`];
}

/** No cells at all, where a tensor has labels: `merge` takes those of the gradient. */
const zeros = (type: TensorType): string =>
  type.isScalar ? "0" : type.isDense ? `${type}(0)` : `${type}:{}`;

/** A text with its one-letter words, and `rate`, replaced. */
const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\b(?:[a-z]|rate)\b/g, (word) => names[word] ?? word);
