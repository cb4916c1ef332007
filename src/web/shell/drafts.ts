/**
 * Fields marked `data-draft`, which take what is written in them when it is entered or left, and their texts that are not taken yet:
 * what is written in such a one is undone by the browser.
 */
export class Drafts {
  private readonly fields = new WeakSet<EventTarget>();

  constructor(root: Document) {
    root.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.hasAttribute("data-draft")) this.fields.add(target);
    });
    root.addEventListener("change", ({ target }) => {
      if (target !== null) this.fields.delete(target);
    });
  }

  /** Whether what was pressed in is one of them. */
  has({ target }: Event): boolean {
    return target !== null && this.fields.has(target);
  }
}
