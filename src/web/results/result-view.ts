import { html, type TemplateResult } from "lit-html";
import type { CellReport } from "../protocol.js";

/** What came of a cell. */
export function resultView({ values, problems, state }: CellReport): TemplateResult {
  return html`<div class="result" data-state=${state}>
    ${problems.map(({ message, severity }) => html`<p class="problem ${severity}">${message}</p>`)}
    ${values.map(
      ({ type, number, table }) => html`<p class="type">${type}</p>
        ${number ?? table?.texts.join(" ")}`,
    )}
  </div>`;
}
