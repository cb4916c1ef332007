import { cellsPerRow, SliceMeter, type Slices } from "../../language/limits/slices.js";
import type { Dimension } from "../../language/types/type.js";
import { mostCells } from "../../language/values/data/build.js";
import { element, textAt } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { CellColumns, indexOf } from "../from-cells.js";
import { memberNumber, numberOf } from "./numbers.js";
import type { Reading } from "./reading.js";
import type { JsonValue } from "./value.js";

/**
 * The cells form: every cell with its address, `[{"address":{"x":"a"},"value":2.0}, …]`, or as results are written,
 * `[[{"x":"a"},2.0], …]`, or for one dimension `{"a":2.0, …}`. Cells of a dense block that are not given are 0.
 */

/** Cells, and where they stand in the text. */
interface Draft {
  readonly columns: CellColumns;
  readonly cells: JsonValue[];
}

/** A tensor of its cells, in slices. */
export function* readCells(cells: JsonValue, reading: Reading): Slices<Tensor | undefined> {
  const draft: Draft = { columns: new CellColumns(reading.type), cells: [] };
  const meter = new SliceMeter();
  if (cells.kind === "array")
    for (const cell of cells.items()) {
      addVerbose(draft, cell, reading);
      if (meter.isFull(cellsPerRow)) yield;
    }
  else yield* addShort(draft, cells, reading, meter);
  if (!reading.isSound) return undefined;
  const most = reading.cells ?? Math.max(mostCells, draft.columns.count);
  return yield* draft.columns.slices(most, {
    ofSize: (count) => reading.report(cells, { kind: "most cells", count: most }, { kind: "cells", count }),
    ofRepeat: (cell, earlier) =>
      reading.reportRepeat(element(draft.cells, cell), element(draft.cells, earlier), "own cell"),
  });
}

function addVerbose(draft: Draft, cell: JsonValue, reading: Reading): void {
  if (cell.kind === "array") return addPair(draft, cell, reading);
  if (cell.kind !== "object") return reading.report(cell, "cell");
  const labels = labelsOf(cell, reading.type.dimensions, reading);
  const value = memberNumber(cell, "value", reading);
  if (labels !== undefined) addCell(draft, cell, labels, value, reading);
}

/** An address and a number. */
function addPair(draft: Draft, cell: JsonValue, reading: Reading): void {
  const [address, value, ...more] = cell.items();
  if (address?.kind !== "object" || value === undefined || more.length > 0)
    return reading.report(cell, "cell");
  const labels = labelsIn(address, reading.type.dimensions, reading);
  const number = numberOf(value, reading);
  if (labels !== undefined) addCell(draft, cell, labels, number, reading);
}

/** An object by label, each label once. Without members it is any tensor without cells. */
function* addShort(draft: Draft, cells: JsonValue, reading: Reading, meter: SliceMeter): Slices<void> {
  const { type } = reading;
  const values = cells.kind === "object" ? [...cells.items()] : undefined;
  if (values === undefined || (values.length > 0 && type.rank !== 1))
    return reading.report(cells, { kind: "cells", type });
  for (const cell of values) {
    addCell(draft, cell, [`${cell.key}`], numberOf(cell, reading), reading);
    if (meter.isFull(cellsPerRow)) yield;
  }
}

/** The labels of a cell or block, whose address must name each of these dimensions, and no other; in their order. */
export function labelsOf(
  owner: JsonValue,
  dimensions: readonly Dimension[],
  reading: Reading,
): readonly string[] | undefined {
  const address = owner.member("address");
  if (address === undefined && dimensions.length === 0) return [];
  if (address?.kind !== "object")
    return reading.reportMember(owner, "address", { kind: "address", dimensions: namesOf(dimensions) });
  return labelsIn(address, dimensions, reading);
}

function labelsIn(
  address: JsonValue,
  dimensions: readonly Dimension[],
  reading: Reading,
): readonly string[] | undefined {
  const labels = dimensions.map((): string | undefined => undefined);
  for (const label of address.items()) {
    const at = dimensions.findIndex(({ name }) => name === label.key);
    if (at < 0) {
      const expected = { kind: "dimension", dimensions: namesOf(dimensions), type: reading.type } as const;
      return reading.report(label, expected, { kind: "text", text: `${label.key}` });
    }
    const isNumber = reading.hasNumberLabels && Number.isInteger(label.number);
    labels[at] = isNumber ? label.label : label.string;
  }
  if (labels.every((each) => each !== undefined)) return labels;
  const lacking = dimensions[labels.indexOf(undefined)]?.name ?? "";
  return reading.reportMember(address, lacking, "label");
}

const namesOf = (dimensions: readonly Dimension[]): readonly string[] => dimensions.map(({ name }) => name);

/** Adds a cell, the indexes among its labels as numbers. */
function addCell(
  draft: Draft,
  cell: JsonValue,
  all: readonly string[],
  value: number,
  reading: Reading,
): void {
  const { dimensions, isSparse } = reading.type;
  draft.cells.push(cell);
  if (isSparse) return draft.columns.add(all, [], value);
  const labels: string[] = [];
  const indexes: number[] = [];
  for (const [at, { name, kind, size }] of dimensions.entries()) {
    const label = textAt(all, at);
    const index = kind === "mapped" ? 0 : indexOf(label, size);
    if (index === undefined) {
      const found = cell.member("address")?.member(name) ?? cell;
      return reading.report(found, { kind: "index", size }, { kind: "text", text: label });
    }
    if (kind === "mapped") labels.push(label);
    else indexes.push(index);
  }
  draft.columns.add(labels, indexes, value);
}
