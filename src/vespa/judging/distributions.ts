import { greatest } from "../../language/source/lists.js";
import { element } from "../../language/values/element.js";
import { numberText } from "../../language/values/text.js";
import { table } from "./table.js";

/** How the values of one function lie over many documents. */
export interface Distribution {
  readonly name: string;
  readonly count: number;
  /** How many are no finite numbers. */
  readonly notFinite: number;
  readonly least: number;
  readonly median: number;
  readonly greatest: number;
  /** How many values lie in each tenth between the least and the greatest. */
  readonly tenths: readonly number[];
}

const bins = 10;

/** How the values of the function with this name lie; those that are not finite are only counted. */
export function distributionOf(name: string, values: readonly number[]): Distribution {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const [least, most] = [at(0), at(sorted.length - 1)];
  const median = between(at((sorted.length - 1) >> 1), at(sorted.length >> 1));
  const tenths = new Array<number>(bins).fill(0);
  for (const value of sorted) {
    const bin = Math.min(bins - 1, Math.floor(partOf(value, least, most) * bins));
    tenths[bin] = element(tenths, bin) + 1;
  }
  const notFinite = values.length - sorted.length;
  return { name, count: values.length, notFinite, least, median, greatest: most, tenths };
}

/** The mean of two numbers, whose sum may be more than a number holds. */
const between = (one: number, other: number): number =>
  Number.isFinite(one + other) ? (one + other) / 2 : one / 2 + other / 2;

/** How far a value is from the least on the way to the greatest. */
function partOf(value: number, least: number, most: number): number {
  if (most === least) return 0;
  const range = most - least;
  return Number.isFinite(range) ? (value - least) / range : (value / 2 - least / 2) / (most / 2 - least / 2);
}

/** How much of all values may lie at one end before a function tells little. */
const crowded = 0.9;

/** What is striking about a distribution: nothing in most cases. */
export function distributionRemark({
  count,
  notFinite,
  least,
  greatest: most,
  tenths,
}: Distribution): string {
  if (notFinite > 0) return `${notFinite} not finite`;
  if (count > 1 && least === most) return "the same for all";
  const [first = 0, last = 0] = [tenths[0], tenths.at(-1)];
  if (count >= 10 && last / count >= crowded) return "almost all near the greatest";
  return count >= 10 && first / count >= crowded ? "almost all near the least" : "";
}

const levels = [..." ▁▂▃▄▅▆▇█"];

/** A line for each, with a picture of the tenths between its least and greatest value. */
export function distributionsText(all: readonly Distribution[]): string {
  const rows = all.map((each) => {
    const most = greatest([1, ...each.tenths]);
    const picture = each.tenths
      .map((count) => element(levels, Math.ceil((count / most) * (levels.length - 1))))
      .join("");
    const numbers = [each.least, each.median, each.greatest].map((value) =>
      numberText(Number(value.toPrecision(6))),
    );
    return [each.name, ...numbers, picture, distributionRemark(each)];
  });
  return table([["function", "least", "median", "greatest", "tenths", ""], ...rows]);
}
