import { evaluate as evaluateByDefault, type InputValue, type Options, type Tensor } from "../src/index.js";

/** The value of an expression by the engine, to which few cells do not come by default. */
export const evaluate = (
  text: string,
  inputs: Readonly<Record<string, InputValue>> = {},
  options: Options = {},
): Tensor => evaluateByDefault(text, inputs, { backend: "engine", ...options });
