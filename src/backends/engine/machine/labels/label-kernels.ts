import { type CellType, cellTypes } from "../../../../language/types/cell.js";
import { element } from "../../../../language/values/element.js";
import { cellsOf } from "../../../../language/values/shape.js";
import { Code } from "../../assembler/code.js";
import { compiledPerArena } from "../../kernels/compilation.js";
import { countDown } from "../../kernels/iteration.js";
import type { Slot } from "../../loop.js";
import type { Arena } from "../../memory/arena.js";
import type { BufferAccess, BufferStride, ScatterAggregator } from "../../values/value.js";
import { PartOffsets } from "../part-offsets.js";
import type { SlottedLabel } from "./label-walk.js";
import { cellCopies, cellFoldings, type PartCode, runCopy, vectorBytes } from "./part-code.js";

/** Cells, or runs of them, that are moved by one label each, a row of such parts at a time: in WebAssembly it takes a fraction of the time. */

/** So few single cells are not worth a module of their own. */
const fewParts = 1024;

/** Nor are so few runs. */
const fewRuns = 64;

/** Where cells are read or written: along the axes, and how far from those at label 0. */
export interface MovedCells extends Pick<BufferAccess, "offset" | "strides"> {
  readonly slot: Slot;
  readonly stride: BufferStride;
}

/** Parts whose cells are moved: those of some sizes, the last of which is that of a row. */
export interface MovedParts {
  readonly kind: "gather" | `scatter ${ScatterAggregator}`;
  readonly sizes: readonly number[];
  /** How many cells each part has; they lie one behind the other in both. */
  readonly length: number;
  readonly labels: readonly SlottedLabel[];
  readonly cellType: CellType;
  readonly from: MovedCells;
  readonly into: MovedCells;
}

/** What moves the cells of the parts from one on, to before another; nothing of parts that no kernel is for. */
export function rowMover(
  parts: MovedParts,
  arena: Arena,
): ((first: number, end: number) => void) | undefined {
  const { sizes, labels, from, into } = parts;
  const [label] = labels;
  const row = sizes.at(-1);
  const few = parts.length === 1 ? fewParts : fewRuns;
  if (label === undefined || labels.length > 1 || row === undefined || cellsOf(sizes) < few) return undefined;
  const [ofLabels, ofSources, ofTargets] = [
    rowsOf({ ...label.access, slot: label.slot, stride: 0 }, sizes),
    rowsOf(from, sizes),
    rowsOf(into, sizes),
  ];
  const { name, length } = kernelOf(parts);
  const kernel = kernelsOn(arena)?.functions[name];
  if (kernel === undefined || !ofLabels || !ofSources || !ofTargets) return undefined;
  const offsets = new PartOffsets(sizes.slice(0, -1));
  return (first, end) => {
    for (let part = first; part < end; ) {
      const index = offsets.moveToRow(part, row);
      const count = Math.min(row - index, end - part);
      const labelled = ofLabels(offsets, index);
      const source = ofSources(offsets, index);
      const target = ofTargets(offsets, index);
      kernel(
        labelled.address,
        labelled.step,
        label.size,
        source.address,
        source.step,
        source.stride,
        target.address,
        target.step,
        target.stride,
        count,
        length,
      );
      part += count;
    }
  };
}

/** Where a row goes on at an index, how far the next cell is, and how far cells are for each label, in bytes. */
interface Row {
  readonly address: number;
  readonly step: number;
  readonly stride: number;
}

/** The rows of cells; nothing where those of a row do not lie evenly. */
function rowsOf(
  { slot, offset, strides, stride }: MovedCells,
  { length }: readonly number[],
): ((offsets: PartOffsets, index: number) => Row) | undefined {
  const step = element(strides, length - 1);
  if (typeof step !== "number" || typeof stride !== "number") return undefined;
  return (offsets, index) => {
    const { address, cells } = slot.block;
    const bytes = cells.BYTES_PER_ELEMENT;
    const first = offset + offsets.along(strides) + step * index;
    return { address: address + bytes * first, step: bytes * step, stride: bytes * stride };
  };
}

/** The kernel of parts that are so long, and how long a part is in its unit; the name may be of none. */
function kernelOf({ kind, cellType, length }: MovedParts): {
  readonly name: string;
  readonly length: number;
} {
  const name = `${kind} ${cellType}`;
  if (length === 1) return { name, length };
  if (kind !== "gather") return { name: `${name} runs`, length };
  const bytes = length * cellTypes[cellType].width;
  return { name: bytes < vectorBytes ? "" : "gather runs", length: bytes };
}

const kernelsOn = compiledPerArena(() => [
  ...Object.entries(cellCopies).map(([cellType, part]) => labelKernel(`gather ${cellType}`, part)),
  labelKernel("gather runs", runCopy),
  ...cellFoldings.flatMap(({ aggregator, cellType, ofCell, ofRun }) => [
    labelKernel(`scatter ${aggregator} ${cellType}`, ofCell),
    labelKernel(`scatter ${aggregator} ${cellType} runs`, ofRun),
  ]),
]);

/**
 * `(labels, labelStep, size, from, fromStep, fromStride, into, intoStep, intoStride, count, length)`: labels are doubles, whose fraction is
 * dropped.
 */
function labelKernel(name: string, { move, skip }: PartCode): Code {
  const code = new Code(name, ["i32", "i32", "f64", ...Array.from({ length: 8 }, () => "i32" as const)]);
  const [labels, labelStep, size] = [0, 1, 2];
  const [from, fromStep, fromStride] = [3, 4, 5];
  const [into, intoStep, intoStride, count, length] = [6, 7, 8, 9, 10];
  const [label, index] = [code.local("f64"), code.local("i32")];
  const part = { from: code.local("i32"), into: code.local("i32"), length };
  const atLabel = (start: number, stride: number): Code =>
    code.get(start).get(index).get(stride).do("i32.mul", "i32.add");
  const advance = (cells: number, step: number): Code => code.get(cells).get(step).do("i32.add").set(cells);
  countDown(code, count, () => {
    code.get(labels).memory("f64.load").tee(label).f64(-1).do("f64.gt");
    code.get(label).get(size).do("f64.lt", "i32.and");
    code.if(
      () => {
        code.get(label).do("i32.trunc_sat_f64_s").set(index);
        atLabel(from, fromStride).set(part.from);
        atLabel(into, intoStride).set(part.into);
        move(code, part);
      },
      () => {
        if (skip === undefined) return;
        code.get(into).set(part.into);
        skip(code, part);
      },
    );
    advance(labels, labelStep);
    advance(from, fromStep);
    advance(into, intoStep);
  });
  return code;
}
