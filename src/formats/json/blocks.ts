import type { Dimension } from "../../language/types/type.js";
import { axisOrder, isAscending, offsetsAlong, permuted } from "../../language/values/data/axis-order.js";
import { labelKey, Rows } from "../../language/values/data/rows.js";
import { numberAt } from "../../language/values/element.js";
import { cellsOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import { labelsOf } from "./cells.js";
import type { ExpectedInJson } from "./messages.js";
import { hexNumbers, isLoneCell, numberOf } from "./numbers.js";
import type { Reading } from "./reading.js";
import type { Json, JsonValue } from "./value.js";

/**
 * The values and the blocks form: a dense tensor as one block of cells, a mixed one as a block by
 * mapped labels. A block is an array, nested or flat, or hexadecimal text. In Vespa's forms nesting says nothing and the
 * count everything where all sizes are known; where one is not, nesting says it. An array whose axes are stated, which is no
 * form of Vespa's, has to be nested as they are, or flat.
 */

/** The one block of a dense tensor, with its axes in canonical or another order; for a scalar also its number. */
export function readValues(
  values: JsonValue,
  reading: Reading,
  axes?: readonly string[],
): Tensor | undefined {
  const { type } = reading;
  const order = axisOrder(type, axes).indexed;
  const dense = new Blocks(reading, order, axes !== undefined);
  const isNumber = type.isScalar && values.kind !== "array" && !isLoneCell(values.string);
  const cells = isNumber ? Float64Array.of(numberOf(values, reading)) : dense.cellsIn(values);
  if (!reading.isSound || cells === undefined) return undefined;
  const rows = new Rows(type, dense.sizes);
  fill(rows.block([]), cells, order, rows.sizes);
  return Tensor.ofRows(rows);
}

/** Sets a block to cells that lie in an order of the axes. */
function fill(
  block: Float64Array,
  cells: Float64Array,
  order: readonly number[],
  sizes: readonly number[],
): void {
  if (isAscending(order)) block.set(cells);
  else for (const [at, offset] of offsetsAlong(order, sizes).entries()) block[offset] = numberAt(cells, at);
}

/**
 * `{"a":[…], …}` for one mapped dimension, where the axes of the arrays may be stated; for any number
 * `[{"address":{…},"values":[…]}, …]`, which is Vespa's and has canonical order.
 */
export function readBlocks(
  blocks: JsonValue,
  reading: Reading,
  axes?: readonly string[],
): Tensor | undefined {
  const { type } = reading;
  if (type.isDense || type.isSparse) {
    return reading.report(blocks, { kind: "no blocks", type });
  }
  const stated = blocks.kind === "object" ? axes : undefined;
  const mixed = new Blocks(reading, axisOrder(type, stated).indexed, stated !== undefined);
  const byLabel = blocks.entries();
  if (blocks.kind === "array") for (const block of blocks.items()) mixed.addAddressed(block);
  else if (blocks.kind === "object" && (type.mapped.length === 1 || byLabel.size === 0)) {
    for (const [label, block] of byLabel) mixed.add(block, [label], block);
  } else reading.report(blocks, { kind: "blocks", type });
  return reading.isSound ? mixed.finish() : undefined;
}

/** Blocks of one shape, which the first of them decides as far as the type leaves it open. */
class Blocks {
  private readonly found = new Map<
    string,
    { labels: readonly string[]; cells: Float64Array; owner: JsonValue }
  >();
  /** The dimension of each level of nesting. */
  private readonly dimensions: readonly Dimension[];
  /** By level; nothing where it is not yet known. */
  private readonly blockSizes: (number | undefined)[];

  constructor(
    private readonly reading: Reading,
    private readonly order: readonly number[],
    private readonly isNestingChecked: boolean,
  ) {
    this.dimensions = permuted(reading.type.indexed, order);
    this.blockSizes = this.dimensions.map(({ size }) => size);
  }

  /** By dimension, in canonical order. */
  get sizes(): number[] {
    return this.order.map((_, position) => this.blockSizes[this.order.indexOf(position)] ?? 0);
  }

  addAddressed(owner: JsonValue): void {
    if (owner.kind !== "object") return this.reading.report(owner, "block");
    const labels = labelsOf(owner, this.reading.type.mapped, this.reading);
    if (labels === undefined) return;
    const block = owner.member("values");
    if (block === undefined) this.reading.reportMember(owner, "values", this.expected());
    else this.add(owner, labels, block);
  }

  add(owner: JsonValue, labels: readonly string[], block: JsonValue): void {
    const cells = this.cellsIn(block);
    const key = labelKey(labels);
    const earlier = this.found.get(key)?.owner;
    if (earlier !== undefined) this.reading.reportRepeat(owner, earlier, "own block");
    if (cells !== undefined) this.found.set(key, { labels, cells, owner });
  }

  finish(): Tensor {
    const rows = new Rows(this.reading.type, this.sizes);
    for (const { labels, cells } of this.found.values())
      fill(rows.block(labels), cells, this.order, rows.sizes);
    return Tensor.ofRows(rows);
  }

  /** The cells of one block, as many as the sizes ask. */
  cellsIn(block: JsonValue): Float64Array | undefined {
    const { reading } = this;
    const { type } = reading;
    if (block.string !== undefined) return hexNumbers(block, block.string, reading);
    if (block.kind !== "array") return reading.report(block, this.expected());
    const isNested = (this.isNestingChecked || !type.isBound) && !this.isFlat(block);
    if (isNested && !this.measure(block, 0)) return undefined;
    const numbers = numbersIn(block, reading);
    if (!type.isBound && !isNested) this.measureFlat(numbers.length);
    if (numbers.length === cellsOf(this.sizes)) return Float64Array.from(numbers);
    return reading.report(block, this.expected(), { kind: "numbers", count: numbers.length });
  }

  /** Whether the block may leave out brackets: it does, and only one size is unknown. */
  private isFlat(block: JsonValue): boolean {
    const unboundCount = this.blockSizes.filter((size) => size === undefined).length;
    if (this.blockSizes.length < 2 || unboundCount > 1) return false;
    const items = [...block.items()];
    return items.length > 0 && !items.some(({ kind }) => kind === "array");
  }

  /** The one size that is not known is what the others leave of the cells. */
  private measureFlat(cells: number): void {
    const others = this.blockSizes.reduce<number>((product, size) => product * (size ?? 1), 1);
    const at = this.blockSizes.indexOf(undefined);
    if (at >= 0) this.blockSizes[at] = Math.floor(cells / others);
  }

  /** Finds the sizes that arrays nested as deep as the type say. Recursion ends where the dimensions do. */
  private measure(value: JsonValue, depth: number): boolean {
    const dimension = this.dimensions[depth];
    if (dimension === undefined) return true;
    if (value.kind !== "array") {
      this.reading.report(value, { kind: "array", dimension });
      return false;
    }
    const isInnermost = depth + 1 === this.dimensions.length;
    let count = 0;
    let tooDeep: JsonValue | undefined;
    for (const item of value.items()) {
      count++;
      // What else is no number is found when the numbers are read.
      if (isInnermost && item.kind === "array") tooDeep ??= item;
    }
    const size = this.blockSizes[depth] ?? count;
    this.blockSizes[depth] = size;
    if (size !== count) {
      const expected = { kind: "array of size", dimension, size } as const;
      this.reading.report(value, expected, { kind: "array", length: count });
      return false;
    }
    if (tooDeep !== undefined) {
      this.reading.report(tooDeep, "number, not array");
      return false;
    }
    if (isInnermost) return true;
    for (const item of value.items()) if (!this.measure(item, depth + 1)) return false;
    return true;
  }

  private expected(): ExpectedInJson {
    const { type } = this.reading;
    return type.isBound ? { kind: "numbers", count: type.blockSize } : { kind: "nested arrays", type };
  }
}

/** All numbers in arrays of any depth, in their order. Mostly there is nothing else, and the engine reads them quickest. */
function numbersIn(array: JsonValue, reading: Reading): number[] {
  return plainNumbers(array.value) ?? Array.from(leaves(array), (leaf) => numberOf(leaf, reading));
}

/** The numbers in arrays of any depth that hold nothing else. */
function plainNumbers(value: Json): number[] | undefined {
  const numbers: number[] = [];
  const open = [[value].values()];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { value: item, done } = inner.next();
    if (done === true) open.pop();
    else if (typeof item === "number") numbers.push(item);
    else if (Array.isArray(item)) open.push(item.values());
    else return undefined;
  }
  return numbers;
}

/** All that is no array in arrays of any depth. */
function* leaves(array: JsonValue): Generator<JsonValue> {
  const open = [array.items()[Symbol.iterator]()];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { value: item, done } = inner.next();
    if (done === true) open.pop();
    else if (item.kind === "array") open.push(item.items()[Symbol.iterator]());
    else yield item;
  }
}
