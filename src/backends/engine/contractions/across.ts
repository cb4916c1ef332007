import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { atMost, whileAtLeast } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import { byteOffset, descriptor, field, isContiguous, locals, words } from "./descriptor.js";
import { doubleSums, epilogueCode } from "./epilogue.js";
import { overflowRetryCode, retryOnOverflow } from "./overflow-retry.js";
import { forEachPart } from "./parts.js";
import { tileCode } from "./tile.js";

/**
 * Products whose right operand has the columns of the target next to each other and is not worth packing: a vector times
 * a matrix, and small matrices. A few rows at a time, a few vectors of columns are added up while going down the matrix.
 */
export interface AcrossKernel {
  /** The tallest first; the last one, of one or two rows, does what the others leave. */
  readonly tiles: readonly AcrossTiles[];
  readonly fused: boolean;
  readonly precision: Precision;
  readonly left: CellType;
  readonly right: CellType;
  readonly target: Precision;
}

interface AcrossTiles {
  readonly rows: 1 | 2 | 4;
  /** How many vectors are added up at once, falling to 1: what is left of a row goes through the smaller ones. */
  readonly breadths: readonly number[];
}

const spareSumsAt = 1024;
/** Bytes that each thread needs for itself. */
export const acrossScratchBytes = 2048;

/** A module of one function, `multiply(descriptor, from, to, left, right, target, scratch)`, which does parts. */
export function acrossCodes(options: AcrossKernel): Code[] {
  const { fused, precision, left, right, target } = options;
  const tiles = (kind: "strided" | "short"): Code[] =>
    shapesOf(options).map(({ rows, vectors }) =>
      tileCode(`${kind}${rows}×${vectors}`, precision, { rows, vectors, fused }, { kind, left, right }),
    );
  const perVector = precisions[precision].count;
  return [
    ...tiles("strided"),
    ...tiles("short"),
    ...breadthsOf(options).map((vectors) =>
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

const shapesOf = ({ tiles }: AcrossKernel): { readonly rows: number; readonly vectors: number }[] =>
  tiles.flatMap(({ rows, breadths }) => breadths.map((vectors) => ({ rows, vectors })));

const breadthsOf = (kernel: AcrossKernel): number[] => [
  ...new Set(shapesOf(kernel).map(({ vectors }) => vectors)),
];

function multiplyAcross(kernel: AcrossKernel): Code {
  const { tiles, precision, left, right, target } = kernel;
  const lane = precisions[precision];
  const targetShift = shiftOf(target);
  const code = new Code("multiply", words(7));
  const scratch = 6;
  const [line, column, rowIndex, remaining, tileRows] = locals(code, 5);
  const [isShort, leftStep, rightStep, columns] = locals(code, 4);
  const tallest = Math.max(...tiles.map(({ rows }) => rows));
  const leftRows = Array.from({ length: tallest }, () => code.local("i32"));
  const targetRows = Array.from({ length: Math.max(2, tallest) }, () => code.local("i32"));
  const [shapes, breadths] = [shapesOf(kernel), breadthsOf(kernel)];
  const epiloguesFrom = 2 * shapes.length;

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
    const remainingRows = (): Code => code.get(rows).get(line).do("i32.sub");
    /** The rows of this turn; of one that there is not, the last one again. */
    const setRows = (height: number): void => {
      remainingRows().set(tileRows);
      atMost(code, height, tileRows).set(tileRows);
      for (let further = height - 1; further >= 0; further--) {
        code.get(tileRows).i32(1).do("i32.sub").set(rowIndex);
        code.get(row).get(line).do("i32.add");
        if (further > 0) atMost(code, further, rowIndex).do("i32.add");
        code.set(rowIndex);
        rowAddress("left", element(leftRows, further));
        rowAddress("target", element(targetRows, further));
      }
    };
    const inputs = (): void => {
      field(code, "sum").get(element(leftRows, 0));
      code.get(rightAt).get(column).i32(shiftOf(right)).do("i32.shl", "i32.add");
    };
    const steps = (height: number): void => {
      code.get(leftStep).get(rightStep);
      for (const each of leftRows.slice(1, height)) code.get(each);
    };
    const targetsInto = (addresses: readonly number[]): void => {
      for (const each of addresses) code.get(each).get(column).i32(targetShift).do("i32.shl", "i32.add");
    };
    const exact = (height: number, shape: number): void => {
      inputs();
      targetsInto(targetRows.slice(0, 2));
      steps(height);
      targetsInto(targetRows.slice(2, height));
      code.get(scratch).call(shapes.length + shape);
    };
    const general = (height: number, shape: number, vectors: number): void => {
      inputs();
      code.get(scratch).get(scratch).i32(spareSumsAt).do("i32.add");
      steps(height);
      code.call(shape);
      code.get(columns).get(column).do("i32.sub").set(remaining);
      code.get(descriptor).get(scratch).get(targetAt).get(rowIndex).get(column).get(tileRows);
      atMost(code, vectors * lane.count, remaining).call(epiloguesFrom + breadths.indexOf(vectors));
    };
    code.i32(0).set(line);
    for (const { rows: height, breadths: own } of tiles) {
      const isLastTile = height <= 2;
      whileAtLeast(code, isLastTile ? 1 : height, remainingRows, { counter: line, step: height }, () => {
        setRows(height);
        code.i32(0).set(column);
        for (const vectors of own) {
          const wide = vectors * lane.count;
          const isLast = vectors === 1;
          const remainingColumns = (): Code => code.get(columns).get(column).do("i32.sub");
          const shape = shapes.findIndex((each) => each.rows === height && each.vectors === vectors);
          whileAtLeast(code, isLast ? 1 : wide, remainingColumns, { counter: column, step: wide }, () => {
            code.get(isShort);
            if (isLast) remainingColumns().i32(wide).do("i32.ge_s", "i32.and");
            code.if(
              () => exact(height, shape),
              () => general(height, shape, vectors),
            );
          });
        }
      });
    }
  });
  if (precision === "float") retryOnOverflow(code, epiloguesFrom + breadths.length, scratch);
  return code;
}
