import type { Word } from "../tree.js";
import { type Comment, isCloser, isOpener, type Piece, type TokenPosition } from "./document.js";

/**
 * The comments of a statement, attached to its pieces. A comment goes to the first break behind the last token before it,
 * so that it stays in the brackets in which it was written, and formatting the result attaches it to the same break.
 */
export interface AttachedComments {
  /** The comments before the first token. */
  readonly leading: readonly Word[];
  readonly pieces: readonly Piece[];
  /** The comments that no break follows. */
  readonly trailing: readonly Comment[];
}

export function attachComments(
  pieces: readonly Piece[],
  comments: readonly Word[],
  tokens: TokenIndex,
): AttachedComments {
  const leading: Word[] = [];
  /** By the index of the break that they go to, or the number of pieces where no break follows. */
  const attached = new Map<number, Comment[]>();
  // The last token before the comment, the next piece to look at, and the break.
  let [last, next, at] = [-1, 0, 0];
  for (const comment of comments) {
    const { text, span } = comment;
    for (; next < pieces.length; next++) {
      const offset = tokens.offsetOf(pieces[next]);
      if (offset !== undefined && offset > span.start) break;
      if (offset !== undefined) last = next;
    }
    if (last < 0) {
      leading.push(comment);
      continue;
    }
    at = Math.max(at, last);
    while (at < pieces.length && pieces[at]?.kind !== "break") at++;

    const others = attached.get(at) ?? [];
    others.push({
      text: text.trimEnd(),
      isOwnLine: others.length > 0 || standsAlone(span.source.text, span.start),
    });
    attached.set(at, others);
  }
  const withComments = [...pieces];
  for (const [number, list] of attached) {
    const piece = pieces[number];
    if (piece?.kind === "break") withComments[number] = { ...piece, comments: list };
  }
  return { leading, pieces: withComments, trailing: attached.get(pieces.length) ?? [] };
}

/** Whether only white space stands before an offset on its line. */
function standsAlone(text: string, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && /[^\S\r\n]/.test(text.charAt(at))) at--;
  return at < 0 || text[at] === "\n" || text[at] === "\r";
}

/** The tokens of a program, and which brackets belong together. */
export class TokenIndex {
  private readonly partner: (number | undefined)[] = [];

  constructor(private readonly tokens: readonly Word[]) {
    const open: number[] = [];
    for (const [at, { text }] of tokens.entries()) {
      if (isOpener(text)) open.push(at);
      else if (isCloser(text)) {
        const opener = open.pop();
        if (opener === undefined) continue;
        this.partner[opener] = at;
        this.partner[at] = opener;
      }
    }
  }

  /** The offset of the token that a piece was read from, if there is one. */
  offsetOf(piece: Piece | undefined): number | undefined {
    if (piece?.kind !== "token" || piece.position === undefined) return undefined;
    return typeof piece.position === "number" ? piece.position : this.startOf(this.indexOf(piece.position));
  }

  private indexOf(position: TokenPosition): number | undefined {
    if (typeof position === "number") return this.indexAt(position);
    if ("closes" in position) {
      let at = this.indexOf(position.closes) ?? this.tokens.length;
      while (at < this.tokens.length && !isOpener(this.textAt(at))) at++;
      return this.partner[at];
    }
    let [first, last] = [this.indexAt(position.of.start), this.indexAt(position.of.end) - 1];
    let isInParentheses = false;
    for (; this.textAt(first) === "(" && this.partner[first] === last; first++, last--)
      isInParentheses = true;
    if (position.part === "first") return first;
    if (position.part === "last") return last;
    if (!isInParentheses) return undefined;
    return position.part === "open" ? first - 1 : last + 1;
  }

  /** The index of the first token at an offset or after it. */
  private indexAt(offset: number): number {
    let [low, high] = [0, this.tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.startOf(middle) ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private textAt(at: number): string {
    return this.tokens[at]?.text ?? "";
  }

  private startOf(at: number | undefined): number | undefined {
    return at === undefined ? undefined : this.tokens[at]?.span.start;
  }
}
