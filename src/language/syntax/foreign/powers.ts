import { beginsWithPower, endsWithPrefix, endsWithSigned } from "./grouping.js";
import { raisedDigits } from "./lexemes.js";
import { type Captures, filled } from "./template.js";

/** Powers, which bind tighter than a sign elsewhere and looser here. */

/** `-a ** 2`, where a sign binds looser than a power; it binds tighter here. */
export const signedPower = (
  { P = "", R, G, A = "" }: Captures,
  behind: string,
  before: string,
): string | undefined =>
  endsWithPrefix(`${before}-`) && !beginsWithPower(behind)
    ? filled("-(P ^ R)", { P, R: G ?? R ?? A })
    : undefined;
/** `a ** 2`, where nothing stands before it that binds otherwise. */
export const power = (_: Captures, __: string, before: string): string | undefined =>
  endsWithSigned(before) ? undefined : "^";
/** `a²` and `a⁻¹`, unless more is written right after it: how tightly that binds depends on the reader. */
export function raised({ P, I = "" }: Captures, behind: string): string | undefined {
  if (/^[\w(⁺⁻\p{Lm}]/u.test(behind)) return undefined;
  const digits = Array.from(I.replace(/^[⁺⁻]/, ""), (digit) => raisedDigits.indexOf(digit)).join("");
  const exponent = `${I.startsWith("⁻") ? "-" : ""}${digits}`;
  return P === undefined ? `^ ${exponent}` : filled(`P ^ ${exponent}`, { P });
}
