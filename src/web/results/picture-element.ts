import type { ResultView } from "../document/page-document.js";
import type { Requester } from "../panel.js";
import type { ValueReference, ValueReport } from "../protocol.js";

export interface PictureSource {
  readonly reference: ValueReference;
  readonly value: ValueReport;
  readonly view: ResultView;
  readonly request: Requester;
}

/** `<sphex-picture>`: a tensor as a heat map, bars or a line, which the worker draws. */
export class PictureElement extends HTMLElement {
  private current: PictureSource | undefined;
  private asked = 0;

  set source(source: PictureSource) {
    const before = this.current;
    this.current = source;
    if (before?.value !== source.value || before.view !== source.view) void this.draw(source);
  }

  private async draw({ reference, view, request }: PictureSource): Promise<void> {
    const asked = ++this.asked;
    const width = Math.max(240, Math.min(this.clientWidth || 640, 880));
    const text = await request("picture", { ...reference, view, width }).catch(() => undefined);
    if (asked !== this.asked) return;
    if (text === undefined) return void (this.textContent = "There is no picture of this kind of it.");
    // The text is ours: labels and names in it are escaped. It is read as XML, where nothing is executed.
    const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    this.replaceChildren(document.importNode(picture, true));
  }
}

export const definePicture = (): void => customElements.define("sphex-picture", PictureElement);
