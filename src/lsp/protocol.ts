import {
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Location,
  SymbolKind as ProtocolSymbolKind,
  type Range,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { escapeHidden, type Problem, type Span } from "../index.js";
import type { CandidateKind, OutlineEntry } from "../service/service.js";

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
} as const satisfies Readonly<Record<Problem["severity"], DiagnosticSeverity>>;

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

export const completionKinds: Readonly<Record<CandidateKind, CompletionItemKind>> = {
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
  parameter: ProtocolSymbolKind.TypeParameter,
  index: ProtocolSymbolKind.TypeParameter,
  result: ProtocolSymbolKind.Event,
};
