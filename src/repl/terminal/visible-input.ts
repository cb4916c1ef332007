import { type Readable, Transform, type TransformCallback } from "node:stream";
import { escapeHidden } from "../../index.js";

/**
 * What is typed or pasted at a terminal, with what has no width, or changes the direction of writing, as escapes: the
 * terminal shows what is typed. Keys stay what they are, which are control characters of ASCII.
 */
export class VisibleInput extends Transform {
  private readonly decoder = new TextDecoder();

  constructor(private readonly keyboard: Readable) {
    super();
    keyboard.pipe(this);
  }

  get isTTY(): boolean {
    return "isTTY" in this.keyboard && this.keyboard.isTTY === true;
  }

  /** The reader of lines has the terminal tell it of each key. */
  setRawMode(isRaw: boolean): void {
    const { keyboard } = this;
    if ("setRawMode" in keyboard && typeof keyboard.setRawMode === "function") keyboard.setRawMode(isRaw);
  }

  /** Leaves the keyboard to others, so that nothing waits for it. */
  leave(): void {
    this.keyboard.unpipe(this);
    this.keyboard.pause();
  }

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    done(null, visibleKeys(this.decoder.decode(chunk, { stream: true })));
  }
}

const lastKey = 0x7f;

/** A text of keys and of characters; only the latter are escaped. */
function visibleKeys(text: string): string {
  const isKey = (character: string): boolean => character.charCodeAt(0) <= lastKey;
  return text
    .split(/(\p{Cc})/u)
    .map((part) => (part.length === 1 && isKey(part) ? part : escapeHidden(part)))
    .join("");
}
