import type { Span } from "../../../language/source/span.js";
import type { Storage } from "../values/storage.js";

/** What a pass may use of the plan that it is part of. A pass changes nothing of it but that it adds buffers. */
export interface PassState {
  readonly storage: Storage;
  /** @throws SphexError where so many cells, or rows, are beyond the limits. */
  readonly allow: (cells: number, span: Span, rows?: number) => void;
  /** @throws SphexError where so many values are beyond the limits, though they are folded and not stored. */
  readonly allowProduced: (cells: number, span: Span) => void;
}
