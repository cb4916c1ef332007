import type { CompletionItem, Hover, InlayHint, Location, Position, Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { completeExpression } from "../service/service.js";
import type { OpenPackage, OpenPackages } from "./packages.js";
import { completionItems, hoverOf, inlayHintsOf, locationOf } from "./protocol.js";

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

export function completion({ text, path, owner }: OpenPackageFile, position: Position): CompletionItem[] {
  const offset = text.offsetAt(position);
  const start = owner.analysis.expressionStart(path, offset);
  if (start === undefined) return [];
  const before = text.getText().slice(start, offset);
  return completionItems(text, offset, completeExpression(before, owner.analysis.names(path, offset)));
}

export const inlayHints = ({ text, path, owner }: OpenPackageFile, range: Range): InlayHint[] =>
  inlayHintsOf(text, owner.analysis.types(path), range);
