import { isIP } from "node:net";

/**
 * Who may ask a server on one's own machine. Pages of other sites are run by the same browser and can send it requests;
 * and a name of theirs can be made to mean this machine. So a request must be addressed to an address, to localhost or to
 * the name that was given, and a page that asks must be our own or one of those that were named.
 */
export interface Callers {
  /** What the server was told to listen on. */
  readonly host: string;
  /** Pages that may ask, such as `https://docs.vespa.ai`. */
  readonly origins: readonly string[];
}

/** Whether nobody but this machine can reach a host. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Whether the `Host` of a request is one of ours. No attack by name comes with an address in the place of the name. */
export function isOurs(header: string | undefined, { host }: Callers): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d+)?$/.exec(header ?? "") ?? [];
  const name = (bracketed ?? plain ?? "").toLowerCase();
  return name === "localhost" || name === host.toLowerCase() || isIP(name) !== 0;
}

/** What a page of this origin is: none, for no page asks; our own; one that may ask; or one that may not. */
export function kindOf(
  origin: string | undefined,
  header: string | undefined,
  { origins }: Callers,
): "none" | "own" | "named" | "foreign" {
  if (origin === undefined) return "none";
  if (origin === `http://${header}`) return "own";
  return origins.includes(origin) ? "named" : "foreign";
}
