import { membershipTightness, operators } from "../../scalar/operators.js";
import { greatest } from "../../source/lists.js";
import {
  behindOperand,
  endsOperand,
  isCloser,
  isOpener,
  isPowerSign,
  isRaised,
  type Lexeme,
  lexemesOf,
} from "./lexemes.js";

/** What binds tighter than all binary operators: a sign before an operand, a bracket after it. */
const tightest = greatest(Object.values(operators).map(({ tightness }) => tightness)) + 1;

/** Of the operators that other languages have as words or other signs, which may stand in a text until it is mended. */
const foreignTightness: Readonly<Record<string, number>> = {
  ...{ and: operators["&&"].tightness, AND: operators["&&"].tightness, "&": operators["&&"].tightness },
  ...{ or: operators["||"].tightness, OR: operators["||"].tightness, "|": operators["||"].tightness },
  ...{ in: membershipTightness, not: membershipTightness, if: 0, else: 0, "?": 0 },
};

const bindings: ReadonlyMap<string, number> = new Map([
  ...Object.entries(foreignTightness),
  ...Object.entries(operators).map(([symbol, { tightness }]): [string, number] => [symbol, tightness]),
]);

/** Signs that take nothing from the expressions beside them: brackets, separators, quotes, arrows. */
const neutral = /^(?:[\w@$"'“”‘’()[\]{},;:=]|->|=>)/;

const isPrefix = ({ text }: Lexeme): boolean => /^[-!−¬√]$/.test(text);

/** How tightly an expression holds together: as its loosest operator does. Undefined for a text that is not an expression of operators. */
export function tightnessOf(text: string): number | undefined {
  let [least, depth, isBehind] = [Number.POSITIVE_INFINITY, 0, false];
  const lexemes = lexemesOf(text.replace(/\btensor\s*<\w+>/g, "tensor"));
  for (const [at, lexeme] of lexemes.entries()) {
    const isOutside = depth === 0;
    if (isOpener(lexeme)) depth++;
    else if (isCloser(lexeme) && --depth < 0) return undefined;
    if (!isOutside) {
      isBehind = true;
      continue;
    }
    // The sign of an exponent, as in 1e-3, is a part of its number.
    if (/^[-+]$/.test(lexeme.text) && /^\d+[eE]$/.test(lexemes[at - 1]?.text ?? "")) continue;
    const binds = bindings.get(lexeme.text);
    if (!isBehind && isPrefix(lexeme)) least = Math.min(least, tightest - 1);
    else if (isBehind && (binds !== undefined || !/^[\w@$.:]|^["'([{]/.test(lexeme.text))) {
      least = Math.min(least, binds ?? 0);
      isBehind = false;
    } else isBehind = true;
  }
  return depth === 0 && isBehind && least < Number.POSITIVE_INFINITY ? least : undefined;
}

/** How tightly what stands beside an expression would take a part of it. */
function pullOf(lexeme: Lexeme | undefined): number {
  if (lexeme === undefined) return -1;
  return bindings.get(lexeme.text) ?? (neutral.test(lexeme.text) ? -1 : tightest);
}

/** Whether a text ends with a sign that belongs to the operand after it: that of `2 * -`, not that of `2 -`. */
export function endsWithPrefix(before: string): boolean {
  const [previous, last] = lastTwo(before);
  return last !== undefined && isPrefix(last) && !endsOperand(previous);
}

/** Whether a text ends with an operand that has a sign, as `2 * -c` does: here a sign binds tighter than a power. */
export function endsWithSigned(before: string): boolean {
  const lexemes = lexemesOf(before);
  return lexemes.some(
    (lexeme, at) =>
      isPrefix(lexeme) && !endsOperand(lexemes[at - 1]) && behindOperand(lexemes, at + 1) === lexemes.length,
  );
}

/** Whether a text begins with a power, as any language writes it: `^ 2`, `** 2`, `.^ 2` or `²`. */
export function beginsWithPower(behind: string): boolean {
  const [sign, second] = lexemesOf(behind.slice(0, nearby));
  return isPowerSign(sign) || isRaised(sign) || `${sign?.text}${second?.text}` === ".^";
}

/** How much of the text beside an expression is enough to know how it binds. */
const nearby = 200;

function lastTwo(before: string): readonly [Lexeme | undefined, Lexeme | undefined] {
  const lexemes = lexemesOf(before.slice(-nearby));
  return [lexemes.at(-2), lexemes.at(-1)];
}

/** An expression as it is written between two texts: in parentheses where they would take a part of it. */
export function inContext(text: string, before: string, behind: string): string {
  const own = tightnessOf(text);
  if (own === undefined) return text;
  const left = endsWithPrefix(before) ? tightest : pullOf(lastTwo(before)[1]);
  const [next] = lexemesOf(behind.slice(0, nearby));
  const isPostfix = /^[ \t]*[([{]/.test(behind);
  return Math.max(left, isPostfix ? tightest : pullOf(next)) >= own ? `(${text})` : text;
}
