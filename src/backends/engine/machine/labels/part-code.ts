import { type CellType, cellTypes } from "../../../../language/types/cell.js";
import type { Code } from "../../assembler/code.js";
import type { MemoryInstruction, WasmInstruction } from "../../assembler/instructions.js";
import { whileAtLeast } from "../../kernels/iteration.js";
import type { ScatterAggregator } from "../../values/value.js";

/** What WebAssembly does with a part that a label moves: a cell, or a run of cells that lie one behind the other. */

/** The locals of a part: where its first cell is read and written, and how long its run is, in the unit of the kernel. */
export interface MovedLocals {
  readonly from: number;
  readonly into: number;
  readonly length: number;
}

/** The code for a part. */
export interface PartCode {
  readonly move: (code: Code, part: MovedLocals) => unknown;
  /** What is done where its label is not there: `from` has no meaning then, and `into` is that at label 0. */
  readonly skip?: (code: Code, part: MovedLocals) => unknown;
}

/** How a cell is copied: as bits, of which all are 0 where its label is not there. */
const cellCopy = (zero: "f64" | "i32", load: MemoryInstruction, store: MemoryInstruction): PartCode => ({
  move: (code, { from, into }) => code.get(into).get(from).memory(load).memory(store),
  skip: (code, { into }) => code.get(into)[zero](0).memory(store),
});

// biome-ignore format: a table
export const cellCopies: Partial<Record<CellType, PartCode>> = {
  double: cellCopy("f64", "f64.load",     "f64.store"),
  float:  cellCopy("i32", "i32.load",     "i32.store"),
  int:    cellCopy("i32", "i32.load",     "i32.store"),
  short:  cellCopy("i32", "i32.load16_u", "i32.store16"),
  int8:   cellCopy("i32", "i32.load8_u",  "i32.store8"),
};

/** How a cell is loaded that is folded into a double, and two of them. */
interface FoldedCell {
  readonly load: (code: Code) => Code;
  readonly loadTwo: (code: Code) => Code;
}

// biome-ignore format: a table
const foldedCells: Readonly<Record<"double" | "float", FoldedCell>> = {
  double: { load: (code) => code.memory("f64.load"),                       loadTwo: (code) => code.memory("v128.load") },
  float:  { load: (code) => code.memory("f32.load").do("f64.promote_f32"), loadTwo: (code) => code.memory("v128.load64_zero").do("f64x2.promote_low_f32x4") },
};

/** What folds a cell into a total, both in two lanes: as the reference does it, so that NaN is ignored and the first of two zeros stays. */
const foldings = { sum: "f64x2.add", max: "f64x2.pmax", min: "f64x2.pmin" } as const satisfies Readonly<
  Record<ScatterAggregator, WasmInstruction>
>;

export interface Folding {
  readonly aggregator: ScatterAggregator;
  readonly cellType: CellType;
  /** Of a cell that is folded into a double. */
  readonly ofCell: PartCode;
  /** Of a run of cells that are folded into doubles, two at a time. Its length is in cells. */
  readonly ofRun: PartCode;
}

export const cellFoldings: readonly Folding[] = (["sum", "max", "min"] as const).flatMap((aggregator) =>
  (["double", "float"] as const).map((cellType) => {
    const foldCell = (code: Code, part: MovedLocals): unknown =>
      aggregator === "sum" ? addCell(code, part, cellType) : extremeCell(code, part, cellType, aggregator);
    const foldRun = (code: Code, part: MovedLocals): void =>
      foldByTwo(code, part, cellType, foldings[aggregator], foldCell);
    return { aggregator, cellType, ofCell: { move: foldCell }, ofRun: { move: foldRun } };
  }),
);

function foldByTwo(
  code: Code,
  part: MovedLocals,
  cellType: keyof typeof foldedCells,
  folding: WasmInstruction,
  foldCell: PartCode["move"],
): void {
  const at = code.local("i32");
  const { from, into, length } = part;
  code.i32(0).set(at);
  whileAtLeast(
    code,
    2,
    () => code.get(length).get(at).do("i32.sub"),
    { counter: at, step: 2 },
    () => {
      code.get(into).get(into).memory("v128.load");
      foldedCells[cellType].loadTwo(code.get(from)).do(folding).memory("v128.store");
      code.advance(from, 2 * cellTypes[cellType].width).advance(into, 2 * cellTypes.double.width);
    },
  );
  code
    .get(at)
    .get(length)
    .do("i32.lt_s")
    .if(() => foldCell(code, part));
}

const addCell = (code: Code, { from, into }: MovedLocals, cellType: keyof typeof foldedCells): Code =>
  foldedCells[cellType]
    .load(code.get(into).get(into).memory("f64.load").get(from))
    .do("f64.add")
    .memory("f64.store");

/** No instruction on single numbers chooses as `pmax` does. */
function extremeCell(
  code: Code,
  { from, into }: MovedLocals,
  cellType: keyof typeof foldedCells,
  aggregator: "max" | "min",
): Code {
  const total = code.get(into).get(into).memory("f64.load").do("f64x2.splat");
  foldedCells[cellType].load(total.get(from)).do("f64x2.splat", foldings[aggregator]);
  return code.lane("f64x2.extract_lane", 0).memory("f64.store");
}

/** So many bytes are a vector. */
export const vectorBytes = 16;
const vectorsPerTurn = 4;

/** A run of cells of any kind, of at least a vector, as bits, which are 0 where its label is not there. Its length is in bytes. */
export const runCopy: PartCode = {
  move: (code, part) =>
    eachVector(code, part, (offset) =>
      code.get(part.into).get(part.from).memory("v128.load", offset).memory("v128.store", offset),
    ),
  skip: (code, part) => {
    const zeros = code.local("v128");
    eachVector(code, part, (offset) => code.get(part.into).get(zeros).memory("v128.store", offset));
  },
};

/** The vectors of a run, some in a turn; the last may have bytes of the one before it, too. */
function eachVector(
  code: Code,
  { from, into, length }: MovedLocals,
  body: (offset: number) => unknown,
): void {
  const [at, last] = [code.local("i32"), code.local("i32")];
  const advanced = (bytes: number) => code.advance(from, bytes).advance(into, bytes);
  const remaining = () => code.get(length).get(at).do("i32.sub");
  code.i32(0).set(at);
  for (const bytes of [vectorsPerTurn * vectorBytes, vectorBytes])
    whileAtLeast(code, bytes, remaining, { counter: at, step: bytes }, () => {
      for (let offset = 0; offset < bytes; offset += vectorBytes) body(offset);
      advanced(bytes);
    });
  remaining().i32(vectorBytes).do("i32.sub").set(last);
  for (const cells of [from, into]) code.get(cells).get(last).do("i32.add").set(cells);
  body(0);
}
