import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

const decoders = {
  "a file": new TextDecoder("utf-8", { fatal: true }),
  "a part": new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }),
};

/**
 * The text that bytes are in UTF-8. Of a file it is without the one mark that it may begin with; in a part of one, such as a label, that
 * mark is a character. Undefined where they are none: labels with another character in the place of theirs would be others.
 */
export function textInUtf8(bytes: Uint8Array, of: keyof typeof decoders = "a file"): string | undefined {
  try {
    return decoders[of].decode(bytes);
  } catch {
    return undefined;
  }
}

/** @throws SphexError where bytes of a format, which a problem names, are no text. */
export function requireUtf8(bytes: Uint8Array, format: string, span: Span): string {
  const text = textInUtf8(bytes);
  if (text === undefined) throw new SphexError([problem("bytes/encoding", span, { format })]);
  return text;
}
