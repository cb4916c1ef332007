import { JsonLeaf, type JsonValue } from "../../formats/json/value.js";
import { numberIn } from "../../formats/literal-scanner.js";
import type { Span } from "../../language/source/span.js";

/**
 * What single values of JSON mean in documents that are fed to Vespa: a number may be written as a text, and what is written as a
 * number or as `true` is a text where a field is one.
 */

/** A number that updates compute, and that is written nowhere. */
export class ComputedNumber extends JsonLeaf {
  constructor(
    number: number,
    /** What a field of whole numbers has, which cuts the result of each update; nothing where it had none before. */
    readonly whole: number | undefined,
    span: Span,
    key: string | number,
  ) {
    super(number, span, key);
  }

  override get written(): string {
    return `${this.scalar}`;
  }
}

/** A whole number, digit by digit: `12`, `"12"`, `"+12"`; nothing of any other, such as `1.0`. What is computed is cut to one. */
export function fedWhole(value: JsonValue): string | undefined {
  if (value instanceof ComputedNumber)
    return Number.isFinite(value.whole) ? `${BigInt(value.whole ?? 0)}` : undefined;
  const written = value.string ?? value.written;
  return value.kind !== "boolean" && /^[+-]?\d+$/.test(written) ? written : undefined;
}

/** A number: `1.5`, `"1.5"`, `"NaN"`, `"-Infinity"`; nothing of what is none. */
export function fedNumber(value: JsonValue): number | undefined {
  return value.string === undefined ? value.number : numberIn(value.string.trim());
}

/** A text; a number as it is written. */
export function fedText(value: JsonValue): string | undefined {
  if (value.string !== undefined) return value.string;
  return value.kind === "number" || value.kind === "boolean" ? value.written : undefined;
}

/** `true`, or a text that says so in any case; of numbers nothing, which Vespa takes for false whatever they are. */
export function fedBoolean(value: JsonValue): boolean | undefined {
  const text = value.kind === "boolean" ? value.written : value.string?.toLowerCase();
  return text === "true" ? true : text === "false" ? false : undefined;
}
