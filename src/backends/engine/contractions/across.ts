import { greatest } from "../../../language/source/lists.js";
import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { atMost, whileAtLeast } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import { byteOffset, descriptor, field, isContiguous, locals, words } from "./descriptor.js";
import { overflowRetryCode, retryOnOverflow } from "./overflow-retry.js";
import { forEachPart, type PartLocals } from "./parts.js";
import { doubleSums, epilogueCode } from "./tiles/epilogue.js";
import { tileCode } from "./tiles/tile.js";

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

/** `multiply`, a few rows at a time: what of a row is wide enough goes through the tiles of several vectors. */
function multiplyAcross(kernel: AcrossKernel): Code {
  const { precision, left, right, target } = kernel;
  const code = new Code("multiply", words(7));
  const shifts = { left: shiftOf(left), right: shiftOf(right), target: shiftOf(target) };
  const call = new AcrossCall(kernel, code, shifts);
  call.prepare();
  forEachPart(code, shifts, (part) => {
    code.i32(0).set(call.line);
    for (const { rows: height, breadths } of kernel.tiles) {
      const least = height <= 2 ? 1 : height;
      whileAtLeast(
        code,
        least,
        () => call.remainingRows(part),
        { counter: call.line, step: height },
        () => {
          call.setRows(part, height);
          code.i32(0).set(call.column);
          for (const vectors of breadths) call.columns(part, height, vectors);
        },
      );
    }
  });
  const retry = call.epiloguesFrom + breadthsOf(kernel).length;
  if (precision === "float") retryOnOverflow(code, retry, scratch);
  return code;
}

/** Where a thread has memory of its own. */
const scratch = 6;

/** The locals of `multiply`, and what it calls for the tiles of some rows. */
class AcrossCall {
  readonly line: number;
  readonly column: number;
  readonly epiloguesFrom: number;
  private readonly rowIndex: number;
  private readonly remaining: number;
  private readonly tileRows: number;
  private readonly isShort: number;
  private readonly leftStep: number;
  private readonly rightStep: number;
  private readonly width: number;
  private readonly leftRows: readonly number[];
  private readonly targetRows: readonly number[];
  private readonly shapes: ReturnType<typeof shapesOf>;

  constructor(
    private readonly kernel: AcrossKernel,
    private readonly code: Code,
    private readonly shifts: Readonly<Record<"left" | "right" | "target", number>>,
  ) {
    [this.line, this.column, this.rowIndex, this.remaining, this.tileRows] = locals(code, 5);
    [this.isShort, this.leftStep, this.rightStep, this.width] = locals(code, 4);
    const tallest = greatest(kernel.tiles.map(({ rows }) => rows));
    const ofRows = (count: number): number[] => Array.from({ length: count }, () => code.local("i32"));
    this.leftRows = ofRows(tallest);
    this.targetRows = ofRows(Math.max(2, tallest));
    this.shapes = shapesOf(kernel);
    this.epiloguesFrom = 2 * this.shapes.length;
  }

  /** Reads what all parts share. */
  prepare(): void {
    const { code } = this;
    const { precision, target } = this.kernel;
    field(code, "left.sum.stride").set(this.leftStep);
    field(code, "right.sum.stride").set(this.rightStep);
    field(code, "columns").set(this.width);
    // A chain that is short enough ends in the target itself.
    isContiguous(code, "target", "columns", this.shifts.target);
    field(code, "sum")
      .i32(precision === target ? chains[precision].ofContractions : 0)
      .do("i32.le_s", "i32.and")
      .set(this.isShort);
  }

  remainingRows({ rows }: PartLocals): Code {
    return this.code.get(rows).get(this.line).do("i32.sub");
  }

  /** The rows of this turn; of one that there is not, the last one again. */
  setRows(part: PartLocals, height: number): void {
    const { code, rowIndex, tileRows } = this;
    this.remainingRows(part).set(tileRows);
    atMost(code, height, tileRows).set(tileRows);
    for (let further = height - 1; further >= 0; further--) {
      code.get(tileRows).i32(1).do("i32.sub").set(rowIndex);
      code.get(part.row).get(this.line).do("i32.add");
      if (further > 0) atMost(code, further, rowIndex).do("i32.add");
      code.set(rowIndex);
      this.setRow("left", part.leftAt, element(this.leftRows, further));
      this.setRow("target", part.targetAt, element(this.targetRows, further));
    }
  }

  private setRow(side: "left" | "target", from: number, to: number): void {
    const { code, shifts } = this;
    code.get(from);
    byteOffset(code, side, "rows", shifts[side], () => code.get(this.rowIndex))
      .do("i32.add")
      .set(to);
  }

  /** As many columns of the rows as are whole vectors of a breadth; all that are left where that is 1. */
  columns(part: PartLocals, height: number, vectors: number): void {
    const { code, kernel, shapes, column } = this;
    const wide = vectors * precisions[kernel.precision].count;
    const isLast = vectors === 1;
    const remaining = (): Code => code.get(this.width).get(column).do("i32.sub");
    const shape = shapes.findIndex((each) => each.rows === height && each.vectors === vectors);
    whileAtLeast(code, isLast ? 1 : wide, remaining, { counter: column, step: wide }, () => {
      code.get(this.isShort);
      if (isLast) remaining().i32(wide).do("i32.ge_s", "i32.and");
      code.if(
        () => this.toTarget(part, height, shape),
        () => this.byEpilogue(part, height, shape, vectors),
      );
    });
  }

  /** A tile whose sums go to the target as they are. */
  private toTarget(part: PartLocals, height: number, shape: number): void {
    this.inputs(part);
    this.targets(this.targetRows.slice(0, 2));
    this.steps(height);
    this.targets(this.targetRows.slice(2, height));
    this.code.get(scratch).call(this.shapes.length + shape);
  }

  /** A tile whose sums go through an epilogue, which puts as many of them where they belong as there are. */
  private byEpilogue(part: PartLocals, height: number, shape: number, vectors: number): void {
    const { code, column, remaining, kernel } = this;
    this.inputs(part);
    code.get(scratch).get(scratch).i32(spareSumsAt).do("i32.add");
    this.steps(height);
    code.call(shape);
    code.get(this.width).get(column).do("i32.sub").set(remaining);
    code.get(descriptor).get(scratch).get(part.targetAt).get(this.rowIndex).get(column).get(this.tileRows);
    const wide = vectors * precisions[kernel.precision].count;
    atMost(code, wide, remaining).call(this.epiloguesFrom + breadthsOf(kernel).indexOf(vectors));
  }

  private inputs({ rightAt }: PartLocals): void {
    const { code, column, shifts } = this;
    field(code, "sum").get(element(this.leftRows, 0));
    code.get(rightAt).get(column).i32(shifts.right).do("i32.shl", "i32.add");
  }

  private steps(height: number): void {
    const { code } = this;
    code.get(this.leftStep).get(this.rightStep);
    for (const each of this.leftRows.slice(1, height)) code.get(each);
  }

  private targets(addresses: readonly number[]): void {
    const { code, column, shifts } = this;
    for (const each of addresses) code.get(each).get(column).i32(shifts.target).do("i32.shl", "i32.add");
  }
}
