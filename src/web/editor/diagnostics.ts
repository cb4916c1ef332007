import type { Diagnostic } from "@codemirror/lint";
import type { PageProblem } from "../protocol.js";

const severities = { error: "error", warning: "warning", portability: "info", hint: "hint" } as const;

/** A problem of a text as the editor shows it: a line under its span, and its message with what mends it, as long as that is the text. */
export function diagnosticOf(
  text: string,
  { severity, start, end, code, fixes, ...texts }: PageProblem,
): Diagnostic {
  return {
    from: start,
    to: end,
    severity: severities[severity],
    source: code,
    message: linesOf(texts).join("\n"),
    actions: fixes.map(({ title, edits }) => ({
      name: title,
      apply: (view) => {
        if (view.state.doc.toString() !== text) return;
        view.dispatch({
          changes: edits.map((edit) => ({ from: edit.start, to: edit.end, insert: edit.text })),
          userEvent: "input.fix",
        });
      },
    })),
  };
}

type Texts = Pick<PageProblem, "message" | "found" | "expected" | "hint">;

function linesOf({ message, found, expected, hint }: Texts): readonly string[] {
  return [
    message,
    ...(found === undefined ? [] : [`found: ${found}`]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
}
