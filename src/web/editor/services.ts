import type { CellReport, Completions, PageHover, PageSignature } from "../protocol.js";

/** What an editor of a cell asks of the page around it. Offsets are those of the text of the cell. */
export interface EditorServices {
  /** Takes the text after a change. */
  readonly changed: (text: string) => void;
  readonly complete: (text: string, offset: number) => Promise<Completions>;
  readonly hover: (text: string, offset: number) => Promise<PageHover | undefined>;
  readonly signature: (text: string, offset: number) => Promise<PageSignature | undefined>;
  /** Goes to the definition of a name. */
  readonly define: (text: string, offset: number) => void;
  readonly rename: (text: string, offset: number) => void;
  readonly format: (text: string) => void;
  /** The cursor wants to go above the first line or below the last; false where no editor is there. */
  readonly leave: (direction: "up" | "down") => boolean;
}

/** The services of an editor that stands alone. */
export const noServices: EditorServices = {
  changed: () => undefined,
  complete: async (_, offset) => ({ start: offset, candidates: [] }),
  hover: async () => undefined,
  signature: async () => undefined,
  define: () => undefined,
  rename: () => undefined,
  format: () => undefined,
  leave: () => false,
};

/** What an editor shows of its text beside the text: found for just this text. */
export type EditorFindings = Pick<CellReport, "text" | "tokens" | "problems" | "inlays">;

/** An editor in an element. */
export interface CodeEditor {
  readonly text: string;
  readonly hasFocus: boolean;
  setText(text: string): void;
  setFindings(findings: EditorFindings): void;
  focus(): void;
  select(start: number, end: number): void;
}

export interface CodeEditorOptions {
  readonly parent: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly services: EditorServices;
}
