import type { Dialect } from "../../index.js";
import {
  type CellId,
  cellOf,
  type DocumentCell,
  type NewCell,
  numbered,
  type PageDocument,
  positionOfCell,
  type ResultView,
} from "./page-document.js";

/** One change of a document, which undo takes back as a whole. */
export type DocumentEdit =
  | { readonly kind: "insert"; readonly at: number; readonly cell: NewCell }
  | { readonly kind: "remove"; readonly id: CellId }
  | { readonly kind: "move"; readonly id: CellId; readonly to: number }
  | { readonly kind: "text"; readonly id: CellId; readonly text: string }
  | { readonly kind: "name"; readonly id: CellId; readonly name: string }
  | { readonly kind: "view"; readonly id: CellId; readonly key: string; readonly view: ResultView }
  | { readonly kind: "dialect"; readonly dialect: Dialect }
  | { readonly kind: "replace"; readonly document: PageDocument }
  | { readonly kind: "all"; readonly edits: readonly DocumentEdit[] };

/** The document after an edit. An edit of a cell that is not there, or that changes nothing, gives the same document. */
export function edited(document: PageDocument, edit: DocumentEdit): PageDocument {
  switch (edit.kind) {
    case "insert":
      return inserted(document, edit.at, edit.cell);
    case "remove":
      return withCells(
        document,
        document.cells.filter(({ id }) => id !== edit.id),
      );
    case "move":
      return moved(document, edit.id, edit.to);
    case "text":
      return changed(document, edit.id, (cell) =>
        cell.text === edit.text ? cell : { ...cell, text: edit.text },
      );
    case "name":
      return changed(document, edit.id, (cell) =>
        cell.kind === "expression" && cell.name !== edit.name ? { ...cell, name: edit.name } : cell,
      );
    case "view":
      return changed(document, edit.id, (cell) =>
        cell.kind === "remark" ? cell : { ...cell, views: { ...cell.views, [edit.key]: edit.view } },
      );
    case "dialect":
      return document.dialect === edit.dialect ? document : { ...document, dialect: edit.dialect };
    case "replace":
      return renumbered(document, edit.document);
    case "all":
      return edit.edits.reduce(edited, document);
  }
}

/** A program is all of its document. */
function inserted(document: PageDocument, at: number, cell: NewCell): PageDocument {
  const { cells, nextId, mode } = document;
  if (mode === "program") return document;
  return { ...document, cells: cells.toSpliced(at, 0, numbered(cell, nextId)), nextId: nextId + 1 };
}

function moved(document: PageDocument, id: CellId, to: number): PageDocument {
  const { cells } = document;
  const cell = cellOf(document, id);
  const from = positionOfCell(document, id);
  if (cell === undefined || from === to || to < 0 || to >= cells.length) return document;
  return withCells(document, cells.toSpliced(from, 1).toSpliced(to, 0, cell));
}

function changed(
  document: PageDocument,
  id: CellId,
  change: (cell: DocumentCell) => DocumentCell,
): PageDocument {
  return withCells(
    document,
    document.cells.map((cell) => (cell.id === id ? change(cell) : cell)),
  );
}

function withCells(document: PageDocument, cells: readonly DocumentCell[]): PageDocument {
  const isSame =
    cells.length === document.cells.length && cells.every((cell, at) => cell === document.cells[at]);
  return isSame ? document : { ...document, cells };
}

/** Another document in the place of one, with numbers that no cell of either had. */
function renumbered({ nextId }: PageDocument, document: PageDocument): PageDocument {
  const cells = document.cells.map((cell, at) => numbered(cell, nextId + at));
  return { ...document, cells, nextId: nextId + cells.length };
}
