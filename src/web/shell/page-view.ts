import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { emptyCell } from "../document/page-document.js";
import { targetOf } from "../event-target.js";
import type { Panel } from "../panel.js";
import { barView } from "./bar-view.js";
import { cellView } from "./cell-view.js";
import type { NamePrompt } from "./name-prompt.js";
import type { Page } from "./page.js";
import { undoView } from "./undo-view.js";

/** The whole page. */
export function pageView(page: Page): TemplateResult {
  const { document, panel, prompt } = page;
  return html`
    ${barView(page)}
    <div class="columns">
      <main class="cells" aria-label="Cells" data-mode=${document.mode}>
        ${repeat(
          document.cells,
          ({ id }) => id,
          (cell, at) => cellView(page, cell, at),
        )}
        ${document.mode === "cells" ? addView(page) : nothing}
        <div class="notes"><div class="announcement" role="status" aria-live="polite">${page.announcement}</div></div>
      </main>
      ${panel === undefined ? nothing : panelView(page, panel)}
    </div>
    ${prompt === undefined ? nothing : promptView(page, prompt)}
  `;
}

const addView = (page: Page): TemplateResult => html`<div class="add">
  <button type="button" @click=${() => page.insert(page.document.cells.length, emptyCell("expression"))}>+ Expression</button>
  <button type="button" @click=${() => page.insert(page.document.cells.length, emptyCell("remark"))}>+ Remark</button>
</div>`;

const panelView = (
  page: Page,
  panel: Panel,
): TemplateResult => html`<aside class="panel" aria-label=${panel.title}>
  <div class="panel-head">
    <h2>${panel.title}</h2>
    ${panel.undoable === undefined ? nothing : undoView(page, panel.undoable, panel.title)}
    <button type="button" aria-label="Close" title="Close (Escape)" @click=${() => page.close()}>✕</button>
  </div>
  <div class="panel-body">${panel.render(page)}</div>
</aside>`;

function promptView(page: Page, { title, value, accept }: NamePrompt): TemplateResult {
  const leave = (): void => page.ask(undefined);
  return html`<dialog class="prompt" aria-label=${title} @close=${leave} @cancel=${leave}>
    <form
      method="dialog"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const name = new FormData(targetOf(event, HTMLFormElement)).get("name");
        leave();
        if (typeof name === "string" && name.trim() !== value) accept(name.trim());
      }}
    >
      <label>${title} <input name="name" .value=${value} autofocus autocomplete="off" spellcheck="false" /></label>
      <button type="submit">Rename</button>
      <button type="button" @click=${leave}>Cancel</button>
    </form>
  </dialog>`;
}
