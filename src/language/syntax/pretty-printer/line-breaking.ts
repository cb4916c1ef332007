import type { Begin, Break, Piece } from "./document.js";

/**
 * Pieces to lines. A group that does not fit on what is left of a line, together with what must follow it, is broken;
 * the groups inside it are then decided in turn. One pass, in which each look ahead is a difference of two sums.
 */
export function linesOf(pieces: readonly Piece[], width: number): string {
  const writer = new Writer(pieces, width);
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === "token") writer.write(piece.text);
    else if (piece.kind === "begin") writer.begin(piece, at);
    else if (piece.kind === "end") writer.end();
    else writer.break(piece, at);
  }
  return writer.text;
}

interface Group {
  /** The indentation where it began. */
  readonly base: number;
  /** Whether all of it stands on one line. */
  readonly flat: boolean;
  readonly broken: boolean;
}

class Writer {
  private readonly output: string[] = [];
  private readonly groups: Group[] = [];
  private readonly lookahead: Lookahead;
  private column = 0;
  private indentation = 0;

  constructor(
    pieces: readonly Piece[],
    private readonly width: number,
  ) {
    this.lookahead = new Lookahead(pieces);
  }

  get text(): string {
    return this.output.join("");
  }

  write(text: string): void {
    this.output.push(text);
    this.column += text.length;
  }

  begin({ mode }: Begin, at: number): void {
    const base = this.indentation;
    const flat = this.groups.at(-1)?.flat === true || this.fitsHere(at, this.lookahead.next(at));
    const broken = !flat && (mode === "all" || this.fitsOnNextLine(at, mode));
    this.groups.push({ base, flat, broken });
  }

  private fitsHere(from: number, to: number): boolean {
    return this.lookahead.fits(from, to, this.width - this.column);
  }

  /** Whether the group fits only if its first break is taken. */
  private fitsOnNextLine(at: number, mode: "whole" | "head"): boolean {
    const to = this.lookahead.next(mode === "whole" ? at : this.lookahead.group(at + 1));
    const column = this.indented(this.indentation, 1);
    return !this.fitsHere(at, to) && this.lookahead.fits(at + 2, to, this.width - column);
  }

  end(): void {
    this.indentation = this.groups.pop()?.base ?? 0;
  }

  break({ flat, level, fill, closing, comments = [] }: Break, at: number): void {
    const group = this.groups.at(-1);
    const rest = this.width - this.column - flat.length;
    const fits =
      group?.broken !== true || (fill === true && this.lookahead.fits(at + 1, this.lookahead.next(at), rest));
    if (fits && comments.length === 0) return this.write(flat);

    const next = this.indented(group?.base ?? 0, level);
    const beside = closing === true ? this.indented(group?.base ?? 0, 1) : next;
    for (const { text, isOwnLine } of comments) {
      if (isOwnLine) this.newLine(beside);
      this.write(isOwnLine ? text : ` ${text}`);
    }
    this.indentation = next;
    this.newLine(next);
  }

  /** However deep brackets nest, half of a line stays free. */
  private indented(base: number, level: 0 | 1): number {
    return level === 0 ? base : Math.max(base, Math.min(base + 2, this.width >> 1));
  }

  private newLine(indentation: number): void {
    this.output.push("\n", " ".repeat(indentation));
    this.column = indentation;
  }
}

/** Prefix sums and next positions over all pieces, computed once, so that each look ahead is a subtraction. */
class Lookahead {
  /** How wide all pieces before one are on one line. */
  private readonly widths: number[] = [0];
  /** How many comments stand before a piece. */
  private readonly comments: number[] = [0];
  /** For a beginning its end, for a break the next break of its group or the group's end. */
  private readonly partner: number[] = [];
  /** The next break at a piece or after it. */
  private readonly breaks: number[] = [];
  /** The next beginning of a group, likewise. */
  private readonly groups: number[] = [];

  constructor(pieces: readonly Piece[]) {
    let [width, comments] = [0, 0];
    for (const piece of pieces) {
      if (piece.kind === "token") width += piece.text.length;
      else if (piece.kind === "break") {
        width += piece.flat.length;
        comments += piece.comments?.length ?? 0;
      }
      this.widths.push(width);
      this.comments.push(comments);
    }
    const ends: number[] = [pieces.length];
    this.breaks[pieces.length] = pieces.length;
    this.groups[pieces.length] = pieces.length;
    const following: number[] = [pieces.length];
    for (let at = pieces.length - 1; at >= 0; at--) {
      const piece = pieces[at];
      this.breaks[at] = piece?.kind === "break" ? at : (this.breaks[at + 1] ?? at);
      this.groups[at] = piece?.kind === "begin" ? at : (this.groups[at + 1] ?? at);
      if (piece?.kind === "end") {
        ends.push(at);
        following.push(at);
      } else if (piece?.kind === "begin") {
        this.partner[at] = ends.pop() ?? at;
        following.pop();
      } else if (piece?.kind === "break") {
        this.partner[at] = following.pop() ?? at;
        following.push(at);
      }
    }
  }

  next(at: number): number {
    return this.partner[at] ?? at;
  }

  group(at: number): number {
    return this.groups[at] ?? at;
  }

  /** Whether the pieces from one to another, and what stands between them and the next break, fit into a width. */
  fits(from: number, to: number, width: number): boolean {
    if (this.comments[from] !== this.comments[to]) return false;
    const until = this.breaks[to] ?? to;
    return (this.widths[until] ?? 0) - (this.widths[from] ?? 0) <= width;
  }
}
