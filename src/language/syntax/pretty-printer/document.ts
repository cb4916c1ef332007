import type { Span } from "../../source/span.js";

/**
 * What stands between a tree and its text: a flat run of tokens, of breaks, where a line may end, and of groups around
 * them. On one line it is a printed expression; line breaking fits it into a width; and comments are attached to its
 * breaks by the positions at which its tokens were read.
 */
export type Piece = Token | Break | Begin | End;

export interface Token {
  readonly kind: "token";
  readonly text: string;
  readonly position?: TokenPosition;
}

/**
 * Where a token was read: at an offset; as the partner of the first bracket that opens at or after a position; or as a
 * part of an expression, which may have been read in parentheses: its first or last token, or the innermost of those
 * parentheses. These may be nowhere, as the printer adds parentheses of its own.
 */
export type TokenPosition =
  | number
  | { readonly closes: TokenPosition }
  | { readonly of: Span; readonly part: "first" | "last" | "open" | "close" };

/** Where a line may be broken; where it is not, nothing or a space stands there. */
export interface Break {
  readonly kind: "break";
  readonly flat: "" | " ";
  /** How many steps the next line is indented, seen from where the group began. */
  readonly level: 0 | 1;
  /** Broken only where what follows, up to the next break of the group, does not fit on the line. */
  readonly fill?: true;
  /** Before a bracket that closes: comments here are still inside, one step deeper. */
  readonly closing?: true;
  /** These break the line, wherever it ends. */
  readonly comments?: readonly Comment[];
}

export interface Comment {
  readonly text: string;
  /** On a line of its own, and not at the end of one. */
  readonly isOwnLine: boolean;
}

/**
 * How a group breaks: at all of its breaks where it does not fit on the line; or at the one that it begins with if all
 * the rest, or the rest up to the end of the first group inside, then fits on the next line. In the latter two the
 * groups inside decide for themselves.
 */
export type Mode = "all" | "whole" | "head";

export interface Begin {
  readonly kind: "begin";
  readonly mode: Mode;
}

export interface End {
  readonly kind: "end";
}

export const token = (text: string, position: TokenPosition): Token => ({ kind: "token", text, position });

export const begin = (mode: Mode): Begin => ({ kind: "begin", mode });

export const end: End = { kind: "end" };

export const lineBreak = (flat: "" | " ", level: 0 | 1): Break => ({ kind: "break", flat, level });

/** How the items of a bracket are set apart: `a, b`; `a,b`; or `a, b` with as many on a line as fit. */
const separators = {
  loose: lineBreak(" ", 1),
  tight: lineBreak("", 1),
  filled: { ...lineBreak(" ", 1), fill: true },
} as const satisfies Record<string, Break>;

const opened = lineBreak("", 1);
const closed: Break = { ...lineBreak("", 0), closing: true };
const closerOf = { "(": ")", "[": "]", "{": "}" } as const;
export type Opener = keyof typeof closerOf;

/** Items in brackets; `closerPosition` is that of the closing one. */
export function bracket<Part>(
  opener: Opener,
  items: readonly (readonly Part[])[],
  closerPosition: TokenPosition,
  separator: keyof typeof separators = "loose",
  openerPosition?: TokenPosition,
): (Part | Piece | string)[] {
  const parts: (Part | Piece | string)[] = [begin("all")];
  parts.push(openerPosition === undefined ? opener : token(opener, openerPosition));
  for (const [at, item] of items.entries()) {
    if (at === 0) parts.push(opened);
    else parts.push(",", separators[separator]);
    for (const part of item) parts.push(part);
  }
  parts.push(closed, token(closerOf[opener], closerPosition), end);
  return parts;
}

export const isOpener = (text: string): boolean => Object.hasOwn(closerOf, text);
export const isCloser = (text: string): boolean => text === ")" || text === "]" || text === "}";

/** All on one line. */
export function flatText(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "token") text += piece.text;
    else if (piece.kind === "break") text += piece.flat;
  }
  return text;
}
