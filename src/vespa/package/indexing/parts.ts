import type { ScriptToken } from "./tokens.js";

/** A token with how many pairs of braces and parentheses are around it; a brace is as deep as what is around its pair. */
interface NestedToken {
  readonly token: ScriptToken;
  readonly depth: number;
}

/** All tokens but the ends of lines. */
function nestedTokens(tokens: readonly ScriptToken[]): readonly NestedToken[] {
  const nested: NestedToken[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "line" || token.kind === "end") continue;
    if (token.kind === "sign" && /[})]/.test(token.text)) depth--;
    nested.push({ token, depth });
    if (token.kind === "sign" && /[{(]/.test(token.text)) depth++;
  }
  return nested;
}

/** What stands between signs that are in no braces or parentheses, without the ends of lines. */
export function partsBetween(
  sign: string,
  tokens: readonly ScriptToken[],
): readonly (readonly ScriptToken[])[] {
  const parts: ScriptToken[][] = [[]];
  for (const { token, depth } of nestedTokens(tokens))
    if (depth === 0 && token.kind === "sign" && token.text === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  return parts;
}

/** What stands in a pair of signs; nothing where there is more, or no such pair. */
export function within(
  open: string,
  close: string,
  tokens: readonly ScriptToken[],
): readonly ScriptToken[] | undefined {
  const [first, ...others] = nestedTokens(tokens);
  const last = others.pop();
  const isPair = first?.token.kind === "sign" && first.token.text === open && last?.token.text === close;
  const isWhole = last?.token.kind === "sign" && last.depth === 0 && others.every(({ depth }) => depth > 0);
  return isPair && isWhole ? others.map(({ token }) => token) : undefined;
}
