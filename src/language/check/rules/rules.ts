import { switchExpression } from "../calls/conditionals.js";
import type { Rules } from "../checker.js";
import { chain, prefixed } from "../operators.js";
import { generate, shape } from "./generators.js";
import { literal } from "./literals.js";
import { numberLiteral, reference, textLiteral } from "./references.js";
import { sliced } from "./slices.js";

/** The rules of elaboration, one for each form of expression. A rule elaborates the parts through the checker. */
export const rules: Rules = {
  number: numberLiteral,
  text: textLiteral,
  reference,
  prefixed,
  chain,
  sliced,
  switch: switchExpression,
  generate,
  literal,
  shape,
};
