import { html, type TemplateResult } from "lit-html";
import type { Undoable } from "../history.js";
import type { Page } from "./page.js";

/** The buttons that take back changes of the document, or of the panel of this title. */
export function undoView(page: Page, undoable: Undoable, panel?: string): TemplateResult {
  const label = panel === undefined ? "" : ` in ${panel}`;
  const act = (does: () => void) => (): void => {
    does();
    page.update();
  };
  return html`<span class="choice">
    <button type="button" title=${`Undo${label} (Ctrl-Z)`} aria-label=${`Undo${label}`} ?disabled=${!undoable.canUndo} @click=${act(() => undoable.undo())}>↶</button>
    <button type="button" title=${`Redo${label} (Ctrl-Shift-Z)`} aria-label=${`Redo${label}`} ?disabled=${!undoable.canRedo} @click=${act(() => undoable.redo())}>↷</button>
  </span>`;
}
