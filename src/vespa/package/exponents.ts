import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Reading } from "./reading.js";
import { textOf } from "./text.js";

/**
 * Reports a number with an exponent in the value of an input or a constant: Vespa's schemas have none. It refuses most, and of
 * `query(q) double: -1.5e3` reads -1.5, and another input.
 */
export function reportExponents(value: Span, reading: Reading): void {
  for (const { 0: text, index } of textOf(value).matchAll(parts)) {
    if (!exponent.test(text)) continue;
    const start = value.start + index;
    return reading.report(
      problem("schema/exponent", { ...value, start, end: start + text.length }, { text }),
    );
  }
}

/** Texts in quotes, labels with the colon behind them, and numbers. */
const parts = /"[^"]*"|'[^']*'|[\w.+-]+\s*:|[\w.+-]+/g;

const exponent = /^[-+]?\d+(?:\.\d*)?[eE][-+]?\d+$/;
