import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

/**
 * The text that bytes are in UTF-8, without the one mark that a file may begin with: another one is part of what it says. Undefined
 * where they are none: labels with another character in the place of theirs would be others.
 */
export function textInUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
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
