import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { main } from "../../../src/cli/main.js";

/**
 * An editor at the other end of `sphex lsp --stdio`: the command, with two streams for those of its process, in a folder with
 * some files. It keeps the texts of its documents as an editor does.
 */

/** What came of a message: an answer, an error, or of the last message of all the exit code. */
export type Outcome = { readonly answer: unknown } | { readonly error: { code: number; message: string } };

export interface Told {
  readonly method: string;
  readonly parameters: unknown;
}

/** So long the server has to tell something, in milliseconds; what is to tell nothing takes as long. */
const patience = 5000;

const repository = new URL("../../../", import.meta.url);

export class Editor {
  private connection: { readonly client: MessageConnection; readonly ended: Promise<number> } | undefined;
  private readonly documents = new Map<string, TextDocument>();
  private readonly told: Told[] = [];
  private heard = (): void => {};

  constructor(private readonly folder: string) {}

  /** Puts a file into the folder: text, or a file or folder of the project by its path. */
  put(path: string, from: string): void {
    const target = join(this.folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const source = new URL(from, repository);
    if (!from.includes("\n") && existsSync(source))
      cpSync(fileURLToPath(source), target, { recursive: true });
    else writeFileSync(target, from);
  }

  uriOf(path: string): string {
    return /^[a-z]+:/.test(path) ? path : pathToFileURL(join(this.folder, path)).href;
  }

  /** The text of a document as it is in the editor, or on the disk. */
  document(uri: string): TextDocument {
    const open = this.documents.get(uri);
    if (open !== undefined) return open;
    const path = uri.startsWith("file:") ? fileURLToPath(uri) : "";
    return TextDocument.create(uri, "", 0, existsSync(path) ? readFileSync(path, "utf8") : "");
  }

  opened(document: TextDocument): void {
    this.documents.set(document.uri, document);
  }

  closed(uri: string): void {
    this.documents.delete(uri);
  }

  async notify(method: string, parameters: object): Promise<void> {
    await this.client.sendNotification(method, parameters);
  }

  /** Asks, and where it is given up calls the question off in the same breath. */
  async ask(method: string, parameters: object, isGivenUp: boolean): Promise<Outcome> {
    const source = new CancellationTokenSource();
    const answer = this.client.sendRequest(method, parameters, source.token);
    if (isGivenUp) source.cancel();
    try {
      return { answer: await answer };
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  /** What the server has told by itself since this was asked last; waits for something, and for all that comes with it. */
  async hear(): Promise<readonly Told[]> {
    if (this.told.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    await this.ask("textDocument/hover", nowhere, false);
    return this.told.splice(0);
  }

  /** What the server logged, and nobody asked to hear. */
  logged(): readonly Told[] {
    return this.told.filter(({ method }) => method.startsWith("window/"));
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  /** Tells the server to end; the exit code. */
  async exit(): Promise<number> {
    const { client } = this;
    await client.sendNotification("exit");
    const code = await this.connection?.ended;
    client.dispose();
    this.connection = undefined;
    this.documents.clear();
    return code ?? -1;
  }

  /** The connection to a server, which is started for the first message. */
  private get client(): MessageConnection {
    if (this.connection !== undefined) return this.connection.client;
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const ended = main(["lsp", "--stdio"], {
      ...{ stdin, stdout, stderr, isTTY: { stdin: false, stderr: false }, cwd: this.folder, env: {} },
      repl: () => import("../../../src/repl/terminal/terminal.js"),
      languageServer: () => import("../../../src/lsp/main.js"),
    });
    const client = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    client.onNotification((method: string, parameters: unknown) => {
      this.told.push({ method, parameters });
      this.heard();
    });
    client.listen();
    this.connection = { client, ended };
    return client;
  }
}

/** A question whose answer comes after all that was told before, and says nothing. */
const nowhere = { textDocument: { uri: "untitled:nowhere" }, position: { line: 0, character: 0 } };
