import type { NodeOf } from "../../../../language/core/operations.js";
import { intAt } from "../../../../language/values/element.js";
import { selectRows } from "../../sparse/select.js";
import { combined } from "../../values/arithmetic.js";
import { factorAxis } from "../../values/axes.js";
import { viewed } from "../../values/source.js";
import type { Tables } from "../../values/tables.js";
import { type Axis, type AxisImage, constant, type FactorAxis, type Value } from "../../values/value.js";
import type { PlanState } from "../plan-state.js";
import { isUnsupported, type Planned, type Unsupported, unsupported } from "../planned.js";
import { lookUpIndexes, lookUpNames, type SliceLabel } from "./labels.js";

/** A slice at labels that are found while planning, each for itself. */
export function sliceView(
  node: NodeOf<"slice">,
  value: Value,
  labels: ReadonlyMap<string, SliceLabel>,
  state: PlanState,
): Planned {
  const sliced = new SlicedAxes(state.storage.tables);
  for (const axis of value.axes) {
    const image =
      axis.factor === undefined ? sliced.indexed(axis, labels.get(axis.name)) : sliced.rows(axis, labels);
    if (isUnsupported(image)) return image;
    sliced.images.push(image);
  }
  const { axes, images, conditions, isAbsent } = sliced;
  if (isAbsent) return absent(node, axes);
  if (conditions.length > 0 && !node.type.isDense) return unsupported("slices of which some have no rows");
  const cells = viewed(axes, value.source, images);
  return conditions.reduce(
    (masked, condition) => combined({ op: "select" }, [condition, masked, constant(0)]),
    cells,
  );
}

/** What is not there is 0 in a scalar or a dense result, and leaves no row in one with mapped dimensions. */
function absent({ type }: NodeOf<"slice">, axes: readonly Axis[]): Planned {
  return type.isDense ? { axes, source: constant(0).source } : unsupported("a slice without rows");
}

/** The axes of a slice, as those of the sliced value are gone through. */
class SlicedAxes {
  readonly axes: Axis[] = [];
  readonly images: AxisImage[] = [];
  /** Which indexes of hidden axes have a label that is there. */
  readonly conditions: Value[] = [];
  isAbsent = false;
  /** Of the indexed axes, by their names. */
  private readonly positions = new Map<string, number>();

  constructor(private readonly tables: Tables) {}

  /** The image of an indexed axis, at a label or at none. */
  indexed(axis: Axis, label: SliceLabel | undefined): AxisImage | Unsupported {
    if (label === undefined) return { axis: this.addAxis(axis) };
    if (label.kind === "uniform") {
      const index = Number(label.text);
      const isPresent = index >= 0 && index < axis.size;
      if (!isPresent) this.isAbsent = true;
      return { at: isPresent ? index : 0 };
    }
    const lookup = lookUpIndexes(label, axis.size, this.tables);
    if (isUnsupported(lookup)) return lookup;
    if (lookup.condition !== undefined) this.conditions.push(lookup.condition);
    return { axis: this.addAxis(label.axis), rows: lookup.rows };
  }

  /** The image of a factor, of which some dimensions have labels. */
  rows(axis: FactorAxis, labels: ReadonlyMap<string, SliceLabel>): AxisImage | Unsupported {
    const { factor } = axis;
    const texts = new Map<string, string>();
    for (const name of factor.names) {
      const label = labels.get(name);
      if (label?.kind === "varying") return this.lookUpRow(axis, label);
      if (label !== undefined) texts.set(name, label.text);
    }
    if (texts.size === 0) return { axis: this.addAxis(axis) };
    const selected = selectRows(factor, texts);
    if (selected.factor !== undefined)
      return { axis: this.addAxis(factorAxis(selected.factor)), rows: selected.rows };
    const [row = this.absentRow()] = selected.rows;
    return { at: row };
  }

  /** A label for each index of a hidden axis: rows are found one by one, of factors of that dimension alone. */
  private lookUpRow(
    { factor }: FactorAxis,
    label: Extract<SliceLabel, { kind: "varying" }>,
  ): AxisImage | Unsupported {
    const [dictionary] = factor.index.dictionaries;
    const [column] = factor.index.columns;
    if (factor.names.length > 1 || dictionary === undefined || column === undefined)
      return unsupported("computed labels of several mapped dimensions");
    if (factor.index.rows === 0) return { at: this.absentRow() };
    const rows = rowsOfIds(column, dictionary.size);
    const rowOf = (text: string): number => {
      const id = dictionary.id(text);
      return id < 0 ? -1 : intAt(rows, id);
    };
    const lookup = lookUpNames(label, factor.index.rows, rowOf, this.tables);
    if (isUnsupported(lookup)) return lookup;
    if (lookup.condition !== undefined) this.conditions.push(lookup.condition);
    return { axis: this.addAxis(label.axis), rows: lookup.rows };
  }

  /** Any row: what is absent is not read. */
  private absentRow(): number {
    this.isAbsent = true;
    return 0;
  }

  /** Where an axis is; one that is there already is the same. */
  private addAxis(axis: Axis): number {
    const at = axis.factor === undefined ? this.positions.get(axis.name) : this.positionOf(axis);
    if (at !== undefined) return at;
    const added = this.axes.push(axis) - 1;
    if (axis.factor === undefined) this.positions.set(axis.name, added);
    return added;
  }

  private positionOf({ factor }: FactorAxis): number | undefined {
    const names = factor.names.join();
    const at = this.axes.findIndex(
      (each) => each.factor?.index === factor.index && each.factor.names.join() === names,
    );
    return at < 0 ? undefined : at;
  }
}

/** The row of each label of a dictionary, in the only column of an index; −1 of those that it does not have. */
function rowsOfIds(column: Int32Array, labels: number): Int32Array {
  const rows = new Int32Array(labels).fill(-1);
  for (let row = 0; row < column.length; row++) rows[intAt(column, row)] = row;
  return rows;
}
