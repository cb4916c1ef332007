import type { TableWindow } from "../protocol.js";
import { isWhole } from "./table-source.js";

/** How much of a table is printed at most: some ten sheets. */
const [mostRows, mostColumns, mostCells] = [500, 60, 6_000];

/** The rows and columns of a table of so many that are printed. */
export function printedRange({ rowCount, columnCount }: TableWindow): {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
} {
  const columns = Math.min(columnCount, mostColumns);
  const rows = Math.min(rowCount, mostRows, Math.floor(mostCells / Math.max(1, columns)));
  return { rows: [0, rows], columns: [0, columns] };
}

/** A part of a table in pieces that are no wider than a sheet, one below the other, whose columns are so many pixels wide. */
export function piecesOf(window: TableWindow, columnWidth: number): readonly TableWindow[] {
  const perPiece = Math.max(1, Math.floor(sheetWidth / columnWidth));
  const pieces = Math.max(1, Math.ceil(window.columnLabels.length / perPiece));
  return Array.from({ length: pieces }, (_, at) => columnsOf(window, at * perPiece, (at + 1) * perPiece));
}

/** What a sheet has room for beside the labels of rows, in pixels. */
const sheetWidth = 600;

function columnsOf(window: TableWindow, start: number, end: number): TableWindow {
  const { columnLabels, texts, numbers, columnStart } = window;
  const width = columnLabels.length;
  const isInPiece = (_: unknown, at: number): boolean => at % width >= start && at % width < end;
  return {
    ...{ ...window, columnStart: columnStart + start },
    columnLabels: columnLabels.slice(start, end),
    texts: texts.filter(isInPiece),
    numbers: numbers.filter(isInPiece),
  };
}

/** What a printed part of a table leaves out; nothing where it is all. */
export function omittedText(window: TableWindow): string | undefined {
  if (isWhole(window)) return undefined;
  const { rowLabels, columnLabels, rowCount, columnCount } = window;
  const count = (part: number, all: number, name: string): readonly string[] =>
    part === all ? [] : [`${part.toLocaleString("en")} of ${all.toLocaleString("en")} ${name}`];
  const counts = [
    ...count(rowLabels.length, rowCount, "rows"),
    ...count(columnLabels.length, columnCount, "columns"),
  ];
  return `The first ${counts.join(" and ")} are printed. Share saves all of them in a file.`;
}
