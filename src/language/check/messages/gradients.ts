import type { NotDifferentiableReason } from "../../differentiate/calculus.js";
import { error, portability, quoted, warning } from "../../source/message.js";
import type { TensorType } from "../../types/type.js";

/** What has no derivative, and what would. */
const operations: Readonly<Record<NotDifferentiableReason, { found: string; expected: string }>> = {
  label: {
    found: "a computed label of a mapped dimension",
    expected: "a label as it is written, or an indexed dimension",
  },
  cell_order: {
    found: "cell_order of what a generator computes",
    expected: "cell_order outside of the generator",
  },
  filter_subspaces: {
    found: "filter_subspaces of what a generator computes",
    expected: "filter_subspaces outside of the generator",
  },
  choice: {
    found: "a choice that differs from cell to cell, between tensors whose addresses may differ",
    expected: "a choice between tensors of one size, or one choice for all cells",
  },
  host: {
    found: "a function of the host",
    expected: "what the language can express, or an argument that does not depend on the variable",
  },
  random: {
    found:
      "random numbers that a function or a generator draws for each cell, which its derivative would draw again",
    expected: "random numbers that are drawn outside of it, as a tensor",
  },
};

/** What can be wrong with calls of `gradient`. */
export const gradientMessages = {
  "gradient/not-name": error(({ text }: { text: string }) => ({
    message: "a derivative is taken with respect to a variable, an input or a named value",
    found: quoted(text),
    expected: "a name",
    hint: "give the expression a name, and use the name in both places",
  })),
  "gradient/operation": error(({ reason }: { reason: NotDifferentiableReason }) => ({
    message: "an operation between the variable and the result has no derivative here",
    ...operations[reason],
  })),
  "gradient/through": error(({ x }: { x: string }) => ({
    message: `a derivative that was computed through ${x} is not a function of ${x} alone`,
    found: `a derivative with respect to something that ${x} is computed from`,
    expected: `derivatives with respect to ${x}, or to something that ${x} does not depend on`,
    hint: `take the inner derivative with respect to ${x} too, or the outer one with respect to what ${x} is computed from`,
  })),
  "gradient/captured": error(({ x, captured }: { x: string; captured: string }) => ({
    message: `within the lambda, ${captured} and ${x} are numbers that do not depend on each other`,
    found: `a derivative with respect to ${x} within the lambda`,
    expected: "a derivative that is computed outside of the lambda, and used by its name",
    hint: `write it as a statement before, such as slope = gradient(${captured}, ${x}), and use slope in the lambda`,
  })),
  "gradient/direction": error(({ found, expected }: { found: TensorType; expected: TensorType }) => ({
    message: "a direction needs one number for each cell of the value that changes",
    found: `${found}`,
    expected: `${expected}`,
  })),
  "portability/gradient": portability(({ name }: { name: string }) => ({
    message: "Vespa has no gradients, only the expressions that compute them",
    found: name,
    expected: "a function that Vespa has",
    hint: "sphex expand writes the expression",
  })),
  "gradient/zero": warning(({ y, x }: { y: string; x: string }) => ({
    message: `no cell of ${y} depends on ${x} through operations that have a derivative: this is 0 everywhere`,
  })),
};

export type GradientMessages = typeof gradientMessages;
