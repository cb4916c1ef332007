import type { ScalarName } from "../../../../language/scalar/functions.js";
import { type CellType, cellTypes } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { combined } from "../../values/arithmetic.js";
import { readAxes, withoutAxes } from "../../values/read-axes.js";
import { composed, throughViews, viewed } from "../../values/source.js";
import {
  type Axis,
  type AxisImage,
  constant,
  type IndexedAxis,
  type Operand,
  type ScalarOperation,
  type Source,
  type Value,
} from "../../values/value.js";

/** Where an indicator is 1, and the axes of it that the cells which it chooses do not depend on. */
export interface Indicator {
  readonly apart: readonly Axis[];
}

/** Reads an indicator, or what is 0 where that is 1; nothing where an operand is none of its kind. */
export type IndicatorReader<I extends Indicator> = (
  value: Value,
  condition: Operand,
  isNegated: boolean,
) => I | undefined;

/** Cells where an indicator is 1, and a number elsewhere: `if(j <= t, cell, 0)`, in a generator say; or ones. */
export interface IndicatedCells<I extends Indicator> {
  readonly cells: Value;
  readonly indicator: I;
  readonly otherwise: number;
  /** Whether zeros come of products, `cell * (j <= t)`, which are NaN where the cell is not finite. */
  readonly isProduct: boolean;
}

export const isDense = ({ axes }: Value): boolean => axes.every(({ factor }) => factor === undefined);

/** What a value is a choice of, if it is such a choice. */
export function choiceIn<I extends Indicator>(
  value: Value,
  read: IndicatorReader<I>,
): IndicatedCells<I> | undefined {
  const root = throughViews({ source: value.source, images: undefined });
  const inner = throughStore(root);
  if (inner === undefined) return choiceOf(value, root, read);
  const chosen = choiceOf(value, inner.operand, read);
  // Whole numbers do not tell any more which products were not finite.
  const { cellType } = inner.operation;
  if (chosen === undefined || (chosen.isProduct && !holdsInfinity(cellType))) return undefined;
  const otherwise = cellTypes[cellType].store(chosen.otherwise);
  return { ...chosen, otherwise, cells: combined(inner.operation, [chosen.cells]) };
}

const holdsInfinity = (cellType: CellType): boolean =>
  cellTypes[cellType].store(Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY;

function choiceOf<I extends Indicator>(
  value: Value,
  root: Operand,
  read: IndicatorReader<I>,
): IndicatedCells<I> | undefined {
  const factor = indicatedFactor(value, root, read, 0);
  if (factor !== undefined) return { ...factor, otherwise: 0, isProduct: true };
  const { condition, yes, no } = branchesOf(root);
  for (const [branch, other, isNegated] of [
    [yes, no, false],
    [no, yes, true],
  ] as const) {
    if (other.source.kind !== "constant") continue;
    const indicator = read(value, unstored(condition), isNegated);
    const cells = partOf(value, branch);
    if (indicator === undefined || !isApart(indicator, cells)) continue;
    return { cells, indicator, otherwise: other.source.value, isProduct: false };
  }
  return undefined;
}

/** The branches of a choice, of which the first is taken where the condition is 1; an indicator is a choice of ones. */
function branchesOf(root: Operand): {
  readonly condition: Operand;
  readonly yes: Operand;
  readonly no: Operand;
} {
  const [condition, yes, no] = operandsOf(root, "select");
  if (condition === undefined || yes === undefined || no === undefined)
    return { condition: differingFromZero(root) ?? root, yes: one, no: zero };
  const differing = differingFromZero(condition);
  if (differing !== undefined) return { condition: differing, yes, no };
  const [equal, other] = operandsOf(condition, "equal");
  const isTurned = equal !== undefined && other !== undefined && isZero(other.source) && isZero(yes.source);
  return isTurned ? { condition: equal, yes: no, no: yes } : { condition, yes, no };
}

/** What is compared with 0, as an indicator that stays one. */
function differingFromZero(condition: Operand): Operand | undefined {
  const [differing, toZero] = operandsOf(condition, "notEqual");
  return toZero !== undefined && isZero(toZero.source) ? differing : undefined;
}

const one: Operand = { source: constant(1).source, images: [] };
const zero: Operand = { source: constant(0).source, images: [] };

/** Products are looked through so deep. */
const mostNested = 4;

/** The factor of a product that is an indicator, and the product of the others. */
function indicatedFactor<I extends Indicator>(
  value: Value,
  root: Operand,
  read: IndicatorReader<I>,
  nested: number,
): Pick<IndicatedCells<I>, "cells" | "indicator"> | undefined {
  const factors = nested > mostNested ? [] : operandsOf(root, "multiply");
  for (const [at, factor] of factors.entries()) {
    const indicator = read(value, unstored(factor), false);
    const inner = indicator
      ? { indicator, cells: undefined }
      : indicatedFactor(value, factor, read, nested + 1);
    if (inner === undefined) continue;
    const other = partOf(value, element(factors, 1 - at));
    if (!isApart(inner.indicator, other)) continue;
    if (inner.cells === undefined) return { ...inner, cells: other };
    const both = at === 0 ? [inner.cells, other] : [other, inner.cells];
    return { ...inner, cells: combined({ op: "apply", function: "multiply" }, both) };
  }
  return undefined;
}

/** Whether a value has none of the axes of an indicator that are apart. */
const isApart = ({ apart }: Indicator, { axes }: Value): boolean =>
  !apart.some((axis) => axes.includes(axis));

/** The axis whose index an operand is. */
export function indexedAxisOf({ axes }: Value, { source, images }: Operand): IndexedAxis | undefined {
  if (source.kind !== "index") return undefined;
  const image: AxisImage = images === undefined ? { axis: source.axis } : element(images, source.axis);
  if ("at" in image || image.rows !== undefined) return undefined;
  const axis = element(axes, image.axis);
  return axis.factor === undefined ? axis : undefined;
}

/** An operand along the axes that it depends on. */
export function partOf({ axes }: Value, { source, images }: Operand): Value {
  const all = images === undefined ? { axes, source } : viewed(axes, source, images);
  const read = readAxes(all);
  return withoutAxes(
    all,
    axes.filter((axis) => !read.includes(axis)),
  );
}

/** The operands of an operation, seen from where it is; none of another one. */
export function operandsOf({ source, images }: Operand, name: "select" | ScalarName): readonly Operand[] {
  if (source.kind !== "computed" || !isNamed(source.operation, name)) return [];
  return source.operands.map((operand) => seen(operand, images));
}

/** What is stored in cells of a type, which hold zeros and ones as they are. */
function throughStore({ source, images }: Operand) {
  if (source.kind !== "computed" || source.operation.op !== "store") return undefined;
  return { operation: source.operation, operand: seen(element(source.operands, 0), images) };
}

const unstored = (operand: Operand): Operand => throughStore(operand)?.operand ?? operand;

const seen = (operand: Operand, images: Operand["images"]): Operand =>
  throughViews({ source: operand.source, images: composed(operand.images, images) });

const isNamed = (operation: ScalarOperation, name: string): boolean =>
  operation.op === "apply" ? operation.function === name : operation.op === name;

const isZero = (source: Source): boolean => source.kind === "constant" && Object.is(source.value, 0);
