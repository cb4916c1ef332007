import {
  type CodeAction,
  type CompletionItem,
  type CompletionList,
  type DocumentHighlight,
  type DocumentSymbol,
  ErrorCodes,
  type FoldingRange,
  type Hover,
  type InlayHint,
  type Location,
  type Position,
  type Range,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type SemanticTokens,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Span } from "../index.js";
import {
  colouredTokens,
  definitionAt,
  foldsOf,
  inlayTypes,
  outlineOf,
  type ProgramDocument,
  quickFixes,
  referencesAt,
  rename,
  renamedAt,
} from "../service/service.js";
import {
  codeActionsOf,
  completionItems,
  editsOf,
  hoverOf,
  inlayHintsOf,
  locationOf,
  outlineKinds,
  rangeOf,
  semanticTokensOf,
  signatureHelpOf,
} from "./protocol.js";

/** An open document: as the editor has it, and as the service does. */
export interface OpenDocument {
  readonly text: TextDocument;
  readonly program: ProgramDocument;
}

/** The answers to an editor's requests about a document, by what it asks for. */

export const hover = ({ text, program }: OpenDocument, position: Position): Hover | null =>
  hoverOf(text, program.hover(text.offsetAt(position)));

export function completion(
  { text, program }: OpenDocument,
  position: Position,
): CompletionItem[] | CompletionList {
  const offset = text.offsetAt(position);
  const items = completionItems(text, offset, program.completion(offset));
  // Of a list that is not complete, an editor asks for another one with the next key.
  return program.hasOwnNames ? items : { isIncomplete: true, items };
}

export const signatureHelp = ({ text, program }: OpenDocument, position: Position): SignatureHelp | null =>
  signatureHelpOf(program.signature(text.offsetAt(position)));

export function definition({ text, program }: OpenDocument, position: Position): Location | null {
  const span = definitionAt(program.analysis, text.offsetAt(position));
  return span === undefined ? null : locationOf(text, span);
}

export const references = (
  { text, program }: OpenDocument,
  { position, context }: ReferenceParams,
): Location[] => {
  const offset = text.offsetAt(position);
  const defined = definitionAt(program.analysis, offset);
  return referencesAt(program.analysis, offset)
    .filter(({ start }) => context.includeDeclaration || start !== defined?.start)
    .map((span) => locationOf(text, span));
};

export const highlights = ({ text, program }: OpenDocument, position: Position): DocumentHighlight[] =>
  referencesAt(program.analysis, text.offsetAt(position)).map((span) => ({ range: rangeOf(text, span) }));

export function prepareRename({ text, program }: OpenDocument, position: Position): Range | null {
  const span = renamedAt(program.analysis, text.offsetAt(position));
  return span === undefined ? null : rangeOf(text, span);
}

/** The edits, or the reason why the name cannot be that, which the protocol tells the editor. */
export function renamed(
  { text, program }: OpenDocument,
  { position, newName }: RenameParams,
): WorkspaceEdit | ResponseError<void> | null {
  const edits = rename(program.analysis, text.offsetAt(position), newName);
  if ("refused" in edits) return new ResponseError(ErrorCodes.InvalidRequest, edits.refused);
  return { changes: { [text.uri]: editsOf(text, edits) } };
}

export const symbols = ({ text, program }: OpenDocument): DocumentSymbol[] =>
  outlineOf(program.analysis).map(({ name, kind, detail, span, nameSpan }) => ({
    // An editor refuses a symbol without a name.
    name: name.trim() === "" ? kind : name,
    kind: outlineKinds[kind],
    ...(detail === undefined ? {} : { detail }),
    range: rangeOf(text, span),
    selectionRange: rangeOf(text, nameSpan),
  }));

export const folds = ({ program }: OpenDocument): FoldingRange[] =>
  foldsOf(program.analysis).map(({ start, end, isComment }) => ({
    startLine: start,
    endLine: end,
    ...(isComment ? { kind: "comment" } : {}),
  }));

export const formatting = ({ text, program }: OpenDocument): TextEdit[] =>
  editsOf(text, program.formatting());

/** The layout of the statements that a range touches, and of what stands between them. */
export const rangeFormatting = ({ text, program }: OpenDocument, range: Range): TextEdit[] => {
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  const isWithin = ({ span }: { readonly span: Span }): boolean => span.start < end && start < span.end;
  return editsOf(text, program.formatting().filter(isWithin));
};

export const inlayHints = ({ text, program }: OpenDocument, range: Range): InlayHint[] =>
  inlayHintsOf(text, inlayTypes(program.analysis), range);

export const codeActions = ({ text, program }: OpenDocument, range: Range): CodeAction[] =>
  codeActionsOf(
    text,
    quickFixes(program.analysis, text.offsetAt(range.start), text.offsetAt(range.end)),
    program.name,
  );

export const semanticTokens = ({ text, program }: OpenDocument): SemanticTokens =>
  semanticTokensOf(text, colouredTokens(program.analysis));
