import type { TemplateResult } from "lit-html";
import type { DocumentEdit } from "./document/edit.js";
import type { PageDocument } from "./document/page-document.js";
import type { Undoable } from "./history.js";
import type { NoteOf, RequestName, RequestOf, ResponseOf } from "./protocol.js";

/** A part of the page beside the cells, such as the one for links and files. It may keep a state of its own. */
export interface Panel {
  readonly title: string;
  /** What undo takes back while the focus is in the panel, where that is not the document. */
  readonly undoable?: Undoable;
  render(host: PanelHost): TemplateResult;
}

/** What a panel may do with the page. */
export interface PanelHost {
  readonly document: PageDocument;
  /** Changes the document; undo takes the edit back as a whole. */
  edit(edit: DocumentEdit): void;
  request: Requester;
  /** Says something to a screen reader, and shows it for a moment. */
  announce(text: string): void;
  /** Saves a file on the machine of the reader. */
  download(name: string, content: Uint8Array | string, type: string): void;
  /** Renders the page again, after a change of the panel's own state. */
  update(): void;
  /** Leaves the panel. */
  close(): void;
}

/** Asks the worker. Rejects with a `RequestFailure` where there is no answer. */
export type Requester = <Name extends RequestName>(
  name: Name,
  request: RequestOf<Name>,
  options?: RequestOptions<Name>,
) => Promise<ResponseOf<Name>>;

export interface RequestOptions<Name extends RequestName> {
  readonly signal?: AbortSignal;
  /** Hears what is told before the response. */
  readonly note?: (note: NoteOf<Name>) => void;
}
