/**
 * `sphex/errors`: what the library throws and reports, alone, for hosts that only tell its errors from others; a twentieth of
 * the library.
 */
export {
  isProblem,
  type RelatedSpan,
  SphexError,
  type TransferableError,
} from "./language/source/problem.js";
export type { Position, Source, Span } from "./language/source/span.js";
export { receiveError } from "./language/source/transferable-error.js";
