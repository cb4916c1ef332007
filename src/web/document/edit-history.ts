import { type History, withState } from "../history.js";
import { type DocumentEdit, edited } from "./edit.js";
import type { PageDocument } from "./page-document.js";

/** A document with what it was. */
export type DocumentHistory = History<PageDocument>;

/** A history with an edit that was made at a time, in milliseconds. */
export const withEdit = (history: DocumentHistory, edit: DocumentEdit, at: number): DocumentHistory =>
  withState(history, edited(history.present, edit), typingKey(edit), at);

/** Edits with the same key are one, as long as nobody pauses. */
function typingKey(edit: DocumentEdit): string | undefined {
  if (edit.kind === "text" || edit.kind === "name") return `${edit.kind} ${edit.id}`;
  return edit.kind === "view" ? `${edit.kind} ${edit.id} ${edit.key}` : undefined;
}
