import type { ScalarBuilder } from "../../language/check/models/scalar-builder.js";
import type { ScalarName } from "../../language/scalar/functions.js";
import { operators } from "../../language/scalar/operators.js";

/** A scalar as it is written, and how tightly its loosest operator binds. */
export interface ScalarText {
  readonly text: string;
  readonly tightness: number;
}

/** What needs no parentheses anywhere. */
export const atom = (text: string): ScalarText => ({ text, tightness: Number.POSITIVE_INFINITY });

const call = (name: string, values: readonly ScalarText[]): ScalarText =>
  atom(`${name}(${values.map(({ text }) => text).join(", ")})`);

/** The operators by the functions that they stand for. */
const infix: ReadonlyMap<ScalarName, { readonly symbol: string; readonly tightness: number }> = new Map(
  Object.entries(operators).map(([symbol, { function: name, tightness }]) => [name, { symbol, tightness }]),
);

const comparison = operators["<"].tightness;
const addition = operators["+"].tightness;

const parenthesised = (text: string): string => `(${text})`;
/** An operand of an operator that binds so tightly. */
const beside = (operand: ScalarText, tightness: number): string =>
  operand.tightness < tightness ? parenthesised(operand.text) : operand.text;
/** The same behind an operator, where another of its kind would have been computed before. */
const behind = (operand: ScalarText, tightness: number): string =>
  operand.tightness <= tightness ? parenthesised(operand.text) : operand.text;

/** Builds texts of the language. */
export const textBuilder: ScalarBuilder<ScalarText> = {
  number: (value) => {
    if (Number.isNaN(value)) return atom("(0 / 0)");
    if (!Number.isFinite(value)) return atom(value > 0 ? "(1 / 0)" : "(-1 / 0)");
    // A sign stands behind comparisons as it is, and in parentheses beside what is added.
    return {
      text: `${value}`,
      tightness: value < 0 ? (comparison + addition) / 2 : Number.POSITIVE_INFINITY,
    };
  },
  apply: (name, values) => {
    const [first, second] = values;
    const operator = infix.get(name);
    if (name === "not" && first !== undefined) return atom(`!${behind(first, Number.MAX_VALUE)}`);
    if (operator === undefined || first === undefined || second === undefined) return call(name, values);
    const { symbol, tightness } = operator;
    return { text: `${beside(first, tightness)} ${symbol} ${behind(second, tightness)}`, tightness };
  },
  select: (condition, yes, no) => call("if", [condition, yes, no]),
  isAmong: (value, items) => {
    const list = items.map((each) =>
      typeof each === "string" ? JSON.stringify(each) : textBuilder.number(each).text,
    );
    return { text: `${beside(value, comparison)} in [${list.join(", ")}]`, tightness: comparison };
  },
  sum: ([first, ...others]) => {
    if (first === undefined) return textBuilder.number(0);
    if (others.length === 0) return first;
    const terms = [beside(first, addition), ...others.map((each) => behind(each, addition))];
    return { text: terms.join(" +\n    "), tightness: addition };
  },
};
