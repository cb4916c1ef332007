import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { count } from "../kernels/iteration.js";
import { precisions } from "../kernels/precision.js";
import type { Arena } from "../memory/arena.js";
import { byteOffset, field, locals, words } from "./descriptor.js";
import { overflowRetryCode } from "./overflow-retry.js";
import { packCode } from "./packing/packing.js";
import { forEachDepth } from "./parts.js";
import { type ProductOptions, rowsOfPart, tileSizes, tileSumsAt } from "./product-options.js";
import { accumulateCode, accumulateFloatsCode } from "./tiles/accumulation.js";
import { doubleSums, epilogueCode } from "./tiles/epilogue.js";
import { rowMultiplyCode } from "./tiles/row-product.js";
import { tileCode } from "./tiles/tile.js";
import { columnsOf, tileBytes } from "./tiles/tile-kernel.js";
import { tileMultiplyCode } from "./tiles/tile-product.js";

const fewestRows = 24;

/**
 * The rows of a part, a multiple of a kernel's: parts are of about the same size. Where there is enough to do for several threads, two
 * and four of them get as many.
 */
export function panelsOf(
  rows: number,
  kernelRows: number,
  work: number,
  { isShared }: Arena,
): { readonly panels: number; readonly panelRows: number } {
  const fewest = Math.ceil(rows / rowsOfPart);
  const isDivided = isShared && work >= workOfThreads && rows >= 2 * fewestRows;
  const even = isDivided ? Math.min(Math.ceil(fewest / 4) * 4, Math.floor(rows / fewestRows)) : fewest;
  const panelRows = Math.ceil(rows / Math.max(fewest, even) / kernelRows) * kernelRows;
  return { panels: Math.ceil(rows / panelRows), panelRows };
}

/** From so many operations on, threads may share them. */
const workOfThreads = 1_000_000;
/**
 * A module of two functions. `prepare(descriptor, right, packed)` packs all of the right operand.
 * `multiply(descriptor, from, to, left, packed, target, scratch, sources of the finish)` does parts: of each, its rows of the left operand are
 * packed, multiplied by all columns, and stored.
 */
export function productCodes(options: ProductOptions): Code[] {
  const { precision, kernel, left, right, target, isShallow, finish } = options;
  const across = columnsOf(kernel, precision);
  const sizes = tileSizes(options);
  const sums = isShallow ? ({ number: "float", at: tileSumsAt.float } as const) : doubleSums;
  const checksOverflow = precision === "float";
  return [
    tileCode("tile", precision, kernel, { kind: "packed" }),
    packCode("packLeft", { side: "left", cellType: left, precision, width: sizes.rows }),
    packCode("packRight", { side: "right", cellType: right, precision, width: sizes.columns }),
    epilogueCode("epilogue", { target, across, sums, checksOverflow, turnedRows: kernel.rows, finish }),
    precision === "double"
      ? accumulateCode("accumulate", tileBytes(kernel, precision) / 16)
      : accumulateFloatsCode("accumulate", kernel.rows * kernel.vectors),
    overflowRetryCode({ term: "product", left, right: { columns: sizes.columns }, target, finish }),
    prepareCode(options),
    options.isAlongRows ? rowMultiplyCode(options) : tileMultiplyCode(options),
  ];
}

const packRight = 2;

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
