import type { NoteOf, RequestName, RequestOf, ResponseOf } from "../protocol.js";

/** What answers a request. It may tell things before it does, and stops when its signal is aborted. */
export type Handler<Name extends RequestName> = (
  request: RequestOf<Name>,
  context: HandlerContext<Name>,
) => ResponseOf<Name> | Promise<ResponseOf<Name>>;

export interface HandlerContext<Name extends RequestName> {
  readonly signal: AbortSignal;
  readonly note: (note: NoteOf<Name>) => void;
}

/** A handler for each request of the protocol, or for some of them. */
export type Handlers<Names extends RequestName = RequestName> = {
  readonly [Name in Names]: Handler<Name>;
};
