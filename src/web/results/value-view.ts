import { html, nothing, type TemplateResult } from "lit-html";
import { type ResultView, type ViewKind, viewKinds } from "../document/page-document.js";
import type { PageAddress, ValueReference, ValueReport } from "../protocol.js";
import type { ResultHost } from "./result-host.js";

const kindNames: Readonly<Record<ViewKind, string>> = {
  table: "Table",
  heat: "Heat map",
  bars: "Bars",
  line: "Line",
  list: "List",
};

/** A value: its type, the ways to look at it, and what one of them shows. */
export function valueView(
  host: ResultHost,
  reference: ValueReference,
  value: ValueReport,
  view: ResultView,
): TemplateResult {
  const { key, type, number, isLiteral, cells, rank } = value;
  const isHidden =
    isLiteral && view.kind === undefined && cells <= mostHidden && host.lit(reference) === undefined;
  const shown =
    number === undefined
      ? isHidden
        ? nothing
        : body(host, reference, value, view)
      : isLiteral
        ? nothing
        : numberView(host, reference, number);
  return html`<div class="value">
    <div class="value-head">
      ${/^\d*$/.test(key) ? nothing : html`<span class="value-name">${key}</span>`}
      <code class="type">${type}</code>
      ${remarks(host, reference, value)}
    </div>
    ${rank === 0 ? nothing : kindChoice(host, reference, view)}
    ${shown === nothing ? nothing : html`<div class="value-body">${shown}</div>`}
  </div>`;
}

/** A literal is shown by its text already, unless somebody asks for another look at it, or it is long. */
const mostHidden = 40;

function numberView(host: ResultHost, reference: ValueReference, number: string): TemplateResult {
  const isLit = host.lit(reference) !== undefined;
  return html`<button
    type="button"
    class="number ${isLit ? "lit" : ""}"
    title="Why this number?"
    @click=${() => host.why(reference, {})}
  >${number}</button>`;
}

function remarks(
  host: ResultHost,
  reference: ValueReference,
  { cells, nonFinite, rank }: ValueReport,
): TemplateResult {
  return html`
    ${rank > 0 && cells > 24 ? html`<span class="count">${cells.toLocaleString("en")} cells</span>` : nothing}
    ${
      nonFinite > 0
        ? html`<button type="button" class="flag" @click=${() => host.notFinite(reference)}>
            ${nonFinite === 1 ? "one cell is" : `${nonFinite.toLocaleString("en")} cells are`} not finite: where does it begin?
          </button>`
        : nothing
    }
  `;
}

function kindChoice(host: ResultHost, reference: ValueReference, view: ResultView): TemplateResult {
  const { kind = "table" } = view;
  return html`<span class="kinds" role="group" aria-label="Look at the value as">
    ${viewKinds.map(
      (each) => html`<button
        type="button"
        aria-pressed=${each === kind}
        @click=${() => host.setView(reference, { ...view, kind: each })}
      >${kindNames[each]}</button>`,
    )}
  </span>`;
}

function body(
  host: ResultHost,
  reference: ValueReference,
  value: ValueReport,
  view: ResultView,
): TemplateResult {
  const { request } = host;
  const setView = (next: ResultView): void =>
    host.setView(reference, { ...next, ...(view.kind && { kind: view.kind }) });
  if (value.cells === 0) return html`<p class="empty">There are no cells.</p>`;
  const why = (address: PageAddress): void => host.why(reference, address);
  const source = { reference, value, view, request, lit: host.lit(reference), why };
  if (view.kind === undefined || view.kind === "table" || view.kind === "list")
    return html`<sphex-table .source=${{ ...source, setView }}></sphex-table>`;
  return html`<sphex-picture .source=${source}></sphex-picture>`;
}
