import { type CodeEditor, type EditorFindings, type EditorServices, noServices } from "./services.js";

/**
 * `<sphex-editor>`: the text of a cell. It is a plain text area until it is seen and the code editor has been loaded, which it
 * does not wait for: whoever types at once types into the text area.
 */
export class EditorElement extends HTMLElement {
  private editor: CodeEditor | undefined;
  private plain: HTMLTextAreaElement | undefined;
  private current = "";
  private findings: EditorFindings | undefined;
  private observer: IntersectionObserver | undefined;
  services: EditorServices = noServices;
  label = "";

  get text(): string {
    return this.current;
  }

  set text(text: string) {
    if (text === this.current) return;
    this.current = text;
    this.editor?.setText(text);
    if (this.plain !== undefined && this.plain.value !== text) this.setPlain(text);
  }

  /** What is shown beside the text; of another text than the present one it is left until its own comes. */
  set report(findings: EditorFindings | undefined) {
    if (findings === undefined || findings === this.findings) return;
    this.findings = findings;
    this.editor?.setFindings(findings);
  }

  get hasFocus(): boolean {
    return this.editor?.hasFocus ?? this.plain?.matches(":focus") ?? false;
  }

  connectedCallback(): void {
    if (this.shadowRoot === null) this.showPlain(this.attachShadow({ mode: "open" }));
    this.observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void this.load();
    });
    this.observer.observe(this);
  }

  disconnectedCallback(): void {
    this.observer?.disconnect();
  }

  override focus(): void {
    (this.editor ?? this.plain)?.focus();
  }

  select(start: number, end: number): void {
    this.editor?.select(start, end);
    this.plain?.setSelectionRange(start, end);
  }

  private showPlain(root: ShadowRoot): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(plainStyle);
    root.adoptedStyleSheets = [sheet];
    const area = document.createElement("textarea");
    area.spellcheck = false;
    area.autocapitalize = "off";
    area.setAttribute("aria-label", this.label);
    area.addEventListener("input", () => this.changed(area.value));
    root.append(area);
    this.plain = area;
    this.setPlain(this.current);
  }

  private setPlain(text: string): void {
    if (this.plain === undefined) return;
    this.plain.value = text;
    this.plain.rows = text.split("\n").length;
  }

  private changed(text: string): void {
    this.current = text;
    if (this.plain !== undefined) this.plain.rows = text.split("\n").length;
    this.services.changed(text);
  }

  private async load(): Promise<void> {
    this.observer?.disconnect();
    const { createEditor } = await import("./code-editor.js");
    const { plain, shadowRoot } = this;
    if (plain === undefined || shadowRoot === null || this.editor !== undefined) return;
    const [hadFocus, start, end] = [plain.matches(":focus"), plain.selectionStart, plain.selectionEnd];
    this.plain = undefined;
    plain.remove();
    this.editor = createEditor({
      parent: shadowRoot,
      text: this.current,
      label: this.label,
      services: { ...this.services, changed: (text) => this.changed(text) },
    });
    if (this.findings !== undefined) this.editor.setFindings(this.findings);
    if (hadFocus) {
      this.editor.focus();
      this.editor.select(start, end);
    }
  }
}

const plainStyle = `
  :host { display: block; }
  textarea {
    box-sizing: border-box; display: block; width: 100%; margin: 0; padding: 0.25rem 0.375rem;
    border: 0; outline: 0; resize: none; overflow: hidden; background: transparent; color: inherit;
    font: inherit; line-height: 1.5; field-sizing: content; white-space: pre-wrap; tab-size: 2;
  }
`;

/** Makes the element known to the page. */
export const defineEditor = (): void => customElements.define("sphex-editor", EditorElement);
