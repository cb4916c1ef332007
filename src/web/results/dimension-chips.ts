import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { ResultView } from "../document/page-document.js";
import { targetOf } from "../event-target.js";
import { mostChoices, type TableWindow } from "../protocol.js";
import { shownLabel, type TableSource } from "./table-source.js";

/** Where a dimension of a table may be. */
const sides = ["rows", "columns", "slices"] as const;
type Side = (typeof sides)[number];

const sideNames: Readonly<Record<Side, string>> = { rows: "Rows", columns: "Columns", slices: "Slices" };

/** The dimensions of a table by where they are: each can be dragged to another side, or moved there by a key or a click. */
export function dimensionChips(
  { value, view: { kind }, setView }: TableSource,
  window: TableWindow,
): TemplateResult | typeof nothing {
  if (value.rank < 2 || kind === "list") return nothing;
  const { view, choices } = window;
  const move = (name: string, side: Side): void => setView(movedTo(view, name, side));
  const namesOn = (side: Side): readonly string[] =>
    side === "slices" ? Object.keys(view.slices) : view[side];
  return html`<div class="chips">
    ${sides.map(
      (side) => html`<span
        class="side"
        data-side=${side}
        @dragover=${(event: DragEvent) => event.preventDefault()}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          event.stopPropagation();
          move(event.dataTransfer?.getData("text/plain") ?? "", side);
        }}
        ><span class="side-name">${sideNames[side]}</span>
        ${namesOn(side).map((name) => chip(name, side, move))}
        ${
          side === "slices"
            ? namesOn(side).map((name) =>
                sliceChoice(
                  name,
                  view.slices[name] ?? "",
                  choices[name] ?? [],
                  (label) => shownLabel(window, label),
                  (label) => setView({ ...view, slices: { ...view.slices, [name]: label } }),
                ),
              )
            : nothing
        }</span
      >`,
    )}
  </div>`;
}

function chip(name: string, side: Side, move: (name: string, side: Side) => void): TemplateResult {
  const next = (step: number): Side =>
    sides[(sides.indexOf(side) + step + sides.length) % sides.length] ?? side;
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(name, next(step));
  };
  return html`<button
    type="button"
    class="chip"
    draggable="true"
    title="Drag ${name} to rows, columns or slices, or click"
    aria-label="Dimension ${name}, in ${side}: move to ${next(1)}"
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData("text/plain", name)}
    @keydown=${onKey}
    @click=${() => move(name, next(1))}
  >${name}</button>`;
}

const sliceChoice = (
  name: string,
  label: string,
  choices: readonly string[],
  shown: (label: string) => string,
  choose: (label: string) => void,
): TemplateResult => {
  // Of more labels than are told, one is written.
  if (choices.length >= mostChoices)
    return html`<label class="slice">${name}:<input
      aria-label="Slice of ${name}"
      title="There are more labels than a list shows: write one"
      autocomplete="off"
      spellcheck="false"
      data-draft
      .value=${live(label)}
      @change=${(event: Event) => choose(targetOf(event, HTMLInputElement).value)}
    /></label>`;
  return html`<select
    aria-label="Slice of ${name}"
    .value=${live(label)}
    @change=${(event: Event) => choose(targetOf(event, HTMLSelectElement).value)}
  >
    ${choices.map((each) => html`<option value=${each} ?selected=${each === label}>${name}:${shown(each)}</option>`)}
  </select>`;
};

/** A view with a dimension on another side, as the last one there. */
export function movedTo(view: TableWindow["view"], name: string, side: Side): ResultView {
  const isThere = [...view.rows, ...view.columns, ...Object.keys(view.slices)].includes(name);
  if (!isThere) return view;
  const without = (names: readonly string[]): readonly string[] => names.filter((each) => each !== name);
  const { [name]: _, ...slices } = view.slices;
  const moved = { rows: without(view.rows), columns: without(view.columns), slices };
  return side === "slices" ? moved : { ...moved, [side]: [...moved[side], name] };
}
