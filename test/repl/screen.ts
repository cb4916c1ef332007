import { Writable } from "node:stream";

const sequence = "\u001b";

/**
 * A terminal's screen, as far as a conversation uses one: text that goes on in the next row at the right edge, and the
 * few sequences that the editor of lines writes. Whatever else comes is an error.
 */
export class Screen extends Writable {
  readonly isTTY = true;
  private readonly rows: string[][] = [[]];
  private row = 0;
  private column = 0;

  constructor(readonly columns: number) {
    super({ decodeStrings: false });
  }

  /** What stands on the screen, without colours, and without what follows the last text of a row. */
  get text(): string {
    return this.rows.map((row) => row.join("").trimEnd()).join("\n");
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    const pattern = new RegExp(`${sequence}\\[\\??(\\d*)(?:;\\d+)*([A-Za-z])|[^]`, "gu");
    for (const [part, count = "", letter] of `${chunk}`.matchAll(pattern)) {
      if (letter !== undefined) this.obey(letter, count === "" ? undefined : Number(count));
      else if (part === "\n") this.down();
      else if (part === "\r") this.column = 0;
      else this.put(part);
    }
    done();
  }

  private put(character: string): void {
    if (character < " ") throw new Error(`the screen does not know ${JSON.stringify(character)}`);
    if (this.column === this.columns) this.down();
    const row = this.rows[this.row] ?? [];
    while (row.length < this.column) row.push(" ");
    row[this.column++] = character;
  }

  private down(): void {
    this.column = 0;
    this.row++;
    if (this.row === this.rows.length) this.rows.push([]);
  }

  private obey(letter: string, count: number | undefined): void {
    const row = this.rows[this.row];
    // Colours, and whether what is pasted is marked.
    if (letter === "m" || letter === "h" || letter === "l") return;
    if (letter === "G") this.column = (count ?? 1) - 1;
    else if (letter === "A") this.row = Math.max(0, this.row - (count ?? 1));
    else if (letter === "B") this.row = Math.min(this.rows.length - 1, this.row + (count ?? 1));
    else if (letter === "C") this.column += count ?? 1;
    else if (letter === "D") this.column -= count ?? 1;
    else if (letter === "K") row?.splice(this.column);
    else if (letter === "J" && (count ?? 0) === 0) {
      row?.splice(this.column);
      this.rows.splice(this.row + 1);
    } else throw new Error(`the screen does not know ${count ?? ""}${letter}`);
  }
}
