import { emptyCell } from "../document/page-document.js";
import type { Undoable } from "../history.js";
import { printWhole } from "../results/print.js";
import type { Drafts } from "./drafts.js";
import { focusCell, focusEditor } from "./focus.js";
import type { Page } from "./page.js";

/** A key, or keys one after the other, as the list of keys shows them. */
export interface KeyEntry {
  /** Names of keys, of which the last is pressed; `Mod` is Ctrl or ⌘. */
  readonly keys: readonly string[];
  readonly description: string;
}

/** A key of the page, and what it does. */
interface PageKey extends KeyEntry {
  /** Does it: to undo is to undo what the focus is in, the document or a panel. */
  readonly run: (page: Page, undoable: Undoable) => void;
}

const insertBelow = (kind: "expression" | "remark") => (page: Page) => {
  page.insert(page.selectedPosition + 1, emptyCell(kind));
};

const moveBy = (by: number) => (page: Page) => {
  const { selected } = page;
  if (selected === undefined) return;
  page.edit({ kind: "move", id: selected, to: page.selectedPosition + by });
  focusCell(selected);
};

const removeSelected = (page: Page): void => {
  if (page.selected !== undefined && page.document.mode === "cells") page.remove(page.selected);
};

const editSelected = (page: Page): void => {
  if (page.selected !== undefined) focusEditor(page.selected);
};

/** Computes the cell again, if it was cancelled, and goes on to the next one, which is made where there is none. */
function runSelected(page: Page): void {
  const { selected, document } = page;
  if (selected === undefined) return;
  page.evaluation.again(selected, document);
  const at = page.selectedPosition + 1;
  const next = document.cells[at];
  if (next !== undefined) focusEditor(next.id);
  else if (document.mode === "cells") page.insert(at, emptyCell("expression"));
}

/** Keys that work wherever the cursor is. */
// biome-ignore format: a table
export const everywhere: readonly PageKey[] = [
  { keys: ["Mod-z"],       description: "undo, in whatever cell it was",           run: (_, undoable) => undoable.undo() },
  { keys: ["Mod-Shift-z"], description: "redo",                                    run: (_, undoable) => undoable.redo() },
  { keys: ["Mod-y"],       description: "redo",                                    run: (_, undoable) => undoable.redo() },
  { keys: ["Mod-Enter"],   description: "run the cell, and stay",                  run: (page) => page.selected !== undefined && page.evaluation.again(page.selected, page.document) },
  { keys: ["Shift-Enter"], description: "run the cell, and go to the next",        run: runSelected },
  { keys: ["Mod-p"],       description: "print, with large tables as a whole",     run: () => void printWhole() },
];

/** Keys that work where a cell is selected and nothing is being written; those of the playground are among them. */
// biome-ignore format: a table
export const commands: readonly PageKey[] = [
  { keys: ["k"],               description: "the cell above",                 run: (page) => page.step(-1) },
  { keys: ["ArrowUp"],         description: "the cell above",                 run: (page) => page.step(-1) },
  { keys: ["j"],               description: "the cell below",                 run: (page) => page.step(1) },
  { keys: ["ArrowDown"],       description: "the cell below",                 run: (page) => page.step(1) },
  { keys: ["Shift-K"],         description: "move the cell up",               run: moveBy(-1) },
  { keys: ["Shift-ArrowUp"],   description: "move the cell up",               run: moveBy(-1) },
  { keys: ["Shift-J"],         description: "move the cell down",             run: moveBy(1) },
  { keys: ["Shift-ArrowDown"], description: "move the cell down",             run: moveBy(1) },
  { keys: ["e"],               description: "write in the cell",              run: editSelected },
  { keys: ["Enter"],           description: "write in the cell",              run: editSelected },
  { keys: ["a"],               description: "a new expression below",         run: insertBelow("expression") },
  { keys: ["n", "e"],          description: "a new expression below",         run: insertBelow("expression") },
  { keys: ["n", "c"],          description: "a new remark below",             run: insertBelow("remark") },
  { keys: ["x"],               description: "remove the cell",                run: removeSelected },
  { keys: ["d", "d"],          description: "remove the cell",                run: removeSelected },
  { keys: ["u"],               description: "undo",                           run: (page) => page.undo() },
];

/** Keys of the editor, which are its own. */
// biome-ignore format: a table
export const editorKeys: readonly KeyEntry[] = [
  { keys: ["Escape"],        description: "leave the editor for the keys of the cell" },
  { keys: ["Ctrl-Space"],    description: "what may come next" },
  { keys: ["Tab"],           description: "take the completion; without one, leave the editor" },
  { keys: ["F12"],           description: "go to the definition (or click with Mod)" },
  { keys: ["F2"],            description: "rename, in all cells" },
  { keys: ["F8"],            description: "the next problem" },
  { keys: ["Mod-."],         description: "mend the problem at the cursor" },
  { keys: ["Shift-Alt-f"],   description: "format" },
  { keys: ["Mod-f"],         description: "search" },
  { keys: ["Mod-d"],         description: "one more cursor at the next occurrence (or click with Alt)" },
];

/** Follows the keys of the document. */
export class Keyboard {
  private pending: readonly string[] = [];

  constructor(
    private readonly page: Page,
    private readonly drafts: Drafts,
  ) {}

  readonly onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || this.page.prompt !== undefined) return;
    const key = nameOf(event);
    const always = everywhere.find(({ keys }) => keys[0] === key);
    if (always !== undefined && this.drafts.has(event)) return;
    if (always !== undefined) {
      event.preventDefault();
      always.run(this.page, undoableAt(event, this.page));
      return this.page.update();
    }
    if (key === "Escape") return this.leave(event);
    if (isInField(event)) return;
    this.command(key, event);
  };

  private command(key: string, event: KeyboardEvent): void {
    const pressed = [...this.pending, key];
    const fitting = commands.filter(({ keys }) => pressed.every((each, at) => keys[at] === each));
    const exact = fitting.find(({ keys }) => keys.length === pressed.length);
    this.pending = exact === undefined && fitting.length > 0 ? pressed : [];
    if (fitting.length > 0) event.preventDefault();
    exact?.run(this.page, this.page);
  }

  /** From an editor to its cell; from there the panel is closed. */
  private leave(event: KeyboardEvent): void {
    this.pending = [];
    const { page } = this;
    if (isInField(event) && page.selected !== undefined) focusCell(page.selected);
    else if (page.evaluation.isRunning) page.evaluation.cancel();
    else page.close();
  }
}

/** What undo is about where a key was pressed. */
function undoableAt(event: Event, page: Page): Undoable {
  const isInPanel = event.composedPath().some((each) => each instanceof Element && each.matches(".panel"));
  return (isInPanel ? page.panel?.undoable : undefined) ?? page;
}

/** `Mod-Shift-z`, `Shift-K`, `j`. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const letter = ctrlKey || metaKey ? key.toLowerCase() : key;
  const parts = [
    ...(ctrlKey || metaKey ? ["Mod"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(shiftKey ? ["Shift"] : []),
    letter.length === 1 ? letter : key,
  ];
  return parts.join("-");
}

/** Whether something is being written, or chosen. */
function isInField(event: Event): boolean {
  return event
    .composedPath()
    .some(
      (each) =>
        each instanceof HTMLElement &&
        (each.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT|BUTTON|SUMMARY|DIALOG|A)$/.test(each.tagName)),
    );
}
