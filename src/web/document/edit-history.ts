import { type History, historyOf, withState } from "../history.js";
import { type DocumentEdit, edited } from "./edit.js";
import type { PageDocument } from "./page-document.js";

/** A document with what it was. */
export type DocumentHistory = History<PageDocument>;

/** A history of documents that took the place of each other, of which the last is there now. */
export const historyOfDocuments = ([first, ...others]: readonly [
  PageDocument,
  ...PageDocument[],
]): DocumentHistory =>
  others.reduce((history, document) => withEdit(history, { kind: "replace", document }, 0), historyOf(first));

/** A history with an edit that was made at a time, in milliseconds. Numbers of cells that were undone are not given once more. */
export function withEdit(history: DocumentHistory, edit: DocumentEdit, at: number): DocumentHistory {
  const { present, future } = history;
  const nextId = Math.max(present.nextId, future.at(-1)?.nextId ?? 0);
  const base = nextId > present.nextId ? { ...present, nextId } : present;
  const next = edited(base, edit);
  return withState(history, next === base ? present : next, typingKey(edit), at);
}

/** Edits with the same key are one, as long as nobody pauses. */
function typingKey(edit: DocumentEdit): string | undefined {
  if (edit.kind === "text" || edit.kind === "name") return `${edit.kind} ${edit.id}`;
  return edit.kind === "view" ? `${edit.kind} ${edit.id} ${edit.key}` : undefined;
}
