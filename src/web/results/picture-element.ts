import type { PageAddress } from "../protocol.js";
import { addressKey } from "./result-host.js";
import type { TableSource } from "./table-source.js";

/** What a picture is of, as the page passes it to the element. */
type PictureSource = Omit<TableSource, "setView">;

/** A part of a picture that stands for one cell. */
interface Mark {
  readonly element: SVGElement;
  readonly address: PageAddress;
}

/** How wide a picture is drawn, in pixels. */
const widths = { least: 240, most: 880 } as const;

/** `<sphex-picture>`: a tensor as a heat map, bars or a line, which the worker draws as wide as there is room. */
class PictureElement extends HTMLElement {
  private current: PictureSource | undefined;
  private asked = 0;
  private width = 0;
  private marks: readonly Mark[] = [];
  private readonly observer = new ResizeObserver(() => this.measure());

  set source(source: PictureSource) {
    const before = this.current;
    this.current = source;
    if (before?.value !== source.value || before.view !== source.view) void this.draw();
    else if (before.lit !== source.lit) this.light();
  }

  connectedCallback(): void {
    this.observer.observe(this);
    this.addEventListener("click", this.onClick);
    this.addEventListener("keydown", this.onKey);
  }

  disconnectedCallback(): void {
    this.observer.disconnect();
  }

  private measure(): void {
    const width = Math.max(widths.least, Math.min(this.clientWidth, widths.most));
    if (this.clientWidth === 0 || width === this.width) return;
    this.width = width;
    void this.draw();
  }

  private async draw(): Promise<void> {
    const { current, width } = this;
    if (current === undefined || width === 0) return;
    const asked = ++this.asked;
    const { reference, view, request } = current;
    const picture = await request("picture", { ...reference, view, width }).catch(() => undefined);
    if (asked !== this.asked) return;
    this.marks = [];
    if (picture === undefined) return void (this.textContent = "There is no picture of this kind of it.");
    if (picture === "no cells") return void (this.textContent = "There are no cells in this slice.");
    // The text is ours: labels and names in it are escaped. It is read as XML, where nothing is executed.
    const parsed = new DOMParser().parseFromString(picture.svg, "image/svg+xml").documentElement;
    const drawing = document.importNode(parsed, true);
    this.replaceChildren(drawing);
    if (picture.caption !== "")
      this.append(sliceCaption(`of ${picture.caption}: a table lets others be chosen`));
    this.follow(drawing, picture.slice);
  }

  /** Makes the marks of a picture something that can be asked about. */
  private follow(drawing: HTMLElement, slice: PageAddress): void {
    this.marks = [...drawing.querySelectorAll<SVGElement>("[data-address]")].map((element) => {
      const own: PageAddress = JSON.parse(element.dataset.address ?? "{}"); // as the worker wrote it
      return { element, address: { ...slice, ...own } };
    });
    const [first] = this.marks;
    if (first === undefined) return;
    // What has parts to press is no image.
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", `Picture of ${this.marks.length} cells`);
    for (const { element, address } of this.marks) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      element.setAttribute("aria-label", labelOf(element, address));
    }
    first.element.setAttribute("tabindex", "0");
    this.light();
  }

  /** Shows which cells light up. */
  private light(): void {
    const lit = this.current?.lit;
    for (const { element, address } of this.marks)
      element.classList.toggle("lit", lit?.has(addressKey(address)) === true);
  }

  private markAt(event: Event): number {
    const { target } = event;
    return target instanceof Element ? this.marks.findIndex(({ element }) => element.contains(target)) : -1;
  }

  private readonly onClick = (event: Event): void => {
    const mark = this.marks[this.markAt(event)];
    if (mark !== undefined) this.current?.why(mark.address);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const at = this.markAt(event);
    if (at < 0) return;
    const next = this.marks[this.neighbour(at, event.key)];
    if (event.key !== "Enter" && next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") return this.onClick(event);
    this.marks[at]?.element.setAttribute("tabindex", "-1");
    next?.element.setAttribute("tabindex", "0");
    next?.element.focus();
  };

  /** The mark that a key leads to: the next one, or the next one with the same last label, above or below. */
  private neighbour(at: number, key: string): number {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (step === undefined) return -1;
    const columnOf = (mark: Mark | undefined): string | undefined =>
      mark && Object.values(mark.address).at(-1);
    const isAcross = key === "ArrowRight" || key === "ArrowLeft";
    const column = columnOf(this.marks[at]);
    for (let next = at + step; next >= 0 && next < this.marks.length; next += step)
      if (isAcross || columnOf(this.marks[next]) === column) return next;
    return isAcross ? -1 : at + step;
  }
}

/** What the tip of a mark says, or else its labels. */
function labelOf(element: Element, address: PageAddress): string {
  const tip = element.querySelector("title")?.textContent ?? element.textContent ?? "";
  return tip === "" ? Object.values(address).join(", ") : tip;
}

function sliceCaption(text: string): HTMLElement {
  const caption = document.createElement("p");
  caption.className = "quiet";
  caption.textContent = text;
  return caption;
}

export const definePicture = (): void => customElements.define("sphex-picture", PictureElement);
