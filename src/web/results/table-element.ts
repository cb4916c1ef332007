import { html, render, type TemplateResult } from "lit-html";
import type { TableWindow } from "../protocol.js";
import { dimensionChips } from "./dimension-chips.js";
import { omittedText, piecesOf, printedRange } from "./printed-table.js";
import { addressKey } from "./result-host.js";
import { ScrollRange } from "./scroll-range.js";
import { addressIn, isWhole, shownLabel, type TableSource } from "./table-source.js";

const rowHeight = 26;
/** How many rows are in sight of a table that is too large to be shown whole. */
const visibleRows = 14;

type LineRange = readonly [start: number, end: number];

/** Rows and columns of a table whose size is not known yet. */
const firstRows: LineRange = [0, 40];
const firstColumns: LineRange = [0, 24];

/** `<sphex-table>`: a tensor as a table. Of a large one only the part in sight is there. */
export class TableElement extends HTMLElement {
  private current: TableSource | undefined;
  private window: TableWindow | undefined;
  /** All of a large table that is printed, while it is. */
  private printed: TableWindow | undefined;
  private asked = 0;
  private scroller: HTMLElement | undefined;
  /** Where it is scrolled to: an element that is put elsewhere, or drawn anew, forgets it. */
  private scrolledTo = { top: 0, left: 0 };
  private columnWidth = 64;
  /** The cell that the keyboard is at. */
  private active: readonly [row: number, column: number] = [0, 0];
  /** Whether that cell gets the focus as soon as it is there. */
  private isFocusing = false;

  connectedCallback(): void {
    this.scroller?.scrollTo(this.scrolledTo);
  }

  set source(source: TableSource) {
    const before = this.current;
    this.current = source;
    const isOtherView = before !== undefined && before.view !== source.view;
    const isOtherValue = before?.value !== source.value;
    const isScrolled = this.scrolledTo.top + this.scrolledTo.left > 0;
    // What goes with a report is the first part in the view of that time, which may have been another one.
    const isUsual = Object.keys(source.view).length === 0;
    if (isOtherValue) this.window = source.value.table;
    if (isScrolled && (isOtherValue || isOtherView)) void this.askForSight();
    else if ((before === undefined && !isUsual) || (isOtherView && !isOtherValue))
      void this.ask(firstRows, firstColumns);
    if (isOtherValue || before?.lit !== source.lit) this.draw();
  }

  private rangesOf(window: TableWindow): { readonly rows: ScrollRange; readonly columns: ScrollRange } {
    const width = Math.max(120, this.clientWidth - 80);
    return {
      rows: new ScrollRange(window.rowCount, rowHeight, visibleRows * rowHeight),
      columns: new ScrollRange(window.columnCount, this.columnWidth, width),
    };
  }

  /** Asks for the part at the scroll position. */
  private async askForSight(): Promise<void> {
    const { scroller, window } = this;
    if (scroller === undefined || window === undefined) return;
    const ranges = this.rangesOf(window);
    const { top, left } = this.scrolledTo;
    await this.ask(ranges.rows.lines(top), ranges.columns.lines(left));
  }

  private async ask(rows: LineRange, columns: LineRange): Promise<void> {
    const { current } = this;
    if (current === undefined) return;
    const asked = ++this.asked;
    const { reference, view, request } = current;
    const window = await request("table", { ...reference, view, rows, columns }).catch(() => undefined);
    if (asked !== this.asked || window === undefined) return;
    this.window = window;
    this.draw();
  }

  /** Becomes what is printed of it: all rows and columns, up to a bound that it says. */
  async unroll(): Promise<void> {
    const { current, window } = this;
    if (current === undefined || window === undefined || isWhole(window)) return;
    const { reference, view, request } = current;
    this.printed = await request("table", { ...reference, view, ...printedRange(window) }).catch(
      () => undefined,
    );
    this.draw();
  }

  /** Becomes again what is seen of it. */
  rollUp(): void {
    if (this.printed === undefined) return;
    this.printed = undefined;
    this.draw();
  }

  private draw(): void {
    const { current, window, printed } = this;
    if (current === undefined || window === undefined) return;
    if (printed !== undefined) {
      const pieces = piecesOf(printed, this.columnWidth).map((each) => this.table(each, "piece"));
      render(html`${pieces}<p class="omitted">${omittedText(printed)}</p>`, this);
      return;
    }
    const table = isWhole(window) ? this.table(window) : this.scrolled(window);
    render(html`${dimensionChips(current, window)}${table}`, this);
    if (!isWhole(window)) this.moveTo(window);
    if (this.isFocusing) this.focusActive();
  }

  private scrolled(window: TableWindow): TemplateResult {
    return html`<div class="scroller" tabindex="-1" @scroll=${this.onScroll}>
      <div class="extent">${this.table(window, "part")}</div>
    </div>
    <p class="omitted">Only the part in sight is printed: print by ${printKeys} to have all.</p>`;
  }

  /** Puts the part where it belongs among all rows and columns. */
  private moveTo(window: TableWindow): void {
    const scroller = this.querySelector<HTMLElement>(".scroller");
    const extent = this.querySelector<HTMLElement>(".extent");
    const table = this.querySelector<HTMLElement>("table");
    if (scroller === null || extent === null || table === null) return;
    const isAnother = this.scroller !== scroller;
    this.scroller = scroller;
    const longest = window.texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 5);
    this.columnWidth = Math.max(this.columnWidth, Math.min(longest * 8.5 + 24, 186));
    const ranges = this.rangesOf(window);
    table.style.setProperty("--column", `${this.columnWidth}px`);
    scroller.style.maxHeight = `${visibleRows * rowHeight + 2 * rowHeight}px`;
    extent.style.height = `${ranges.rows.extent + 2 * rowHeight}px`;
    extent.style.width = `${ranges.columns.extent + 80}px`;
    if (isAnother) scroller.scrollTo(this.scrolledTo);
    const before = this.scrolledTo;
    const { scrollTop: top, scrollLeft: left } = scroller;
    this.scrolledTo = { top, left };
    // Of another view there may be less, and nothing of it where this one was scrolled to.
    if (top !== before.top || left !== before.left) void this.askForSight();
    table.style.top = `${ranges.rows.offset(window.rowStart, top)}px`;
    table.style.left = `${ranges.columns.offset(window.columnStart, left)}px`;
  }

  private readonly onScroll = (): void => {
    const { scroller } = this;
    if (scroller === undefined) return;
    this.scrolledTo = { top: scroller.scrollTop, left: scroller.scrollLeft };
    void this.askForSight();
  };

  private table(window: TableWindow, className = ""): TemplateResult {
    const { view, rowStart, rowLabels, columnLabels, rowCount, columnCount } = window;
    const levels = view.columns.length === 0 ? [undefined] : view.columns;
    const depth = levels.length;
    return html`<table
        class=${className}
        aria-rowcount=${rowCount + depth}
        aria-colcount=${columnCount + view.rows.length}
        @click=${(event: Event) => this.onClick(event)}
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
        @focusin=${(event: Event) => this.onFocus(event)}
      >
        <thead>
          ${levels.map(
            (name, level) =>
              html`<tr>
                ${view.rows.map((row) => html`<th scope="col" class="name" title=${row}>${level === depth - 1 ? row : ""}</th>`)}
                ${columnLabels.map((labels) =>
                  name === undefined
                    ? html`<td class="none"></td>`
                    : labelCell("col", name, shownLabel(window, labels[level] ?? "")),
                )}
              </tr>`,
          )}
        </thead>
        <tbody>
          ${rowLabels.map(
            (labels, row) =>
              html`<tr aria-rowindex=${rowStart + row + depth + 1}>
                ${labels.map((label, at) => labelCell("row", view.rows[at], shownLabel(window, label)))}
                ${columnLabels.map((_, column) => this.cell(window, row, column))}
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  private cell(window: TableWindow, row: number, column: number): TemplateResult {
    const at = row * window.columnLabels.length + column;
    const text = window.texts[at];
    const lit = this.current?.lit;
    const isLit = lit?.has(addressKey(addressIn(window, row, column))) === true;
    const [activeRow, activeColumn] = this.active;
    const isActive = window.rowStart + row === activeRow && window.columnStart + column === activeColumn;
    const kind = text === undefined ? "absent" : Number.isFinite(window.numbers[at]) ? "" : "special";
    return html`<td
      class="${kind} ${isLit ? "lit" : ""}"
      tabindex=${isActive ? 0 : -1}
      data-row=${row}
      data-column=${column}
      title=${text === undefined ? "no cell" : numberTip(window.numbers[at])}
    >${text ?? "·"}</td>`;
  }

  private cellOfEvent(event: Event): { row: number; column: number } | undefined {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("td[data-row]") : null;
    if (cell === null) return undefined;
    return { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
  }

  private onClick(event: Event): void {
    const { window, current } = this;
    const cell = this.cellOfEvent(event);
    if (window === undefined || cell === undefined) return;
    if (window.texts[cell.row * window.columnLabels.length + cell.column] === undefined) return;
    current?.why(addressIn(window, cell.row, cell.column));
  }

  private onFocus(event: Event): void {
    const { window } = this;
    const cell = this.cellOfEvent(event);
    this.isFocusing = false;
    if (window !== undefined && cell !== undefined)
      this.active = [window.rowStart + cell.row, window.columnStart + cell.column];
    this.showLabels(event);
  }

  /** Shows the labels of the cell that has the focus as a whole. */
  private showLabels({ target }: Event): void {
    const cell = target instanceof HTMLTableCellElement ? target : undefined;
    const row = cell?.parentElement;
    for (const each of this.querySelectorAll<HTMLTableCellElement>("th"))
      each.classList.toggle("whole", each.parentElement === row || each.cellIndex === cell?.cellIndex);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      this.onClick(event);
      return event.stopPropagation();
    }
    const step = steps[event.key];
    if (step === undefined || this.window === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = this.active;
    const { rowCount, columnCount } = this.window;
    this.active = [
      Math.max(0, Math.min(row + step[0], rowCount - 1)),
      Math.max(0, Math.min(column + step[1], columnCount - 1)),
    ];
    this.showActive();
  }

  /** Scrolls to the active cell, which gets the focus when it is drawn: a part that is asked for may not be the last one. */
  private showActive(): void {
    const { scroller, window } = this;
    const [row, column] = this.active;
    this.isFocusing = true;
    if (scroller === undefined || window === undefined || isWhole(window)) return this.draw();
    const ranges = this.rangesOf(window);
    scroller.scrollTop = ranges.rows.scrollFor(row, scroller.scrollTop);
    scroller.scrollLeft = ranges.columns.scrollFor(column, scroller.scrollLeft);
    this.onScroll();
  }

  private focusActive(): void {
    const cell = this.querySelector<HTMLElement>('td[tabindex="0"]');
    cell?.focus({ preventScroll: this.scroller !== undefined });
  }
}

const printKeys = navigator.platform.startsWith("Mac") ? "⌘-P" : "Ctrl-P";

/** The label of a row or a column along a dimension. */
const labelCell = (scope: "row" | "col", dimension: string | undefined, label: string): TemplateResult =>
  html`<th scope=${scope} title="${dimension}: ${label}">${label}</th>`;

/** How far the keys move, in rows and columns. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-visibleRows, 0],
  PageDown: [visibleRows, 0],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

/** All digits of a number; those of -0 have its sign. */
const numberTip = (number: number | undefined): string => (Object.is(number, -0) ? "-0" : `${number}`);

export const defineTable = (): void => customElements.define("sphex-table", TableElement);
