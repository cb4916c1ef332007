import type { Cell } from "../../vespa/compat/compat.js";
import type { ViewKind } from "../document/page-document.js";

/** A document to begin with. */
export interface NotebookExample {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly description: string;
  readonly cells: readonly Cell[];
  /** How the values of cells are looked at first, by their names; as tables unless said. */
  readonly pictures?: Readonly<Record<string, ViewKind>>;
}

/** A remark in Markdown. */
export const remark = (text: string): Cell => ({ kind: "remark", text });

/** A cell with a name, which may be empty. */
export const cell = (name: string, expression: string): Cell => ({ kind: "formula", name, expression });
