import { type DocumentEdit, edited } from "./edit.js";
import type { PageDocument } from "./page-document.js";

/** A document with what it was, and with what it was before edits were taken back. Immutable. */
export interface History {
  readonly present: PageDocument;
  readonly past: readonly Version[];
  readonly future: readonly PageDocument[];
}

/** A document that another one came after. */
interface Version {
  readonly document: PageDocument;
  /** What was written where, and when, if the edit that followed may go on. */
  readonly typing: Typing | undefined;
}

interface Typing {
  readonly key: string;
  readonly at: number;
}

/** The most steps that can be taken back. */
const mostSteps = 1000;

/** What is typed into one cell without such a pause, in milliseconds, is taken back as a whole. */
const pause = 800;

export const historyOf = (present: PageDocument): History => ({ present, past: [], future: [] });

/** A history with an edit that was made at a time, in milliseconds. */
export function withEdit(history: History, edit: DocumentEdit, at: number): History {
  const { present, past } = history;
  const next = edited(present, edit);
  if (next === present) return history;
  const key = typingKey(edit);
  const typing = key === undefined ? undefined : { key, at };
  const last = past.at(-1);
  const goesOn = key !== undefined && last?.typing?.key === key && at - last.typing.at < pause;
  const version = { document: goesOn ? last.document : present, typing };
  const before = goesOn ? past.slice(0, -1) : past.slice(1 - mostSteps);
  return { present: next, past: [...before, version], future: [] };
}

/** Edits with the same key are one, as long as nobody pauses. */
function typingKey(edit: DocumentEdit): string | undefined {
  if (edit.kind === "text" || edit.kind === "name") return `${edit.kind} ${edit.id}`;
  return edit.kind === "view" ? `${edit.kind} ${edit.id} ${edit.key}` : undefined;
}

export function undone({ present, past, future }: History): History | undefined {
  const last = past.at(-1);
  if (last === undefined) return undefined;
  return { present: last.document, past: past.slice(0, -1), future: [present, ...future] };
}

export function redone({ present, past, future }: History): History | undefined {
  const [next, ...rest] = future;
  if (next === undefined) return undefined;
  return { present: next, past: [...past, { document: present, typing: undefined }], future: rest };
}
