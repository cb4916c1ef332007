import { html, nothing, type TemplateResult } from "lit-html";
import { type ResultViews, viewOf } from "../document/page-document.js";
import type { CellReport, ComparedValue, PageProblem } from "../protocol.js";
import type { ResultHost } from "./result-host.js";
import { valueView } from "./value-view.js";

/** What came of a cell: its problems, and its values. */
export function resultView(
  host: ResultHost,
  { id, values, problems, state, waitingFor, text }: CellReport,
  views: ResultViews,
  compared: ComparedValue | undefined,
): TemplateResult {
  const shown = problems.filter(({ severity }) => severity !== "portability");
  return html`<div class="result" data-state=${state}>
    ${shown.slice(0, mostProblems).map((each) => problemView(host, id, each, text))}
    ${shown.length > mostProblems ? html`<p class="waiting">and ${(shown.length - mostProblems).toLocaleString("en")} more problems</p>` : nothing}
    ${
      state === "waiting"
        ? html`<p class="waiting">waits for ${waitingFor.join(", ")}, which ${waitingFor.length === 1 ? "has" : "have"} no value</p>`
        : nothing
    }
    ${values.map((value) => valueView(host, { id, key: value.key }, value, viewOf(views, value.key)))}
    ${compared === undefined ? nothing : comparedView(compared)}
  </div>`;
}

function comparedView({ dialect, isRefused, text }: ComparedValue): TemplateResult {
  const isVespa = dialect === "vespa";
  if (isRefused)
    return html`<p class="compared">${isVespa ? "Vespa" : "The formalism"} refuses this: ${withCode(text)}</p>`;
  return html`<p class="compared">${isVespa ? "Vespa reads this as" : "In the formalism this is"} <code>${text}</code></p>`;
}

/** What is pasted may have a problem in each word. */
const mostProblems = 8;

/** A problem in words; a click goes to where it is. */
function problemView(host: ResultHost, id: number, problem: PageProblem, text: string): TemplateResult {
  const { severity, message, found, expected, hint, start, end, fixes } = problem;
  return html`<div class="problem ${severity}">
    <button type="button" class="where" @click=${() => host.reveal(id, start, end)}>
      ${lineOf(text, start)}<span class="visually-hidden"> ${severity}: </span>
    </button>
    <div>
      <p>${withCode(message)}</p>
      ${found === undefined ? nothing : html`<p class="detail">found ${withCode(found)}</p>`}
      ${expected === undefined ? nothing : html`<p class="detail">expected ${withCode(expected)}</p>`}
      ${hint === undefined ? nothing : html`<p class="detail hint">${withCode(hint)}</p>`}
      ${fixes.map(
        (fix) =>
          html`<button type="button" class="mend" @click=${() => host.mend(id, text, fix)}>${fix.title}</button>`,
      )}
    </div>
  </div>`;
}

/** A text whose parts between the signs of code are shown as code, without the signs. */
function withCode(text: string): TextPart | readonly TextPart[] {
  const parts = text.split("`");
  const isPaired = parts.length % 2 === 1;
  return isPaired ? parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`)) : text;
}

type TextPart = string | TemplateResult;

/** The line of a problem, of a text that has more than one. */
function lineOf(text: string, start: number): string {
  const isLong = text.includes("\n");
  return isLong ? `line ${text.slice(0, start).split("\n").length}` : "!";
}
