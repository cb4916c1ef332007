import { PassThrough } from "node:stream";
import { expect } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { HostPackage } from "../../src/lsp/host.js";
import { serveEditor } from "../../src/lsp/main.js";

/** An editor: a client of the protocol at the other end of two streams, and a package that it opens files of. */

export const uri = "file:///nowhere/text.sphex";

export const schema = `schema doc {
  document doc {
    field vector type tensor<float>(x[2]) { indexing: attribute }
    field year type int { indexing: attribute }
  }
  rank-profile base {
    inputs { query(q) tensor<float>(x[2]) }
    function similarity() { expression: sum(query(q) * attribute(vector), x) }
  }
}
`;
export const profile = `rank-profile best inherits base {
  first-phase { expression: similarity + simlarity }
}
`;
const onDisk = new Map([
  ["schemas/doc.sd", schema],
  ["schemas/doc/best.profile", profile],
]);
const application: HostPackage = {
  options: { root: "/nowhere/app/" },
  files: {
    list: (folder: string) => [...onDisk.keys()].filter((path) => path.startsWith(`${folder}/`)),
    read: (path: string) => onDisk.get(path) ?? "",
  },
};
export const schemaUri = "file:///nowhere/app/schemas/doc.sd";
export const profileUri = "file:///nowhere/app/schemas/doc/best.profile";

export interface Diagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly range: unknown;
  }[];
}

export class Editor {
  private readonly client: MessageConnection;
  private readonly waiting: ((found: Diagnostics) => void)[] = [];
  readonly ended: Promise<number>;
  private version = 0;
  /** What the server wants to hear of, as it registered it. */
  readonly registered: string[] = [];
  /** All that the server wrote. */
  heard = "";

  constructor(ofFiles = application, readNow?: () => Uint8Array | undefined) {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    this.ended = serveEditor(toServer, toClient, {
      programOptions: () => ({}),
      packageOf: () => ofFiles,
      readNow,
    });
    toClient.on("data", (chunk: Buffer) => {
      this.heard += chunk.toString("utf8");
    });
    this.client = createMessageConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    this.client.onNotification("textDocument/publishDiagnostics", (found: Diagnostics) => {
      for (const take of this.waiting.splice(0)) take(found);
    });
    this.client.onRequest(
      "client/registerCapability",
      ({ registrations }: { readonly registrations: readonly { readonly method: string }[] }) => {
        this.registered.push(...registrations.map(({ method }) => method));
        return null;
      },
    );
    this.client.listen();
  }

  async start(capabilities = {}): Promise<unknown> {
    const parameters = { processId: null, rootUri: null, capabilities };
    const answer = await this.client.sendRequest("initialize", parameters);
    await this.client.sendNotification("initialized", {});
    return answer;
  }

  /** The next problems that the server tells by itself. */
  problems(): Promise<Diagnostics> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async open(text: string, document = uri): Promise<void> {
    const textDocument = { uri: document, languageId: "sphex", version: ++this.version, text };
    await this.client.sendNotification("textDocument/didOpen", { textDocument });
  }

  async change(contentChanges: readonly object[], document = uri): Promise<void> {
    const textDocument = { uri: document, version: ++this.version };
    await this.client.sendNotification("textDocument/didChange", { textDocument, contentChanges });
  }

  async close(document = uri): Promise<void> {
    await this.client.sendNotification("textDocument/didClose", { textDocument: { uri: document } });
  }

  ask<Answer = unknown>(method: string, parameters: object = {}, document = uri): Promise<Answer> {
    return this.client.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: document },
      ...parameters,
    });
  }

  /** Tells that files have changed on the disk. */
  async changedOnDisk(...uris: readonly string[]): Promise<void> {
    const changes = uris.map((each) => ({ uri: each, type: 2 }));
    await this.client.sendNotification("workspace/didChangeWatchedFiles", { changes });
  }

  async end(): Promise<void> {
    await this.client.sendRequest("shutdown");
    await this.client.sendNotification("exit");
    expect(await this.ended).toBe(0);
    this.client.dispose();
  }
}
