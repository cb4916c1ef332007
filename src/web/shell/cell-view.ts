import { html, nothing, type TemplateResult } from "lit-html";
import { type DocumentCell, type ExpressionCell, emptyCell } from "../document/page-document.js";
import { targetOf } from "../event-target.js";
import type { CellProgress } from "../protocol.js";
import { ExplainPanel } from "../results/explain-panel.js";
import { resultView } from "../results/result-view.js";
import { focusEditor } from "./focus.js";
import type { Page } from "./page.js";

/** A cell: its name, its text, and what came of it. */
export function cellView(page: Page, cell: DocumentCell, at: number): TemplateResult {
  const { id } = cell;
  const isSelected = page.selected === id;
  return html`<section
    class="cell ${cell.kind} ${isSelected ? "selected" : ""}"
    data-cell=${id}
    tabindex="-1"
    aria-label="Cell ${at + 1}"
    @focusin=${() => page.select(id)}
  >
    ${cell.kind === "remark" ? remarkView(page, cell.text, id, at) : codeView(page, cell, at)}
    ${toolsView(page, cell, at)}
  </section>`;
}

function codeView(page: Page, cell: Exclude<DocumentCell, { kind: "remark" }>, at: number): TemplateResult {
  const { id, text } = cell;
  const report = page.evaluation.report(id);
  const progress = page.evaluation.progress(id);
  const isStale = report !== undefined && report.text !== text;
  return html`
    <div class="line">
      ${cell.kind === "expression" ? nameView(page, cell, at) : nothing}
      <sphex-editor
        .label=${cell.kind === "program" ? "Program" : `Expression of cell ${at + 1}`}
        .text=${text}
        .report=${report}
        .services=${page.servicesOf(id)}
      ></sphex-editor>
    </div>
    ${progress === undefined ? nothing : progressView(page, progress)}
    ${
      report === undefined
        ? pendingView(text)
        : html`<div class=${isStale ? "stale" : ""}>${resultView(page, report, cell.views, page.compared(id))}</div>`
    }
    ${
      report?.state === "cancelled"
        ? html`<p class="cancelled">cancelled <button type="button" @click=${() => page.evaluation.again(id, page.document)}>Run</button></p>`
        : nothing
    }
  `;
}

/** The room that a result takes at least, so that little moves when it comes. */
const pendingView = (text: string) => (text.trim() === "" ? nothing : html`<div class="pending"></div>`);

function nameView(page: Page, { id, name }: ExpressionCell, at: number): TemplateResult {
  return html`<span class="naming"
    ><input
      class="name"
      aria-label="Name of cell ${at + 1}"
      placeholder="name"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      size=${name === "" ? 4 : Math.min(name.length, 32)}
      title=${name}
      .value=${name}
      @input=${(event: InputEvent) => page.edit({ kind: "name", id, name: targetOf(event, HTMLInputElement).value })}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "F2" || name === "") return;
        page.ask({
          title: `Rename ${name} to`,
          value: name,
          accept: (next) => page.rename(id, undefined, next),
        });
      }}
    /><span class="equals" aria-hidden="true">=</span></span
  >`;
}

function remarkView(page: Page, text: string, id: number, at: number): TemplateResult {
  return html`<sphex-remark
    .text=${text}
    @click=${(event: MouseEvent) => {
      if (!(event.target instanceof Element && event.target.closest("a") !== null)) focusEditor(id);
    }}
  ></sphex-remark><sphex-editor
    .label=${`Remark in cell ${at + 1}`}
    .text=${text}
    .services=${page.servicesOf(id)}
  ></sphex-editor>`;
}

function progressView(page: Page, { steps, done, operations }: CellProgress): TemplateResult {
  const isCounted = operations > 0;
  return html`<div class="progress">
    ${
      isCounted
        ? html`<progress max=${operations} value=${done} aria-label="Progress"></progress>`
        : html`<progress aria-label="Progress"></progress>`
    }
    <span>${steps === 0 ? "computing" : `${Math.round(steps).toLocaleString("en")} steps`}</span>
    <button type="button" @click=${() => page.evaluation.cancel()}>Cancel</button>
  </div>`;
}

function toolsView(page: Page, cell: DocumentCell, at: number): TemplateResult {
  const { id } = cell;
  const { mode, cells } = page.document;
  const isCells = mode === "cells";
  const move = (to: number): void => page.edit({ kind: "move", id, to });
  return html`<div class="tools" role="toolbar" aria-label="Cell ${at + 1}">
    ${
      isCells
        ? html`
            <button type="button" title="Move up" aria-label="Move cell ${at + 1} up" ?disabled=${at === 0} @click=${() => move(at - 1)}>↑</button>
            <button type="button" title="Move down" aria-label="Move cell ${at + 1} down" ?disabled=${at === cells.length - 1} @click=${() => move(at + 1)}>↓</button>
            <button type="button" title="New expression below" aria-label="New expression below cell ${at + 1}" @click=${() => page.insert(at + 1, emptyCell("expression"))}>+</button>
          `
        : nothing
    }
    ${
      cell.kind === "remark"
        ? nothing
        : html`<button type="button" title="How it is computed" @click=${() => page.open(new ExplainPanel(id, page, () => page.evaluation.report(id)))}>Explain</button>`
    }
    ${isCells ? html`<button type="button" title="Remove the cell" aria-label="Remove cell ${at + 1}" @click=${() => page.remove(id)}>✕</button>` : nothing}
  </div>`;
}
