import { Code } from "../assembler/code.js";
import { atMost, count, descriptor, distance, field, locals, words } from "./descriptor.js";
import { finishCode } from "./epilogue.js";
import { type Precision, shifts } from "./lanes.js";
import { type LinesKernel, lineTileCode, sumsAcross } from "./line-tile.js";
import { mendCode, mendIfSuspected } from "./overflow-retry.js";
import { partsOfRows } from "./parts.js";

/**
 * Products of rows with rows: both operands have the cells that are summed next to each other, so nothing is packed. A
 * tile is a few rows of the left and of the right operand; each of its cells is kept in all lanes of a vector, or of
 * several, and the lanes are added up at the end. Where there is a row of each, that is a dot product.
 */

/** Bytes that each thread needs for itself. */
export const linesScratchBytes = 2048;

/** A module of one function, `multiply(descriptor, from, to, left, right, target, scratch)`, which does parts. */
export function linesCodes(kernel: LinesKernel, target: Precision): Code[] {
  const { term, sums } = kernel.arithmetic;
  const isSuspicious = sums === "f32x4";
  return [
    lineTileCode("tile", kernel),
    finishCode("finish", target, sumsAcross(kernel), isSuspicious),
    mendCode("mend", {
      term: term === "hamming" ? "product" : term,
      left: kernel.left,
      right: kernel.right,
      target,
    }),
    multiplyLines(kernel, shifts[target]),
  ];
}

const [tile, finish, mend] = [0, 1, 2];

function multiplyLines(kernel: LinesKernel, targetShift: number): Code {
  const code = new Code("multiply", words(7));
  const [right, scratch] = [4, 6];
  const [leftShift, rightShift] = [shifts[kernel.left], shifts[kernel.right]];
  const rights = Array.from({ length: kernel.columns }, () => code.local("i32"));
  const [column, line, place, columnsHere, rowsHere, last, lastRow] = locals(code, 7);

  /** A place some rows on, or the last one. */
  const clamped = (from: number, offset: number, limit: number): void => {
    code.get(from).i32(offset).do("i32.add").get(limit);
    code.get(from).i32(offset).do("i32.add").get(limit).do("i32.lt_s", "select");
  };
  const parts = { left: leftShift, right: rightShift, target: targetShift };
  partsOfRows(code, parts, ({ leftAt, rightAt, targetAt, row, rows }) => {
    field(code, "columns").i32(1).do("i32.sub").set(last);
    code.get(row).get(rows).do("i32.add").i32(1).do("i32.sub").set(lastRow);
    count(code, { counter: column, limit: () => field(code, "columns"), step: kernel.columns }, () => {
      for (const [each, pointer] of rights.entries()) {
        code.get(rightAt);
        distance(code, "right", "columns", rightShift, () => clamped(column, each, last));
        code.do("i32.add").set(pointer);
      }
      field(code, "columns").get(column).do("i32.sub").set(columnsHere);
      atMost(code, kernel.columns, columnsHere).set(columnsHere);
      count(code, { counter: line, limit: () => code.get(rows), step: kernel.rows }, () => {
        code.get(rows).get(line).do("i32.sub").set(rowsHere);
        atMost(code, kernel.rows, rowsHere).set(rowsHere);
        code.get(row).get(line).do("i32.add").set(place);
        field(code, "sum").get(scratch);
        for (let each = 0; each < kernel.rows; each++) {
          code.get(leftAt);
          distance(code, "left", "rows", leftShift, () => clamped(place, each, lastRow)).do("i32.add");
        }
        for (const pointer of rights) code.get(pointer);
        code.call(tile);
        code.get(descriptor).get(scratch).get(targetAt).get(place).get(column);
        code.get(rowsHere).get(columnsHere).call(finish);
      });
    });
  });
  if (kernel.arithmetic.sums === "f32x4") mendIfSuspected(code, mend, scratch, right);
  return code;
}
