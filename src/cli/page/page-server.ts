import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isOwnHost } from "../servers/callers.js";
import { connectionPatience } from "../servers/connection-patience.js";
import { addressOf } from "../servers/listening.js";
import type { PageFile } from "./page-files.js";
import { serverPolicy } from "./policy.js";

/** A server of the page that listens. */
export interface PageServer {
  /** Such as `http://127.0.0.1:8643/`. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** The only host: other machines cannot reach it. */
export const pageHost = "127.0.0.1";

/** Serves files on this machine. @throws Error as Node does where it cannot. */
export async function servePage(files: ReadonlyMap<string, PageFile>, port: number): Promise<PageServer> {
  const server = createServer(connectionPatience, (request, response) => answer(files, request, response));
  server.maxConnections = 200;
  server.timeout = 30_000;
  server.listen(port, pageHost);
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { address: addressOf(server, pageHost), stop };
}

const securityHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": serverPolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function answer(
  files: ReadonlyMap<string, PageFile>,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (
    status: number,
    { type, bytes }: PageFile,
    more: Readonly<Record<string, string>> = {},
  ): void => {
    response.writeHead(status, {
      "content-type": type,
      "content-length": bytes.length,
      ...securityHeaders,
      ...more,
    });
    response.end(method === "HEAD" ? undefined : bytes);
  };
  const refuse = (status: number, message: string, more?: Readonly<Record<string, string>>): void =>
    send(
      status,
      { type: "text/plain; charset=utf-8", bytes: new TextEncoder().encode(`${message}\n`) },
      more,
    );
  // A name that resolves to this machine is how pages of others would get in.
  if (!isOwnHost(headers.host, { host: pageHost }))
    return refuse(403, "this server does not go by that name");
  if (method !== "GET" && method !== "HEAD") return refuse(405, "this takes GET", { allow: "GET, HEAD" });
  const file = files.get((url ?? "").split(/[?#]/)[0] ?? "");
  if (file === undefined) return refuse(404, "there is nothing here: see /");
  const { type, bytes, brotli } = file;
  const vary = { vary: "accept-encoding" };
  if (brotli === undefined || !acceptsBrotli(headers["accept-encoding"])) send(200, { type, bytes }, vary);
  else send(200, { type, bytes: brotli }, { ...vary, "content-encoding": "br" });
}

/** Whether a client takes Brotli, by what its header lists; one that lists it with a weight of 0 does not. */
function acceptsBrotli(encodings: IncomingMessage["headers"]["accept-encoding"]): boolean {
  return [encodings ?? ""].flat().some((list) =>
    list.split(",").some((each) => {
      const [name = "", weight = "q=1"] = each
        .toLowerCase()
        .split(";")
        .map((part) => part.trim());
      return name === "br" && Number(weight.slice("q=".length)) > 0;
    }),
  );
}
