import type { IToken } from "chevrotain";
import type { Source } from "../source/span.js";
import { number } from "./tokens.js";
import type { Expression } from "./tree.js";

/**
 * Deep nesting without a deep stack. The parser recurses along brackets; so an expression within brackets that itself has
 * so many levels of them is parsed alone, and one token that holds its tree takes its place. Each token is parsed once.
 */

/** Some twenty frames of the parser are a level. */
const mostLevels = 60;

/** A token in the place of an expression. Where a number may stand that is no expression, it must not be taken for one. */
export interface FoldedToken extends IToken {
  readonly payload: { readonly tree: Expression; isRead: boolean };
}

/** What a token stands for, if it is no token of the text. */
export const foldedIn = (token: IToken): FoldedToken["payload"] | undefined => token.payload;

interface OpenBracket {
  /** The index of the first token of the expression that may follow. */
  start: number;
  /** Levels of brackets within that expression. */
  levels: number;
  /** Levels of brackets within those before it. */
  before: number;
  /** Whether it holds the dimensions of a type, behind which a colon begins the cells of a literal. */
  readonly isType: boolean;
}

const openers = new Set(["(", "[", "{"]);
const closers = new Set([")", "]", "}"]);
const separators = new Set([",", ":", "case"]);

/**
 * The tokens, with those of deeply nested expressions replaced; `parse` gives the tree of what is one expression. Brackets
 * must have their partners.
 */
export function foldedTokens(
  tokens: readonly IToken[],
  source: Source,
  parse: (tokens: IToken[]) => Expression | undefined,
): IToken[] {
  const folded: IToken[] = [];
  const open: OpenBracket[] = [];
  let endsType = false;
  let isFailed = false;
  const endExpression = (bracket: OpenBracket): void => {
    const { start, levels } = bracket;
    const isOfLiteral = isSpelled(folded[start], "[") || isSpelled(folded[start], "{");
    if (levels >= mostLevels && !isFailed && !isOfLiteral) {
      const tree = parse(folded.slice(start));
      // What is no expression is left to the parser, which knows what is wrong with it, if anything is.
      if (tree === undefined) isFailed = true;
      else folded.splice(start, Number.POSITIVE_INFINITY, tokenOf(tree, folded.slice(start), source));
      if (tree !== undefined) bracket.levels = 0;
    }
    bracket.before = Math.max(bracket.before, bracket.levels);
    bracket.levels = 0;
  };
  for (const token of tokens) {
    const spelling = token.tokenType.name;
    const bracket = open.at(-1);
    if (openers.has(spelling)) {
      const isType = isSpelled(folded.at(-1), "tensor") || isSpelled(folded.at(-4), "tensor");
      folded.push(token);
      open.push({ start: folded.length, levels: 0, before: 0, isType });
    } else if (bracket !== undefined && closers.has(spelling)) {
      endExpression(bracket);
      folded.push(token);
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) outer.levels = Math.max(outer.levels, bracket.before + 1);
      endsType = bracket.isType;
      continue;
    } else if (bracket !== undefined && separators.has(spelling) && !(spelling === ":" && endsType)) {
      endExpression(bracket);
      folded.push(token);
      bracket.start = folded.length;
    } else folded.push(token);
    endsType = false;
  }
  return folded;
}

/** `tensor` itself, or with its cell type, `tensor<float>`. */
const isSpelled = (token: IToken | undefined, spelling: string): boolean =>
  token?.tokenType.name === spelling;

function tokenOf(tree: Expression, tokens: readonly IToken[], source: Source): FoldedToken {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) throw new Error("an expression has a token");
  const [startOffset, end] = [first.startOffset, last.startOffset + last.image.length];
  const image = source.text.slice(startOffset, end);
  const type = { tokenType: number, tokenTypeIdx: number.tokenTypeIdx ?? 0 };
  return { ...first, ...type, startOffset, image, payload: { tree, isRead: false } };
}
