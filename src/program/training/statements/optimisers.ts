import { keysOf } from "../../../language/source/lists.js";

/**
 * The optimisers: what each remembers of a variable, and how that and the variable go on, as texts of the language. In them `w` is
 * the variable, `g` its gradient, `rate` the rate and `n` the number of the step, from 1. What is remembered begins as zeros, and is
 * what it becomes in this step wherever `w` is computed.
 */
export interface Optimiser {
  readonly description: string;
  readonly remembered: Readonly<Record<string, string>>;
  readonly step: string;
}

/** The optimisers by name: the function of the prelude that is a step of each, and what it retains. */
// biome-ignore format: a table
export const optimisers = {
  sgd:      { description: "Gradient descent.",                                       remembered: {}, step: "sgd(w, g, rate)" },
  momentum: { description: "Gradient descent with a momentum of 0.9.",                remembered: { m: "momentum(m, g, 0.9)" }, step: "sgd(w, m, rate)" },
  adagrad:  { description: "Each cell at a rate by the sum of its squared gradients.", remembered: { v: "momentum(v, g * g, 1)" }, step: "scaled_step(w, g, v, rate)" },
  rmsprop:  { description: "Each cell at a rate by its latest squared gradients.",    remembered: { v: "moving_average(v, g * g, 0.99)" }, step: "scaled_step(w, g, v, rate)" },
  adam:     { description: "Moving averages of the gradient and of its square.",      remembered: { m: "moving_average(m, g, 0.9)", v: "moving_average(v, g * g, 0.999)" }, step: "adam(w, m, v, n, rate)" },
  adamw:    { description: "As adam, with a decay of the variable by 0.01.",          remembered: { m: "moving_average(m, g, 0.9)", v: "moving_average(v, g * g, 0.999)" }, step: "adam(w - 0.01 * rate * w, m, v, n, rate)" },
} as const satisfies Readonly<Record<string, Optimiser>>;

/** The name of an optimiser. */
export type OptimiserName = keyof typeof optimisers;

/** The names of all optimisers. */
export const optimiserNames = keysOf(optimisers);
