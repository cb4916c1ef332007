import { html, noChange, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { targetOf } from "../event-target.js";
import { profileForm } from "./form.js";
import type { LackingFeature, ProfileReport, ScalarInput } from "./profile-request.js";

/** Does something to the form, and shows it. */
export type FormChange = (act: () => void) => void;

/** The features that are missing, to be filled in for all documents. */
export function featureForm(
  { missing, selected }: ProfileReport,
  change: FormChange,
): TemplateResult | typeof nothing {
  if (missing.length === 0) return nothing;
  return html`<section aria-label="Missing features">
    <h3>Missing features</h3>
    <p class="quiet">Give values that only an engine can compute. All that does not need them is shown below.</p>
    <div class="feature-form">
      ${missing.map((each) => fieldOf(each, change))}
    </div>
    ${selected === undefined ? nothing : html`<p class="quiet">These count for all documents that lack them. A slider below can move one of them.</p>`}
  </section>`;
}

function fieldOf({ name, type, reason, example }: LackingFeature, change: FormChange): TemplateResult {
  return html`<label title=${reason}>
    <code>${name}</code> <span class="quiet">${type === "tensor()" ? "number" : (type ?? "unknown type")}</span>
    <input
      type="text"
      autocomplete="off"
      spellcheck="false"
      placeholder=${example}
      data-draft
      .value=${profileForm.feature(name) ?? ""}
      @change=${(event: Event) => change(() => profileForm.setFeature(name, targetOf(event, HTMLInputElement).value))}
    />
  </label>`;
}

/** The ends of sliders, which stay where they were while a number moves between them. */
export class SliderRanges {
  private readonly ranges = new Map<string, ScalarInput>();

  of(scalar: ScalarInput): ScalarInput {
    const first = this.ranges.get(scalar.name);
    if (first !== undefined && first.least <= scalar.value && scalar.value <= first.most)
      return { ...first, value: scalar.value };
    this.ranges.set(scalar.name, scalar);
    return scalar;
  }
}

/** What controls stand in. */
export interface FormState {
  readonly change: FormChange;
  readonly ranges: SliderRanges;
  /** Whether the report is that of the form: what is being moved is not put back to an earlier one. */
  readonly isSettled: boolean;
}

/** A slider for each number of the query, and for each that was filled in. */
export function sliders(
  { scalars, selected }: ProfileReport,
  { ranges, ...state }: FormState,
): TemplateResult | typeof nothing {
  if (scalars.length === 0) return nothing;
  return html`<section aria-label="Numbers">
    <h3>What if</h3>
    <div class="sliders">
      ${scalars.map((each) => sliderOf(ranges.of(each), each.name.startsWith("query(") ? undefined : selected, state))}
    </div>
  </section>`;
}

function sliderOf(
  { name, value, least, most, step }: ScalarInput,
  document: string | undefined,
  { change, isSettled }: Pick<FormState, "change" | "isSettled">,
): TemplateResult {
  const text = `${Number(value.toPrecision(6))}`;
  const move = (event: Event): void =>
    change(() => profileForm.setFeature(name, targetOf(event, HTMLInputElement).value, document));
  const enter = (event: Event): void => {
    move(event);
    // Until the next report says which number counts, it is the one of this.
    targetOf(event, HTMLInputElement).value = text;
  };
  return html`<label>
    <code>${name}</code>
    <input type="range" min=${least} max=${most} step=${step} .value=${isSettled ? live(`${value}`) : noChange} @input=${move} />
    <input type="number" step="any" aria-label=${`The number of ${name}`} title=${`${value}`} data-draft .value=${text} @change=${enter} />
  </label>`;
}
