import { type Problem, SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

type Extent = "a file" | "a part";

/** Each is made when it is first used: a host that reads no bytes may have no decoders. */
const decoders: Partial<Record<Extent, InstanceType<typeof TextDecoder>>> = {};

/**
 * The text that bytes are in UTF-8. Of a file it is without the one mark that it may begin with; in a part of one, such as a label, that
 * mark is a character. Undefined where they are none: labels with another character in the place of theirs would be others.
 */
export function textInUtf8(bytes: Uint8Array, of: Extent = "a file"): string | undefined {
  const decoder = (decoders[of] ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: of === "a part" }));
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is wrong with bytes of a format that are no text. */
export function encodingProblem([first = 0, second = 0]: Uint8Array, format: string, span: Span): Problem {
  // A text in UTF-16 begins with 0xFF and 0xFE, in one order or the other.
  return problem("bytes/encoding", span, { format, isWide: first + second === 0xff + 0xfe });
}

/** @throws SphexError where bytes of a format, which a problem names, are no text. */
export function requireUtf8(bytes: Uint8Array, format: string, span: Span): string {
  const text = textInUtf8(bytes);
  if (text === undefined) throw new SphexError([encodingProblem(bytes, format, span)]);
  return text;
}
