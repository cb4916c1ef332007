import type { ScalarName } from "../../../language/scalar/functions.js";
import type { Instruction } from "../loop.js";
import { inlineFunctions } from "./functions.js";

/** The functions of a body that only JavaScript has. */
export function importsOf(body: readonly Instruction[]): readonly ScalarName[] {
  const names = new Set<ScalarName>();
  for (const each of body)
    if (each.op === "apply" && !(each.function in inlineFunctions)) names.add(each.function);
  return [...names];
}
