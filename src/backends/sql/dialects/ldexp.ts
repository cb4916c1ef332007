import type { Fragments } from "./fragments.js";

/** x times 2 to the power of the whole part of e, in steps of which at most the last one rounds. */
export function ldexpText(x: string, e: string, fragments: Fragments): string {
  const { number, zero, isNotNumber, truncate, multiply } = fragments;
  const exponent = `(CASE WHEN ${isNotNumber(e)} OR ${e} < ${number(-2200)} THEN ${number(-2200)} WHEN ${e} > ${number(2200)} THEN ${number(2200)} ELSE ${truncate(e)} END)`;
  const power = (of: string): string => `power(${number(2)}, ${of})`;
  const product = (first: string, ...others: readonly string[]): string =>
    others.reduce((text, each) => multiply(text, each), first);
  const large = product(
    x,
    number(2 ** 1000),
    power(`least(${exponent} - ${number(1000)}, ${number(1000)})`),
    power(`greatest(${exponent} - ${number(2000)}, ${zero})`),
  );
  const small = product(
    x,
    number(2 ** -969),
    power(`greatest(${exponent} + ${number(969)}, ${number(-969)})`),
    power(`least(${exponent} + ${number(1938)}, ${zero})`),
  );
  return `(CASE WHEN ${exponent} > ${number(1000)} THEN ${large} WHEN ${exponent} < ${number(-1022)} THEN ${small} ELSE ${product(x, power(exponent))} END)`;
}
