import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { cellsOf } from "../../../language/values/shape.js";
import { Code } from "../assembler/code.js";
import type { MemoryInstruction } from "../assembler/instructions.js";
import { compiledPerArena } from "../kernels/compilation.js";
import { countDown } from "../kernels/iteration.js";
import type { Slot } from "../loop.js";
import type { Arena } from "../memory/arena.js";
import type { BufferAccess, BufferStride } from "../values/value.js";
import type { SlottedLabel } from "./label-walk.js";
import { PartOffsets } from "./part-offsets.js";

/** Single cells that are moved by one label each, a row at a time: in WebAssembly it takes a fraction of the time. */

/** So few parts are not worth a module of their own. */
const fewParts = 1024;

/** Where cells are read or written: along the axes, and how far from those at label 0. */
export interface MovedCells extends Pick<BufferAccess, "offset" | "strides"> {
  readonly slot: Slot;
  readonly stride: BufferStride;
}

/** Parts whose cells are moved: those of some sizes, the last of which is that of a row. */
export interface MovedParts {
  readonly kind: "gather" | "scatter";
  readonly sizes: readonly number[];
  readonly labels: readonly SlottedLabel[];
  readonly cellType: CellType;
  readonly from: MovedCells;
  readonly into: MovedCells;
}

/** What moves the cells of the parts from one on, to before another; nothing of parts that no kernel is for. */
export function rowMover(
  { kind, sizes, labels, cellType, from, into }: MovedParts,
  arena: Arena,
): ((first: number, end: number) => void) | undefined {
  const [label] = labels;
  const row = sizes.at(-1);
  if (label === undefined || labels.length > 1 || row === undefined || cellsOf(sizes) < fewParts)
    return undefined;
  const [ofLabels, ofSources, ofTargets] = [
    rowsOf({ ...label.access, slot: label.slot, stride: 0 }, sizes),
    rowsOf(from, sizes),
    rowsOf(into, sizes),
  ];
  const kernel = kernelsOn(arena)?.functions[`${kind} ${cellType}`];
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

/** How a cell is copied: as bits, of which all are 0 where its label is not there. */
interface CellCopy {
  readonly zero: "f64" | "i32";
  readonly load: MemoryInstruction;
  readonly store: MemoryInstruction;
}

// biome-ignore format: a table
const copies: Partial<Record<CellType, CellCopy>> = {
  double: { zero: "f64", load: "f64.load",     store: "f64.store" },
  float:  { zero: "i32", load: "i32.load",     store: "i32.store" },
  int:    { zero: "i32", load: "i32.load",     store: "i32.store" },
  short:  { zero: "i32", load: "i32.load16_u", store: "i32.store16" },
  int8:   { zero: "i32", load: "i32.load8_u",  store: "i32.store8" },
};

/** How a cell is loaded that is added to a double. */
const terms: Partial<Record<CellType, (code: Code) => Code>> = {
  double: (code) => code.memory("f64.load"),
  float: (code) => code.memory("f32.load").do("f64.promote_f32"),
};

const kernelsOn = compiledPerArena(() => [
  ...Object.entries(copies).map(([cellType, { zero, load, store }]) =>
    labelKernel(`gather ${cellType}`, {
      move: (pushFrom, pushInto) => {
        pushInto();
        pushFrom().memory(load).memory(store);
      },
      skip: (code, into) => code.get(into)[zero](0).memory(store),
    }),
  ),
  ...Object.entries(terms).map(([cellType, load]) =>
    labelKernel(`scatter ${cellType}`, {
      move: (pushFrom, pushInto) => {
        pushInto();
        pushInto().memory("f64.load");
        load(pushFrom()).do("f64.add").memory("f64.store");
      },
    }),
  ),
]);

/** What is done with a part: at the addresses of its cells where its label is there, and otherwise at that at label 0. */
interface PartCode {
  readonly move: (pushFrom: () => Code, pushInto: () => Code) => void;
  readonly skip?: (code: Code, into: number) => unknown;
}

/** `(labels, labelStep, size, from, fromStep, fromStride, into, intoStep, intoStride, count)`: labels are doubles, whose fraction is dropped. */
function labelKernel(name: string, { move, skip }: PartCode): Code {
  const code = new Code(name, ["i32", "i32", "f64", "i32", "i32", "i32", "i32", "i32", "i32", "i32"]);
  const [labels, labelStep, size] = [0, 1, 2];
  const [from, fromStep, fromStride] = [3, 4, 5];
  const [into, intoStep, intoStride, count] = [6, 7, 8, 9];
  const [label, index] = [code.local("f64"), code.local("i32")];
  const address = (start: number, stride: number) => (): Code =>
    code.get(start).get(index).get(stride).do("i32.mul", "i32.add");
  const advance = (cells: number, step: number): Code => code.get(cells).get(step).do("i32.add").set(cells);
  countDown(code, count, () => {
    code.get(labels).memory("f64.load").tee(label).f64(-1).do("f64.gt");
    code.get(label).get(size).do("f64.lt", "i32.and");
    code.if(
      () => {
        code.get(label).do("i32.trunc_sat_f64_s").set(index);
        move(address(from, fromStride), address(into, intoStride));
      },
      () => skip?.(code, into),
    );
    advance(labels, labelStep);
    advance(from, fromStep);
    advance(into, intoStep);
  });
  return code;
}
