import { wholeLabel } from "../../../language/values/text.js";
import type { Template } from "../expressions/scalar-expression.js";
import type { Fragments } from "./fragments.js";

/** What the labels of computed numbers are made of. */
interface LabelParts extends Pick<Fragments, "number" | "truncate" | "isFiniteNumber"> {
  readonly text: (value: string) => string | undefined;
  readonly asText: Template;
  readonly asInteger: Template;
  /** The digits of a whole number of 2^63 and more. */
  readonly greatWhole: Template;
}

/** The label of a computed number: the digits of its whole part; one that is not finite has that of the least integer of 64 bits. */
export function labelTemplate(parts: LabelParts): Template {
  const { number, truncate, isFiniteNumber, text, asText, asInteger, greatWhole } = parts;
  const other = text(wholeLabel(Number.NaN)) ?? "";
  return (x) =>
    `CASE WHEN abs(${x}) < ${number(2 ** 63)} THEN ${asText(asInteger(truncate(x)))} WHEN ${isFiniteNumber(x)} THEN ${greatWhole(x)} ELSE ${other} END`;
}

/** The power of 2 by which a number of 2^63 and more is divided so that all its bits are a whole number of less than 63. */
export const greatPower = (logarithmOf2: string): string => `floor(${logarithmOf2} - 54)`;

/** The digits of a whole number as a product of decimals of 38 digits; one that has more of them is an error of the engine. */
export const decimalWhole =
  (number: (value: number) => string, text: string): Template =>
  (x) => {
    const power = greatPower(`log2(abs(${x}))`);
    const half = `floor(${power} / ${number(2)})`;
    const factors = [
      `${x} / power(${number(2)}, ${power})`,
      `power(${number(2)}, ${half})`,
      `power(${number(2)}, ${power} - ${half})`,
    ].map((each) => `CAST(CAST(${each} AS BIGINT) AS DECIMAL(38, 0))`);
    return `CAST(${factors.join(" * ")} AS ${text})`;
  };
