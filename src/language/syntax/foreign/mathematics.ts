import { type Captures, filled } from "./template.js";

/** What is set in type: powers, transposed matrices, and sums over an index. */

/** In their order. */
const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `a²` and `a⁻¹`, unless more is written right after it: how tightly that binds depends on the reader. */
export function raised({ P, I = "" }: Captures, behind: string): string | undefined {
  if (/^[\w(⁺⁻\p{Lm}]/u.test(behind)) return undefined;
  const digits = Array.from(I.replace(/^[⁺⁻]/, ""), (digit) => raisedDigits.indexOf(digit)).join("");
  const exponent = `${I.startsWith("⁻") ? "-" : ""}${digits}`;
  return P === undefined ? `^ ${exponent}` : filled(`P ^ ${exponent}`, { P });
}

/** `a' * b'`: between two signs of transposition there is no text. */
export const betweenQuotes = ({ X, Q = "" }: Captures): string | undefined =>
  /^'\s*[-+*/^].*'$/.test(Q) ? `${X}${Q.slice(1, -1)}` : undefined;
/** `\sum_i a`, with its dimension after the underscore. */
export const typeset = ({ X = "", F }: Captures): string | undefined => {
  const [, aggregator, dimension] = /^(sum|prod|max|min)_([A-Za-z]\w*)$/.exec(X) ?? [];
  return aggregator === undefined ? undefined : `${aggregator}(${F}, ${dimension})`;
};
