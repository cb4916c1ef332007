import { html, nothing, type TemplateResult } from "lit-html";
import type { CellId } from "../document/page-document.js";
import type { Panel, PanelHost } from "../panel.js";
import type { CellReport, ExplainReport, PageNode } from "../protocol.js";
import type { ResultHost } from "./result-host.js";

/** How a cell is computed: a tree of its expressions with their sizes and times. */
export class ExplainPanel implements Panel {
  readonly title = "How it is computed";
  private reports: readonly ExplainReport[] = [];
  /** What was found of the cell when it was asked: another text, or another value above it, makes another report. */
  private asked: CellReport | undefined;

  constructor(
    private readonly id: CellId,
    private readonly results: Pick<ResultHost, "reveal">,
    private readonly current: () => CellReport | undefined,
  ) {}

  render(host: PanelHost): TemplateResult {
    const report = this.current();
    if (report !== undefined && report !== this.asked) void this.ask(host, report);
    const reports = host.document.cells.some(({ id }) => id === this.id) ? this.reports : [];
    return html`<div class="explain">
      ${reports.length === 0 ? html`<p class="empty">The cell has no value.</p>` : nothing}
      ${reports.map(
        ({ name, nodes, milliseconds }) => html`
          ${name === "" ? nothing : html`<h3>${name}</h3>`}
          ${milliseconds === undefined ? nothing : html`<p class="quiet">${durationText(milliseconds)} in the evaluator that keeps every value; the engine fuses what is “on demand”</p>`}
          ${this.nodeView(nodes, 0, new Set(), 0)}
        `,
      )}
    </div>`;
  }

  private async ask(host: PanelHost, report: CellReport): Promise<void> {
    this.asked = report;
    const reports = await host.request("explain", { id: this.id }).catch(() => []);
    if (this.asked !== report) return;
    this.reports = reports;
    host.update();
  }

  private nodeView(
    nodes: readonly PageNode[],
    at: number,
    shown: Set<number>,
    depth: number,
  ): TemplateResult | typeof nothing {
    const node = nodes[at];
    if (node === undefined) return nothing;
    const isAgain = shown.has(at);
    shown.add(at);
    const line = html`<button type="button" class="node" @click=${() => this.results.reveal(this.id, node.start, node.end)}>
      <code>${node.text}</code>
      <span class="type">${node.type}</span>
      <span class="facts">${factsOf(node)}</span>
    </button>`;
    if (isAgain || node.from.length === 0 || depth > mostDepth) return line;
    return html`${line}
      <ul>
        ${node.from.map((each) => html`<li>${this.nodeView(nodes, each, shown, depth + 1)}</li>`)}
      </ul>`;
  }
}

/** Deeper trees are cut: the page would be all margin. */
const mostDepth = 60;

function factsOf({ description, cells, range, milliseconds, storage }: PageNode): string {
  const facts = [
    description,
    ...(cells === undefined ? [] : [cells === 1 ? "1 cell" : `${cells.toLocaleString("en")} cells`]),
    ...(range === "" ? [] : [range]),
    ...(milliseconds === undefined || milliseconds < shortest ? [] : [durationText(milliseconds)]),
    ...(storage === undefined ? [] : [storage]),
  ];
  return facts.join(" · ");
}

/** Clocks of browsers tell no shorter times, in milliseconds. */
const shortest = 0.1;

const durationText = (milliseconds: number): string =>
  milliseconds < shortest ? `less than ${shortest} ms` : `${milliseconds.toFixed(1)} ms`;
