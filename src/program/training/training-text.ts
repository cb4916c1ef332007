import type { TensorType } from "../../language/types/type.js";
import { type Optimiser, type OptimiserName, optimisers } from "./optimisers.js";

/** A variable that is trained: its name, and the type of its gradient. */
export interface TrainedVariable {
  readonly name: string;
  readonly type: TensorType;
}

/** Names of a training program begin with it. */
const mark = "training_";

/**
 * The statements that make a program train: for each variable its gradient, what the optimiser remembers of it, and what it
 * becomes. All names begin with `training_`.
 */
export function trainingText(
  objective: string,
  variables: readonly TrainedVariable[],
  optimiserName: OptimiserName,
  rate: number,
): string {
  const optimiser: Optimiser = optimisers[optimiserName];
  const lines = [
    `persistent ${mark}step: tensor() = 0`,
    `${mark}n = ${mark}step + 1`,
    `assign ${mark}step = ${mark}n`,
    `${mark}rate = ${rate}`,
  ];
  for (const [at, { name, type }] of variables.entries()) {
    const gradient = `${mark}g${at}`;
    lines.push(`${gradient} = gradient(${objective}, ${name})`);
    const names: Record<string, string> = { w: name, g: gradient, rate: `${mark}rate`, n: `${mark}n` };
    const next = { ...names };
    for (const [letter, text] of Object.entries(optimiser.remembered)) {
      const kept = `${mark}${letter}${at}`;
      next[letter] = `${kept}_next`;
      lines.push(`persistent ${kept}: ${type} = ${zeros(type)}`);
      lines.push(`${kept}_next = ${withNames(text, { ...names, [letter]: kept })}`);
      lines.push(`assign ${kept} = ${kept}_next`);
    }
    lines.push(`assign ${name} = ${withNames(optimiser.step, next)}`);
  }
  return lines.join("\n");
}

/** No cells at all, where a tensor has labels: `merge` takes those of the gradient. */
const zeros = (type: TensorType): string =>
  type.isScalar ? "0" : type.isDense ? `${type}(0)` : `${type}:{}`;

/** A text with its one-letter words, and `rate`, replaced. */
const withNames = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\b(?:[a-z]|rate)\b/g, (word) => names[word] ?? word);
