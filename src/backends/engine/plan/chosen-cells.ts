import { element } from "../../../language/values/element.js";
import { isHidden } from "../values/axes.js";
import { readAxes, withoutAxes } from "../values/read-axes.js";
import { composed, throughViews, viewed } from "../values/source.js";
import {
  type AxisImage,
  constant,
  type IndexedAxis,
  type Operand,
  type ScalarOperation,
  type Source,
  type Value,
} from "../values/value.js";

/** Cells that are chosen where their labels are an index, and 0 is elsewhere: `if(label == index, cell, 0)`, in a generator say; or ones. */
export interface ChosenCells {
  readonly cells: Value;
  readonly label: Value;
  /** An axis that neither of them depends on. */
  readonly index: IndexedAxis;
}

/** What a value is a choice of, if it is such a choice, and dense. */
export function chosenCells(value: Value): ChosenCells | undefined {
  if (value.axes.some((axis) => axis.factor !== undefined || isHidden(axis))) return undefined;
  const root = throughViews({ source: value.source, images: undefined });
  const [condition = root, yes = one, no = zero] = operandsOf(root, "select");
  if (!isZero(no.source)) return undefined;
  const [left, right] = operandsOf(condition, "equal");
  if (left === undefined || right === undefined) return undefined;
  return chosenBy(value, left, right, yes) ?? chosenBy(value, right, left, yes);
}

/** `label == index` is a choice between these. */
const one: Operand = { source: constant(1).source, images: [] };
const zero: Operand = { source: constant(0).source, images: [] };

function chosenBy(value: Value, index: Operand, label: Operand, cells: Operand): ChosenCells | undefined {
  const axis = indexedAxisOf(value, index);
  if (axis === undefined) return undefined;
  const [ofLabel, ofCells] = [partOf(value, label), partOf(value, cells)];
  const isOfBoth = ofLabel.axes.includes(axis) || ofCells.axes.includes(axis);
  return isOfBoth ? undefined : { cells: ofCells, label: ofLabel, index: axis };
}

/** The axis whose index an operand is. */
function indexedAxisOf({ axes }: Value, { source, images }: Operand): IndexedAxis | undefined {
  if (source.kind !== "index") return undefined;
  const image: AxisImage = images === undefined ? { axis: source.axis } : element(images, source.axis);
  if ("at" in image || image.rows !== undefined) return undefined;
  const axis = element(axes, image.axis);
  return axis.factor === undefined ? axis : undefined;
}

/** An operand along the axes that it depends on. */
function partOf({ axes }: Value, { source, images }: Operand): Value {
  const all = images === undefined ? { axes, source } : viewed(axes, source, images);
  const read = readAxes(all);
  return withoutAxes(
    all,
    axes.filter((axis) => !read.includes(axis)),
  );
}

/** The operands of an operation, seen from where it is; none of another one. */
function operandsOf({ source, images }: Operand, name: "select" | "equal"): readonly Operand[] {
  if (source.kind !== "computed" || !isNamed(source.operation, name)) return [];
  return source.operands.map((operand) =>
    throughViews({ source: operand.source, images: composed(operand.images, images) }),
  );
}

const isNamed = (operation: ScalarOperation, name: "select" | "equal"): boolean =>
  operation.op === "apply" ? operation.function === name : operation.op === name;

const isZero = (source: Source): boolean => source.kind === "constant" && Object.is(source.value, 0);
