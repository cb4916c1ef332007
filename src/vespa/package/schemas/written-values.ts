import { type Span, textIn } from "../../../language/source/span.js";
import { type LexemeKind, lexemesOf } from "../model/lexemes.js";
import { problem } from "../model/messages.js";
import type { Reading } from "../model/reading.js";

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
  const isInAddress = withinAddresses(value);
  for (const { 1: text, 2: colon, index } of value.matchAll(pieces))
    if (text !== undefined) yield { text, index, isLabel: isInAddress(index) || colon !== undefined };
}

/** Whether an index lies within an address; it is asked of later and later ones. */
function withinAddresses(value: string): (index: number) => boolean {
  const ranges = Array.from(value.matchAll(addresses), ({ 0: { length }, index }) => ({
    index,
    end: index + length,
  }));
  let at = 0;
  return (index) => {
    while (index >= (ranges[at]?.end ?? Number.POSITIVE_INFINITY)) at++;
    return index > (ranges[at]?.index ?? Number.POSITIVE_INFINITY);
  };
}

const exponent = /^[-+]?\d+(?:\.\d*)?[eE][-+]?\d+$/;

/** Whether the text of a tensor has a number with an exponent. */
export function hasExponent(value: string): boolean {
  return [...piecesOf(value)].some(({ text, isLabel }) => !isLabel && exponent.test(text));
}

/** A finite number without an exponent, and with a decimal point. */
export function decimalText(value: number): string {
  const [mantissa = "", power] = `${Math.abs(value)}`.split("e");
  const sign = value < 0 ? "-" : "";
  if (power === undefined) return `${sign}${mantissa}${Number.isInteger(value) ? ".0" : ""}`;
  const digits = mantissa.replace(".", "");
  const shift = Number(power);
  return shift < 0
    ? `${sign}0.${"0".repeat(-shift - 1)}${digits}`
    : `${sign}${digits.padEnd(shift + 1, "0")}.0`;
}

/**
 * Reports what Vespa's schemas do not have in the value of an input or a constant: numbers with an exponent, a `+`, a point at an
 * end, or more than 64 bits, and labels that need quotes there. It refuses them, but of `query(q) double: -1.5e3` it reads -1.5, and
 * another input.
 */
export function reportUnwritable(value: Span, { report }: Reading): void {
  let left = mostProblems;
  for (const at of strayLineEnds(textIn(value))) {
    const start = value.start + at;
    report(
      problem(
        "schema/line-break",
        { ...value, start, end: start + 1 },
        { behind: textIn(value).slice(at, at + 1) },
      ),
    );
    if (--left === 0) return;
  }
  for (const { text, index, isLabel } of piecesOf(textIn(value))) {
    if ((isLabel ? plainLabel : plainNumber).test(text)) continue;
    const start = value.start + index;
    const span = { ...value, start, end: start + text.length };
    const code = faultOf(span, text, isLabel);
    if (code === undefined) continue;
    report(problem(code, span, { text }));
    if (--left === 0) return;
  }
}

/** Texts in quotes, comments, ends of lines, and all else character by character. */
const characters = /"[^"]*"|'[^']*'|#[^\r\n]*|[\r\n]\s*|\S/g;

/** What stands before the ends of lines that Vespa does not read: all but the colon of a cell, and the comma behind one. */
function* strayLineEnds(value: string): Iterable<number> {
  if (!/[\r\n]/.test(value)) return;
  const isInAddress = withinAddresses(value);
  let before = { text: "", index: 0 };
  for (const { 0: text, index } of value.matchAll(characters)) {
    if (text.startsWith("#")) continue;
    if (!/^[\r\n]/.test(text)) {
      before = { text, index: index + text.length - 1 };
      continue;
    }
    const isRead = before.text === ":" || (before.text === "," && !isInAddress(index));
    if (!isRead && before.text !== "") yield before.index;
    before = { text: "", index };
  }
}

/** What most are: a tensor of a schema may have many. */
const plainNumber = /^-?\d{1,18}(?:\.\d+)?$/;
const plainLabel = /^\w+$/;

/** So many are told of one value. */
const mostProblems = 20;

function faultOf(
  span: Span,
  text: string,
  isLabel: boolean,
): "schema/label" | "schema/exponent" | "schema/number" | undefined {
  if (isLabel) return labels.has(kindOf(span)) ? undefined : "schema/label";
  if (exponent.test(text)) return "schema/exponent";
  return number.test(text) && !isReadableNumber(span) ? "schema/number" : undefined;
}

/** What is a number elsewhere. */
const number = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+|0x[\da-f]+|NaN|Infinity)[fd]?|true|false)$/i;

/** Whether Vespa reads a number in a schema: of whole ones it takes 64 bits. */
export function isReadableNumber(span: Span): boolean {
  const kind = kindOf(span);
  if (kind === "decimal") return true;
  return (kind === "integer" || kind === "long") && isLong(textIn(span).replace("L", ""));
}

/** No whole number of 64 bits has more than 19 digits, but zeros before them. */
const isLong = (digits: string): boolean => {
  const plain = digits.replace(/^(-?)0+(?=\d)/, "$1");
  return plain.length <= 20 && BigInt.asIntN(64, BigInt(plain)) === BigInt(plain);
};

const labels = new Set<LexemeKind | undefined>(["name", "word", "integer", "long", "parameter"]);

/** What Vespa takes a text for, if that is one thing. */
function kindOf(span: Span): LexemeKind | undefined {
  const [lexeme, next] = lexemesOf(span);
  return next === undefined ? lexeme?.kind : undefined;
}
