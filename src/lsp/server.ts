import { fileURLToPath } from "node:url";
import {
  type Connection,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Options, Problem } from "../index.js";
import { ProgramDocument } from "../service/service.js";
import { capabilities } from "./capabilities.js";
import { diagnosticOf } from "./protocol.js";
import * as requests from "./requests.js";

/** What a document of an editor may read, by its path: the files that the program names. */
export type OptionsFor = (path: string | undefined) => Options;

/** So long nobody has to have typed before a text is checked, in milliseconds. */
const pause = 60;

/** Answers an editor; each document is independent of all others. Returns what ends the work that is still to be done. */
export function answer(connection: Connection, optionsFor: OptionsFor): () => void {
  const { console: editorLog } = connection;
  const texts = new TextDocuments(TextDocument);
  const programs = new Map<string, ProgramDocument>();
  const timers = new Map<string, NodeJS.Timeout>();

  /** A document as it is now; undefined where it is not open. */
  function opened({ uri }: TextDocumentIdentifier): requests.OpenDocument | undefined {
    const text = texts.get(uri);
    if (text === undefined) return undefined;
    let program = programs.get(uri);
    if (program === undefined) {
      const path = pathOf(uri);
      program = new ProgramDocument(path ?? uri, "", optionsFor(path));
      programs.set(uri, program);
    }
    program.text = text.getText();
    return { text, program };
  }

  function tellProblems(uri: string): void {
    const document = opened({ uri });
    if (document === undefined) return;
    const { text, program } = document;
    const problems: readonly Problem[] = program.analysis.problems;
    const diagnostics = problems
      .slice(0, mostDiagnostics)
      .map((each) => diagnosticOf(text, each, program.name));
    void connection.sendDiagnostics({ uri, version: text.version, diagnostics });
  }

  /** The answer to a request about a document; `none` where it is not open or the answer fails. */
  function about<P extends { readonly textDocument: TextDocumentIdentifier }, A>(
    none: A,
    ask: (document: requests.OpenDocument, parameters: P) => A,
  ): (parameters: P) => A {
    return (parameters) => {
      const document = opened(parameters.textDocument);
      if (document === undefined) return none;
      return guarded(none, () => ask(document, parameters));
    };
  }

  function guarded<A>(none: A, work: () => A): A {
    try {
      return work();
    } catch (error) {
      editorLog.error(`internal error: ${error instanceof Error ? error.message : error}`);
      return none;
    }
  }

  texts.onDidChangeContent(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.set(
      uri,
      setTimeout(() => guarded(undefined, () => tellProblems(uri)), pause),
    );
  });
  texts.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    programs.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  const at =
    <A>(ask: (document: requests.OpenDocument, position: TextDocumentPositionParams["position"]) => A) =>
    (document: requests.OpenDocument, { position }: TextDocumentPositionParams): A =>
      ask(document, position);

  connection.onInitialize(() => ({ capabilities, serverInfo: { name: "sphex" } }));
  connection.onHover(about(null, at(requests.hover)));
  connection.onCompletion(about([], at(requests.completion)));
  connection.onSignatureHelp(about(null, at(requests.signatureHelp)));
  connection.onDefinition(about(null, at(requests.definition)));
  connection.onReferences(
    about([], (document, { position, context }) =>
      requests.references(document, position, context.includeDeclaration),
    ),
  );
  connection.onDocumentHighlight(about([], at(requests.highlights)));
  connection.onPrepareRename(about(null, at(requests.prepareRename)));
  connection.onRenameRequest((parameters) => {
    const document = opened(parameters.textDocument);
    if (document === undefined) return null;
    return guarded(null, () => requests.renamed(document, parameters.position, parameters.newName));
  });
  connection.onDocumentSymbol(about([], requests.symbols));
  connection.onFoldingRanges(about([], requests.folds));
  connection.onDocumentFormatting(about([], requests.formatting));
  connection.onCodeAction(about([], (document, { range }) => requests.codeActions(document, range)));
  connection.languages.inlayHint.on(about([], (document, { range }) => requests.inlayHints(document, range)));
  connection.languages.semanticTokens.on(about({ data: [] }, requests.semanticTokens));
  texts.listen(connection);
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** Beyond so many, an editor shows a list that nobody reads. */
const mostDiagnostics = 500;

/** The path of a file's address; undefined of a document that is not saved. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
