import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Bounds } from "../../vespa/compat/compat.js";
import { type Callers, isOwnHost, originKind } from "../servers/callers.js";
import { connectionPatience } from "../servers/connection-patience.js";
import { addressOf } from "../servers/listening.js";
import { EvaluationError, Evaluators } from "./evaluators.js";

/** `POST /playground/eval` over HTTP, within bounds: of length, of time, and of how many are served at once. */
export interface ServerOptions extends Bounds, Callers {
  readonly port: number;
  /** Bytes of a request. */
  readonly bytes: number;
  /** Requests that are evaluated, or wait for it, at the same time. */
  readonly atOnce: number;
  /** Told of each request when it is over. */
  readonly log: (entry: Entry) => void;
}

export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8642/`. */
  readonly address: string;
  /** Ends what is evaluated, and the server. */
  readonly stop: () => Promise<void>;
}

/** A server that listens. @throws Error as Node does where it cannot. */
export async function serve(options: ServerOptions): Promise<RunningServer> {
  const ending = new AbortController();
  const evaluators = new Evaluators(options, Math.min(options.atOnce, threads));
  const handler = new RequestHandler(options, evaluators, ending.signal);
  const server = createServer(
    connectionPatience,
    (request, response) => void handler.handle(request, response),
  );
  server.maxConnections = mostConnections;
  server.maxRequestsPerSocket = 1000;
  server.timeout = 30_000;
  server.listen(options.port, options.host);
  await once(server, "listening");
  handler.address = addressOf(server, options.host);
  const stop = async (): Promise<void> => {
    ending.abort();
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 300).unref();
    await Promise.all([once(server, "close"), evaluators.stop()]);
  };
  return { address: handler.address, stop };
}

/** Two of them let a short request pass a long one; each has some memory of its own. */
const threads = Math.max(2, Math.min(4, availableParallelism()));

/** More than who holds them open for nothing is likely to take; beyond it, connections are refused. */
const mostConnections = 1000;

/** Bytes of replies on their way beyond which nothing more is evaluated: who does not read them must not fill the memory. */
const mostSending = 64_000_000;

/** Milliseconds that a reply may take on its way. */
const longestReply = 30_000;

interface Reply {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly type?: "application/json" | "text/html" | "text/plain";
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply that is sent instead of any other. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

class RequestHandler {
  address = "";
  private evaluating = 0;
  /** Bytes of replies that are on their way. */
  private sending = 0;

  constructor(
    private readonly options: ServerOptions,
    private readonly evaluators: Evaluators,
    private readonly ending: AbortSignal,
  ) {}

  /** Answers a request, whatever happens. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const closed = new AbortController();
    response.on("close", () => closed.abort());
    const signal = AbortSignal.any([closed.signal, this.ending]);
    const { status, body, type = "text/plain", headers } = await this.replyTo(request, signal);
    response.writeHead(status, { "content-type": `${type}; charset=utf-8`, ...securityHeaders, ...headers });
    this.sending += body.length;
    await send(body, response);
    this.sending -= body.length;
    const milliseconds = Math.round(performance.now() - start);
    this.options.log({ method: request.method ?? "", path: pathOf(request), status, milliseconds });
  }

  private async replyTo(request: IncomingMessage, signal: AbortSignal): Promise<Reply> {
    try {
      return await this.route(request, signal);
    } catch (error) {
      if (error instanceof Refusal) {
        return { status: error.status, body: `${error.message}\n`, headers: error.headers };
      }
      return { status: 500, body: "internal error: a defect of Sphex\n" };
    }
  }

  private async route(request: IncomingMessage, signal: AbortSignal): Promise<Reply> {
    const { method, headers } = request;
    const { origin, host } = headers;
    const path = pathOf(request);
    const caller = originKind(origin, host, this.options);
    if (!isOwnHost(host, this.options)) throw new Refusal(403, "this server does not go by that name");
    if (caller === "foreign") throw new Refusal(403, `pages of ${origin} may not ask: see --origin`);
    const shared = caller === "named" ? { "access-control-allow-origin": origin ?? "", vary: "Origin" } : {};
    if (path === "/playground/eval") {
      if (method === "OPTIONS") return { status: 204, body: "", headers: { ...shared, ...preflight } };
      if (method !== "POST") throw new Refusal(405, "this takes POST", { allow: "POST, OPTIONS" });
      return {
        status: 200,
        type: "application/json",
        body: await this.evaluated(request, signal),
        headers: shared,
      };
    }
    if (path !== "/") throw new Refusal(404, "there is nothing here: see /");
    if (method !== "GET" && method !== "HEAD")
      throw new Refusal(405, "this takes GET", { allow: "GET, HEAD" });
    return { status: 200, type: "text/html", body: page(this.address) };
  }

  /** What takes too long for its thread is answered with an error in JSON, as the protocol has it, not by the status. */
  private async evaluated(request: IncomingMessage, signal: AbortSignal): Promise<string | Uint8Array> {
    this.refuseIfBusy();
    const form = await bodyOf(request, this.options.bytes);
    this.refuseIfBusy(); // before the form is decoded: of many requests at once, most are refused here
    const json = new URLSearchParams(form).get("json");
    if (json === null) throw new Refusal(400, "the form has no field json");
    this.evaluating++;
    try {
      return await this.evaluators.evaluate(json, signal);
    } catch (error) {
      if (error instanceof EvaluationError) return JSON.stringify({ error: error.message });
      throw error;
    } finally {
      this.evaluating--;
    }
  }

  private refuseIfBusy(): void {
    const { atOnce } = this.options;
    const reason =
      this.evaluating >= atOnce
        ? `${atOnce} requests are being evaluated or wait for it`
        : this.sending > mostSending
          ? "replies have to be read first"
          : undefined;
    if (reason !== undefined) throw new Refusal(503, reason, { "retry-after": "1" });
  }
}

/** Bytes that are written at once: no more than that, and a little, waits for a reader that is slower. */
const portion = 65_536;

/** Sends a reply as fast as it is read. A reader that goes away, or takes too long, is not our problem. */
async function send(body: string | Uint8Array, response: ServerResponse): Promise<void> {
  if (typeof body === "string") return void response.end(body);
  const tooLate = setTimeout(() => response.destroy(), longestReply);
  try {
    await pipeline(Readable.from(portionsOf(body)), response);
  } catch {
    response.destroy();
  } finally {
    clearTimeout(tooLate);
  }
}

function* portionsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += portion) yield bytes.subarray(at, at + portion);
}

const pathOf = ({ url }: IncomingMessage): string => (url ?? "").split("?")[0] ?? "";

async function bodyOf(request: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A request that is too long is not read to its end, but answered.
  const refuse = (): never => {
    throw new Refusal(413, `a request has at most ${limit} bytes`, { connection: "close" });
  };
  if (Number(request.headers["content-length"] ?? 0) > limit) refuse();
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk; // without an encoding, a request gives these
    size += bytes.length;
    if (size > limit) refuse();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** For every reply. The page loads nothing, and no reply is to be run as anything. */
const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "x-content-type-options": "nosniff",
};

const preflight = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
  "access-control-allow-private-network": "true",
  "access-control-max-age": "600",
};

/** The page of the server itself: a few words, and nothing to be fetched. */
const page = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<title>sphex serve</title>
<h1>sphex serve</h1>
<p>This answers the evaluation protocol of the tensor playground in Vespa's documentation.</p>
<pre>curl ${address}playground/eval --data-urlencode 'json=[
  {"cell": 0, "name": "a", "expr": "tensor(x[2]):[1,2]"},
  {"cell": 1, "name": "", "expr": "sum(a * a)", "verbose": true}]'</pre>
<p>Each cell may use the names of those before it. The answer is a list with the type and the value of each, or what is
wrong with it. A page of another site may ask only if it was named at the start: <code>--origin https://…</code>.</p>
`;
