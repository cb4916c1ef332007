import type { NewCell, PageDocument } from "../document/page-document.js";
import type { ImportedProfile } from "../profile/profile-request.js";

/** A file as it was dropped or chosen. */
export interface DroppedFile {
  /** With its folders, where several were dropped at once. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What files became. */
export interface Imported {
  /** A document that takes the place of this one. */
  readonly document: PageDocument | undefined;
  /** Cells to be added to this one. */
  readonly cells: readonly NewCell[];
  /** What rank profile mode takes. */
  readonly profile: ImportedProfile;
  readonly faults: readonly ImportFault[];
}

/** Why nothing came of a file. */
export interface ImportFault {
  readonly name: string;
  readonly message: string;
}
