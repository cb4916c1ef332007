import type { CellType } from "../../../language/types/cell.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { type Optimiser, type OptimiserName, optimisers } from "./optimisers.js";

/** A variable that is trained: its name, the type of its gradient, and its own cells. */
export interface TrainedVariable {
  readonly name: string;
  readonly type: TensorType;
  readonly cells: CellType;
}

/** What a step of a training program computes: the objective, what is assigned, and whether all that it changes of that is finite. */
export interface TrainingStep {
  readonly loss: number;
  readonly areFinite: boolean;
  readonly assigned: Readonly<Record<string, Tensor>>;
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

/** Names of a training program begin with it: it is a name like others, and hardly one that a program has for something of its own. */
const mark = "training@";

/** Whether a name is one of those that training adds to a program. */
export const isAdded = (name: string): boolean => name.startsWith(mark);

/** What messages call a tensor. */
export const shownName = (name: string): string => (isAdded(name) ? "what the optimiser remembers" : name);

/** The input of a training program that has the rate of a step. */
export const rateInput = `${mark}rate`;

/** The named value of a training program that is 0 where all that a step changes is finite, and otherwise NaN. */
export const finiteness = `${mark}finite`;

const gradientMark = `${mark}gradient`;

/** Whether a named value of a training program is a gradient that is computed in a run of its own. */
export const isGradient = (name: string): boolean => name.startsWith(gradientMark);

/** The input of a training program that has what is not 0 of such a gradient. */
export const touchedInput = (gradient: string): string =>
  `${mark}touched${gradient.slice(gradientMark.length)}`;

/** The tensors whose touched rows a step changes, by the name of the gradient: each variable that has labels, and what is remembered of it. */
export const tensorsByGradient = (
  variables: readonly TrainedVariable[],
  optimiser: OptimiserName,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    variables.flatMap(({ name, type }, at) =>
      type.isDense
        ? []
        : [
            [
              `${gradientMark}${at}`,
              [name, ...Object.keys(optimisers[optimiser].remembered).map((letter) => memoryOf(letter, at))],
            ],
          ],
    ),
  );

/** What is remembered of a variable, the n-th. */
const memoryOf = (letter: string, at: number): string => `${mark}${letter}${at}`;

/** The named value of a training program that has a variable, the n-th, with the labels that begin in a step. */
export const begunValue = (at: number): string => `${mark}begun${at}`;

/** The named value of a training program that has the labels that may begin in the n-th variable. */
export const firstValue = (at: number): string => `${mark}first${at}`;

/** Cells of a variable stay as they are. A label that it lacks begins where the expression is not 0 throughout. */
function beginning({ name, cells }: TrainedVariable, at: number, expression: string): string[] {
  const first = firstValue(at);
  const whole = `merge(${name}, filter_subspaces(${first}, f(t)(sum(t != 0))), f(a,b)(a))`;
  return [`${first} = ${expression}`, `${begunValue(at)} = cell_cast(${whole}, ${cells})`];
}

/**
 * The statements that make a program train: for each variable its gradient, what the optimiser remembers of it, and what it
 * becomes. All names begin with `training@`. Where a variable has labels, only those change that the gradient has touched, and
 * of others nothing is forgotten: the gradients are then values of a run of their own, and what they touch is an input of the run that
 * assigns, in which the variable and what is remembered of it have just those rows.
 */
export function trainingText(
  objective: string,
  variables: readonly TrainedVariable[],
  { optimiser, clip, l2, labels = {} }: TrainingTextOptions,
): string {
  const isApart = variables.some(({ type }) => !type.isDense);
  const own = variables.flatMap(({ name, type }, at) => {
    const gradient = `gradient(${objective}, ${name})`;
    const named = `${gradientMark}${at}`;
    const touched = touchedInput(named);
    const decay = l2 === undefined ? "" : ` + 2 * ${l2} * ${name}`;
    if (!isApart) return [`${mark}g${at} = ${gradient}${decay}`];
    return [`${named} = ${gradient}`, `input ${touched}: ${type}`, `${mark}g${at} = ${touched}${decay}`];
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
    finite(variables, optimisers[optimiser]),
  ].join("\n");
}

/** In place of a length of 0, by which nothing is divided. */
const least = 1e-300;

/** What is remembered of a variable, and what becomes of both. */
function steps(
  { name, type, cells }: TrainedVariable,
  at: number,
  isClipped: boolean,
  { remembered, step }: Optimiser,
): string[] {
  const gradient = `${mark}g${at}`;
  const g = isClipped ? `(${mark}scale * ${gradient})` : gradient;
  const names: Record<string, string> = { w: name, g, rate: rateInput, n: `${mark}n` };
  const lines: string[] = [];
  const next = { ...names };
  for (const [letter, text] of Object.entries(remembered)) {
    const memory = memoryOf(letter, at);
    next[letter] = nextOf(letter, at);
    lines.push(`persistent ${memory}: ${type} = ${zeros(type)}`);
    lines.push(`${nextOf(letter, at)} = ${withNames(text, { ...names, [letter]: memory })}`);
    lines.push(`assign ${memory} = ${nextOf(letter, at)}`);
  }
  lines.push(`${nextOf("w", at)} = ${withNames(step, next)}`);
  const becomes = nextOf("w", at);
  // Computed in float, and stored in fewer bits.
  return [
    ...lines,
    `assign ${name} = ${cells === type.cellType ? becomes : `cell_cast(${becomes}, ${cells})`}`,
  ];
}

/** What becomes of a variable, the n-th, or of what is remembered of it. */
const nextOf = (letter: string, at: number): string => `${mark}${letter}${at}_next`;

/** Of finite numbers alone the sum of the zeros that they make is 0. */
function finite(variables: readonly TrainedVariable[], { remembered }: Optimiser): string {
  const sums = variables.map(({ cells }, at) => {
    const zeros = [
      `0 * cell_cast(${nextOf("w", at)}, ${cells})`,
      ...Object.keys(remembered).map((letter) => `0 * ${nextOf(letter, at)}`),
    ];
    return `sum(${zeros.join(" + ")})`;
  });
  return `${finiteness} = ${sums.join(" + ")}`;
}

/** No cells at all, where a tensor has labels: `merge` takes those of the gradient. */
const zeros = (type: TensorType): string =>
  type.isScalar ? "0" : type.isDense ? `${type}(0)` : `${type}:{}`;

/** A text with its one-letter words, and `rate`, replaced. */
const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\b(?:[a-z]|rate)\b/g, (word) => names[word] ?? word);
