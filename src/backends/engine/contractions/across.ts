import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { atMost, count } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import { byteOffset, descriptor, field, isContiguous, locals, words } from "./descriptor.js";
import { doubleSums, epilogueCode } from "./epilogue.js";
import { overflowRetryCode, retryOnOverflow } from "./overflow-retry.js";
import { forEachPart } from "./parts.js";
import { tileCode } from "./tile.js";

/**
 * Products whose right operand has the columns of the target next to each other and is not worth packing: a vector times
 * a matrix, and small matrices. One or two rows at a time, a few vectors of columns are added up while going down the
 * matrix.
 */
export interface AcrossKernel {
  readonly rows: 1 | 2;
  /** How many vectors are added up at once, falling to 1: what is left of a row goes through the smaller ones. */
  readonly breadths: readonly number[];
  readonly fused: boolean;
  readonly precision: Precision;
  readonly left: CellType;
  readonly right: CellType;
  readonly target: Precision;
}

const spareSumsAt = 1024;
/** Bytes that each thread needs for itself. */
export const acrossScratchBytes = 2048;

/** A module of one function, `multiply(descriptor, from, to, left, right, target, scratch)`, which does parts. */
export function acrossCodes(options: AcrossKernel): Code[] {
  const { rows, breadths, fused, precision, left, right, target } = options;
  const tiles = (kind: "strided" | "short"): Code[] =>
    breadths.map((vectors) => {
      const kernel = { rows, vectors, fused };
      return tileCode(`${kind}${vectors}`, precision, kernel, { kind, left, right });
    });
  const perVector = precisions[precision].count;
  return [
    ...tiles("strided"),
    ...tiles("short"),
    ...breadths.map((vectors) =>
      epilogueCode(`epilogue${vectors}`, {
        target,
        across: vectors * perVector,
        sums: doubleSums,
        checksOverflow: precision === "float",
      }),
    ),
    overflowRetryCode({ term: "product", left, right, target }),
    multiplyAcross(options),
  ];
}

function multiplyAcross({ rows: height, breadths, precision, left, right, target }: AcrossKernel): Code {
  const lane = precisions[precision];
  const targetShift = shiftOf(target);
  const code = new Code("multiply", words(7));
  const scratch = 6;
  const [line, column, rowIndex, leftRow, targetRow, remaining, tileRows] = locals(code, 7);
  const [isShort, leftStep, rightStep, columns, leftSecond, targetSecond] = locals(code, 6);

  field(code, "left.sum.stride").set(leftStep);
  field(code, "right.sum.stride").set(rightStep);
  field(code, "columns").set(columns);
  // A chain that is short enough ends in the target itself.
  isContiguous(code, "target", "columns", targetShift);
  field(code, "sum")
    .i32(precision === target ? chains[precision].ofContractions : 0)
    .do("i32.le_s", "i32.and")
    .set(isShort);
  const operandShifts = { left: shiftOf(left), right: shiftOf(right), target: targetShift };
  forEachPart(code, operandShifts, ({ leftAt, rightAt, targetAt, row, rows }) => {
    const rowAddress = (side: "left" | "target", to: number): void => {
      code.get(side === "left" ? leftAt : targetAt);
      byteOffset(code, side, "rows", operandShifts[side], () => code.get(rowIndex))
        .do("i32.add")
        .set(to);
    };
    /** The rows of this turn; a second one that there is not is the first one again. */
    const setRows = (): void => {
      code.get(rows).get(line).do("i32.sub").set(tileRows);
      atMost(code, height, tileRows).set(tileRows);
      code.get(row).get(line).do("i32.add").get(tileRows).do("i32.add").i32(1).do("i32.sub").set(rowIndex);
      if (height === 2) {
        rowAddress("left", leftSecond);
        rowAddress("target", targetSecond);
        code.get(row).get(line).do("i32.add").set(rowIndex);
      }
      rowAddress("left", leftRow);
      rowAddress("target", targetRow);
    };
    const inputs = (): void => {
      field(code, "sum").get(leftRow);
      code.get(rightAt).get(column).i32(shiftOf(right)).do("i32.shl", "i32.add");
    };
    const steps = (): void => {
      code.get(leftStep).get(rightStep);
      if (height === 2) code.get(leftSecond);
    };
    const exact = (at: number): void => {
      inputs();
      for (const each of [targetRow, targetSecond])
        code.get(each).get(column).i32(targetShift).do("i32.shl", "i32.add");
      steps();
      code.get(scratch).call(breadths.length + at);
    };
    const general = (at: number, wide: number): void => {
      inputs();
      code.get(scratch).get(scratch).i32(spareSumsAt).do("i32.add");
      steps();
      code.call(at);
      code.get(columns).get(column).do("i32.sub").set(remaining);
      code.get(descriptor).get(scratch).get(targetAt).get(rowIndex).get(column).get(tileRows);
      atMost(code, wide, remaining).call(2 * breadths.length + at);
    };
    count(code, { counter: line, limit: () => code.get(rows), step: height }, () => {
      setRows();
      code.i32(0).set(column);
      for (const [at, vectors] of breadths.entries()) {
        const wide = vectors * lane.count;
        const isLast = vectors === 1;
        const remainingColumns = (): Code => code.get(columns).get(column).do("i32.sub");
        code.block(() =>
          code.loop(() => {
            remainingColumns()
              .i32(isLast ? 1 : wide)
              .do("i32.lt_s")
              .branchIf(1);
            code.get(isShort);
            if (isLast) remainingColumns().i32(wide).do("i32.ge_s", "i32.and");
            code.if(
              () => exact(at),
              () => general(at, wide),
            );
            code.advance(column, wide).branch();
          }),
        );
      }
    });
  });
  if (precision === "float") retryOnOverflow(code, 3 * breadths.length, scratch);
  return code;
}
