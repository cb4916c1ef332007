import { beginsWithPower } from "./grouping.js";

export const productMessage = "a product of two numbers is written with *";

/** `2x`, a product without its sign. It binds tighter than a quotient, and looser than a power. */
export function juxtaposed(
  factor: string,
  other: string,
  before: string,
  behind: string,
): { readonly replacement: string | undefined; readonly hint: string | undefined } {
  const product = `${factor} * ${other}`;
  if (!/[/%^]\s*$/.test(before)) return { replacement: product, hint: undefined };
  return before.trimEnd().endsWith("^") || beginsWithPower(behind)
    ? { replacement: undefined, hint: `write ${product}, and show by parentheses what the power applies to` }
    : { replacement: `(${product})`, hint: undefined };
}
