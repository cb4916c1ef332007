import { canonicalName } from "../../index.js";
import { Analysis, externalNameAt, externalNames, rename, renamedAt } from "../../service/service.js";
import type { CellId } from "../document/page-document.js";
import type { CursorRequest, RenameRequest, Renaming } from "../protocol.js";
import type { Notebook } from "./notebook.js";

/** What would be renamed at an offset of a cell: a name of its program, or that of a cell above. */
export function renamable(notebook: Notebook, { id, offset }: CursorRequest): string | undefined {
  const analysis = notebook.run(id)?.analysis;
  if (analysis === undefined) return undefined;
  const span = notebook.isProgram(id) ? renamedAt(analysis, offset) : undefined;
  if (span !== undefined) return span.source.text.slice(span.start, span.end);
  return externalNameAt(analysis, new Set(notebook.namesAbove(id).keys()), offset)?.name;
}

/** The changes that give a name another text: in its program, or in its cell and in all below that mean it. */
export function renamed(notebook: Notebook, { id, offset, name }: RenameRequest): Renaming {
  const run = notebook.run(id);
  if (run === undefined) return { refused: "the cell has not been read yet" };
  if (notebook.isProgram(id)) {
    const edits = rename(run.analysis, offset ?? 0, name);
    if ("refused" in edits) return edits;
    return { texts: [{ id, text: withEdits(run.input.cell.text, edits) }], names: [] };
  }
  const external =
    offset === undefined
      ? undefined
      : externalNameAt(run.analysis, new Set(notebook.namesAbove(id).keys()), offset);
  const defined = external === undefined ? id : notebook.definitionAbove(id, external.name);
  if (defined === undefined || (offset !== undefined && external === undefined))
    return { refused: "there is no name here that can be renamed" };
  if (!isName(name)) return { refused: `${JSON.stringify(name)} is no name` };
  if (notebook.hasName(name)) return { refused: `${name} is the name of another cell` };
  const texts = textsWith(notebook, defined, name);
  return texts === undefined
    ? { refused: `${name} would mean something else in a cell that reads this one` }
    : { texts, names: [{ id: defined, name }] };
}

/** The texts of the cells that mean a cell, with another name for it; undefined where one of them would not mean it then. */
function textsWith(
  notebook: Notebook,
  defined: CellId,
  name: string,
): readonly { readonly id: CellId; readonly text: string }[] | undefined {
  const old = notebook.nameOf(defined);
  if (old === undefined) return [];
  const texts: { id: CellId; text: string }[] = [];
  for (const { input, analysis } of notebook.runsBelow(defined)) {
    const { id, text } = input.cell;
    if (notebook.definitionAbove(id, old) !== defined) continue;
    const edits = externalNames(analysis, new Set([old])).map(({ span }) => ({ span, text: name }));
    if (edits.length === 0) continue;
    texts.push({ id, text: withEdits(text, edits) });
    if (!isRead(name, edits, texts.at(-1)?.text ?? "")) return undefined;
  }
  return texts;
}

/** Whether a name is that of a cell wherever edits wrote it into a text: a parameter, or a word of the language, may hide it. */
function isRead(name: string, edits: readonly SpanEdit[], text: string): boolean {
  const sorted = edits.map(({ span }) => span).sort((a, b) => a.start - b.start);
  let longer = 0;
  const written = sorted.map(({ start, end }) => {
    const position = start + longer;
    longer += name.length - (end - start);
    return position;
  });
  const analysis = new Analysis({ name: "cell", text }, {}, "expression");
  const read = new Set(externalNames(analysis, new Set([canonicalName(name)])).map(({ span }) => span.start));
  return written.every((start) => read.has(start));
}

interface SpanEdit {
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
}

function withEdits(text: string, edits: readonly SpanEdit[]): string {
  const sorted = [...edits].sort((a, b) => b.span.start - a.span.start);
  return sorted.reduce(
    (all, { span, text: part }) => all.slice(0, span.start) + part + all.slice(span.end),
    text,
  );
}

/** A word, or a feature of one argument: what an expression can mention. */
const isName = (name: string): boolean =>
  /^[A-Za-z_@$][\w@$]*(?:\([\w@$., ]+\))?$/.test(name) && canonicalName(name) !== "";
