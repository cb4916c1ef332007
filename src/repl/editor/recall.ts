/** The statements of earlier, the newest first, and where among them the editor is. */
export class Recall {
  /** -1 is what is being written now. */
  private at = -1;
  private present = "";

  constructor(private entries: readonly string[]) {}

  /** Begins anew with a statement that was entered. */
  add(text: string): void {
    if (text.trim() !== "" && text !== this.entries[0]) this.entries = [text, ...this.entries].slice(0, most);
    this.at = -1;
  }

  /** The statement before the one that is shown; what is shown instead of the present one is forgotten when it is left. */
  earlier(shown: string): string | undefined {
    if (this.at + 1 >= this.entries.length) return undefined;
    if (this.at < 0) this.present = shown;
    return this.entries[++this.at];
  }

  later(): string | undefined {
    if (this.at < 0) return undefined;
    this.at--;
    return this.at < 0 ? this.present : this.entries[this.at];
  }

  /** The newest statement that goes on from a text. */
  suggestion(text: string): string | undefined {
    if (text.trim() === "") return undefined;
    return this.entries.find((each) => each.length > text.length && each.startsWith(text));
  }

  /** The newest statement that has a text in it, from a position on. */
  found(text: string, from: number): { readonly entry: string; readonly at: number } | undefined {
    const at = this.entries.findIndex((each, at) => at >= from && each.includes(text));
    const entry = this.entries[at];
    return entry === undefined ? undefined : { entry, at };
  }
}

const most = 1000;
