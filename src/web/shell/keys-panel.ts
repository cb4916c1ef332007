import { html, type TemplateResult } from "lit-html";
import type { Panel } from "../panel.js";
import { commands, editorKeys, everywhere, type KeyEntry } from "./keyboard.js";

/** All keys of the page. */
export class KeysPanel implements Panel {
  readonly title = "Keys";

  render(): TemplateResult {
    return html`
      ${list("Everywhere", everywhere)}
      ${list("In an editor", editorKeys)}
      ${list("On a cell", commands)}
      <p class="quiet">Escape stops a run, and closes this.</p>
    `;
  }
}

/** Keys by what they do: where several do the same, all of them. */
function list(title: string, entries: readonly KeyEntry[]): TemplateResult {
  const descriptions = [...new Set(entries.map(({ description }) => description))];
  const entriesOf = (text: string): readonly KeyEntry[] =>
    entries.filter(({ description }) => description === text);
  return html`<h3>${title}</h3>
    <dl class="keys">
      ${descriptions.map(
        (
          each,
        ) => html`<dt>${entriesOf(each).map(({ keys }) => html`<kbd>${keys.map(shown).join(" ")}</kbd> `)}</dt>
          <dd>${shown(each)}</dd>`,
      )}
    </dl>`;
}

/** The names of keys that this machine has other words for. */
const keyNames: readonly (readonly [name: string, shown: string])[] = [
  ["Mod", navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl"],
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
];

const shown = (keys: string): string =>
  keyNames.reduce((text, [name, other]) => text.replace(name, other), keys);
