import { canonicalName } from "../../index.js";
import {
  edited,
  externalNameAt,
  externalNames,
  isSameMeaning,
  rename,
  renamedAt,
} from "../../service/service.js";
import type { CellId, DocumentCell } from "../document/page-document.js";
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
    return { texts: [{ id, text: edited(run.input.cell.text, edits) }], names: [] };
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
    const after = edited(text, edits);
    texts.push({ id, text: after });
    // A parameter, a dimension or a word of the language may hide the name.
    const nameAfter = (each: string): string => (each === old ? canonicalName(name) : each);
    if (!isSameMeaning(analysis, analysis.ofText(after, nameAfter), nameAfter)) return undefined;
  }
  return texts;
}

/**
 * The cells of a document with a name for each: a program has a name once. Of cells with one name the last keeps it, the others get
 * names of their own, and what means these is written so.
 */
export function distinctlyNamed(notebook: Notebook, cells: readonly DocumentCell[]): readonly DocumentCell[] {
  const names = namesOfOverridden(notebook, cells);
  if (names.size === 0) return cells;
  const overridden = new Set([...names.keys()].flatMap((id) => notebook.nameOf(id) ?? []));
  return cells.map((cell) => {
    if (cell.kind !== "expression") return cell;
    const analysis = notebook.run(cell.id)?.analysis;
    const mentioned = analysis === undefined ? [] : externalNames(analysis, overridden);
    const edits = mentioned.flatMap(({ name, span }) => {
      const defined = notebook.definitionAbove(cell.id, name);
      const text = defined === undefined ? undefined : names.get(defined);
      return text === undefined ? [] : [{ span, text }];
    });
    return { ...cell, name: names.get(cell.id) ?? cell.name, text: edited(cell.text, edits) };
  });
}

/** New names for cells whose name a later one has, too. */
function namesOfOverridden(notebook: Notebook, cells: readonly DocumentCell[]): ReadonlyMap<CellId, string> {
  const last = new Map(cells.map(({ id }) => [notebook.nameOf(id), id]));
  const names = new Map<CellId, string>();
  // A word of a text may be bound there, by a lambda or a generator.
  const used = new Set(cells.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  for (const { id } of cells) {
    const name = notebook.nameOf(id);
    if (name === undefined || last.get(name) === id) continue;
    const word = (name.match(/\w+/g) ?? []).join("_");
    let number = 1;
    while (notebook.hasName(`${word}_${number}`) || used.has(`${word}_${number}`)) number++;
    used.add(`${word}_${number}`);
    names.set(id, `${word}_${number}`);
  }
  return names;
}

/** A word, or a feature of one argument: what an expression can mention. */
const isName = (name: string): boolean =>
  /^[A-Za-z_@$][\w@$]*(?:\([\w@$., ]+\))?$/.test(name) && canonicalName(name) !== "";
