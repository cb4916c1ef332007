import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { Parsed } from "../language/syntax/parse.js";
import type { ExpectedBytes, FoundBytes, TextPart } from "./messages/bytes.js";
import { problem } from "./messages.js";
import { textInUtf8 } from "./utf8.js";

/**
 * Files of bytes, read from front to back. Nobody checked them before: a count in a file is only believed as far as there
 * are bytes for it, and what is wrong is a problem that names the byte.
 */

export interface BytesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes and how far they are read. All numbers are big-endian unless said otherwise. */
export class Bytes {
  readonly view: DataView;
  at = 0;

  constructor(readonly file: BytesFile) {
    const { buffer, byteOffset, byteLength } = file.bytes;
    this.view = new DataView(buffer, byteOffset, byteLength);
  }

  get left(): number {
    return this.view.byteLength - this.at;
  }

  /** What is left, for a message. */
  get rest(): FoundBytes {
    return { kind: "rest", bytes: this.left };
  }

  /** The offset of so many bytes that are there, which count as read. */
  take(count: number, expected: ExpectedBytes): number {
    if (count > this.left) this.fail(this.at, this.rest, expected);
    this.at += count;
    return this.at - count;
  }

  byte(expected: ExpectedBytes): number {
    return this.view.getUint8(this.take(1, expected));
  }

  /** So many bytes of UTF-8. */
  text(count: number, part: TextPart): string {
    const start = this.take(count, { kind: "text", part, bytes: count });
    const text = textInUtf8(this.file.bytes.subarray(start, start + count), "a part");
    return text ?? this.fail(start, "no text", part);
  }

  /** A byte with a few around it. */
  span(offset: number): Span {
    return excerpt(this.file, offset);
  }

  /** Says that something else must be at a byte, and ends the reading: what follows has lost its meaning. */
  fail(offset: number, found: FoundBytes, expected: ExpectedBytes): never {
    throw new SphexError([problem("bytes/shape", this.span(offset), { offset, found, expected })]);
  }
}

/** A few bytes around an offset, as text that a message can show, with the place in it. */
function excerpt({ name, bytes }: BytesFile, offset: number): Span {
  const first = Math.max(0, offset - 12);
  const shown = [...bytes.subarray(first, offset + 12)].map((byte) => byte.toString(16).padStart(2, "0"));
  const text = `${first > 0 ? "… " : ""}${shown.join(" ")}${offset + 12 < bytes.length ? " …" : ""}`;
  const start = (first > 0 ? 2 : 0) + 3 * (offset - first);
  return {
    source: { name, text },
    start: Math.min(start, text.length),
    end: Math.min(start + 2, text.length),
  };
}

/** A reading that ended at a problem, as data. */
export function parsed<T>(read: () => T): Parsed<T> {
  try {
    return { tree: read(), problems: [] };
  } catch (error) {
    if (error instanceof SphexError) return { tree: undefined, problems: error.problems };
    throw error;
  }
}
