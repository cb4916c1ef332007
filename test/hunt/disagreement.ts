import { cellTypes } from "../../src/language/types/cell.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { cellsDiffer } from "../agreement.js";
import { isLong, manyPerturbations, perturbations, type Reference, stepsOfMany } from "./reference.js";
import type { Answer, Outcome, Run } from "./runs.js";
import type { Way } from "./way.js";

/** The reference itself may be at fault. */
export type Kind = "values" | "problems" | "crash" | "endless" | "reference";

/** How a way to run a program differs from the reference. */
export interface Disagreement {
  readonly way: string;
  readonly kind: Kind;
  readonly run: Run;
  readonly message: string;
}

/** The first of these answers that the reference does not give. */
export function disagreementOf(
  way: Way,
  answers: readonly Answer[],
  reference: Reference,
): Disagreement | undefined {
  for (const [at, { run, outcome }] of answers.entries()) {
    const found = difference(outcome, reference, run, way.isLast === true);
    if (found !== undefined)
      return { way: way.name, run, ...found, message: `${found.message} (run ${at + 1})` };
  }
  return undefined;
}

function difference(
  found: Outcome,
  reference: Reference,
  run: Run,
  isLast: boolean,
): Pick<Disagreement, "kind" | "message"> | undefined {
  const expected = reference.outcome(run);
  if (isLong(expected)) return undefined;
  if (expected.kind === "crash" || expected.kind === "endless")
    return { kind: "reference", message: expected.message };
  if (found.kind === "crash" || found.kind === "endless") return found;
  if (found.kind === "problems" || expected.kind === "problems") {
    const [one, other] = [found, expected].map((each) => (each.kind === "problems" ? each.codes : "values"));
    return one === other ? undefined : { kind: "problems", message: `${one} instead of ${other}` };
  }
  const all = expected.values;
  const first = isLast ? reference.results - 1 : 0;
  if (found.values.length < reference.results - first) return { kind: "values", message: "a result too few" };
  for (const [at, value] of found.values.entries()) {
    const message = valueDiffers(value, all[first + at], first + at, reference, run);
    if (message !== undefined) return { kind: "values", message };
  }
  return undefined;
}

function valueDiffers(
  found: Tensor,
  expected: Tensor | undefined,
  at: number,
  reference: Reference,
  run: Run,
): string | undefined {
  if (expected === undefined) return "a result too many";
  // Such a tensor cannot be printed.
  if (found.data.length !== found.rows * found.blockCells)
    return `a ${found.type} of ${found.rows} rows that has ${found.data.length} cells`;
  const message = cellsDiffer(found, expected, { scale: 0, isFloat: false });
  if (message === undefined) return undefined;
  const isExplained = (count: number): boolean => {
    const outcomes = reference.perturbed(run, count);
    const others = outcomes.map((each) => (each.kind === "values" ? each.values[at] : undefined));
    return isWithin(found, [expected, ...others]);
  };
  if (perturbations.some(isExplained)) return undefined;
  return reference.isShort(run, stepsOfMany) && isExplained(manyPerturbations) ? undefined : message;
}

/** Whether a value is as near to these as they are to each other; any is where their addresses differ. */
function isWithin(found: Tensor, others: readonly (Tensor | undefined)[]): boolean {
  const [expected] = others;
  const addresses = ({ type, sizes, labels }: Tensor): string => JSON.stringify([`${type}`, sizes, labels]);
  if (expected === undefined) return true;
  const layouts = others.map((each) => (each === undefined ? "" : addresses(each)));
  if (`${found.type}` !== `${expected.type}`) return false;
  if (layouts.some((each) => each !== layouts[0])) return true;
  if (addresses(found) !== layouts[0]) return false;
  const { width, decaysTo } = cellTypes[expected.type.cellType];
  const tolerance = width === 2 ? 2 ** -7 : decaysTo === "float" ? 1e-6 : 1e-14;
  for (let cell = 0; cell < expected.data.length; cell++) {
    const cells = others.map((each) => each?.at(cell) ?? Number.NaN);
    const value = found.at(cell);
    const [least, most] = [Math.min(...cells), Math.max(...cells)];
    const size = Math.max(Math.abs(least), Math.abs(most));
    const isUnstable = cells.some((each) => Number.isFinite(each) !== Number.isFinite(cells[0]));
    if (
      isUnstable ||
      hasLongTail(cells) ||
      value === cells[0] ||
      cells.some((each) => Object.is(each, value))
    )
      continue;
    const room = 3 * (most - least) + tolerance * size;
    if (!(value >= least - room && value <= most + room)) return false;
  }
  return true;
}

/**
 * Whether no digit of some values is certain, and one may be as far off as it likes, as a tangent of what is off by more
 * than a turn.
 */
function hasLongTail(values: readonly number[]): boolean {
  if (values.length <= Math.max(...perturbations)) return false;
  const middle = middleOf(values);
  const distances = values.map((value) => Math.abs(value - middle));
  const usual = middleOf(distances);
  return usual > Math.abs(middle) / 10 && Math.max(...distances) > 4 * usual;
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
