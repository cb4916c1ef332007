import { html, nothing, type TemplateResult } from "lit-html";
import type { ProfileHit, ProfileProblem, ProfileReport, ProfileValue } from "./profile-request.js";

/** What is wrong, with the lines that it is about. */
export function problemList(problems: readonly ProfileProblem[]): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  return html`<section aria-label="Problems">
    ${problems.slice(0, mostProblems).map(
      ({ isError, message, text }) => html`<details class=${isError ? "problem error" : "problem warning"}>
        <summary>${message}</summary>
        <pre>${text}</pre>
      </details>`,
    )}
    ${problems.length > mostProblems ? html`<p class="quiet">and ${problems.length - mostProblems} more</p>` : nothing}
  </section>`;
}

const mostProblems = 20;
const mostHits = 200;

/** The documents in their order; a press shows the values of one. */
export function rankingTable(
  { hits, selected }: ProfileReport,
  select: (id: string) => void,
): TemplateResult | typeof nothing {
  if (hits.length === 0) return nothing;
  const phases = [...new Set(hits.flatMap(({ phases }) => phases.map(({ name }) => name)))];
  const isCompared = hits.some(({ before }) => before !== undefined);
  return html`<section aria-label="Ranking">
    <h3>Ranking</h3>
    <div class="table-scroller" tabindex="0"><table class="report">
      <thead><tr>
        <th scope="col">#</th><th scope="col" class="wide">Document</th><th scope="col">Score</th>
        ${phases.length > 1 ? phases.map((each) => html`<th scope="col">${each}</th>`) : nothing}
        ${isCompared ? html`<th scope="col">Before</th>` : nothing}
      </tr></thead>
      <tbody>
        ${hits.slice(0, mostHits).map(
          (hit, at) => html`<tr aria-selected=${hit.id === selected}>
            <td>${hit.score === undefined ? "–" : at + 1}</td>
            <th scope="row"><button type="button" @click=${() => select(hit.id)}>${hit.id}</button></th>
            <td>${numberText(hit.score)}</td>
            ${phases.length > 1 ? phases.map((name) => html`<td>${numberText(hit.phases.find((each) => each.name === name)?.score)}</td>`) : nothing}
            ${isCompared ? html`<td>${beforeText(hit, at)}</td>` : nothing}
          </tr>`,
        )}
      </tbody>
    </table></div>
    ${hits.length > mostHits ? html`<p class="quiet">and ${hits.length - mostHits} more</p>` : nothing}
  </section>`;
}

/** A document without a score has no rank yet. */
function beforeText({ before, score }: ProfileHit, at: number): string {
  if (before === undefined) return "new";
  const move = before.rank - (at + 1);
  const sign = score === undefined ? "–" : move === 0 ? "=" : move > 0 ? `↑${move}` : `↓${-move}`;
  return `${sign} (${before.rank}: ${numberText(before.score)})`;
}

const numberText = (value: number | undefined): string =>
  value === undefined ? "–" : `${Number(value.toPrecision(6))}`;

const kindNames = {
  phase: "Phases",
  function: "Functions",
  "match-features": "Match features",
  "summary-features": "Summary features",
} as const;

/** Everything that the profile computes for the selected document. */
export function valueTable({ values, selected, features }: ProfileReport): TemplateResult | typeof nothing {
  if (values.length === 0) return nothing;
  const kinds = Object.entries(kindNames).map(([kind, title]) => ({
    title,
    rows: values.filter((each) => each.kind === kind),
  }));
  return html`<section aria-label="Values">
    <h3>Values of ${selected ?? "the profile"}</h3>
    <div class="table-scroller" tabindex="0"><table class="report">
      ${kinds
        .filter(({ rows }) => rows.length > 0)
        .map(
          ({ title, rows }) => html`<tbody>
          <tr><th colspan="3" scope="rowgroup" class="group">${title}</th></tr>
          ${rows.map(valueRow)}
        </tbody>`,
        )}
      ${
        features.length === 0
          ? nothing
          : html`<tbody>
        <tr><th colspan="3" scope="rowgroup" class="group">Features</th></tr>
        ${features.map(
          ({ name, type, value, origin }) => html`<tr>
          <th scope="row"><code>${name}</code> <span class="quiet">${origin}</span></th><td class="type">${shortType(type)}</td><td class="value-text">${value}</td>
        </tr>`,
        )}
      </tbody>`
      }
    </table></div>
  </section>`;
}

const valueRow = ({ name, type, value, missing }: ProfileValue): TemplateResult => html`<tr>
  <th scope="row"><code>${name}</code></th>
  <td class="type">${shortType(type)}</td>
  <td class="value-text">${value ?? html`<span class="quiet">needs ${missing.join(", ")}</span>`}</td>
</tr>`;

const shortType = (type: string | undefined): string =>
  type === undefined ? "unknown" : type === "tensor()" ? "number" : type;
