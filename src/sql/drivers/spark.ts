import { spark as dialect } from "../../backends/sql/dialects/spark.js";
import type { ResultColumns } from "../../backends/sql/rows/reading.js";
import { append } from "../../language/source/lists.js";
import { call, checkCallOptions, type OptionRules } from "../../language/source/option-rule.js";
import { SphexError } from "../../language/source/problem.js";
import { element } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import type { QueryOptions, SqlConnection, SqlEngine } from "../driver.js";
import { problem } from "../messages.js";
import { optional } from "../packages.js";
import { columnsOfArrow } from "./arrow-stream.js";
import {
  arrowOf,
  executeMessage,
  interruptMessage,
  releaseMessage,
  type SparkSession,
} from "./spark-messages.js";

/** What is used of the package `@grpc/grpc-js`, whose types are not there unless it is. */
export interface GrpcLibrary {
  readonly Client: new (address: string, credentials: unknown, options: object) => GrpcClient;
  readonly Metadata: new () => { set(name: string, value: string): void };
  readonly credentials: { createInsecure(): unknown; createSsl(): unknown };
}

/** A connection to a server of Spark. */
export interface GrpcClient {
  makeServerStreamRequest(
    path: string,
    serialize: (message: Uint8Array) => Uint8Array,
    deserialize: (bytes: Uint8Array) => Uint8Array,
    message: Uint8Array,
    metadata: object,
  ): GrpcStream;
  makeUnaryRequest(
    path: string,
    serialize: (message: Uint8Array) => Uint8Array,
    deserialize: (bytes: Uint8Array) => Uint8Array,
    message: Uint8Array,
    metadata: object,
    options: object,
    done: (error: unknown) => void,
  ): unknown;
  close(): void;
}

/** What a server of Spark answers, part by part. */
export interface GrpcStream {
  on(event: "data", listener: (message: Uint8Array) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "end", listener: () => void): void;
  cancel(): void;
}

/** How a server is spoken to. */
export interface SparkOptions {
  /** The package, where it is not found by its name. */
  readonly library?: () => Promise<GrpcLibrary>;
}

const sparkRules: OptionRules<SparkOptions> = { library: call };

/** How long a server may take to stop a query or to forget a session, in milliseconds. */
const longestEnding = 2_000;

/** In which a session asks for the name of its own. */
const firstSession = "00000000-0000-4000-8000-000000000000";

/**
 * A cluster of Spark by the URL of its Spark Connect server, `sc://host:15002/;token=…;user_id=…;use_ssl=true`, through the package
 * `@grpc/grpc-js`.
 */
export function spark(url: string, options: SparkOptions = {}): SqlEngine {
  checkCallOptions("spark", options, sparkRules);
  const { library = installed } = options;
  const server = serverOf(url);
  return {
    name: `sc://${server.address}`,
    dialect,
    secrets: server.token === undefined ? [] : [server.token],
    isLost: (error) => error instanceof Error && "code" in error && error.code === unavailable,
    connect: async (signal) => {
      const grpc = await library();
      const open = (id: string): SparkConnection =>
        new SparkConnection(grpc, server, { id, user: server.user });
      const first = open(firstSession);
      try {
        const [[id] = []] = await first.query("SELECT uuid() AS id", { signal });
        const connection = open(`${id}`);
        // Times are labels in UTC on all engines.
        await connection.query("SET TIME ZONE 'UTC'", { signal });
        return connection;
      } finally {
        first.hangUp();
      }
    },
  };
}

/** What gRPC calls a server that is not there. */
const unavailable = 14;

/** A name that bundlers do not look for. */
const packageName: string = "@grpc/grpc-js";
const installed = (): Promise<GrpcLibrary> =>
  optional("Spark", packageName, async () => (await import(packageName)) as GrpcLibrary); // what is used of it

interface SparkServer {
  readonly address: string;
  readonly user: string;
  readonly token: string | undefined;
  readonly isSecure: boolean;
}

/** The parts of a URL as Spark writes it: behind the path stand parameters, each after a semicolon. */
function serverOf(url: string): SparkServer {
  const [, rest = ""] = url.split("://");
  const [location = "", ...parameters] = rest.split(";");
  const host = location.split("/")[0] ?? "";
  const entries = parameters.map((each): [string, string] => {
    const [name = "", ...value] = each.split("=");
    return [name, value.join("=")];
  });
  const values = new Map(entries);
  if (host === "")
    throw new SphexError([problem("engine/unknown", spanOfText("engine", "spark"), { url: "sc" })]);
  const token = values.get("token");
  return {
    address: host.includes(":") ? host : `${host}:15002`,
    user: values.get("user_id") ?? "sphex",
    token,
    isSecure: values.get("use_ssl") === "true" || token !== undefined,
  };
}

class SparkConnection implements SqlConnection {
  private readonly client: GrpcClient;
  private readonly metadata: object;

  constructor(
    grpc: GrpcLibrary,
    { address, token, isSecure }: SparkServer,
    private readonly session: SparkSession,
  ) {
    const credentials = isSecure ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
    this.client = new grpc.Client(address, credentials, {
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    });
    const metadata = new grpc.Metadata();
    if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
    this.metadata = metadata;
  }

  async query(text: string, { signal }: QueryOptions = {}): Promise<ResultColumns> {
    signal?.throwIfAborted();
    const stream = this.client.makeServerStreamRequest(
      `${service}/ExecutePlan`,
      asBytes,
      (bytes) => bytes,
      executeMessage(this.session, text),
      this.metadata,
    );
    const stop = (): void => {
      void this.end("Interrupt", interruptMessage(this.session)).then(() => stream.cancel());
    };
    signal?.addEventListener("abort", stop);
    try {
      return await columnsOf(stream);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    await this.end("ReleaseSession", releaseMessage(this.session));
    this.hangUp();
  }

  /** Ends the connection; the session stays. */
  hangUp(): void {
    this.client.close();
  }

  /** Asks the server to end something, and waits no longer for its answer than it is worth. */
  private end(method: string, message: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longestEnding);
      this.client.makeUnaryRequest(
        `${service}/${method}`,
        asBytes,
        (bytes) => bytes,
        message,
        this.metadata,
        {},
        () => {
          clearTimeout(timer);
          resolve();
        },
      );
    });
  }
}

const service = "/spark.connect.SparkConnectService";

/** Node's buffers are what the package writes. */
const asBytes = (message: Uint8Array): Uint8Array => Buffer.from(message);

function columnsOf(stream: GrpcStream): Promise<ResultColumns> {
  return new Promise((resolve, reject) => {
    let columns: unknown[][] = [];
    stream.on("data", (response) => {
      try {
        const arrow = arrowOf(response);
        if (arrow === undefined) return;
        const more = columnsOfArrow(arrow);
        if (columns.length === 0) columns = more;
        else for (const [at, column] of more.entries()) append(element(columns, at), column);
      } catch (error) {
        stream.cancel();
        reject(error);
      }
    });
    stream.on("error", reject);
    stream.on("end", () => resolve(columns));
  });
}
