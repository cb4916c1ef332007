import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { cellView } from "./cell-view.js";
import type { Page } from "./page.js";

/** The whole page. */
export function pageView(page: Page): TemplateResult {
  const { document } = page;
  return html`
    <header class="bar">
      <h1 class="brand">Sphex</h1>
      <button type="button" title="Undo" ?disabled=${!page.canUndo} @click=${() => page.undo()}>Undo</button>
      <button type="button" title="Redo" ?disabled=${!page.canRedo} @click=${() => page.redo()}>Redo</button>
    </header>
    <main class="cells" aria-label="Cells">
      ${repeat(
        document.cells,
        ({ id }) => id,
        (cell, at) => cellView(page, cell, at),
      )}
    </main>
    ${page.panel === undefined ? nothing : html`<aside class="panel">${page.panel.render(page)}</aside>`}
    <div class="announcement" role="status" aria-live="polite">${page.announcement}</div>
  `;
}
