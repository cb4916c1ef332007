import type { CellId, ResultView } from "../document/page-document.js";
import type { Requester } from "../panel.js";
import type { PageAddress, PageFix, ValueReference } from "../protocol.js";

/** What results ask of the page around them. */
export interface ResultHost {
  readonly request: Requester;
  setView(reference: ValueReference, view: ResultView): void;
  /** Asks where a cell of a value came from. */
  why(reference: ValueReference, address: PageAddress): void;
  notFinite(reference: ValueReference): void;
  /** Makes the edits that mend a problem, which was found in this text of the cell. */
  mend(id: CellId, text: string, fix: PageFix): void;
  /** The cells of a value that light up, by their keys; undefined where none do. */
  lit(reference: ValueReference): ReadonlySet<string> | undefined;
  /** Goes to a part of the text of a cell. */
  reveal(id: CellId, start: number, end: number): void;
}

/** An address as a key: the same whatever the order of its dimensions. */
export const addressKey = (address: PageAddress): string =>
  JSON.stringify(Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)));
