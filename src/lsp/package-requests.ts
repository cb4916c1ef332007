import {
  type CodeAction,
  type CompletionItem,
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
  completeExpression,
  type PackageOutlineEntry,
  packageFixes,
  type RankName,
  renamedInPackage,
} from "../service/service.js";
import type { OpenPackage, OpenPackages } from "./packages.js";
import {
  codeActionsOf,
  completionItems,
  editsOf,
  hoverOf,
  inlayHintsOf,
  locationOf,
  packagePartKinds,
  rangeOf,
  semanticTokensOf,
  signatureHelpOf,
} from "./protocol.js";

/** A file of an application package that is open. */
export interface OpenPackageFile {
  readonly text: TextDocument;
  readonly path: string;
  readonly owner: OpenPackage;
  readonly packages: OpenPackages;
}

/** The answers to an editor's requests about a schema or profile, by what it asks for. */

export const hover = ({ text, path, owner }: OpenPackageFile, position: Position): Hover | null =>
  hoverOf(text, owner.analysis.hover(path, text.offsetAt(position)));

export function definition(
  { text, path, owner, packages }: OpenPackageFile,
  position: Position,
): Location | null {
  const span = owner.analysis.definition(path, text.offsetAt(position));
  return span === undefined ? null : locationOf(packages.documentOf(span.source), span);
}

const nameAt = ({ text, path, owner }: OpenPackageFile, position: Position): RankName | undefined =>
  owner.analysis.nameAt(path, text.offsetAt(position));

const spansOf = (name: RankName | undefined): readonly Span[] =>
  name === undefined ? [] : [...name.definitions, ...name.uses.map(({ span }) => span)];

export function references(file: OpenPackageFile, { position, context }: ReferenceParams): Location[] {
  const name = nameAt(file, position);
  if (name === undefined) return [];
  const spans = [
    ...(context.includeDeclaration ? name.definitions : []),
    ...name.uses.flatMap(({ span, mayBeOther }) => (mayBeOther(name.word) ? [] : [span])),
  ];
  return spans.map((span) => locationOf(file.packages.documentOf(span.source), span));
}

/** Where the name under the cursor stands in this file. */
export const highlights = (file: OpenPackageFile, position: Position): DocumentHighlight[] =>
  spansOf(nameAt(file, position))
    .filter(({ source }) => source.name === file.path)
    .map((span) => ({ range: rangeOf(file.text, span) }));

export function prepareRename(file: OpenPackageFile, position: Position): Range | null {
  const offset = file.text.offsetAt(position);
  const here = spansOf(nameAt(file, position)).find(
    ({ source, start, end }) => source.name === file.path && start <= offset && offset <= end,
  );
  return here === undefined ? null : rangeOf(file.text, here);
}

/** The edits in all files of the package, or the reason why the name cannot be that. */
export function renamed(
  file: OpenPackageFile,
  { position, newName }: RenameParams,
): WorkspaceEdit | ResponseError<void> | null {
  // Edits of a file that is not open are for its text as it is now.
  file.packages.forget();
  const owner = file.packages.of(file.path) ?? file.owner;
  const edits = renamedInPackage(nameAt({ ...file, owner }, position), newName);
  if ("refused" in edits) return new ResponseError(ErrorCodes.InvalidRequest, edits.refused);
  const changes: Record<string, TextEdit[]> = {};
  for (const { span, text } of edits) {
    const document = file.packages.documentOf(span.source);
    const own = changes[document.uri] ?? [];
    own.push({ range: rangeOf(document, span), newText: text });
    changes[document.uri] = own;
  }
  return { changes };
}

export function completion({ text, path, owner }: OpenPackageFile, position: Position): CompletionItem[] {
  const offset = text.offsetAt(position);
  const expression = owner.analysis.expressionAt(path, offset);
  if (expression === undefined) return [];
  const before = text.getText().slice(expression.start, offset);
  return completionItems(text, offset, completeExpression(before, owner.analysis.names(path, offset)));
}

export const signatureHelp = (
  { text, path, owner }: OpenPackageFile,
  position: Position,
): SignatureHelp | null => signatureHelpOf(owner.analysis.signature(path, text.offsetAt(position)));

/** The layout of the expressions that a range touches; that of a whole schema is its author's. */
export const rangeFormatting = ({ text, path, owner }: OpenPackageFile, range: Range): TextEdit[] =>
  editsOf(text, owner.analysis.layout(path, text.offsetAt(range.start), text.offsetAt(range.end)));

export const codeActions = ({ text, path, owner }: OpenPackageFile, range: Range): CodeAction[] =>
  codeActionsOf(
    text,
    packageFixes(owner.analysis.problems, path, text.offsetAt(range.start), text.offsetAt(range.end)),
    path,
  );

export const inlayHints = ({ text, path, owner }: OpenPackageFile, range: Range): InlayHint[] =>
  inlayHintsOf(text, owner.analysis.types(path, text.offsetAt(range.start), text.offsetAt(range.end)), range);

const sourceOf = ({ text, path }: OpenPackageFile) => ({ name: path, text: text.getText() });

export function symbols(file: OpenPackageFile): DocumentSymbol[] {
  const symbolOf = ({ name, kind, detail, span, nameSpan, parts }: PackageOutlineEntry): DocumentSymbol => ({
    ...{ name, kind: packagePartKinds[kind] },
    ...(detail === undefined ? {} : { detail }),
    range: rangeOf(file.text, span),
    selectionRange: rangeOf(file.text, nameSpan),
    children: parts.map(symbolOf),
  });
  return file.owner.analysis.outline(sourceOf(file)).map(symbolOf);
}

export const folds = (file: OpenPackageFile): FoldingRange[] =>
  file.owner.analysis.folds(sourceOf(file)).map(({ start, end }) => ({ startLine: start, endLine: end }));

export const semanticTokens = (file: OpenPackageFile): SemanticTokens =>
  semanticTokensOf(file.text, file.owner.analysis.colours(sourceOf(file)));
