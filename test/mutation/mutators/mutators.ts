import { calls } from "./calls.js";
import { instructions } from "./instructions.js";
import type { Mutator } from "./mutator.js";
import { numbers } from "./numbers.js";
import { operators } from "./operators.js";
import { statements } from "./statements.js";

/** All kinds of mistakes. */
export const mutators: readonly Mutator[] = [
  ...operators,
  ...numbers,
  ...calls,
  ...statements,
  ...instructions,
];
