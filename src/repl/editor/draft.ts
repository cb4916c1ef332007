import { graphemesOf } from "../../service/service.js";

/** A text that is being written, with the cursor as an offset in it. */
export interface Draft {
  readonly text: string;
  readonly cursor: number;
}

export const emptyDraft: Draft = { text: "", cursor: 0 };

/** A text with the cursor behind it. */
export const draftOf = (text: string): Draft => ({ text, cursor: text.length });

/** A draft with a text in place of a part of it, and the cursor behind that. */
export function replaced({ text }: Draft, start: number, end: number, by: string): Draft {
  return { text: text.slice(0, start) + by + text.slice(end), cursor: start + by.length };
}

export const inserted = (draft: Draft, text: string): Draft =>
  replaced(draft, draft.cursor, draft.cursor, text);

/** The offsets of the line that the cursor is in. */
function lineOf({ text, cursor }: Draft): { readonly start: number; readonly end: number } {
  const end = text.indexOf("\n", cursor);
  return { start: text.lastIndexOf("\n", cursor - 1) + 1, end: end < 0 ? text.length : end };
}

/** Where the character begins that ends at the cursor. */
function before({ text, cursor }: Draft): number {
  const { start } = lineOf({ text, cursor });
  if (cursor === start) return Math.max(0, cursor - 1);
  return graphemesOf(text.slice(start, cursor), start).at(-1)?.start ?? cursor - 1;
}

/** Where the character ends that begins at the cursor. */
function behind({ text, cursor }: Draft): number {
  const { end } = lineOf({ text, cursor });
  if (cursor === end) return Math.min(text.length, cursor + 1);
  return graphemesOf(text.slice(cursor, end), cursor)[0]?.end ?? cursor + 1;
}

const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_@$]/u.test(sign);

function wordBefore({ text, cursor }: Draft): number {
  let at = cursor;
  while (at > 0 && !isWord(text[at - 1])) at--;
  while (at > 0 && isWord(text[at - 1])) at--;
  return at;
}

function wordBehind({ text, cursor }: Draft): number {
  let at = cursor;
  while (at < text.length && !isWord(text[at])) at++;
  while (at < text.length && isWord(text[at])) at++;
  return at;
}

/** The cursor in the line above or below, as far to the right as it is; undefined where there is no such line. */
function vertically(draft: Draft, isUp: boolean): number | undefined {
  const { start, end } = lineOf(draft);
  if (isUp ? start === 0 : end === draft.text.length) return undefined;
  const other = lineOf({ text: draft.text, cursor: isUp ? start - 1 : end + 1 });
  return Math.min(other.start + draft.cursor - start, other.end);
}

/** Where the cursor goes. */
const motions = {
  left: before,
  right: behind,
  wordLeft: wordBefore,
  wordRight: wordBehind,
  lineStart: (draft: Draft) => lineOf(draft).start,
  lineEnd: (draft: Draft) => lineOf(draft).end,
  up: (draft: Draft) => vertically(draft, true),
  down: (draft: Draft) => vertically(draft, false),
} as const satisfies Record<string, (draft: Draft) => number | undefined>;
export type Motion = keyof typeof motions;

export function moved(draft: Draft, motion: Motion): Draft | undefined {
  const cursor = motions[motion](draft);
  return cursor === undefined ? undefined : { ...draft, cursor };
}

/** A draft without what lies between the cursor and where a motion leads, which is returned too. */
export function erased(draft: Draft, motion: Motion): { readonly draft: Draft; readonly erased: string } {
  const to = motions[motion](draft) ?? draft.cursor;
  const [start, end] = [Math.min(to, draft.cursor), Math.max(to, draft.cursor)];
  return { draft: replaced(draft, start, end, ""), erased: draft.text.slice(start, end) };
}
