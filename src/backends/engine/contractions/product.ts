import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { atMost, count, inPieces } from "../kernels/iteration.js";
import { precisions } from "../kernels/precision.js";
import { accumulateCode } from "./accumulation.js";
import { byteOffset, descriptor, field, locals, words } from "./descriptor.js";
import { doubleSums, epilogueCode } from "./epilogue.js";
import { parametersWith } from "./finish.js";
import { overflowRetryCode, retryOnOverflow } from "./overflow-retry.js";
import { packCode } from "./packing.js";
import { forEachPart, type PartLocals } from "./parts.js";
import {
  type ProductOptions,
  packedAt,
  rowsOfPart,
  spareSumsAt,
  tileSizes,
  totalsAt,
} from "./product-options.js";
import { rowMultiplyCode } from "./row-product.js";
import { columnsOf, tileBytes, tileCode } from "./tile.js";

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
/**
 * A module of two functions. `prepare(descriptor, right, packed)` packs all of the right operand.
 * `multiply(descriptor, from, to, left, packed, target, scratch, right, sources of the finish)` does parts: of each, its rows of the left operand are
 * packed, multiplied by all columns, and stored.
 */
export function productCodes(options: ProductOptions): Code[] {
  const { precision, kernel, left, right, target, isShallow, finish } = options;
  const across = columnsOf(kernel, precision);
  const sizes = tileSizes(options);
  const sums = isShallow ? ({ number: "float", at: spareSumsAt } as const) : doubleSums;
  const checksOverflow = precision === "float";
  return [
    tileCode("tile", precision, kernel, { kind: isShallow ? "shallow" : "packed" }),
    packCode("packLeft", { side: "left", cellType: left, precision, width: sizes.rows }),
    packCode("packRight", { side: "right", cellType: right, precision, width: sizes.columns }),
    epilogueCode("epilogue", { target, across, sums, checksOverflow, turnedRows: kernel.rows, finish }),
    accumulateCode("accumulate", tileBytes(kernel, precision) / 16),
    overflowRetryCode("retry", { term: "product", left, right, target, finish }),
    prepareCode(options),
    options.isAlongRows ? rowMultiplyCode(options) : multiplyCode(options),
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

function multiplyCode({ precision, kernel, left, target, finish }: ProductOptions): Code {
  const { width, shift } = precisions[precision];
  const across = columnsOf(kernel, precision);
  const bytes = tileBytes(kernel, precision);
  const code = new Code("multiply", parametersWith(finish, 8));
  const finishSources = (finish?.sources ?? []).map((_, at) => 8 + at);
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
      atMost(code, kernel.rows, tileRows).get(tileColumns);
      for (const source of finishSources) code.get(source);
      code.call(epilogue);
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
  if (precision === "float") retryOnOverflow(code, retry, scratch, rightOperand, finishSources);
  return code;
}
