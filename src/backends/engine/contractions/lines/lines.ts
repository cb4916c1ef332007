import { Code } from "../../assembler/code.js";
import { shiftOf } from "../../kernels/cell-types.js";
import { atMost, count, lesser } from "../../kernels/iteration.js";
import type { Precision } from "../../kernels/precision.js";
import { byteOffset, descriptor, field, locals, words } from "../descriptor.js";
import { overflowRetryCode, retryOnOverflow } from "../overflow-retry.js";
import { forEachPart } from "../parts.js";
import { doubleSums, epilogueCode } from "../tiles/epilogue.js";
import { type LinesKernel, lineTileCode, sumsAcross } from "./line-tile.js";

/**
 * Products of rows with rows: both operands have the cells that are summed next to each other, so nothing is packed. A
 * tile is a few rows of the left and of the right operand; each of its cells is summed in all lanes of a vector, or of
 * several, and the lanes are added up at the end. Where there is a row of each, that is a dot product.
 */

/** Bytes that each thread needs for itself. */
export const linesScratchBytes = 2048;

/** A module of one function, `multiply(descriptor, from, to, left, right, target, scratch)`, which does parts. */
export function linesCodes(kernel: LinesKernel, target: Precision): Code[] {
  const { term, sums } = kernel.arithmetic;
  const checksOverflow = sums === "f32x4";
  return [
    lineTileCode(kernel),
    epilogueCode("epilogue", { target, across: sumsAcross(kernel), sums: doubleSums, checksOverflow }),
    overflowRetryCode({
      term: term === "hamming" ? "product" : term,
      left: kernel.left,
      right: kernel.right,
      target,
    }),
    multiplyLines(kernel, shiftOf(target)),
  ];
}

const [tile, epilogue, retry] = [0, 1, 2];

function multiplyLines(kernel: LinesKernel, targetShift: number): Code {
  const code = new Code("multiply", words(7));
  const scratch = 6;
  const [leftShift, rightShift] = [shiftOf(kernel.left), shiftOf(kernel.right)];
  const rights = Array.from({ length: kernel.columns }, () => code.local("i32"));
  const [column, line, rowIndex, tileColumns, tileRows, last, lastRow] = locals(code, 7);

  /** The row at an offset, or the last one. */
  const clamped = (from: number, offset: number, limit: number): void => {
    const at = (): unknown => code.get(from).i32(offset).do("i32.add");
    lesser(code, at, () => code.get(limit));
  };
  const operandShifts = { left: leftShift, right: rightShift, target: targetShift };
  forEachPart(code, operandShifts, ({ leftAt, rightAt, targetAt, row, rows }) => {
    field(code, "columns").i32(1).do("i32.sub").set(last);
    code.get(row).get(rows).do("i32.add").i32(1).do("i32.sub").set(lastRow);
    count(code, { counter: column, limit: () => field(code, "columns"), step: kernel.columns }, () => {
      for (const [each, pointer] of rights.entries()) {
        code.get(rightAt);
        byteOffset(code, "right", "columns", rightShift, () => clamped(column, each, last));
        code.do("i32.add").set(pointer);
      }
      field(code, "columns").get(column).do("i32.sub").set(tileColumns);
      atMost(code, kernel.columns, tileColumns).set(tileColumns);
      count(code, { counter: line, limit: () => code.get(rows), step: kernel.rows }, () => {
        code.get(rows).get(line).do("i32.sub").set(tileRows);
        atMost(code, kernel.rows, tileRows).set(tileRows);
        code.get(row).get(line).do("i32.add").set(rowIndex);
        field(code, "sum").get(scratch);
        for (let each = 0; each < kernel.rows; each++) {
          code.get(leftAt);
          byteOffset(code, "left", "rows", leftShift, () => clamped(rowIndex, each, lastRow)).do("i32.add");
        }
        for (const pointer of rights) code.get(pointer);
        code.call(tile);
        code.get(descriptor).get(scratch).get(targetAt).get(rowIndex).get(column);
        code.get(tileRows).get(tileColumns).call(epilogue);
      });
    });
  });
  if (kernel.arithmetic.sums === "f32x4") retryOnOverflow(code, retry, scratch);
  return code;
}
