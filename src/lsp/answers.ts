import {
  type CodeActionContext,
  CodeActionKind,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  type Position,
  ResponseError,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
} from "vscode-languageserver";
import { thrownText } from "../language/source/thrown.js";
import { type Arrivals, Interrupted } from "./arrivals.js";
import { packageLenses, programLenses } from "./lenses.js";
import * as ofPackage from "./package-requests.js";
import * as ofProgram from "./requests.js";

/** What requests are answered from: documents, until the editor asks for the end. */
export interface Answers {
  readonly connection: Connection;
  readonly arrivals: Arrivals;
  readonly program: (document: TextDocumentIdentifier) => ofProgram.OpenDocument | undefined;
  readonly packageFile: (document: TextDocumentIdentifier) => ofPackage.OpenPackageFile | undefined;
  /** The number of the text that a document has now; undefined where it is not open. */
  readonly versionOf: (document: TextDocumentIdentifier) => number | undefined;
  readonly isShutDown: () => boolean;
}

interface About {
  readonly textDocument: TextDocumentIdentifier;
}

/** The answer about a program, and that about a file of a package, if there is one. */
interface Row<P extends About, A> {
  readonly none: A;
  readonly program: (document: ofProgram.OpenDocument, parameters: P) => A;
  readonly packageFile?: (document: ofPackage.OpenPackageFile, parameters: P) => A;
}

/**
 * Does the work; where a defect of Sphex ends it, the editor's log says so, and there is no answer.
 * @throws Interrupted where a check was given up.
 */
export function guarded<A>(
  { connection: { console: log } }: Pick<Answers, "connection">,
  none: A,
  work: () => A,
): A {
  try {
    return work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    log.error(`internal error: ${thrownText(error)}`);
    return none;
  }
}

/** Whether an editor asks for actions of any kind, or for fixes among them. */
const wantsFixes = ({ only }: CodeActionContext): boolean =>
  only === undefined || only.some((kind) => kind === "" || kind === CodeActionKind.QuickFix);

/** An answer, or why there is none. */
type Answer<A> = A | ResponseError<void>;

/** Answers requests by rows, when it is their turn. A document that is not open has no answer. */
class Turns {
  constructor(private readonly answers: Answers) {}

  /**
   * What is urgent goes first: a text may be no more when the turn of an answer about it has come. An answer that is interrupted is
   * found anew.
   */
  by<P extends About, A>(row: Row<P, A>, isUrgent = false): (parameters: P) => Promise<Answer<A>> {
    const { answers } = this;
    return async (parameters) => {
      const version = answers.versionOf(parameters.textDocument);
      for (let waits = !isUrgent; ; waits = true) {
        if (waits) await answers.arrivals.allHandedOn();
        if (answers.versionOf(parameters.textDocument) !== version)
          return new ResponseError(LSPErrorCodes.ContentModified, "the text has changed since");
        try {
          return this.answer(row, parameters);
        } catch (error) {
          if (!(error instanceof Interrupted)) throw error;
        }
      }
    };
  }

  /** As `by`, of what is urgent: see `arrivals`. */
  urgentlyBy<P extends About, A>(row: Row<P, A>): (parameters: P) => Promise<Answer<A>> {
    const answer = this.by(row, true);
    return (parameters) => {
      this.answers.arrivals.handedOn();
      return answer(parameters);
    };
  }

  /** @throws Interrupted where a check was given up. */
  private answer<P extends About, A>({ none, program, packageFile }: Row<P, A>, parameters: P): Answer<A> {
    const { answers } = this;
    return guarded<Answer<A>>(answers, none, () => {
      if (answers.isShutDown())
        return new ResponseError(ErrorCodes.InvalidRequest, "the server was shut down");
      const open = answers.program(parameters.textDocument);
      if (open !== undefined) return program(open, parameters);
      const file = packageFile && answers.packageFile(parameters.textDocument);
      return packageFile === undefined || file === undefined ? none : packageFile(file, parameters);
    });
  }
}

/** What is asked of a document at a position. */
const at =
  <D, A>(ask: (document: D, position: Position) => A) =>
  (document: D, { position }: TextDocumentPositionParams): A =>
    ask(document, position);

/** Registers an answer for each request: a row for each. */
export function answerRequests(answers: Answers): void {
  const { connection } = answers;
  const turns = new Turns(answers);

  connection.onHover(
    turns.by({ none: null, program: at(ofProgram.hover), packageFile: at(ofPackage.hover) }),
  );
  connection.onCompletion(
    turns.urgentlyBy({ none: [], program: at(ofProgram.completion), packageFile: at(ofPackage.completion) }),
  );
  connection.onDefinition(
    turns.by({ none: null, program: at(ofProgram.definition), packageFile: at(ofPackage.definition) }),
  );
  connection.languages.inlayHint.on(
    turns.by({
      none: [],
      program: (document, { range }) => ofProgram.inlayHints(document, range),
      packageFile: (document, { range }) => ofPackage.inlayHints(document, range),
    }),
  );
  connection.onSignatureHelp(
    turns.urgentlyBy({
      none: null,
      program: at(ofProgram.signatureHelp),
      packageFile: at(ofPackage.signatureHelp),
    }),
  );
  connection.onReferences(
    turns.by({ none: [], program: ofProgram.references, packageFile: ofPackage.references }),
  );
  connection.onDocumentHighlight(
    turns.by({ none: [], program: at(ofProgram.highlights), packageFile: at(ofPackage.highlights) }),
  );
  connection.onPrepareRename(
    turns.by({ none: null, program: at(ofProgram.prepareRename), packageFile: at(ofPackage.prepareRename) }),
  );
  connection.onRenameRequest(
    turns.by({ none: null, program: ofProgram.renamed, packageFile: ofPackage.renamed }),
  );
  connection.onDocumentSymbol(
    turns.by({ none: [], program: ofProgram.symbols, packageFile: ofPackage.symbols }),
  );
  connection.onFoldingRanges(turns.by({ none: [], program: ofProgram.folds, packageFile: ofPackage.folds }));
  connection.onDocumentFormatting(turns.by({ none: [], program: ofProgram.formatting }));
  connection.onDocumentRangeFormatting(
    turns.by({
      none: [],
      program: (document, { range }) => ofProgram.rangeFormatting(document, range),
      packageFile: (document, { range }) => ofPackage.rangeFormatting(document, range),
    }),
  );
  connection.onCodeAction(
    turns.by({
      none: [],
      program: (document, { range, context }) =>
        wantsFixes(context) ? ofProgram.codeActions(document, range) : [],
      packageFile: (document, { range, context }) =>
        wantsFixes(context) ? ofPackage.codeActions(document, range) : [],
    }),
  );
  connection.onCodeLens(turns.by({ none: [], program: programLenses, packageFile: packageLenses }));
  connection.languages.semanticTokens.on(
    turns.by({
      none: { data: [] },
      program: ofProgram.semanticTokens,
      packageFile: ofPackage.semanticTokens,
    }),
  );
}
