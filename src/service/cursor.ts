/** What the text before a cursor says of it, whether or not the text can be read. */

/** A text of the same length without what stands in quotes and comments. A quote that is never closed stays. */
export function signsOf(text: string): string {
  const parts: string[] = [];
  // Behind a quote that nothing closes there is none that closes another one.
  const unclosed = new Set<string>();
  let [shown, at] = [0, 0];
  for (; at < text.length; at++) {
    const sign = text[at] ?? "";
    const isComment = sign === "#" || text.startsWith("//", at);
    const isQuote = (sign === '"' || sign === "'") && !unclosed.has(sign);
    if (!isComment && !isQuote) continue;
    const end = isComment ? endOfLine(text, at) : endOfQuote(text, at);
    if (end === undefined) unclosed.add(sign);
    else {
      parts.push(text.slice(shown, at), (isComment ? " " : "q").repeat(end - at));
      shown = end;
      at = end - 1;
    }
  }
  return parts.join("") + text.slice(shown);
}

function endOfLine(text: string, start: number): number {
  const lineBreak = /[\n\r\u2028\u2029]|$/g;
  lineBreak.lastIndex = start;
  return lineBreak.exec(text)?.index ?? text.length;
}

/** Behind the quote that closes the one at an offset. */
function endOfQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[start]) return at + 1;
  }
  return undefined;
}

/** A bracket that is open at the end of a text. */
export interface OpenBracket {
  readonly sign: string;
  readonly at: number;
}

/** The brackets that are open at the end of some signs, from the outermost. */
export function openBrackets(signs: string): readonly OpenBracket[] {
  const brackets: OpenBracket[] = [];
  for (const { 0: sign, index } of signs.matchAll(/[([{)\]}]/g)) {
    if ("([{".includes(sign)) brackets.push({ sign, at: index });
    else brackets.pop();
  }
  return brackets;
}

/** The word right before a bracket that calls it, past a cell type: `sum(`, `cell_cast<float>(`. */
export function calledBefore(signs: string, bracket: OpenBracket): string | undefined {
  if (bracket.sign !== "(") return undefined;
  const before = signs.slice(Math.max(0, bracket.at - longestWord), bracket.at);
  return /(?<![\w@])([\w@]+)\s*(?:<\w+>\s*)?$/.exec(before)?.[1];
}

/** Words are shorter: the text before a cursor is not searched any farther for the beginning of one. */
export const longestWord = 1000;

/** A call whose arguments the end of a text is in. */
export interface OpenCall {
  readonly name: string;
  /** From 0. */
  readonly argument: number;
}

/** The innermost call that is open at the end of a text; brackets that call nothing are passed. */
export function openCall(text: string): OpenCall | undefined {
  const signs = signsOf(text);
  const brackets = openBrackets(signs);
  const call = brackets.findLast((each) => calledBefore(signs, each) !== undefined);
  const name = call && calledBefore(signs, call);
  if (call === undefined || name === undefined) return undefined;
  return { name, argument: argumentAt(signs.slice(call.at + 1)) };
}

/** The arguments of a call whose signs these are, from behind its bracket, each by where it begins and ends. */
export function argumentsIn(signs: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: sign, index } of signs.matchAll(/[([{)\]},]/g)) {
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (depth === 0) {
      found.push({ start, end: index });
      start = index + 1;
    }
  }
  return [...found, { start, end: signs.length }];
}

/** Which argument the end of these signs behind the bracket of a call is in, from 0. */
export const argumentAt = (signs: string): number => argumentsIn(signs).length - 1;
