import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { indexedAxis } from "../values/axes.js";
import { allReadsOfProducer } from "../values/producer-reads.js";
import { composed, viewed } from "../values/source.js";
import {
  type Axis,
  type AxisImage,
  type Buffer,
  type BufferAccess,
  cellsIn,
  type IndexedAxis,
  type LoopDraft,
  type Producer,
  type Source,
  type Value,
} from "../values/value.js";

/** What a sum of products multiplies. */
export interface ProductFactors {
  /** Those of the loop first, and then those of sums that are factors. */
  readonly axes: readonly IndexedAxis[];
  /** Which of them the result has. */
  readonly retained: readonly IndexedAxis[];
  /** From the left to the right, each on those of the axes that it has. */
  readonly values: readonly Value[];
  /** How many products it takes as it is written, those of the sums with it. */
  readonly products: number;
}

type ProducerOf = (buffer: Buffer) => Producer | undefined;

/** More factors, or axes, are not taken apart: axes are the bits of a number. */
const [mostFactors, mostAxes] = [40, 30];
/** Beside so many factors, a sum is a factor, and not what it is a sum of. */
const mostWithin = 12;

/** The factors of a sum over a product; absent where they do not fit, or a table of rows is in the way. */
export function factorsOf(
  loop: LoopDraft,
  cellType: CellType,
  producerOf: ProducerOf,
): ProductFactors | undefined {
  if (loop.axes.length > mostAxes) return undefined;
  return new FactorCollection(loop, cellType, producerOf).factors();
}

interface FactorPart {
  readonly source: Source;
  readonly images: readonly AxisImage[];
}

class FactorCollection {
  private readonly axes: IndexedAxis[] = [];
  private readonly values: Value[] = [];
  private products: number;

  constructor(
    private readonly loop: LoopDraft,
    private readonly cellType: CellType,
    private readonly producerOf: ProducerOf,
  ) {
    for (const { size } of loop.axes) this.addAxis(size);
    this.products = cellsIn(loop.axes);
  }

  factors(): ProductFactors | undefined {
    const { axes } = this;
    const open: FactorPart[] = [{ source: this.loop.source, images: axes.map((_, axis) => ({ axis })) }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const parts = this.parts(next, open.length + this.values.length);
      if (parts !== undefined) {
        for (const part of parts.toReversed()) open.push(part);
        continue;
      }
      const value = onOwnAxes(next, axes);
      if (value === undefined || this.values.push(value) > mostFactors) return undefined;
    }
    const retained = axes.filter((_, at) => this.loop.axes[at]?.isReduced === false);
    return { axes, retained, values: this.values, products: this.products };
  }

  private addAxis(size: number): number {
    return this.axes.push(indexedAxis(`${this.axes.length}`.padStart(2, "0"), size)) - 1;
  }

  /** The operands that a product, a rounding of one, a view or a sum of products is made of; absent for other sources. */
  private parts({ source, images }: FactorPart, others: number): readonly FactorPart[] | undefined {
    if (source.kind === "stored") {
      const inner = others < mostWithin ? this.summed(source.access, images) : undefined;
      return inner === undefined ? undefined : [inner];
    }
    if (source.kind !== "computed") return undefined;
    const { operation, operands } = source;
    const isProduct = operation.op === "apply" && operation.function === "multiply";
    const [operand] = operands;
    const isRounding =
      operation.op === "store" &&
      operation.cellType === this.cellType &&
      operand !== undefined &&
      isMultiplying(operand.source);
    if (operation.op !== "view" && !isProduct && !isRounding) return undefined;
    return operands.map((each) => ({ source: each.source, images: composed(each.images, images) ?? images }));
  }

  /** What is summed in a buffer that is read, over axes that are added: a sum of sums is one sum. */
  private summed(access: BufferAccess, images: readonly AxisImage[]): FactorPart | undefined {
    const { slot } = access;
    if (slot.origin.kind !== "computed" || !this.isExact(slot)) return undefined;
    const producer = this.producerOf(slot);
    if (producer?.kind !== "loops" || producer.loops.length > 1) return undefined;
    const [loop] = producer.loops;
    if (loop?.aggregator !== "sum" || !isProductOf(loop.source) || this.isFixed(slot)) return undefined;
    if (this.axes.length + loop.axes.length > mostAxes) return undefined;
    const innerImages = this.imagesWithin(loop, access, images);
    if (innerImages === undefined) return undefined;
    this.products += cellsIn(loop.axes);
    return { source: loop.source, images: innerImages };
  }

  /** What the axes of a loop are for who reads what it writes; absent where that is not read axis by axis. */
  private imagesWithin(
    { axes, strides, offset }: LoopDraft,
    access: BufferAccess,
    images: readonly AxisImage[],
  ): readonly AxisImage[] | undefined {
    if (access.offset !== offset) return undefined;
    const found = new Map<number, AxisImage>();
    for (const [position, image] of images.entries()) {
      const stride = element(access.strides, position);
      if (stride === 0 || this.isAtFirst(image)) continue;
      const at = axes.findIndex((axis, each) => !axis.isReduced && axis.size > 1 && strides[each] === stride);
      if (typeof stride !== "number" || at < 0 || found.has(at)) return undefined;
      if (!this.isWithin(image, element(axes, at).size)) return undefined;
      found.set(at, image);
    }
    return axes.map(({ size, isReduced }, at): AxisImage => {
      if (isReduced) return { axis: this.addAxis(size) };
      return found.get(at) ?? { at: 0 };
    });
  }

  private isAtFirst(image: AxisImage): boolean {
    return "at" in image
      ? image.at === 0
      : image.rows === undefined && element(this.axes, image.axis).size === 1;
  }

  private isWithin(image: AxisImage, size: number): boolean {
    return "at" in image
      ? image.at < size
      : image.rows === undefined && element(this.axes, image.axis).size <= size;
  }

  /** Whether what is lost by rounding cells of a buffer is no more than what the sum around it may lose. */
  private isExact({ cellType }: Buffer): boolean {
    return cellType === "double" || cellType === this.cellType;
  }

  /** Whether a buffer holds the same cells in all runs, so that it is computed once. */
  private isFixed(root: Buffer): boolean {
    const seen = new Set<Buffer>([root]);
    for (const buffer of seen) {
      const { origin } = buffer;
      if (origin.kind === "outcome" || (origin.kind === "input" && !origin.isFixed)) return false;
      if (origin.kind !== "computed") continue;
      const producer = this.producerOf(buffer);
      if (producer === undefined || producer.kind === "call" || seen.size > mostLookedAt) return false;
      for (const read of allReadsOfProducer(producer)) seen.add(read);
    }
    return true;
  }
}

/** Buffers are followed so far back to what does not change. */
const mostLookedAt = 200;

const isMultiplying = (source: Source): boolean =>
  source.kind === "computed" && source.operation.op === "apply" && source.operation.function === "multiply";

/** Whether a source is a product, rounded or viewed or not. */
function isProductOf(root: Source): boolean {
  let source = root;
  while (source.kind === "computed" && source.operation.op !== "apply" && source.operands.length === 1)
    source = element(source.operands, 0).source;
  return isMultiplying(source);
}

/** A source on the axes along which it differs; absent where it is seen through rows. */
function onOwnAxes({ source, images }: FactorPart, all: readonly Axis[]): Value | undefined {
  if (source.kind === "constant") return { axes: [], source };
  const own = new Set<number>();
  for (const [at, image] of images.entries()) {
    if ("at" in image) continue;
    if (image.rows !== undefined) return undefined;
    const stride = source.kind === "stored" ? source.access.strides[at] : 1;
    if (typeof stride !== "number") return undefined;
    if (stride !== 0) own.add(image.axis);
  }
  const axes = all.filter((_, at) => own.has(at));
  const remapped = images.map((image): AxisImage => {
    if ("at" in image) return image;
    const axis = all[image.axis];
    const to = axis === undefined ? -1 : axes.indexOf(axis);
    return to < 0 ? { at: 0 } : { axis: to };
  });
  return viewed(axes, source, remapped);
}
