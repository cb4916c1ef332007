/**
 * Regular expressions of a tokenizer's file, which somebody else has written and which are tried on any text. Here are those found that
 * may take time as a power of two of its length: where something repeats without end what may itself be read in several ways.
 */

/** Why a file is refused for one of its patterns, wherever that stands. */
export function patternFault(json: unknown): string | undefined {
  const open: unknown[] = [json];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      // The library would print any other, as it is, to the terminal.
      if (key === "pattern" && !isPattern(value))
        return "one of its patterns is neither a Regex nor a String";
      if (key === "Regex" && typeof value === "string" && mayBacktrackWithoutEnd(value))
        return `its pattern ${value.slice(0, 100)} may be tried in ways without end`;
      if (typeof value === "object" && value !== null) open.push(value);
    }
  }
  return undefined;
}

const isPattern = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ["Regex", "String"].some((name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === "string");

/** Whether a regular expression may try ever so many ways to match a text. */
export function mayBacktrackWithoutEnd(pattern: string): boolean {
  /** Of each open group whether there are several ways to match what is in it. */
  const open: boolean[] = [];
  let isVariable = false;
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern[at];
    let isInner = false;
    if (sign === "(") {
      open.push(isVariable);
      isVariable = false;
      // What says of which kind a group is repeats nothing.
      at += pattern[at + 1] === "?" ? 2 : 1;
      continue;
    }
    if (sign === ")") {
      isInner = isVariable;
      isVariable = (open.pop() ?? false) || isInner;
      at++;
    } else if (sign === "|") {
      isVariable = true;
      at++;
      continue;
    } else at = behindAtom(pattern, at);
    const repetition = repetitionAt(pattern, at);
    if (repetition === undefined) continue;
    if (repetition.most > longestRepetition && isInner) return true;
    isVariable = true;
    at = repetition.end;
  }
  return false;
}

/** So often a group may be tried in several ways. */
const longestRepetition = 4;

/** Braces with two counts are no longer. */
const longestCounts = 24;

/** Behind a letter, an escape or a class of characters. */
export function behindAtom(pattern: string, from: number): number {
  if (pattern[from] === "\\") return from + 2;
  if (pattern[from] !== "[") return from + 1;
  let at = from + 1;
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** How often something is repeated, and where the sign that tells it ends. */
interface Repetition {
  readonly least: number;
  readonly most: number;
  readonly end: number;
}

/** How often something is repeated, by the sign behind it. */
export function repetitionAt(pattern: string, at: number): Repetition | undefined {
  const sign = pattern[at];
  if (sign === "*" || sign === "+")
    return { least: sign === "*" ? 0 : 1, most: Number.POSITIVE_INFINITY, end: at + 1 };
  if (sign === "?") return { least: 0, most: 1, end: at + 1 };
  if (sign !== "{") return undefined;
  const counts = pattern.slice(at + 1, at + longestCounts);
  const close = counts.indexOf("}");
  if (close < 0) return undefined;
  const [least = "", most = least] = counts.slice(0, close).split(",");
  const isCount = [least, most].every((each) => each === "" || Number.isInteger(Number(each)));
  return isCount
    ? {
        least: Number(least),
        most: most === "" ? Number.POSITIVE_INFINITY : Number(most),
        end: at + close + 2,
      }
    : undefined;
}
