import { html, nothing, type TemplateResult } from "lit-html";
import type { DocumentCell } from "../document/page-document.js";
import { resultView } from "../results/result-view.js";
import type { Page } from "./page.js";

/** A cell: its name, its text and its value. */
export function cellView(page: Page, cell: DocumentCell, at: number): TemplateResult {
  const { id, text } = cell;
  const report = page.evaluation.report(id);
  const services = { changed: (changed: string) => page.edit({ kind: "text", id, text: changed }) };
  return html`
    <section class="cell ${page.selected === id ? "selected" : ""}" @focusin=${() => page.select(id)}>
      ${
        cell.kind === "expression"
          ? html`<input
              class="name"
              aria-label="Name of cell ${at + 1}"
              .value=${cell.name}
              @input=${(event: InputEvent) =>
                page.edit({ kind: "name", id, name: (event.target as HTMLInputElement).value })}
            />`
          : nothing
      }
      <sphex-editor
        .label=${`Cell ${at + 1}`}
        .text=${text}
        .report=${report}
        .services=${services}
      ></sphex-editor>
      ${report === undefined ? nothing : resultView(report)}
    </section>
  `;
}
