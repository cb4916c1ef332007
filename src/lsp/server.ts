import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type FileSystemWatcher,
  type InitializeParams,
  type TextDocumentIdentifier,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { ProgramDocument } from "../service/service.js";
import { type Answers, answerRequests } from "./answers.js";
import type { Arrivals } from "./arrivals.js";
import { capabilities } from "./capabilities.js";
import { Diagnostics } from "./diagnostics.js";
import type { EditorHost } from "./host.js";
import type { OpenPackageFile } from "./package-requests.js";
import { isPackageDocument, isPackageFile, OpenPackages } from "./packages.js";
import { pathOf } from "./protocol.js";
import type { OpenDocument } from "./requests.js";

/** What programs and packages are made of: an editor says when such a file has changed on the disk. */
const watchers: FileSystemWatcher[] = [
  { globPattern: "**/*.{sphex,sd,profile,expression,model,xml,json,jsonl,csv,npy,tbf,onnx,txt}" },
];

/** Answers an editor; each document is independent of all others. Returns what ends the work that is still to be done. */
export function answer(connection: Connection, host: EditorHost, arrivals: Arrivals): () => void {
  const texts = new TextDocuments(TextDocument);
  const packages = new OpenPackages(texts, host);
  const programs = new Map<string, ProgramDocument>();
  /** Looks at what has come, each time that a check looks at the clock. */
  const clock = (): number => {
    arrivals.interrupt();
    return 0;
  };

  /** A program as it is now; undefined where it is not open, or is no program. */
  function program({ uri }: TextDocumentIdentifier): OpenDocument | undefined {
    const text = texts.get(uri);
    const path = pathOf(uri);
    if (text === undefined || isPackageDocument(uri)) return undefined;
    const existing = programs.get(uri);
    const opened = existing ?? new ProgramDocument(path ?? uri, "", { ...host.programOptions(path), clock });
    if (existing === undefined) programs.set(uri, opened);
    opened.text = text.getText();
    return { text, program: opened };
  }

  /** A file of a package as it is now; undefined where it is not open, or is a program. */
  function packageFile({ uri }: TextDocumentIdentifier): OpenPackageFile | undefined {
    const text = texts.get(uri);
    const path = pathOf(uri);
    if (text === undefined || path === undefined || !isPackageFile(path)) return undefined;
    const owner = packages.of(path);
    return owner && { text, path, owner, packages };
  }

  let isShutDown = false;
  connection.onShutdown(() => {
    isShutDown = true;
  });
  const answers: Answers = {
    ...{ connection, arrivals, program, packageFile },
    versionOf: ({ uri }) => texts.get(uri)?.version,
    isShutDown: () => isShutDown,
  };
  const diagnostics = new Diagnostics(answers, ({ uri }) => {
    const path = pathOf(uri);
    return (path !== undefined && isPackageFile(path) ? packages.key(path) : undefined) ?? uri;
  });
  texts.onDidChangeContent(({ document }) => {
    arrivals.changed();
    packages.forget();
    diagnostics.ask(document);
  });
  texts.onDidClose(({ document }) => {
    arrivals.handedOn();
    packages.forget();
    programs.delete(document.uri);
    diagnostics.close(document, texts.all());
  });
  let canWatch = false;
  connection.onInitialize(({ capabilities: { workspace } }: InitializeParams) => {
    canWatch = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return { capabilities, serverInfo: { name: "sphex" } };
  });
  connection.onInitialized(() => {
    if (canWatch) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  // Programs and packages read files that are not open.
  connection.onDidChangeWatchedFiles(() => {
    packages.forget();
    programs.clear();
    for (const document of texts.all()) diagnostics.ask(document);
  });
  answerRequests(answers);
  texts.listen(connection);
  return () => diagnostics.end();
}
