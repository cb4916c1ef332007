import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { atMost, count, inPieces } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import { accumulateCode } from "./accumulation.js";
import { byteOffset, descriptor, field, locals, words } from "./descriptor.js";
import { doubleSums, epilogueCode } from "./epilogue.js";
import { overflowRetryCode, retryOnOverflow } from "./overflow-retry.js";
import { packCode } from "./packing.js";
import { forEachPart, type PartLocals } from "./parts.js";
import { columnsOf, type TileKernel, tileBytes, tileCode } from "./tile.js";

/** What the module of a matrix product is compiled for; sizes and strides are passed when it runs. */
export interface ProductOptions {
  readonly precision: Precision;
  readonly kernel: TileKernel;
  readonly left: CellType;
  readonly right: CellType;
  readonly target: Precision;
  /** Whether sums are so short that they are added up in the target's floats alone. */
  readonly isShallow: boolean;
}

/** How long sums may be that need no doubles. */
export const shallowDepth = chains.float.stretch;

/** Rows that are packed together, a multiple of each kernel's rows: a part of a product. */
export const rowsOfPart = 96;
const fewestRows = 24;

/**
 * The rows of a part, a multiple of a kernel's. Where there is enough to do for several threads, parts are of about the
 * same size, and two and four threads get as many of them.
 */
export function panelsOf(
  rows: number,
  kernelRows: number,
  work: number,
): { readonly panels: number; readonly panelRows: number } {
  const fewest = Math.ceil(rows / rowsOfPart);
  if (work < workOfThreads || rows < 2 * fewestRows) return { panels: fewest, panelRows: rowsOfPart };
  const even = Math.min(Math.ceil(fewest / 4) * 4, Math.floor(rows / fewestRows));
  const panelRows = Math.ceil(rows / Math.max(fewest, even) / kernelRows) * kernelRows;
  return { panels: Math.ceil(rows / panelRows), panelRows };
}

/** From so many operations on, threads may share them. */
const workOfThreads = 1_000_000;
/** How much of the sum is packed at once: panels of it stay in the first cache, all of a part in the second. */
export const depthOf: Readonly<Record<Precision, number>> = { double: 256, float: 512 };
/** Columns that a part goes through at once where the sum takes several turns, so that its totals stay near. */
export const slabColumns = 512;

const spareSumsAt = 2048;
const packedAt = 4096;
const totalsAt = packedAt + rowsOfPart * 2048 + 64;

/** Bytes that each thread needs for itself. */
export function scratchBytes({ kernel, precision }: ProductOptions, columns: number, sum: number): number {
  if (sum <= depthOf[precision]) return totalsAt;
  const across = columnsOf(kernel, precision);
  const tiles = (rowsOfPart / kernel.rows) * Math.ceil(Math.min(columns, slabColumns) / across);
  return totalsAt + 2 * tiles * tileBytes(kernel, precision);
}

/**
 * A module of two functions. `prepare(descriptor, right, packed)` packs all of the right operand.
 * `multiply(descriptor, from, to, left, packed, target, scratch, right)` does parts: of each, its rows of the left operand are
 * packed, multiplied by all columns, and stored.
 */
export function productCodes(options: ProductOptions): Code[] {
  const { precision, kernel, left, right, target, isShallow } = options;
  const across = columnsOf(kernel, precision);
  const sums = isShallow ? ({ number: "float", at: spareSumsAt } as const) : doubleSums;
  const checksOverflow = precision === "float";
  return [
    tileCode("tile", precision, kernel, { kind: isShallow ? "shallow" : "packed" }),
    packCode("packLeft", { side: "left", cellType: left, precision, width: kernel.rows }),
    packCode("packRight", { side: "right", cellType: right, precision, width: across }),
    epilogueCode("epilogue", { target, across, sums, checksOverflow, turnedRows: kernel.rows }),
    accumulateCode("accumulate", tileBytes(kernel, precision) / 16),
    overflowRetryCode("retry", { term: "product", left, right, target }),
    prepareCode(options),
    multiplyCode(options),
  ];
}

const [tile, packLeft, packRight, epilogue, accumulate, retry] = [0, 1, 2, 3, 4, 5];

/** Walks along the sum in steps of the packing's depth. */
const forEachDepth = (code: Code, from: number, depth: number, body: () => void): void =>
  inPieces(
    code,
    { from, length: depth, limit: () => field(code, "sum"), most: () => field(code, "depth") },
    body,
  );

function prepareCode({ right, precision }: ProductOptions): Code {
  const code = new Code("prepare", words(3));
  const [source, packed] = [1, 2];
  const [batch, from, depth] = locals(code, 3);
  const batches = (): void => {
    field(code, "batch").i32(1);
    field(code, "packedBatch").do("select");
  };
  count(code, { counter: batch, limit: batches }, () =>
    forEachDepth(code, from, depth, () => {
      code.get(0).get(source);
      byteOffset(code, "right", "batch", shiftOf(right), () => code.get(batch)).do("i32.add");
      code.get(packed);
      field(code, "packedBatch").get(batch).do("i32.mul", "i32.add");
      field(code, "padded").get(from).do("i32.mul").i32(precisions[precision].shift).do("i32.shl", "i32.add");
      code.i32(0);
      field(code, "columns").get(from).get(depth).call(packRight);
    }),
  );
  return code;
}

function multiplyCode({ precision, kernel, left, target }: ProductOptions): Code {
  const { width, shift } = precisions[precision];
  const across = columnsOf(kernel, precision);
  const bytes = tileBytes(kernel, precision);
  const code = new Code("multiply", words(8));
  const [scratch, rightOperand] = [6, 7];
  const [slab, slabSize, from, depth, column, line, total, panel, rightPanel] = locals(code, 9);
  const [tileRows, tileColumns, isLast, isSinglePass] = locals(code, 4);

  const multiplyTile = ({ targetAt, row, rows }: PartLocals): void => {
    code
      .get(depth)
      .get(panel)
      .get(rightPanel)
      .get(scratch)
      .get(scratch)
      .i32(spareSumsAt)
      .do("i32.add")
      .call(tile);
    code
      .get(panel)
      .get(depth)
      .i32(kernel.rows * width)
      .do("i32.mul", "i32.add")
      .set(panel);
    code
      .get(isSinglePass)
      .do("i32.eqz")
      .if(() => {
        code.get(scratch).get(total).get(from).do("i32.eqz").get(isLast).call(accumulate);
        code.advance(total, 2 * bytes);
      });
    code.get(isLast).if(() => {
      code.get(rows).get(line).do("i32.sub").set(tileRows);
      code.get(descriptor).get(scratch).get(targetAt).get(row).get(line).do("i32.add");
      code.get(slab).get(column).do("i32.add");
      atMost(code, kernel.rows, tileRows).get(tileColumns).call(epilogue);
    });
  };

  const multiplyBlock = (part: PartLocals): void => {
    const { leftAt, rightAt, row, rows } = part;
    code.get(from).get(depth).do("i32.add");
    field(code, "sum").do("i32.ge_s").set(isLast);
    // Where all of the sum is packed at once, the rows stay packed for all slabs.
    code
      .get(slab)
      .do("i32.eqz")
      .get(isSinglePass)
      .do("i32.eqz", "i32.or")
      .if(() => {
        code.get(descriptor).get(leftAt).get(scratch).i32(packedAt).do("i32.add");
        code.get(row).get(rows).get(from).get(depth).call(packLeft);
      });
    code.get(scratch).i32(totalsAt).do("i32.add").set(total);
    count(code, { counter: column, limit: () => code.get(slabSize), step: across }, () => {
      code.get(rightAt);
      field(code, "padded").get(from).do("i32.mul").i32(shift).do("i32.shl", "i32.add");
      code.get(slab).get(column).do("i32.add").get(depth).do("i32.mul").i32(shift).do("i32.shl", "i32.add");
      code.set(rightPanel);
      code.get(slabSize).get(column).do("i32.sub").set(tileColumns);
      atMost(code, across, tileColumns).set(tileColumns);
      code.get(scratch).i32(packedAt).do("i32.add").set(panel);
      count(code, { counter: line, limit: () => code.get(rows), step: kernel.rows }, () =>
        multiplyTile(part),
      );
    });
  };

  field(code, "sum");
  field(code, "depth").do("i32.le_s").set(isSinglePass);
  forEachPart(code, { left: shiftOf(left), right: "packed", target: shiftOf(target) }, (part) => {
    const slabs = {
      from: slab,
      length: slabSize,
      limit: () => field(code, "columns"),
      most: () => field(code, "slab"),
    };
    inPieces(code, slabs, () => forEachDepth(code, from, depth, () => multiplyBlock(part)));
  });
  if (precision === "float") retryOnOverflow(code, retry, scratch, rightOperand);
  return code;
}
