import { html, noChange, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { RequestFailure } from "../connection.js";
import { targetOf } from "../event-target.js";
import type { Panel, PanelHost } from "../panel.js";
import { type FormChange, featureForm, SliderRanges, sliders } from "./feature-controls.js";
import { profileForm } from "./form.js";
import type { ProfileReport } from "./profile-request.js";
import { problemList, rankingTable, valueTable } from "./report-tables.js";

/** Rank profile mode: a package, documents and a query; and what the profile makes of them, as they change. */
export class ProfilePanel implements Panel {
  readonly title = "Rank profile";
  readonly undoable = profileForm;
  private report: ProfileReport | undefined;
  private asked: string | undefined;
  private isRunning = false;
  private readonly ranges = new SliderRanges();

  render(host: PanelHost): TemplateResult {
    this.ask(host);
    profileForm.onTakenOver = () => host.announce(otherTab);
    const report = this.report;
    const change = (act: () => void): void => {
      act();
      host.update();
    };
    const { files } = profileForm.texts;
    return html`<div class="profile">
      ${files.length === 0 ? this.beginning(change) : nothing}
      ${this.textFields(change)}
      ${report === undefined || files.length === 0 ? nothing : this.reportView(report, change)}
    </div>`;
  }

  /** Asks for what the form has now, unless that was asked; one request at a time, and the last one wins. */
  private ask(host: PanelHost): void {
    const { request } = profileForm;
    const key = JSON.stringify(request);
    if (this.isRunning || key === this.asked) return;
    this.asked = key;
    this.isRunning = true;
    host
      .request("profile", request)
      .then((report) => {
        this.report = report;
      })
      .catch((error: Partial<RequestFailure> & Error) => {
        this.report = undefined;
        // A worker that was replaced took the question with it.
        if (error.isCancelled === true) this.asked = undefined;
        else host.announce(error.message);
      })
      .finally(() => {
        this.isRunning = false;
        host.update();
      });
  }

  private beginning(change: FormChange): TemplateResult {
    return html`<p>
        Paste a schema below, or drop one, or a zip of an application package, anywhere on the page. Documents and a query go
        beside it. Nothing leaves the browser.
      </p>
      <button type="button" class="primary" @click=${() => change(() => profileForm.takeSample())}>Try an example</button>`;
  }

  private textFields(change: FormChange): TemplateResult {
    const { files, documents, query, response } = profileForm.texts;
    const others = files.length - (profileForm.schema === "" ? 0 : 1);
    return html`<div class="texts">
      ${textField("Schema", profileForm.schema, files.length === 0, (text) => change(() => profileForm.setSchema(text)), others > 0 ? `and ${others} more ${others === 1 ? "file" : "files"}` : "")}
      ${textField("Documents", documents, false, (text) => change(() => profileForm.change({ documents: text }, "documents")))}
      ${textField("Query", query, false, (text) => change(() => profileForm.change({ query: text }, "query")))}
      ${textField("Captured response", response, false, (text) => change(() => profileForm.change({ response: text }, "response")), response === "" ? "to compare with" : "")}
    </div>`;
  }

  private reportView(report: ProfileReport, change: FormChange): TemplateResult {
    const isSettled = !this.isRunning;
    // Where nothing can be ranked, it is the one that was chosen.
    const shown = report.profile ?? profileForm.texts.profile ?? report.profiles[0];
    return html`
      <div class="choices">
        <label>Profile
          <select .value=${isSettled ? live(shown) : noChange} @change=${(event: Event) => change(() => profileForm.change({ profile: targetOf(event, HTMLSelectElement).value }))}>
            ${report.profiles.map((each) => html`<option value=${each} .selected=${each === shown}>${each}</option>`)}
          </select>
        </label>
        <label title="Compute features of words from what these documents have">
          <input
            type="checkbox"
            .checked=${profileForm.texts.countsWords}
            @change=${(event: Event) => change(() => profileForm.change({ countsWords: targetOf(event, HTMLInputElement).checked }))}
          /> Count words
        </label>
        ${profileForm.hasFeatures ? html`<button type="button" @click=${() => change(() => profileForm.clearFeatures())}>Reset numbers</button>` : nothing}
      </div>
      ${problemList(report.problems)}
      ${featureForm(report, change)}
      ${sliders(report, { change, ranges: this.ranges, isSettled })}
      ${rankingTable(report, (id) => change(() => (profileForm.selected = id)))}
      ${valueTable(report)}
    `;
  }
}

const otherTab =
  "Another tab keeps its rank profile in this browser now. The next change here puts this one in its place.";

const textField = (
  title: string,
  text: string,
  isOpen: boolean,
  onInput: (text: string) => void,
  remark = "",
): TemplateResult => html`<details ?open=${isOpen}>
  <summary>${title}${remark === "" ? "" : html` <span class="quiet">${remark}</span>`}</summary>
  <textarea
    rows="12"
    spellcheck="false"
    aria-label=${title}
    .value=${text}
    @input=${(event: InputEvent) => onInput(targetOf(event, HTMLTextAreaElement).value)}
  ></textarea>
</details>`;
