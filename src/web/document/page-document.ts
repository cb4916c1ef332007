import type { Dialect } from "../../index.js";

/**
 * What a page holds: cells in their order. Of the mode `cells` these are remarks and expressions, as in the playground; of the mode
 * `program` there is one, whose text is a program. Immutable: an edit makes another document.
 */
export interface PageDocument {
  readonly mode: DocumentMode;
  readonly dialect: Dialect;
  readonly cells: readonly DocumentCell[];
  /** The number of the next cell that is made: none is given twice, so that a cell which comes back is the same one. */
  readonly nextId: number;
}

export const documentModes = ["cells", "program"] as const;
export type DocumentMode = (typeof documentModes)[number];

export type CellId = number;

/** A remark in Markdown, an expression that may have a name, or a whole program. */
export type DocumentCell = RemarkCell | ExpressionCell | ProgramCell;

export interface RemarkCell {
  readonly kind: "remark";
  readonly id: CellId;
  readonly text: string;
}

export interface ExpressionCell {
  readonly kind: "expression";
  readonly id: CellId;
  /** Any text, such as `query(q)`; empty where there is no name. */
  readonly name: string;
  readonly text: string;
  readonly views: ResultViews;
}

export interface ProgramCell {
  readonly kind: "program";
  readonly id: CellId;
  readonly text: string;
  readonly views: ResultViews;
}

/** How results are looked at, by their keys: the name of a value, or the position of a result. */
export type ResultViews = Readonly<Record<string, ResultView>>;

export const viewKinds = ["table", "heat", "bars", "line", "list"] as const;
export type ViewKind = (typeof viewKinds)[number];

/** How one tensor is looked at. What is not said is chosen by its type. */
export interface ResultView {
  readonly kind?: ViewKind;
  /** Dimensions down and across, outermost first; a dimension in neither is one of which a slice is shown. */
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
  /** The label of each dimension that is sliced; the first one where none is said. */
  readonly slices?: Readonly<Record<string, string>>;
}

/** How a value is looked at that nobody has changed the look of: one object, so that nothing is asked for again where it stays. */
const usualView: ResultView = {};

/** How a result is looked at; a value may have the name of something that every object has. */
export const viewOf = (views: ResultViews, key: string): ResultView =>
  (Object.hasOwn(views, key) ? views[key] : undefined) ?? usualView;

/** A cell as it is before it is in a document, where it gets its number. */
export type NewCell =
  | Omit<RemarkCell, "id">
  | (Omit<ExpressionCell, "id" | "views"> & { readonly views?: ResultViews })
  | (Omit<ProgramCell, "id" | "views"> & { readonly views?: ResultViews });

/** A cell in which nothing is written yet. */
export const emptyCell = (kind: "expression" | "remark"): NewCell =>
  kind === "remark" ? { kind, text: "" } : { kind, name: "", text: "" };

export const emptyDocument: PageDocument = {
  mode: "cells",
  dialect: "formalism",
  cells: [{ kind: "expression", id: 1, name: "", text: "", views: {} }],
  nextId: 2,
};

/** A document of these cells. */
export function documentOf(
  cells: readonly NewCell[],
  { mode = "cells", dialect = "formalism" }: Partial<Pick<PageDocument, "mode" | "dialect">> = {},
): PageDocument {
  return { mode, dialect, cells: cells.map((cell, at) => numbered(cell, at + 1)), nextId: cells.length + 1 };
}

/** A new cell with its number. Lines end as in editors, where offsets are those of the text. */
export function numbered(cell: NewCell, id: CellId): DocumentCell {
  const text = cell.text.replaceAll(/\r\n?/g, "\n");
  return cell.kind === "remark" ? { ...cell, text, id } : { ...cell, text, id, views: cell.views ?? {} };
}

export const cellOf = ({ cells }: PageDocument, id: CellId): DocumentCell | undefined =>
  cells.find((each) => each.id === id);

export const positionOfCell = ({ cells }: PageDocument, id: CellId): number =>
  cells.findIndex((each) => each.id === id);
