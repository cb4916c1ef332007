import { type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver";
import { tokenKinds } from "../service/service.js";

/** Kinds of words by the names that editors have colours for. */
const tokenTypes: Readonly<Record<(typeof tokenKinds)[number], string>> = {
  comment: "comment",
  keyword: "keyword",
  number: "number",
  text: "string",
  operator: "operator",
  function: "function",
  value: "variable",
  input: "property",
  parameter: "parameter",
  dimension: "typeParameter",
};

/** What an editor may ask of the server. */
export const capabilities: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  completionProvider: { triggerCharacters: ["{", "(", ":"] },
  signatureHelpProvider: { triggerCharacters: ["(", ","] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  inlayHintProvider: true,
  codeActionProvider: { codeActionKinds: ["quickfix"] },
  codeLensProvider: {},
  semanticTokensProvider: {
    legend: { tokenTypes: tokenKinds.map((kind) => tokenTypes[kind]), tokenModifiers: ["definition"] },
    full: true,
  },
};
