import type { PageDocument } from "../document/page-document.js";

/** What a document can be saved as: of itself, or of one of its values. */
export const documentExports = ["sphex", "markdown", "html", "json", "profile", "rank-test"] as const;
export type DocumentExport = (typeof documentExports)[number];

export const valueExports = ["svg", "csv", "npy", "literal", "value-json"] as const;
export type ValueExport = (typeof valueExports)[number];

export interface ExportRequest {
  readonly document: PageDocument;
  readonly form: DocumentExport | ValueExport;
  /** Which value: the number of its cell, and its key. Nothing where the whole document is meant. */
  readonly value?: { readonly id: number; readonly key: string };
  /** Of a page in HTML: the remarks, rendered and safe, by the number of their cell. */
  readonly remarks?: Readonly<Record<string, string>>;
}

/** A file to be saved. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array;
}
