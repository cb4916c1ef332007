import { Writable } from "node:stream";
import { escapeForeign, escapeHidden } from "../../index.js";

/**
 * A stream that ends at a terminal. Whatever is written there may have come from a stranger: a label, the name of a file,
 * the message of another program. So all that a terminal would obey becomes visible, but for the sequences of our own
 * texts, which say that they have some. Nothing is buffered: writes go to the terminal at once.
 */
export class TerminalWriter extends Writable {
  /** The bytes of a character that came in part. */
  private readonly decoder = new TextDecoder();

  constructor(readonly terminal: Writable) {
    super();
    terminal.on("drain", () => this.emit("drain"));
  }

  override write(chunk: string | Uint8Array): boolean {
    const text = typeof chunk === "string" ? chunk : this.decoder.decode(chunk, { stream: true });
    return this.terminal.write(escapeHidden(text));
  }

  writeStyled(text: string): boolean {
    return this.terminal.write(escapeForeign(text));
  }
}

/** The terminal itself, for what edits lines on it; any other stream as it is. */
export const underlying = (stream: Writable): Writable =>
  stream instanceof TerminalWriter ? stream.terminal : stream;
