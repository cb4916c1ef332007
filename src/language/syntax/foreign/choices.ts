import { endsOperand, isCloser, isOpener, lexemesOf, outermost } from "./lexemes.js";
import { separatedBy } from "./lists.js";
import { type Captures, filled } from "./template.js";

/** Choices: by a condition, and among cases. */

/** A condition in which a single `=` compares, as it does in SQL and in tables; an argument of a call has a name before it. */
function compared(condition: string): string {
  const lexemes = lexemesOf(condition);
  const areGroups: boolean[] = [];
  let [written, end] = ["", 0];
  for (const [at, lexeme] of lexemes.entries()) {
    if (isOpener(lexeme)) areGroups.push(lexeme.text === "(" && !endsOperand(lexemes[at - 1]));
    if (isCloser(lexeme)) areGroups.pop();
    const isSingle =
      lexeme.text === "=" && !/[=<>!]/.test(`${lexemes[at - 1]?.text}${lexemes[at + 1]?.text}`);
    if (!isSingle || areGroups.includes(false)) continue;
    written += `${condition.slice(end, lexeme.start)}==`;
    end = lexeme.end;
  }
  return written + condition.slice(end);
}

/** `C ? A : B`, in any language. */
export const choice = ({ C = "", A, B, E }: Captures): string =>
  filled("if(C, A, B)", { C: compared(C), A: A ?? "", B: B ?? E ?? "" });

/** What to do where there is no value for the other case. */
export const unfinished = (captures: Captures): string =>
  `add the value for the other case: ${choice({ ...captures, B: "0" })}`;

/** Whether nothing is said about the other case. */
export const lacksElse = (_: Captures, __: string, behind: string): boolean => !/^\s*else\b/.test(behind);

/** What a value is compared with, and what the choice is then; the last one has no label. */
interface Case {
  readonly label: string | undefined;
  readonly result: string;
}

/** `case 1: 2`, `1 -> 2`, `default: 3`. */
function caseOf(text: string): Case | undefined {
  const sign = outermost(text).find((lexeme) => /^(?::|->|=>|=)$/.test(lexeme.text));
  if (sign === undefined) return undefined;
  const label = text
    .slice(0, sign.start)
    .trim()
    .replace(/^case\s+/, "");
  const result = text
    .slice(sign.end)
    .trim()
    .replace(/^return\s+/, "");
  if (label === "" || result === "" || separatedBy(label, ",").length > 1) return undefined;
  return { label: /^(?:default|else|_)$/.test(label) ? undefined : label, result };
}

/** Cases as they are written here, of which the last is for all other values. */
function listed(cases: readonly (Case | undefined)[]): string | undefined {
  const parts = cases.map((each, at) => {
    const isLast = at === cases.length - 1;
    if (each === undefined || (each.label === undefined) !== isLast) return undefined;
    return `${isLast ? "default" : `case ${each.label}`}: ${each.result}`;
  });
  return parts.length < 2 || parts.includes(undefined) ? undefined : parts.join(", ");
}

function switchOf(value: string, cases: readonly (Case | undefined)[]): string | undefined {
  const text = listed(cases);
  return value === "" || text === undefined ? undefined : `switch (${value}) { ${text} }`;
}

/** What semicolons separate, or commas where there are none, but for what only ends a statement elsewhere. */
function partsOf(text: string): readonly string[] {
  const parts = separatedBy(text, ";");
  return (parts.length > 1 ? parts : separatedBy(text, ",")).filter((each) => !/^(?:break)?$/.test(each));
}

/** `switch (a) { case 1: 2; default: 3; }`, and what stands in braces in other languages. */
export const switchedInBraces = ({ A, X, S = "" }: Captures): string | undefined =>
  switchOf(A ?? X ?? "", partsOf(S).map(caseOf));

const withoutSpace = (text: string): string =>
  lexemesOf(text)
    .map((each) => each.text)
    .join(" ");

/** Whether cases in braces are not as they are written here. */
export const areForeignCases = ({ S = "" }: Captures): boolean =>
  withoutSpace(S) !== withoutSpace(listed(partsOf(S).map(caseOf)) ?? "");

/** Whether semicolons separate cases, of which none is for all other values. */
export const lacksDefault = ({ S = "" }: Captures): boolean =>
  separatedBy(S, ";").length > 1 && partsOf(S).every((each) => caseOf(each)?.label !== undefined);

/** `switch(a; 1: 2; 3)`: the value and the cases in one pair of parentheses. */
export function switchedInParentheses({ S = "" }: Captures): string | undefined {
  const [value = "", ...rest] = partsOf(S);
  const last = rest.at(-1);
  const other = last === undefined ? undefined : (caseOf(last) ?? { label: undefined, result: last });
  return switchOf(value, [...rest.slice(0, -1).map(caseOf), other]);
}

/** `SWITCH(a; 1; 2; 3)`, as tables have it: values and results by turns, and the result for all other values. */
export function switchedByTurns({ S = "" }: Captures): string | undefined {
  const [value = "", ...rest] = partsOf(S);
  const cases = rest.flatMap((label, at): Case[] => {
    const result = rest[at + 1];
    if (at % 2 === 1) return [];
    return [result === undefined ? { label: undefined, result: label } : { label, result }];
  });
  return rest.some((each) => caseOf(each) !== undefined) ? undefined : switchOf(value, cases);
}

export const switchMessage = "a choice among cases is written with braces";
export const switchHint =
  "write switch (a) { case 1: 2, default: 3 }, with a value for each case and for all others";
