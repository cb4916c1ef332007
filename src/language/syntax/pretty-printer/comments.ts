import type { Word } from "../tree.js";
import { type Comment, isCloser, isOpener, type Piece, type Place } from "./document.js";

/**
 * Where comments stand in the pieces of a statement. A comment goes to the first place at which a line may be broken
 * behind the last token that was read before it, so that it stays in the brackets in which it was written; wherever
 * that moves it, it will find the same place again.
 */
export interface Woven {
  /** The comments before the first token. */
  readonly above: readonly Word[];
  readonly pieces: readonly Piece[];
  /** The comments that no break follows. */
  readonly behind: readonly Comment[];
}

export function weave(pieces: readonly Piece[], comments: readonly Word[], tokens: Tokens): Woven {
  const above: Word[] = [];
  /** By the number of the break that they go to; behind all pieces there is one that is none. */
  const placed = new Map<number, Comment[]>();
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
      above.push(comment);
      continue;
    }
    at = Math.max(at, last);
    while (at < pieces.length && pieces[at]?.kind !== "break") at++;

    const others = placed.get(at) ?? [];
    others.push({
      text: text.trimEnd(),
      own: others.length > 0 || standsAlone(span.source.text, span.start),
    });
    placed.set(at, others);
  }
  const woven = [...pieces];
  for (const [number, list] of placed) {
    const piece = pieces[number];
    if (piece?.kind === "break") woven[number] = { ...piece, comments: list };
  }
  return { above, pieces: woven, behind: placed.get(pieces.length) ?? [] };
}

/** Whether only white space stands before an offset on its line. */
function standsAlone(text: string, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && /[^\S\r\n]/.test(text[at] ?? "")) at--;
  return at < 0 || text[at] === "\n" || text[at] === "\r";
}

/** The tokens of a program, and which brackets belong together. */
export class Tokens {
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
    if (piece?.kind !== "token" || piece.place === undefined) return undefined;
    return typeof piece.place === "number" ? piece.place : this.startOf(this.indexOf(piece.place));
  }

  private indexOf(place: Place): number | undefined {
    if (typeof place === "number") return this.indexAt(place);
    if ("closes" in place) {
      let at = this.indexOf(place.closes) ?? this.tokens.length;
      while (at < this.tokens.length && !isOpener(this.textAt(at))) at++;
      return this.partner[at];
    }
    let [first, last] = [this.indexAt(place.of.start), this.indexAt(place.of.end) - 1];
    let isInParentheses = false;
    for (; this.textAt(first) === "(" && this.partner[first] === last; first++, last--)
      isInParentheses = true;
    if (place.part === "first") return first;
    if (place.part === "last") return last;
    if (!isInParentheses) return undefined;
    return place.part === "open" ? first - 1 : last + 1;
  }

  /** The first token at an offset or behind it. */
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
