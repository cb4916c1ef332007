import type { ScriptToken } from "./tokens.js";

/** What stands between signs that are in no braces or parentheses, without the ends of lines. */
export function partsBetween(
  sign: string,
  tokens: readonly ScriptToken[],
): readonly (readonly ScriptToken[])[] {
  const parts: ScriptToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "line" || token.kind === "end") continue;
    if (token.kind === "sign" && /[{(]/.test(token.text)) depth++;
    if (token.kind === "sign" && /[})]/.test(token.text)) depth--;
    if (depth === 0 && token.kind === "sign" && token.text === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
