import { numberRanges, unbounded } from "../number-ranges.js";
import type { TermPattern } from "../query-term.js";
import type { Cursor } from "./cursor.js";
import { type TermItem, termItem } from "./items.js";
import type { TokenKind } from "./tokens.js";

/** What may stand behind a number; anything else makes words of it. */
const behind: ReadonlySet<TokenKind> = new Set([
  "space",
  "closeSquare",
  "semicolon",
  "close",
  "end",
  "exclamation",
]);

/** `5`, `-5.5`, `<5`, `>5`, `[1;5]`, `[;5]`: numbers of an attribute; a single number is also searched as a word. */
export function numberTerm(cursor: Cursor): TermItem | undefined {
  return cursor.attempt(() => {
    const range = rangeIn(cursor);
    cursor.skipNext("openSquare");
    const pattern = range ?? single(cursor) ?? bounded(cursor);
    return pattern !== undefined && behind.has(cursor.here.kind)
      ? termItem(pattern, pattern.kind !== "words" || !pattern.text.startsWith("-"))
      : undefined;
  });
}

/** A number as a word is never taken apart. */
export const numberWord = (text: string): TermPattern => ({ kind: "words", text, words: [text] });

function single(cursor: Cursor): TermPattern | undefined {
  cursor.skipHere("space");
  const isNegative = cursor.isHere("minus") && cursor.after(1) === "number";
  if (isNegative) cursor.at++;
  return cursor.isNext("number") ? numberWord(`${isNegative ? "-" : ""}${decimal(cursor)}`) : undefined;
}

function bounded(cursor: Cursor): TermPattern | undefined {
  return cursor.attempt(() => {
    const { kind } = cursor.take();
    if (kind !== "smaller" && kind !== "greater") return undefined;
    const isNegative = cursor.skipHere("minus");
    if (!cursor.isNext("number")) return undefined;
    const bound = Number(decimal(cursor)) * (isNegative ? -1 : 1);
    return { kind: "range", ...numberRanges[kind === "smaller" ? "<" : ">"](bound) };
  });
}

/** `[1;5]`; of `[1;5;10]`, which asks for so many documents only, what it finds is not known. */
function rangeIn(cursor: Cursor): TermPattern | undefined {
  return cursor.attempt(() => {
    if (cursor.take().kind !== "openSquare") return undefined;
    const least = bound(cursor);
    if (!cursor.skipNext("semicolon")) return undefined;
    const most = bound(cursor);
    if (least === undefined && most === undefined) return undefined;
    const isLimited = cursor.skipNext("semicolon");
    if (isLimited) bound(cursor);
    cursor.skipNext("closeSquare");
    if (isLimited) return { kind: "unknown" };
    return {
      ...{ kind: "range", ...unbounded },
      ...(least === undefined ? {} : { least }),
      ...(most === undefined ? {} : { most }),
    };
  });
}

function bound(cursor: Cursor): number | undefined {
  const isNegative = cursor.skipNext("minus");
  if (!cursor.isNext("number")) return undefined;
  return Number(decimal(cursor)) * (isNegative ? -1 : 1);
}

/** Digits, and those behind a point. */
function decimal(cursor: Cursor): string {
  const whole = cursor.take().text;
  const part = cursor.attempt(() =>
    cursor.skipHere("dot") && cursor.isHere("number") ? cursor.take().text : undefined,
  );
  return part === undefined ? whole : `${whole}.${part}`;
}
