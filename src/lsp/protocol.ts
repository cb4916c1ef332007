import { fileURLToPath } from "node:url";
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  type InlayHint,
  InlayHintKind,
  type Location,
  type ParameterInformation,
  SymbolKind as ProtocolSymbolKind,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SignatureHelp,
  type TextEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { escapeHidden, type Problem, type Span } from "../index.js";
import {
  type CandidateKind,
  type ColouredToken,
  type ExpressionCompletion,
  type InlayType,
  type OutlineEntry,
  type PackagePartKind,
  type QuickFix,
  type TextEdit as ServiceEdit,
  type Hover as ServiceHover,
  type SignatureHelp as ServiceSignatureHelp,
  tokenKinds,
} from "../service/service.js";

/** Spans, problems and kinds as the Language Server Protocol has them. */

/** A range of lines and characters, both from 0; characters are UTF-16 code units, as offsets are. */
export const rangeOf = (document: TextDocument, { start, end }: Pick<Span, "start" | "end">): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

export const locationOf = (document: TextDocument, span: Span): Location => ({
  uri: document.uri,
  range: rangeOf(document, span),
});

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  portability: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const satisfies Readonly<Record<Problem["severity"], DiagnosticSeverity>>;

/** The coloured words of a document. */
export function semanticTokensOf(document: TextDocument, words: readonly ColouredToken[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { start, length, kind, isDefinition } of words) {
    const { line, character } = document.positionAt(start);
    builder.push(line, character, length, tokenKinds.indexOf(kind), isDefinition ? 1 : 0);
  }
  // Nobody may ask what has changed since, so that the answer needs no name.
  return { data: builder.build().data };
}

/** A problem of a document. Spans of other texts, such as a file that it names, are left to the message. */
export function diagnosticOf(document: TextDocument, problem: Problem, source: string): Diagnostic {
  const isOwn = (span: Span): boolean => span.source.name === source;
  const whole = { start: 0, end: 0 };
  return {
    range: rangeOf(document, isOwn(problem.span) ? visible(problem.span) : whole),
    severity: severities[problem.severity],
    code: problem.code,
    source: "sphex",
    message: messageOf(problem),
    relatedInformation: problem.related
      .filter(({ span }) => isOwn(span))
      .map(({ span, label }) => ({ location: locationOf(document, span), message: label })),
  };
}

/** An empty span, where something is missing, as the character before it: editors underline nothing else. */
const visible = ({ start, end }: Span): { readonly start: number; readonly end: number } => ({
  start: start === end ? Math.max(0, start - 1) : start,
  end,
});

function messageOf({ description }: Problem): string {
  const { message, found, expected, hint } = description;
  const lines = [message];
  if (found !== undefined) lines.push(`found: ${found}`);
  if (expected !== undefined) lines.push(`wanted: ${expected}`);
  if (hint !== undefined) lines.push(`hint: ${hint}`);
  return escapeHidden(lines.join("\n"));
}

const completionKinds: Readonly<Record<CandidateKind, CompletionItemKind>> = {
  value: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  dimension: CompletionItemKind.Field,
  label: CompletionItemKind.EnumMember,
  keyword: CompletionItemKind.Keyword,
};

export const outlineKinds: Readonly<Record<OutlineEntry["kind"], ProtocolSymbolKind>> = {
  input: ProtocolSymbolKind.Interface,
  constant: ProtocolSymbolKind.Constant,
  variable: ProtocolSymbolKind.Variable,
  persistent: ProtocolSymbolKind.Variable,
  value: ProtocolSymbolKind.Variable,
  function: ProtocolSymbolKind.Function,
  model: ProtocolSymbolKind.Class,
  parameter: ProtocolSymbolKind.TypeParameter,
  index: ProtocolSymbolKind.TypeParameter,
  result: ProtocolSymbolKind.Event,
};

export const packagePartKinds: Readonly<Record<PackagePartKind, ProtocolSymbolKind>> = {
  schema: ProtocolSymbolKind.Module,
  document: ProtocolSymbolKind.Struct,
  field: ProtocolSymbolKind.Field,
  group: ProtocolSymbolKind.Namespace,
  constant: ProtocolSymbolKind.Constant,
  model: ProtocolSymbolKind.Class,
  profile: ProtocolSymbolKind.Class,
  input: ProtocolSymbolKind.Interface,
  function: ProtocolSymbolKind.Function,
  phase: ProtocolSymbolKind.Event,
};

export function hoverOf(document: TextDocument, hover: ServiceHover | undefined): Hover | null {
  if (hover === undefined) return null;
  const value = [`\`\`\`sphex\n${hover.code}\n\`\`\``, ...hover.remarks.map(escaped)].join("\n\n");
  return { contents: { kind: "markdown", value: escapeHidden(value) }, range: rangeOf(document, hover.span) };
}

/** A remark is plain text: signs that Markdown knows are shown as they are. */
const escaped = (remark: string): string =>
  remark.replaceAll(/[\\`*_{}[\]<>()#+.!|~-]/g, (sign) => `\\${sign}`).replaceAll("\n", "  \n");

export function signatureHelpOf(found: ServiceSignatureHelp | undefined): SignatureHelp | null {
  if (found === undefined) return null;
  const { signature, parameters, active, description } = found;
  const labels = parameters.map(({ start, end }): ParameterInformation => ({ label: [start, end] }));
  const documentation = description === undefined ? {} : { documentation: description };
  return {
    signatures: [{ label: signature, parameters: labels, ...documentation }],
    activeSignature: 0,
    activeParameter: active,
  };
}

export const editsOf = (document: TextDocument, edits: readonly ServiceEdit[]): TextEdit[] =>
  edits.map(({ span, text }) => ({ range: rangeOf(document, span), newText: text }));

/** Edits that mend problems of a document, whose spans are in the source of this name. */
export const codeActionsOf = (
  document: TextDocument,
  fixes: readonly QuickFix[],
  source: string,
): CodeAction[] =>
  fixes.map(({ title, problem, edits }) => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnosticOf(document, problem, source)],
    isPreferred: true,
    edit: { changes: { [document.uri]: editsOf(document, edits) } },
  }));

/** Candidates for the word before an offset, which they replace. */
export function completionItems(
  document: TextDocument,
  offset: number,
  { word, candidates }: ExpressionCompletion,
): CompletionItem[] {
  const range = rangeOf(document, { start: offset - word.length, end: offset });
  return candidates.map(({ text, kind }) => ({
    label: text,
    kind: completionKinds[kind],
    textEdit: { range, newText: text },
  }));
}

/** The types that are shown within a range. */
export function inlayHintsOf(document: TextDocument, types: readonly InlayType[], range: Range): InlayHint[] {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return types
    .filter(({ offset }) => start <= offset && offset <= end)
    .map(({ offset, text }) => ({
      position: document.positionAt(offset),
      label: text,
      kind: InlayHintKind.Type,
    }));
}

/** The path of a file's address; undefined of a document that is not saved. */
export function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
