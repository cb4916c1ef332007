import { argumentKinds } from "./argument-kinds.js";
import { argumentsIn, calledBefore, longestWord, type OpenBracket, openBrackets } from "./cursor.js";

/** A text with its signs, of the same length. */
interface Written {
  readonly text: string;
  readonly signs: string;
}

/** What says the dimensions of an expression, if they are known. */
type DimensionsOf = (expression: string) => readonly string[] | undefined;

/**
 * The dimensions of the tensors that a call has before its last argument, without those that it names already; nothing where the type of one
 * is not known.
 */
export function dimensionsOfCall(
  { text, signs }: Written,
  { name, bracket }: { readonly name: string; readonly bracket: OpenBracket },
  dimensionsOf: DimensionsOf,
): readonly string[] | undefined {
  const begin = bracket.at + 1;
  const before = argumentsIn(signs.slice(begin)).slice(0, -1);
  const named = new Set<string>();
  const found = new Set<string>();
  for (const [position, { start, end }] of before.entries()) {
    const argument = text.slice(begin + start, begin + end).trim();
    if (found.has(argument) || !argumentKinds(name, position).includes("value")) named.add(argument);
    else {
      const own = dimensionsOf(argument);
      if (own === undefined) return undefined;
      for (const each of own) found.add(each);
    }
  }
  return [...found].filter((each) => !named.has(each));
}

/** What is sliced where a text ends before a brace: a name, a feature, a call or what stands in brackets. */
export function slicedBefore({ text, signs }: Written): string {
  const end = signs.trimEnd().length;
  const tail = signs.slice(Math.max(0, end - longestWord), end);
  const name = /(?<![\w@$.])[\w@$]+(?:\([\w., ]*\))?(?:\.\w+)*$/.exec(tail)?.[0];
  if (name !== undefined) return text.slice(end - name.length, end);
  if (!tail.endsWith(")")) return "";
  const open = openBrackets(signs.slice(0, end - 1)).at(-1);
  if (open === undefined) return "";
  return text.slice(open.at - (calledBefore(signs, open)?.length ?? 0), end);
}

/** The parameters of the function whose definition an open bracket is in. */
export function parametersAround(signs: string, outermost: OpenBracket | undefined): readonly string[] {
  if (outermost === undefined) return [];
  const before = signs.slice(Math.max(0, outermost.at - longestWord), outermost.at);
  const list = /(?:^|[\n;])\s*[\w@$]+\s*\(([\w\s,@$]*)\)\s*=(?!=)[^\n;]*$/.exec(before)?.[1] ?? "";
  return list.match(/[A-Za-z_@$][\w@$]*/g) ?? [];
}

/** Whether an expression says one of these words. */
export const mentions = (expression: string, words: readonly string[]): boolean =>
  words.length > 0 && (expression.match(/[\w@$]+/g) ?? []).some((each) => words.includes(each));
