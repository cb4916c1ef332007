import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Reading } from "./reading.js";
import { textOf } from "./text.js";

/**
 * Reports a number with an exponent in the value of an input or a constant: Vespa's schemas have none. It refuses most, and of
 * `query(q) double: -1.5e3` reads -1.5, and another input.
 */
export function reportExponents(value: Span, reading: Reading): void {
  const found = exponentIn(textOf(value));
  if (found === undefined) return;
  const start = value.start + found.index;
  const span = { ...value, start, end: start + found.text.length };
  reading.report(problem("schema/exponent", span, { text: found.text }));
}

/** The first number with an exponent in the text of a tensor. */
export function exponentIn(value: string): { readonly text: string; readonly index: number } | undefined {
  for (const { 0: text, index } of value.matchAll(parts)) if (exponent.test(text)) return { text, index };
  return undefined;
}

/** Texts in quotes, labels with the colon behind them, and numbers. */
const parts = /"[^"]*"|'[^']*'|[\w.+-]+\s*:|[\w.+-]+/g;

const exponent = /^[-+]?\d+(?:\.\d*)?[eE][-+]?\d+$/;
