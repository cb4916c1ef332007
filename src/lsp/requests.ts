import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  type DocumentHighlight,
  type DocumentSymbol,
  ErrorCodes,
  type FoldingRange,
  type Hover,
  type InlayHint,
  InlayHintKind,
  type Location,
  type Position,
  type Range,
  ResponseError,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { escapeHidden } from "../index.js";
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
  type TextEdit as ServiceEdit,
  tokenKinds,
} from "../service/service.js";
import { completionKinds, diagnosticOf, locationOf, outlineKinds, rangeOf } from "./protocol.js";

/** An open document: as the editor has it, and as the service does. */
export interface OpenDocument {
  readonly text: TextDocument;
  readonly program: ProgramDocument;
}

/** The answers to an editor's requests about a document, by what it asks for. */

export function hover({ text, program }: OpenDocument, position: Position): Hover | null {
  const found = program.hover(text.offsetAt(position));
  if (found === undefined) return null;
  const value = [`\`\`\`sphex\n${found.code}\n\`\`\``, ...found.remarks.map(escaped)].join("\n\n");
  return { contents: { kind: "markdown", value: escapeHidden(value) }, range: rangeOf(text, found.span) };
}

/** A remark is plain text: signs that Markdown knows are shown as they are. */
const escaped = (remark: string): string =>
  remark.replaceAll(/[\\`*_{}[\]<>()#+.!|~-]/g, (sign) => `\\${sign}`).replaceAll("\n", "  \n");

export function completion({ text, program }: OpenDocument, position: Position): CompletionItem[] {
  const offset = text.offsetAt(position);
  const { word, candidates } = program.completion(offset);
  const range = rangeOf(text, { start: offset - word.length, end: offset });
  return candidates.map((each) => ({
    label: each.text,
    kind: completionKinds[each.kind],
    textEdit: { range, newText: each.text },
  }));
}

export function signatureHelp({ text, program }: OpenDocument, position: Position): SignatureHelp | null {
  const found = program.signature(text.offsetAt(position));
  if (found === undefined) return null;
  const { signature, parameters, active, description } = found;
  const labels = parameters.map(({ start, end }) => ({ label: [start, end] as [number, number] }));
  const documentation = description === undefined ? {} : { documentation: description };
  return {
    signatures: [{ label: signature, parameters: labels, ...documentation }],
    activeSignature: 0,
    activeParameter: active,
  };
}

export function definition({ text, program }: OpenDocument, position: Position): Location | null {
  const span = definitionAt(program.analysis, text.offsetAt(position));
  return span === undefined ? null : locationOf(text, span);
}

export const references = (
  { text, program }: OpenDocument,
  position: Position,
  withDefinition: boolean,
): Location[] => {
  const offset = text.offsetAt(position);
  const defined = definitionAt(program.analysis, offset);
  return referencesAt(program.analysis, offset)
    .filter(({ start }) => withDefinition || start !== defined?.start)
    .map((span) => locationOf(text, span));
};

export const highlights = ({ text, program }: OpenDocument, position: Position): DocumentHighlight[] =>
  referencesAt(program.analysis, text.offsetAt(position)).map((span) => ({ range: rangeOf(text, span) }));

export function prepareRename({ text, program }: OpenDocument, position: Position): Range | null {
  const span = renamedAt(program.analysis, text.offsetAt(position));
  return span === undefined ? null : rangeOf(text, span);
}

export function renamed(
  { text, program }: OpenDocument,
  position: Position,
  name: string,
): WorkspaceEdit | ResponseError<void> {
  const edits = rename(program.analysis, text.offsetAt(position), name);
  if ("refused" in edits) return new ResponseError(ErrorCodes.InvalidRequest, edits.refused);
  return { changes: { [text.uri]: editsOf(text, edits) } };
}

const editsOf = (document: TextDocument, edits: readonly ServiceEdit[]): TextEdit[] =>
  edits.map(({ span, text }) => ({ range: rangeOf(document, span), newText: text }));

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

export const inlayHints = ({ text, program }: OpenDocument, range: Range): InlayHint[] => {
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  return inlayTypes(program.analysis)
    .filter(({ offset }) => start <= offset && offset <= end)
    .map(({ offset, text: label }) => ({
      position: text.positionAt(offset),
      label,
      kind: InlayHintKind.Type,
    }));
};

export const codeActions = ({ text, program }: OpenDocument, range: Range): CodeAction[] =>
  quickFixes(program.analysis, text.offsetAt(range.start), text.offsetAt(range.end)).map(
    ({ title, problem, edits }) => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(text, problem, program.name)],
      isPreferred: true,
      edit: { changes: { [text.uri]: editsOf(text, edits) } },
    }),
  );

export function semanticTokens({ text, program }: OpenDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { start, length, kind, isDefinition } of colouredTokens(program.analysis)) {
    const { line, character } = text.positionAt(start);
    builder.push(line, character, length, tokenKinds.indexOf(kind), isDefinition ? 1 : 0);
  }
  return builder.build();
}
