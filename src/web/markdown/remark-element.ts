/** `<sphex-remark>`: a text in Markdown, rendered. Until the libraries for it are there it is the text itself. */
class RemarkElement extends HTMLElement {
  private markdown = "";

  set text(text: string) {
    if (text === this.markdown) return;
    this.markdown = text;
    void this.render(text);
  }

  get text(): string {
    return this.markdown;
  }

  private async render(text: string): Promise<void> {
    if (this.childElementCount === 0) this.textContent = text;
    const { safeHtml } = await import("./safe-html.js");
    // Meanwhile another text may have come.
    if (this.markdown === text) this.innerHTML = safeHtml(text);
  }
}

export function defineRemark(): void {
  if (customElements.get("sphex-remark") === undefined) customElements.define("sphex-remark", RemarkElement);
}
