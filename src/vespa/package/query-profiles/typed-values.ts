import { nearest } from "../../../language/source/nearest.js";
import type { Problem, Report } from "../../../language/source/problem.js";
import { fullNames, parameterText, type Query } from "../../documents/query.js";
import { problem } from "../model/messages.js";
import type { NumberType, QueryProfile, TypedNames } from "../model/model.js";
import { nativeAliases } from "./native-type.js";

/** What a query profile type refuses: values that are not the numbers which it says, and names that a strict one does not declare. */

const wholeForm = /^[+-]?\d+$/;
const decimalForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$|^[+-]?(?:NaN|Infinity)$/;

const isWhole = (text: string, bits: number): boolean =>
  wholeForm.test(text) && BigInt.asIntN(bits, wholeIn(text)) === wholeIn(text);
const isDecimal = (text: string): boolean => decimalForm.test(text.trim());
const wholeIn = (text: string): bigint => BigInt(text.replace("+", ""));

interface NumberForms {
  readonly has: (text: string) => boolean;
  /** A value as Vespa writes it where it stands in others. */
  readonly written: (text: string) => string;
}

const wholes = (bits: number): NumberForms => ({
  has: (text) => isWhole(text, bits),
  written: (text) => `${wholeIn(text)}`,
});
const decimals: NumberForms = {
  has: isDecimal,
  written: (text) => decimalText(Number(text.replace(/[fFdD]$/, ""))),
};

/** Any text is one for Vespa. */
const truths: NumberForms = { has: () => true, written: (text) => `${text.toLowerCase() === "true"}` };

const numbers: Readonly<Record<NumberType, NumberForms>> = {
  ...{ integer: wholes(32), long: wholes(64), float: decimals, double: decimals, boolean: truths },
};

export const isNumberType = (type: string): type is NumberType => Object.hasOwn(numbers, type);

/** As Java writes a number: `3.0`, `1.0E10`. */
function decimalText(number: number): string {
  const size = Math.abs(number);
  if (!Number.isFinite(number) || (size > 0 && (size < 1e-3 || size >= 1e7)))
    return number
      .toExponential()
      .replace(/^(-?\d)(?=e)/, "$1.0")
      .replace(/e\+?/, "E");
  return Number.isInteger(number) ? `${Object.is(number, -0) ? "-0" : number}.0` : `${number}`;
}

/** What a parameter has, in the form that its type gives it. */
export function normalised(name: string, text: string, { numbers: types }: TypedNames): string {
  const type = types.get(name);
  return type !== undefined && numbers[type].has(text) ? numbers[type].written(text) : text;
}

/** What the type of a query profile refuses of what the profile says; Vespa puts in `%{name}` after it has looked. */
export function reportFields({ type = "", typed, own, variants }: QueryProfile, report: Report): void {
  for (const { fields } of [own, ...variants])
    for (const [name, { text, span, isReference }] of fields) {
      const undeclared = undeclaredName(name, type, typed);
      if (undeclared !== undefined) report(problem("query/strict-type", span, undeclared));
      const number = typed.numbers.get(name);
      if (number === undefined || isReference || numbers[number].has(text.trim())) continue;
      report(problem("query/value", span, { name, text, type: number }));
    }
}

/** What the type of its query profile refuses of a request. */
export function refusedParameters(query: Query | undefined, { type = "", typed }: QueryProfile): Problem[] {
  return [...(query === undefined ? [] : fullNames(query))].flatMap(([name, value]): Problem[] => {
    const meant = nativeAliases.get(name.toLowerCase()) ?? name;
    const undeclared = undeclaredName(meant, type, typed);
    if (undeclared !== undefined) return [problem("query/strict-type", value.span, { ...undeclared, name })];
    const number = typed.numbers.get(name);
    const text = parameterText(value);
    if (number === undefined || value.kind === "null" || numbers[number].has(text)) return [];
    return [problem("query/value", value.span, { name, text, type: number })];
  });
}

function undeclaredName(name: string, type: string, { declared }: TypedNames) {
  const first = name.split(".", 1)[0] ?? name;
  if (declared === undefined || declared.has(first)) return undefined;
  return { name, type, nearest: nearest(first, declared) };
}
