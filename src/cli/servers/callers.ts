import { isIP } from "node:net";

/**
 * Who may send requests to a server on one's own machine. Pages of other sites run in the same browser and can send it
 * requests, and a host name of theirs can resolve to this machine (DNS rebinding). So the host of a request must be an IP
 * address, localhost or the name of the server, and a page must be our own or one of the allowed origins.
 */
export interface Callers {
  /** The host that the server listens on. */
  readonly host: string;
  /** Allowed origins of pages, such as `https://docs.vespa.ai`. */
  readonly origins: readonly string[];
}

/** Whether only this machine can reach a host. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Whether the `Host` of a request is one of ours. DNS rebinding needs a name, so any IP address is safe. */
export function isOwnHost(header: string | undefined, { host }: Pick<Callers, "host">): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d+)?$/.exec(header ?? "") ?? [];
  const name = (bracketed ?? plain ?? "").toLowerCase();
  return name === "localhost" || name === host.toLowerCase() || isIP(name) !== 0;
}

/** The kind of an origin: none, where no page sent the request; our own; an allowed one; or a foreign one. */
export function originKind(
  origin: string | undefined,
  header: string | undefined,
  { origins }: Pick<Callers, "origins">,
): "none" | "own" | "named" | "foreign" {
  if (origin === undefined) return "none";
  if (origin === `http://${header}`) return "own";
  return origins.includes(origin) ? "named" : "foreign";
}
