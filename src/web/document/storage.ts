import { type Dialect, dialects } from "../../language/check/dialect.js";
import {
  type DocumentCell,
  documentModes,
  documentOf,
  type NewCell,
  type PageDocument,
  type ResultView,
  type ResultViews,
  viewKinds,
} from "./page-document.js";

/** A document as text, for the storage of a browser, files and links of ours: JSON with the number of its form. */
const form = 1;

export const storedText = (document: PageDocument): string => JSON.stringify(storedForm(document));

/** The members of a document as text; those that are added to a cell are not read. */
export const storedForm = (
  { mode, dialect, cells }: PageDocument,
  addedTo?: (cell: DocumentCell) => object,
): object => ({
  sphex: form,
  mode,
  dialect,
  cells: cells.map((cell) => ({ ...storedCell(cell), ...addedTo?.(cell) })),
});

function storedCell(cell: DocumentCell): NewCell {
  const { id: _, ...stored } = cell;
  if (stored.kind === "remark" || Object.keys(stored.views).length > 0) return stored;
  const { views: __, ...plain } = stored;
  return plain;
}

/** The document that a text holds; undefined where it is none, whatever else it is. */
export function storedDocument(text: string): PageDocument | undefined {
  try {
    return documentIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The document that a value from outside is. */
function documentIn(value: unknown): PageDocument | undefined {
  if (!isObject(value) || value.sphex !== form || !Array.isArray(value.cells)) return undefined;
  const stated = oneOf(documentModes, value.mode);
  const dialect: Dialect = oneOf(dialects, value.dialect) ?? "formalism";
  const cells = value.cells.map(cellIn);
  if (stated === undefined || !cells.every((each) => each !== undefined)) return undefined;
  const isProgram = stated === "program" && cells.length === 1 && cells[0]?.kind === "program";
  // Texts are not lost where a program stands among cells, as earlier pages have stored it.
  return isProgram
    ? documentOf(cells, { mode: "program", dialect })
    : documentOf(cells.map(withoutProgram), { mode: "cells", dialect });
}

const withoutProgram = (cell: NewCell): NewCell =>
  cell.kind === "program" ? { ...cell, kind: "expression", name: "" } : cell;

function cellIn(value: unknown): NewCell | undefined {
  if (!isObject(value) || typeof value.text !== "string") return undefined;
  const { kind, name = "", text, views } = value;
  if (kind === "remark") return { kind, text };
  if (kind === "program") return { kind, text, views: viewsIn(views) };
  if (kind !== "expression" || typeof name !== "string") return undefined;
  return { kind, name, text, views: viewsIn(views) };
}

/** Views are left out where they are not ours: results are then looked at as they are by default. */
function viewsIn(value: unknown): ResultViews {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, view]) => [key, viewIn(view)]));
}

function viewIn(value: unknown): ResultView {
  if (!isObject(value)) return {};
  const kind = oneOf(viewKinds, value.kind);
  const [rows, columns] = [textsIn(value.rows), textsIn(value.columns)];
  const slices = isObject(value.slices)
    ? Object.fromEntries(Object.entries(value.slices).map(([name, label]) => [name, `${label}`]))
    : undefined;
  return {
    ...(kind && { kind }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(slices && { slices }),
  };
}

const textsIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;

/** Whether a value of JSON is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined =>
  all.find((each) => each === value);
