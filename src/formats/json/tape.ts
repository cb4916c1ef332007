import type { Source, Span } from "../../language/source/span.js";

/** The numbers of an entry: where it starts, where it ends, and which entry comes behind it and all that it holds. */
export const fields = 3;

/**
 * The values of a JSON text, and before each member of an object its key, in the order of the text. An entry is a few
 * numbers and no object, since a text may have millions of them.
 */
export class Tape {
  constructor(
    readonly source: Source,
    private readonly numbers: Int32Array,
  ) {}

  start(entry: number): number {
    return this.field(entry, 0);
  }

  end(entry: number): number {
    return this.field(entry, 1);
  }

  /** The entry behind one and all that it holds. */
  behind(entry: number): number {
    return this.field(entry, 2);
  }

  span(entry: number): Span {
    return { source: this.source, start: this.start(entry), end: this.end(entry) };
  }

  written(entry: number): string {
    return this.source.text.slice(this.start(entry), this.end(entry));
  }

  /** What a string says: mostly what stands between its quotes. */
  string(entry: number): string {
    const written = this.written(entry);
    return written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  }

  /** Whether a string says this. With escapes it is longer than what it says. */
  isString(entry: number, text: string): boolean {
    const start = this.start(entry) + 1;
    const length = this.end(entry) - 1 - start;
    if (length === text.length) return this.source.text.startsWith(text, start) && !text.includes("\\");
    return length > text.length && this.string(entry) === text;
  }

  private field(entry: number, at: number): number {
    return this.numbers[entry * fields + at] as number; // entries are those that the scanner made
  }
}
