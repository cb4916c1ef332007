import type { Node } from "../../../../language/core/operations.js";
import { numberAt } from "../../../../language/values/element.js";
import { areIndexLike, isIndexLike } from "../../ir/index-numbers.js";
import { type AxisRows, areSameRows, extremesOf, movedBy, rowAt, rowsOf } from "../../values/rows.js";
import type { Tables } from "../../values/tables.js";
import type { Axis, Value } from "../../values/value.js";
import { isUnsupported, isValue, type Unsupported, unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import { type VaryingLabels, varyingLabels } from "./labels.js";

/**
 * A label that several axes decide, each by a term of its own: `y * 2 + k`, where a window begins and how far in it an element
 * is. Cells at such labels are read with a stride along each of the axes.
 */
export interface IndexSum {
  readonly kind: "sum";
  readonly base: number;
  readonly terms: readonly IndexTerm[];
}

/** What an axis adds to a label, for each of its indexes; 0 for the first. */
export interface IndexTerm {
  readonly axis: Axis;
  readonly rows: AxisRows;
}

interface Summand {
  readonly node: Node;
  readonly factor: number;
}

/**
 * A label as a sum of terms, if that is what its expression is, and all of them are whole: what is rounded on the way would be another
 * number in another order.
 */
export function indexSum(label: Node, scope: Scope, tables: Tables): IndexSum | Unsupported {
  let base = 0;
  const terms = new Map<string, AxisTerms>();
  for (const { node, factor } of summandsOf(label, scope)) {
    const value = valueIn(node, scope);
    if (value === undefined) return unsupported("a label a part of which has no value of its own");
    if (value.source.kind === "constant") {
      base += factor * wholeOrNaN(value.source.value);
      continue;
    }
    const labels = varyingLabels(value, tables);
    if (isUnsupported(labels)) return labels;
    const { axis } = labels;
    const name = axis.name ?? axis.factor.names.join();
    const along = terms.get(name) ?? new AxisTerms(axis);
    along.add(labels, factor);
    terms.set(name, along);
  }
  const found: IndexTerm[] = [];
  for (const along of terms.values()) {
    const { axis } = along;
    if (axis.size === 0) return unsupported("a label along an axis without an index");
    const rows = along.rows();
    if (rows === undefined) return notWhole();
    const first = rowAt(rows, 0);
    base += first;
    found.push({ axis, rows: movedBy(rows, -first) });
  }
  return isIndexLike(base) ? { kind: "sum", base, terms: found } : notWhole();
}

const notWhole = (): Unsupported => unsupported("a label that is no sum of whole numbers");

/** All that one axis adds to a label. */
class AxisTerms {
  private first = 0;
  private step = 0;
  /** What is added beside what is evenly spaced. */
  private numbers: Float64Array | undefined;

  constructor(readonly axis: Axis) {}

  add(labels: VaryingLabels, factor: number): void {
    const { even } = labels;
    if (even !== undefined) {
      this.first += factor * even.first;
      this.step += factor * even.step;
      return;
    }
    const { numbers } = labels;
    const before = this.numbers ?? new Float64Array(numbers.length);
    this.numbers = before.map((each, at) => each + factor * wholeOrNaN(numberAt(numbers, at)));
  }

  /** The sum of all that was added, if all of it is whole. */
  rows(): AxisRows | undefined {
    const { first, step, numbers } = this;
    const line = { first, step, length: this.axis.size };
    if (numbers === undefined) return areIndexLike(line) ? line : undefined;
    const sums = numbers.map((each, at) => each + rowAt(line, at));
    if (!sums.every(isIndexLike)) return undefined;
    return rowsOf(Int32Array.from(sums));
  }
}

/** The least and the greatest sum. */
export function extremesOfSum({ base, terms }: IndexSum): { readonly least: number; readonly most: number } {
  let [least, most] = [base, base];
  for (const { rows } of terms) {
    const [low, high] = extremesOf(rows);
    least += low;
    most += high;
  }
  return { least, most };
}

/** Whether two sums differ by a number alone. */
export const haveSameTerms = ({ terms }: IndexSum, { terms: others }: IndexSum): boolean =>
  terms.length === others.length &&
  terms.every(({ axis, rows }) =>
    others.some((other) => other.axis === axis && areSameRows(rows, other.rows)),
  );

/** Additions, subtractions and whole multiples, taken apart as far as they go; what is left depends on one axis, or is refused. */
function summandsOf(label: Node, scope: Scope): Summand[] {
  const found: Summand[] = [];
  const open: Summand[] = [{ node: label, factor: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, factor } = next;
    const [left, right] = node.op === "apply" ? node.arguments : [];
    const several = (valueIn(node, scope)?.axes.length ?? 0) > 1;
    const name = node.op === "apply" && several ? node.function : undefined;
    if (left === undefined || right === undefined) found.push(next);
    else if (name === "add") open.push({ node: left, factor }, { node: right, factor });
    else if (name === "subtract") open.push({ node: left, factor }, { node: right, factor: -factor });
    else if (name === "multiply") {
      const [a, b] = [constantOf(left, scope), constantOf(right, scope)];
      if (a !== undefined) open.push({ node: right, factor: factor * a });
      else if (b !== undefined) open.push({ node: left, factor: factor * b });
      else found.push(next);
    } else found.push(next);
  }
  return found;
}

/** A number that is rounded in no sum; NaN in place of another, which no sum is whole with. */
const wholeOrNaN = (number: number): number => (isIndexLike(number) ? number : Number.NaN);

function constantOf(node: Node, scope: Scope): number | undefined {
  const source = valueIn(node, scope)?.source;
  return source?.kind === "constant" ? wholeOrNaN(source.value) : undefined;
}

/** The value of a part of a label; absent where the part is inside of what was planned as a whole, as a forest is. */
function valueIn(node: Node, scope: Scope): Value | undefined {
  const planned = scope.get(node);
  return planned !== undefined && isValue(planned) ? planned : undefined;
}
