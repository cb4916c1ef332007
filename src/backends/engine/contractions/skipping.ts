import { cellTypes } from "../../../language/types/cell.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import type { Precision } from "../kernels/precision.js";
import { precisions } from "../kernels/precision.js";
import type { Access, Loop, Lowering, Slot, Step } from "../loop.js";
import type { Arena, Block } from "../memory/arena.js";
import { type Shape, shapeOf, withOperandsSwapped } from "./axes.js";
import { Library } from "./library.js";
import { type Terms, termsOf } from "./recognise.js";
import { addressOf } from "./step.js";
import { type ZerosLayout, zerosCode } from "./zeros.js";

/** Which products are tried without their zeros. */
export interface Candidates {
  /** Products of fewer operations are done before it pays to look at their cells. */
  readonly leastWork: number;
  /** How many of the cells that are looked at may be other than 0. */
  readonly mostOthers: number;
}

/** How many cells are looked at, and where that pays. */
const looks = 64;
const promising: Candidates = { leastWork: 400_000, mostOthers: 8 };

/** A matrix product as its cells lie: the left operand is the one that may be mostly zeros. */
interface Rows {
  readonly left: Access;
  readonly right: Access;
  readonly target: Access;
  readonly precision: Precision;
  readonly layout: ZerosLayout;
  /** Whether cells of the left operand lie next to each other along the sum, not along the rows. */
  readonly isAlongSum: boolean;
}

/**
 * Steps of another lowering, of which those that are matrix products look in each run whether their left operand is mostly zeros, as
 * where cells are the largest of their group, or an index is a one among zeros: then only the other cells are multiplied. What comes out
 * is the same, since a zero counts where the number that it meets is not finite.
 */
export function skippingZeros(
  lowering: Lowering,
  arena: Arena,
  { leastWork, mostOthers }: Candidates = promising,
): Lowering {
  const library = new Library(arena);
  return (loop) => {
    const step = lowering(loop);
    if (step === undefined || step.work < leastWork) return step;
    const product = rowsOf(loop);
    const counts = product && arena.allocate("int", product.layout.rows);
    const zeros = product && kernelOf(library, product);
    if (product === undefined || counts === undefined || zeros === undefined) return step;
    return new SkippingStep(step, product, zeros, counts, mostOthers);
  };
}

function kernelOf(library: Library, { precision, isAlongSum }: Rows): ExportedFunction | undefined {
  const key = `zeros ${precision} ${isAlongSum ? "along the sum" : "along rows"}`;
  return library.kernels(key, () => [zerosCode(precision, isAlongSum)])?.functions.zeros;
}

/** The product of a loop, if that is all of it, and rows of the target, and of the right operand, are vectors. */
function rowsOf(loop: Loop): Rows | undefined {
  const terms = termsOf(loop);
  if (terms?.term !== "product" || loop.finish !== undefined) return undefined;
  const shape = shapeOf(loop, terms);
  if (shape === undefined || shape.sizes.batch > 1) return undefined;
  const swapped = { ...terms, left: terms.right, right: terms.left };
  return laidOut(terms, shape) ?? laidOut(swapped, withOperandsSwapped(shape));
}

function laidOut({ left, right, target, precision }: Terms, { sizes, strides }: Shape): Rows | undefined {
  const { width, count } = precisions[precision];
  if ([left, right, target].some(({ cellType }) => cellType !== precision)) return undefined;
  const { rows, sum, columns } = sizes;
  if (strides.right.columns !== 1 || strides.target.columns !== 1 || columns % count > 0) return undefined;
  const bytes = [strides.left.rows, strides.left.sum, strides.right.sum, strides.target.rows].map((stride) =>
    typeof stride === "number" ? stride * width : undefined,
  );
  const [leftRow, leftSum, rightSum, targetRow] = bytes;
  if (leftRow === undefined || leftSum === undefined) return undefined;
  if (rightSum === undefined || targetRow === undefined) return undefined;
  const isAlongSum = leftSum === width;
  if (!isAlongSum && leftRow !== width) return undefined;
  const layout = { rows, sum, columns, leftRow, leftSum, rightSum, targetRow };
  return { left, right, target, precision, layout, isAlongSum };
}

class SkippingStep implements Step {
  readonly extent: number;
  readonly work: number;
  readonly description: string;
  readonly packed: Slot | undefined;
  private isDone = false;

  constructor(
    private readonly step: Step,
    private readonly product: Rows,
    private readonly zeros: ExportedFunction,
    private readonly counts: Block,
    private readonly mostOthers: number,
  ) {
    this.extent = step.extent;
    this.work = step.work;
    this.description = step.description;
    this.packed = step.packed;
  }

  get threads(): number {
    return this.step.threads ?? 1;
  }

  readonly run = (from: number, to: number): void => {
    if (from === 0) this.isDone = isMostlyZeros(this.product, this.mostOthers) && this.multiply();
    if (!this.isDone) this.step.run(from, to);
  };

  private multiply(): boolean {
    const { left, right, target, layout } = this.product;
    const { rows, sum, columns, leftRow, leftSum, rightSum, targetRow } = layout;
    const addresses = [addressOf(left), addressOf(right), addressOf(target), this.counts.address];
    return this.zeros(...addresses, rows, sum, columns, leftRow, leftSum, rightSum, targetRow) === 1;
  }
}

/** Whether most cells of the left operand seem to be 0: a few here and there, fewer where they are not. */
function isMostlyZeros({ left: { slot, offset, cellType }, layout }: Rows, mostOthers: number): boolean {
  const { rows, sum, leftRow, leftSum } = layout;
  const { cells } = slot.block;
  const { width } = cellTypes[cellType];
  let others = 0;
  for (let look = 0; look < looks && others <= mostOthers; look++) {
    const at = ((look % rows) * leftRow + ((look * spread) % sum) * leftSum) / width;
    if (cells[offset + at] !== 0) others++;
  }
  return others <= mostOthers;
}

/** A prime, so that looks meet most indexes of a sum. */
const spread = 31;
