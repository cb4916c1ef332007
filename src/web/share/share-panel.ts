import { html, nothing, type TemplateResult } from "lit-html";
import { thrownText } from "../../language/source/thrown.js";
import { positionOfCell } from "../document/page-document.js";
import { targetOf } from "../event-target.js";
import type { Panel, PanelHost } from "../panel.js";
import type { SharedValue } from "../panel-protocol.js";
import { printWhole } from "../results/print.js";
import {
  type DocumentExport,
  documentExports,
  type ExportRequest,
  type ValueExport,
  valueExports,
} from "./export-request.js";
import type { Links } from "./link.js";
import { openFiles } from "./open-files.js";

const documentNames: Readonly<Record<DocumentExport, string>> = {
  sphex: "Program (.sphex)",
  markdown: "Markdown",
  html: "Page of HTML",
  json: "JSON with values",
  profile: "Vespa schema",
  "rank-test": "Rank test",
};

const valueNames: Readonly<Record<ValueExport, string>> = {
  svg: "Picture (SVG)",
  csv: "CSV",
  npy: "NumPy",
  literal: "Literal",
  "value-json": "JSON",
};

/** Links, files to save, and files to open. */
export class SharePanel implements Panel {
  readonly title = "Share";
  private links: Links | undefined;
  private of: PanelHost["document"] | undefined;
  private values: readonly SharedValue[] = [];
  private chosen: SharedValue | undefined;

  render(host: PanelHost): TemplateResult {
    if (this.of !== host.document) void this.refresh(host);
    return html`<div class="share">
      <h3>Links</h3>
      <p>A link holds the whole document, and nothing is stored anywhere else.</p>
      ${this.linkView(host, "To this page", this.links?.own)}
      ${this.linkView(host, "To the playground of Vespa's documentation", this.links?.playground)}
      <form class="line-form" @submit=${(event: SubmitEvent) => this.open(host, event)}>
        <label>Open a link of either <input name="link" type="text" data-draft autocomplete="off" spellcheck="false" required /></label>
        <button type="submit">Open</button>
      </form>
      <h3>Save the document</h3>
      <div class="choices">
        ${documentExports.map((form) => html`<button type="button" @click=${() => this.save(host, { document: host.document, form })}>${documentNames[form]}</button>`)}
        <button type="button" @click=${() => void printWhole()}>Print</button>
      </div>
      ${this.values.length === 0 ? nothing : this.valueView(host)}
      <h3>Open files</h3>
      <p>
        Drop them anywhere on the page: programs, schemas or a zip of an application package, documents, queries, responses,
        JSON, CSV, NumPy and ONNX.
      </p>
      <label class="file-choice">Choose files <input type="file" multiple @change=${(event: Event) => this.read(host, event)} /></label>
    </div>`;
  }

  private linkView(host: PanelHost, title: string, link: string | undefined): TemplateResult {
    if (link === undefined)
      return html`<p class="quiet">${title}: ${this.links === undefined ? "…" : "it cannot say all of this document."}</p>`;
    const copy = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(link);
        host.announce("The link is copied.");
      } catch {
        host.announce("The browser does not let the page copy: select the link and copy it.");
      }
    };
    return html`<div class="line-form">
      <label>${title} <input type="text" readonly .value=${link} @focus=${(event: FocusEvent) => targetOf(event, HTMLInputElement).select()} /></label>
      <button type="button" aria-label=${`Copy the link: ${title}`} @click=${copy}>Copy</button>
    </div>`;
  }

  private valueView(host: PanelHost): TemplateResult {
    const isChosen = ({ id, key }: SharedValue): boolean => id === this.chosen?.id && key === this.chosen.key;
    const value = this.values.find(isChosen) ?? this.values[0];
    if (value === undefined) return html``;
    return html`<h3>Save a value</h3>
      <select aria-label="The value to save" @change=${(event: Event) => this.choose(host, event)}>
        ${this.values.map((each, at) => html`<option value=${at} .selected=${each === value}>${titleOf(host, each)}</option>`)}
      </select>
      <div class="choices">
        ${valueExports.map((form) => html`<button type="button" @click=${() => this.save(host, { document: host.document, form, value })}>${valueNames[form]}</button>`)}
      </div>`;
  }

  private choose(host: PanelHost, event: Event): void {
    this.chosen = this.values[Number(targetOf(event, HTMLSelectElement).value)];
    host.update();
  }

  private async refresh(host: PanelHost): Promise<void> {
    const { document } = host;
    this.of = document;
    const base = location.href.split("#")[0] ?? "";
    try {
      const [links, values] = await Promise.all([
        host.request("links", { document, base }),
        host.request("values", undefined),
      ]);
      if (this.of !== document) return;
      this.links = links;
      this.values = values;
    } catch (error) {
      this.links = undefined;
      tell(host, error);
    }
    host.update();
  }

  private async open(host: PanelHost, event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const link = new FormData(targetOf(event, HTMLFormElement)).get("link");
    try {
      host.edit({ kind: "replace", document: await host.request("openLink", { link: `${link}` }) });
    } catch (error) {
      tell(host, error);
    }
  }

  private async save(host: PanelHost, request: ExportRequest): Promise<void> {
    try {
      const remarks = request.form === "html" ? await renderedRemarks(request) : undefined;
      const file = await host.request("exportFile", { ...request, ...(remarks && { remarks }) });
      host.download(file.name, file.content, file.type);
    } catch (error) {
      tell(host, error);
    }
  }

  private async read(host: PanelHost, event: Event): Promise<void> {
    const input = targetOf(event, HTMLInputElement);
    await openFiles(host, [...(input.files ?? [])]);
    input.value = "";
  }
}

function titleOf({ document }: PanelHost, { id, key, type }: SharedValue): string {
  const at = positionOfCell(document, id);
  const cell = document.cells[at];
  const name = key !== "" ? key : cell?.kind === "expression" ? cell.name : "";
  return `${name === "" ? `cell ${at + 1}` : name}: ${type}`;
}

async function renderedRemarks({ document }: ExportRequest): Promise<Readonly<Record<string, string>>> {
  const { safeHtml } = await import("../markdown/safe-html.js");
  return Object.fromEntries(
    document.cells.flatMap((cell) => (cell.kind === "remark" ? [[`${cell.id}`, safeHtml(cell.text)]] : [])),
  );
}

const tell = (host: PanelHost, error: unknown): void => host.announce(thrownText(error));
