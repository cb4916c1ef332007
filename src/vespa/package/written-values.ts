import type { Span } from "../../language/source/span.js";
import { type LexemeKind, lexemesOf } from "./lexemes.js";
import { problem } from "./messages.js";
import type { Reading } from "./reading.js";
import { textOf } from "./text.js";

/** A number or a label as it stands in the value of an input or a constant. */
interface Piece {
  readonly text: string;
  readonly index: number;
  readonly isLabel: boolean;
}

/** Types, texts in quotes, and numbers and labels without them. */
const pieces = /tensor\s*(?:<[^<>]*>\s*)?\([^()]*\)|"[^"]*"|'[^']*'|#[^\r\n]*|([^\s,:{}[\]()"'#]+)(\s*:)?/g;

/** `{x:a}` before the number of a cell. */
const addresses = /\{[^{}]*\}(?=\s*:)/g;

/** The numbers, and the labels and dimensions that have no quotes, of the text of a tensor. */
function* piecesOf(value: string): Iterable<Piece> {
  const ranges = Array.from(value.matchAll(addresses), ({ 0: { length }, index }) => ({
    index,
    end: index + length,
  }));
  let at = 0;
  for (const { 1: text, 2: colon, index } of value.matchAll(pieces)) {
    while (index >= (ranges[at]?.end ?? Number.POSITIVE_INFINITY)) at++;
    const isInAddress = index > (ranges[at]?.index ?? Number.POSITIVE_INFINITY);
    if (text !== undefined) yield { text, index, isLabel: colon !== undefined || isInAddress };
  }
}

const exponent = /^[-+]?\d+(?:\.\d*)?[eE][-+]?\d+$/;

/** Whether the text of a tensor has a number with an exponent. */
export function hasExponent(value: string): boolean {
  return [...piecesOf(value)].some(({ text, isLabel }) => !isLabel && exponent.test(text));
}

/**
 * Reports what Vespa's schemas do not have in the value of an input or a constant: numbers with an exponent, a `+`, a point at an
 * end, or more than 64 bits, and labels that need quotes there. It refuses them, but of `query(q) double: -1.5e3` it reads -1.5, and
 * another input.
 */
export function reportUnwritable(value: Span, { report }: Reading): void {
  for (const { text, index, isLabel } of piecesOf(textOf(value))) {
    const start = value.start + index;
    const span = { ...value, start, end: start + text.length };
    if (isLabel && !labels.has(kindOf(span))) report(problem("schema/label", span, { text }));
    if (isLabel) continue;
    if (exponent.test(text)) report(problem("schema/exponent", span, { text }));
    else if (number.test(text) && !isReadableNumber(span)) report(problem("schema/number", span, { text }));
  }
}

/** What is a number elsewhere. */
const number = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+|0x[\da-f]+|NaN|Infinity)[fd]?|true|false)$/i;

/** Whether Vespa reads a number in a schema: of whole ones it takes 64 bits. */
export function isReadableNumber(span: Span): boolean {
  const kind = kindOf(span);
  if (kind === "decimal") return true;
  return (kind === "integer" || kind === "long") && isLong(textOf(span).replace("L", ""));
}

const isLong = (digits: string): boolean => BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);

const labels = new Set<LexemeKind | undefined>(["name", "word", "integer", "long", "parameter"]);

/** What Vespa takes a text for, if that is one thing. */
function kindOf(span: Span): LexemeKind | undefined {
  const [lexeme, next] = lexemesOf(span);
  return next === undefined ? lexeme?.kind : undefined;
}
