import { html, type TemplateResult } from "lit-html";
import type { Panel } from "../panel.js";
import { commands, editorKeys, everywhere } from "./keyboard.js";

/** All keys of the page. */
export class KeysPanel implements Panel {
  readonly title = "Keys";

  render(): TemplateResult {
    return html`
      ${list(
        "Everywhere",
        everywhere.map(({ keys, description }) => ({ keys: keys.join(" "), description })),
      )}
      ${list("In an editor", editorKeys)}
      ${list(
        "On a cell",
        commands.map(({ keys, description }) => ({ keys: keys.join(" "), description })),
      )}
      <p class="quiet">Mod is Ctrl, or ⌘ on a Mac. Escape stops a run, and closes this.</p>
    `;
  }
}

const list = (title: string, keys: typeof editorKeys): TemplateResult => html`<h3>${title}</h3>
  <dl class="keys">
    ${keys.map((each) => html`<dt><kbd>${each.keys}</kbd></dt><dd>${each.description}</dd>`)}
  </dl>`;
