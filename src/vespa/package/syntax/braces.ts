import { createTokenInstance, type IToken } from "chevrotain";
import type { Problem } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import { problem as syntaxProblem } from "../../../language/syntax/messages.js";
import { problem } from "./messages.js";
import { newline, token } from "./tokens.js";

/** Tokens whose braces have partners, and what was wrong with them. */
export interface Balanced {
  readonly tokens: IToken[];
  readonly problems: readonly Problem[];
}

/** How deep braces may nest. */
const deepest = 100;

/**
 * Gives every brace its partner, so that whatever is wrong elsewhere, it is known where a block ends: what is never
 * closed closes at the end of the text, and what closes nothing is left out. Of several ends of lines one is left.
 */
export function balanced(all: readonly IToken[], source: Source): Balanced {
  const tokens: IToken[] = [];
  const open: Brace[] = [];
  const unopened: IToken[] = [];
  let line = { start: 0, indent: 0 };
  let forgotten: Brace | undefined;
  let early: { readonly opening: Brace; readonly closing: Brace } | undefined;
  for (const each of all) {
    const { tokenType } = each;
    if (tokenType === newline) line = lineAfter(each, source);
    if (tokenType === newline && tokens.at(-1)?.tokenType === newline) continue;
    const isFirst = each.startOffset === line.start + line.indent;
    const brace: Brace = { token: each, line: line.start, indent: line.indent, isFirst };
    if (tokenType === token("{") && open.push(brace) > deepest)
      return {
        tokens: [],
        problems: [syntaxProblem("limit/nesting", spanOf(each, source), { limit: deepest })],
      };
    const opening = tokenType === token("}") ? open.pop() : undefined;
    const step = opening === undefined ? 0 : stepOut({ opening, closing: brace });
    if (step > 0) forgotten ??= opening;
    if (step < 0 && opening !== undefined) early ??= { opening, closing: brace };
    if (tokenType === token("}") && opening === undefined) unopened.push(each);
    else tokens.push(each);
  }
  const end = source.text.length;
  for (const _ of open) tokens.push(createTokenInstance(token("}"), "", end, end, 0, 0, 0, 0));
  // What stands around a brace that was forgotten is not closed either: only one is told, at best the one that was.
  const related =
    early === undefined
      ? []
      : [
          { span: spanOf(early.opening.token, source), label: "closed by" },
          { span: spanOf(early.closing.token, source), label: "this, which stands further in" },
        ];
  const problems = [
    ...open
      .slice(-1)
      .map((each) => problem("schema/unclosed", spanOf((forgotten ?? each).token, source), {})),
    ...unopened.slice(0, 1).map((each) => problem("schema/unopened", spanOf(each, source), {}, related)),
  ];
  return { tokens, problems };
}

/** A brace, with how far in its line begins. */
interface Brace {
  readonly token: IToken;
  readonly indent: number;
  readonly line: number;
  /** Whether nothing but white space stands before it. */
  readonly isFirst: boolean;
}

/** By how much a `}` at the beginning of its line stands further out than the line of its `{`: it may be meant for another. */
const stepOut = ({ opening, closing }: { readonly opening: Brace; readonly closing: Brace }): number =>
  closing.isFirst && closing.line !== opening.line ? opening.indent - closing.indent : 0;

/** How far in the line begins that follows an end of lines. */
function lineAfter({ startOffset, image }: IToken, { text }: Source): { start: number; indent: number } {
  const end = startOffset + image.length;
  let start = end;
  while (start > startOffset && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  let first = end;
  while (text[first] === " " || text[first] === "\t") first++;
  return { start, indent: first - start };
}

export const spanOf = ({ startOffset, image }: IToken, source: Source): Span => ({
  source,
  start: startOffset,
  end: startOffset + image.length,
});
