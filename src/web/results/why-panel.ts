import { html, nothing, type TemplateResult } from "lit-html";
import type { Panel } from "../panel.js";
import type { PageContribution, PageStep } from "../protocol.js";
import type { ProvenanceState } from "./provenance.js";
import type { ResultHost } from "./result-host.js";

/** Why a cell is what it is: how it was made, step by step. */
export class WhyPanel implements Panel {
  readonly title = "Why?";

  constructor(
    private readonly state: ProvenanceState,
    private readonly host: Pick<ResultHost, "reveal">,
  ) {}

  render(): TemplateResult {
    const { asked, report } = this.state;
    if (asked === undefined)
      return html`<p class="empty">Click a cell of a value to see where it came from.</p>`;
    if (report === undefined) return html`<p class="empty">…</p>`;
    const { steps, isCut } = report;
    return html`<div class="why">
      <p class="quiet">The cells it came from light up across the page.</p>
      ${stepView(steps, 0, (step) => this.host.reveal(asked.reference.id, step.start, step.end), new Set())}
      ${isCut ? html`<p class="quiet">There are more than are shown.</p>` : nothing}
    </div>`;
  }
}

/** Roles that nobody sees from the step that has them. */
const toldRoles: ReadonlySet<string> = new Set(["condition", "is there", "keeps its block unless 0"]);

/** A step with those that made what it is made of, each where it is first met. */
function stepView(
  steps: readonly PageStep[],
  at: number,
  reveal: (step: PageStep) => void,
  shown: Set<number>,
  role = "",
): TemplateResult | typeof nothing {
  const step = steps[at];
  if (step === undefined) return nothing;
  shown.add(at);
  const line = html`<button type="button" class="step" @click=${() => reveal(step)}>
    <strong>${step.value}</strong> <code>${step.text}${step.address}</code> <span class="quiet">${step.description}${toldRoles.has(role) ? `, ${role}` : ""}</span>
  </button>`;
  if (step.contributions.length === 0) return line;
  return html`${line}
    <ul>
      ${step.contributions.map((each) => html`<li>${contributionView(steps, each, reveal, shown)}</li>`)}
      ${step.others > 0 ? html`<li class="quiet">and ${step.others} more</li>` : nothing}
    </ul>`;
}

function contributionView(
  steps: readonly PageStep[],
  { role, address, value, step }: PageContribution,
  reveal: (step: PageStep) => void,
  shown: Set<number>,
): TemplateResult | typeof nothing {
  if (step !== undefined && !shown.has(step) && steps[step] !== undefined)
    return stepView(steps, step, reveal, shown, role);
  const text = step === undefined ? role : (steps[step]?.text ?? role);
  return html`<span class="step"><strong>${value}</strong> <code>${text}${address}</code></span>`;
}
