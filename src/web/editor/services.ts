import type { CellReport } from "../protocol.js";

/** What an editor of a cell asks of the page around it. Offsets are those of the text of the cell. */
export interface EditorServices {
  readonly changed: (text: string) => void;
}

/** What an editor shows of its text beside the text: found for just this text. */
export type EditorFindings = Pick<CellReport, "text" | "tokens" | "problems" | "inlays">;

/** An editor in an element. */
export interface CodeEditor {
  readonly text: string;
  readonly hasFocus: boolean;
  setText(text: string): void;
  setFindings(findings: EditorFindings): void;
  focus(position?: "start" | "end"): void;
  select(start: number, end: number): void;
  destroy(): void;
}

export interface CodeEditorOptions {
  readonly parent: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly services: EditorServices;
}
