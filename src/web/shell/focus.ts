import type { CellId } from "../document/page-document.js";
import { EditorElement } from "../editor/editor-element.js";

/** Moves of the focus between cells, and into their editors. They wait until the page has been rendered. */

const cellElement = (id: CellId): HTMLElement | null => document.querySelector(`[data-cell="${id}"]`);

/** The cell itself has the focus: its keys are those of commands. */
export function focusCell(id: CellId): void {
  queueMicrotask(() => {
    const cell = cellElement(id);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest" });
  });
}

/** The editor of a cell has the focus, and a part of its text is selected where one is told. */
export function focusEditor(id: CellId, span?: { readonly start: number; readonly end: number }): void {
  queueMicrotask(() => {
    const cell = cellElement(id);
    const editor = cell?.querySelector("sphex-editor");
    if (!(editor instanceof EditorElement)) return;
    editor.focus();
    if (span !== undefined) editor.select(span.start, span.end);
    cell?.scrollIntoView({ block: "nearest" });
  });
}

/** What has the focus is seen, beside or above a panel that was opened. */
export function showFocused(): void {
  queueMicrotask(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    focused?.scrollIntoView({ block: "nearest" });
  });
}

/** The name of a cell has the focus. */
export function focusName(id: CellId): void {
  queueMicrotask(() => {
    const name = cellElement(id)?.querySelector<HTMLInputElement>("input.name");
    name?.focus();
    name?.select();
  });
}
