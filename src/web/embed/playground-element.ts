import { isHeightMessage } from "./height-message.js";

/** The least and the greatest height of a frame, in pixels. */
const [least, most] = [120, 4_000];

/**
 * `<sphex-playground>`: the page in a frame. It shows the document of `link`, which is a link of this page or of the playground of
 * Vespa's documentation; or the `example` of a name; or the program between its tags.
 */
export class PlaygroundElement extends HTMLElement {
  static readonly observedAttributes = ["link", "example"];
  private readonly frame = document.createElement("iframe");
  private readonly onMessage = ({ source, data }: MessageEvent): void => {
    if (source !== this.frame.contentWindow || !isHeightMessage(data)) return;
    this.frame.style.height = `${Math.min(most, Math.max(least, Math.ceil(data.sphexHeight)))}px`;
  };

  connectedCallback(): void {
    const { frame } = this;
    frame.title = this.getAttribute("title") ?? "Sphex";
    frame.loading = "lazy";
    Object.assign(frame.style, { border: "0", display: "block", height: "240px", width: "100%" });
    this.show();
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.replaceChildren(frame);
    addEventListener("message", this.onMessage);
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.onMessage);
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.show();
  }

  private show(): void {
    const address = new URL("index.html?embed", import.meta.url);
    address.hash = this.fragment();
    if (this.frame.src !== address.href) this.frame.src = address.href;
  }

  private fragment(): string {
    const link = this.getAttribute("link");
    if (link !== null) return link.slice(link.indexOf("#") + 1);
    const example = this.getAttribute("example");
    if (example !== null) return `example=${encodeURIComponent(example)}`;
    return `text=${encodeURIComponent(unindented(this.textContent ?? ""))}`;
  }
}

/** A text without the indentation that all its lines have. */
function unindented(text: string): string {
  const lines = text.split("\n");
  const common = lines
    .filter((line) => line.trim() !== "")
    .reduce((least, line) => Math.min(least, line.length - line.trimStart().length), text.length);
  return `${lines
    .map((line) => line.slice(common))
    .join("\n")
    .trim()}\n`;
}

if (customElements.get("sphex-playground") === undefined)
  customElements.define("sphex-playground", PlaygroundElement);
