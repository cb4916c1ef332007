import { html, type TemplateResult } from "lit-html";
import { dialects } from "../../language/check/dialect.js";
import { documentModes } from "../document/page-document.js";
import { targetOf } from "../event-target.js";
import type { Page } from "./page.js";
import { panelEntries } from "./panels.js";
import { themes } from "./settings.js";
import { undoView } from "./undo-view.js";

const modeNames = { cells: "Cells", program: "Program" } as const;
const dialectNames = { formalism: "Formalism", vespa: "Vespa" } as const;
const themeNames = { system: "◐ Auto", light: "☀ Light", dark: "☾ Dark" } as const;

/** What stands above the cells: what is done with the document, and with the page. */
export function barView(page: Page): TemplateResult {
  const { document, settings, panel } = page;
  return html`<header class="bar">
    <h1 class="brand"><span class="mark" aria-hidden="true"></span>Sphex</h1>
    <span class="choice" role="group" aria-label="Mode of the document">
      ${documentModes.map(
        (each) => html`<button
          type="button"
          aria-pressed=${each === document.mode}
          @click=${() => page.switchMode(each)}
        >${modeNames[each]}</button>`,
      )}
    </span>
    <select
      aria-label="Dialect"
      title="How expressions are read: by the formalism, or just as Vespa does"
      @change=${(event: Event) => {
        const chosen = targetOf(event, HTMLSelectElement).value;
        const dialect = dialects.find((each) => each === chosen);
        if (dialect !== undefined) page.edit({ kind: "dialect", dialect });
      }}
    >
      ${dialects.map((each) => html`<option value=${each} .selected=${each === document.dialect}>${dialectNames[each]}</option>`)}
    </select>
    ${undoView(page, page)}
    <button type="button" title="Begin an empty document; undo brings this one back" @click=${() => page.begin()}>New</button>
    <nav class="panels" aria-label="Panels">
      ${panelEntries.map(
        ({ title, load }) => html`<button
          type="button"
          aria-pressed=${panel?.title === title}
          @click=${() => (panel?.title === title ? page.close() : page.openLoaded(load))}
        >${title}</button>`,
      )}
    </nav>
    <span class="settings">
      <button type="button" aria-pressed=${settings.inlays} title="Show types behind names" @click=${() => page.change({ inlays: !settings.inlays })}>Types</button>
      <select
        aria-label="Theme"
        title="Light or dark, or as the system has it"
        @change=${(event: Event) => {
          const chosen = targetOf(event, HTMLSelectElement).value;
          page.change({ theme: themes.find((each) => each === chosen) ?? "system" });
        }}
      >
        ${themes.map((each) => html`<option value=${each} .selected=${each === settings.theme}>${themeNames[each]}</option>`)}
      </select>
    </span>
  </header>`;
}
