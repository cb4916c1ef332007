import { type Comment, isCloser, isOpener, type Piece, type Place } from "./pieces.js";
import type { Word } from "./tree.js";

/**
 * Where comments stand in the pieces of a statement. A comment goes to the first place at which a line may be broken
 * behind the last token that was read before it, so that it stays in the brackets in which it was written; wherever
 * the printer has moved it from there, it will find the same place again.
 */
export interface Woven {
  /** The comments before the first token. */
  readonly above: readonly Comment[];
  readonly pieces: readonly Piece[];
  /** The comments that no break follows. */
  readonly behind: readonly Comment[];
  /** Whether a comment wants a line of its own outside all brackets, where an empty line may end the statement. */
  readonly exposed: boolean;
}

export function weave(pieces: readonly Piece[], comments: readonly Word[], tokens: Tokens): Woven {
  const above: Comment[] = [];
  const behind: Comment[] = [];
  const woven = [...pieces];
  const offsets = pieces.map((piece) => (piece.kind === "token" ? tokens.offsetOf(piece.place) : undefined));
  let [exposed, last, at, depth] = [false, -1, 0, 0];
  for (const { text, span } of comments) {
    // `at` is behind the last token before the comment, and at a break or the end.
    for (let next = last + 1; next < pieces.length; next++) {
      const offset = offsets[next];
      if (offset === undefined) continue;
      if (offset > span.start) break;
      last = next;
    }
    const from = at;
    at = Math.max(at, last + 1);
    while (at < pieces.length && pieces[at]?.kind !== "break") at++;
    depth += depthBetween(pieces, from, at);

    const comment = { text: text.trimEnd(), own: standsAlone(span.source.text, span.start) };
    if (last < 0) {
      above.push({ ...comment, own: true });
      at = 0;
      depth = 0;
      continue;
    }
    const place = woven[at];
    const before = place?.kind === "break" ? (place.comments ?? []) : behind;
    const placed = { ...comment, own: comment.own || before.length > 0 };
    if (placed.own && depth === 0) exposed = true;
    if (place?.kind === "break") woven[at] = { ...place, comments: [...before, placed] };
    else behind.push(placed);
  }
  return { above, pieces: woven, behind, exposed };
}

/** How many more brackets are open at one piece than at another before it. */
function depthBetween(pieces: readonly Piece[], from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const piece = pieces[at];
    if (piece?.kind !== "token") continue;
    if (isOpener(piece.text)) depth++;
    else if (isCloser(piece.text)) depth--;
  }
  return depth;
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
  offsetOf(place: Place | undefined): number | undefined {
    if (place === undefined || typeof place === "number") return place;
    if ("closes" in place) {
      let at = this.indexAt(place.closes);
      while (at < this.tokens.length && !isOpener(this.textAt(at))) at++;
      return this.startOf(this.partner[at]);
    }
    const [open, close] = this.around(place.around.start, place.around.end) ?? [];
    return this.startOf(place.side === "open" ? open : close);
  }

  /** The parentheses around exactly the tokens from one offset to another, however many others are inside those. */
  private around(start: number, end: number): readonly [number, number] | undefined {
    const first = this.indexAt(start);
    const behind = this.indexAt(end);
    for (let open = first - 1; this.textAt(open) === "("; open--) {
      const close = this.partner[open] ?? -1;
      if (close < behind) continue;
      let at = behind;
      while (at < close && this.textAt(at) === ")") at++;
      return at === close ? [open, close] : undefined;
    }
    return undefined;
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
