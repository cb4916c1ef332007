/** The language service, as the editors and the page import it. */

export { graphemesOf } from "../language/source/columns.js";
export { type Ink, inked } from "../language/source/palette.js";
export { Analysis } from "./analysis.js";
export { commentsIn } from "./comments.js";
export {
  type CandidateKind,
  type CompletionNames,
  completeExpression,
  type ExpressionCompletion,
} from "./completion.js";
export { openCall, signsOf } from "./cursor.js";
export { ProgramDocument } from "./document.js";
export { externalNameAt, externalNames } from "./external-names.js";
export type { Hover } from "./hover.js";
export { type InlayType, inlayTypes } from "./inlay-types.js";
export { definitionAt, referencesAt, rename, renamedAt } from "./navigation.js";
export { foldsOf, type OutlineEntry, outlineOf } from "./outline.js";
export { PackageAnalysis } from "./package/package-analysis.js";
export type { PackageOutlineEntry, PackagePartKind } from "./package/package-outline.js";
export { renamedInPackage } from "./package/package-renaming.js";
export type { RankName } from "./package/rank-names.js";
export { packageFixes, type QuickFix, quickFixes } from "./quick-fixes.js";
export { isSameMeaning } from "./same-meaning.js";
export type { SignatureHelp } from "./signature.js";
export { edited, type TextEdit } from "./text-edits.js";
export {
  type ColouredToken,
  colouredTokens,
  colouredWords,
  type TokenKind,
  tokenKinds,
} from "./token-kinds.js";
export { isWrittenValue } from "./written-value.js";
