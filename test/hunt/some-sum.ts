import type { Choice } from "./choice.js";

/**
 * A sum as decision D16 allows it to be: within the error of the exact sum, or what comes of an order of adding up in which
 * partial sums are more than a double holds or, of terms that are floats, a float. Several calls may give several values; a
 * sum that is wide has no partial sum that overflows.
 */
export function someSum(
  terms: readonly number[],
  relativeError: number,
  choice: Choice,
  isWide = false,
): number {
  const exact = exactSum(terms);
  if (Number.isNaN(exact)) return exact;
  if (isWide) return nearby(exact, terms, relativeError, choice);
  const most = terms.every(isFloat) ? mostFloat : Number.MAX_VALUE;
  const rises = overflows(
    terms.filter((term) => term > 0),
    most,
  );
  const falls = overflows(
    terms.filter((term) => term < 0),
    most,
  );
  const others: number[] = [];
  if (rises && !terms.includes(Number.NEGATIVE_INFINITY)) others.push(Number.POSITIVE_INFINITY);
  if (falls && !terms.includes(Number.POSITIVE_INFINITY)) others.push(Number.NEGATIVE_INFINITY);
  // Some of the terms go beyond all bounds on one side, and others on the other.
  if (rises && falls) others.push(Number.NaN);
  const other = others[choice.below(others.length + 1)];
  return other ?? nearby(exact, terms, relativeError, choice);
}

/** The exact sum, within the error. */
function nearby(exact: number, terms: readonly number[], relativeError: number, choice: Choice): number {
  if (!Number.isFinite(exact) || terms.every(isPlain)) return exact;
  const error = relativeError * Math.min(exactSum(terms.map(Math.abs)), Number.MAX_VALUE);
  // Terms that cancel each other out may leave nothing at all.
  if (Math.abs(exact) <= error && choice.percent(30)) return 0;
  const sum = exact + (error * choice.between(-1000, 1000)) / 1000;
  // What is added up in floats is one, and so a whole number beyond 2 ** 23, which some functions ask for.
  const mayBeFloat = terms.every(isFloat) && Math.abs(exact - Math.fround(exact)) <= error;
  return mayBeFloat && choice.percent(30) ? Math.fround(sum) : sum;
}

/** The sum that no partial sum overflows: infinite only where a term is, or the sum itself. */
function exactSum(terms: readonly number[]): number {
  const isHuge = terms.some((term) => Math.abs(term) > 2 ** 900);
  const scale = isHuge ? 2 ** -100 : 1;
  let [total, lost] = [0, 0];
  for (const term of terms) {
    const cell = term * scale;
    const sum = total + cell;
    if (Number.isFinite(sum))
      lost += Math.abs(total) >= Math.abs(cell) ? total - sum + cell : cell - sum + total;
    total = sum;
  }
  return (Number.isFinite(total) ? total + lost : total) / scale;
}

/** Whether terms of one sign overflow together; a little less may, where each addition rounds. */
const overflows = (terms: readonly number[], most: number): boolean =>
  Math.abs(exactSum(terms)) > most * (1 - (most === mostFloat ? 1e-6 : 1e-12));

/** The greatest float. */
export const mostFloat = (2 - 2 ** -23) * 2 ** 127;
const isFloat = (value: number): boolean => Math.fround(value) === value;

/** Whether sums of such numbers are the same in any order, of floats too. */
const isPlain = (value: number): boolean => Number.isInteger(value * 64) && Math.abs(value) < 4096;
