import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** The looks of an editor, by the colours of the page. */
export const editorTheme: Extension = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", maxHeight: "var(--editor-height, none)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": {
    padding: "0.25rem 0",
    caretColor: "var(--ink)",
    fontFamily: "var(--mono)",
    lineHeight: "1.5",
  },
  ".cm-line": { padding: "0 0.375rem" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection) !important",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--match)", outline: "none" },
  ".token-comment": { color: "var(--token-comment)", fontStyle: "italic" },
  ".token-keyword": { color: "var(--token-keyword)" },
  ".token-number": { color: "var(--token-number)" },
  ".token-text": { color: "var(--token-text)", unicodeBidi: "isolate" },
  ".token-operator": { color: "var(--token-operator)" },
  ".token-function": { color: "var(--token-function)" },
  ".token-value": { color: "var(--token-value)" },
  ".token-input": { color: "var(--token-input)" },
  ".token-parameter": { color: "var(--token-parameter)" },
  ".token-dimension": { color: "var(--token-dimension)" },
  ".cm-lintRange-error": underline("var(--error)"),
  ".cm-lintRange-warning": underline("var(--warning)"),
  ".cm-lintRange-info": underline("var(--info)"),
  ".cm-lintRange-hint": underline("var(--faint)"),
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
    fontSize: "0.875rem",
    zIndex: "40",
  },
  ".inlay": { display: "var(--inlay-display)", color: "var(--faint)", fontSize: "0.85em" },
  ".card": { maxWidth: "34rem", padding: "0.375rem 0.625rem", fontFamily: "var(--sans)" },
  ".card code": { fontFamily: "var(--mono)", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  ".card code strong": { color: "var(--accent-ink)" },
  ".card p": { margin: "0.25rem 0 0", color: "var(--quiet)", whiteSpace: "pre-wrap" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75", fontStyle: "normal", marginLeft: "0.75em" },
  ".cm-completionInfo": { fontFamily: "var(--sans)", maxWidth: "20rem", padding: "0.375rem 0.625rem" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": { font: "inherit", color: "inherit", background: "var(--paper)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", whiteSpace: "pre-wrap", padding: "0.375rem 0.625rem" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "4px",
    padding: "0.125rem 0.5rem",
    font: "inherit",
    cursor: "pointer",
  },
});

function underline(colour: string): Record<string, string> {
  return {
    backgroundImage: "none",
    textDecoration: `underline wavy ${colour} 1px`,
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  };
}
