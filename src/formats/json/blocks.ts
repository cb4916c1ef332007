import { dimensionText } from "../../language/types/type.js";
import { labelKey, Rows } from "../../language/values/rows.js";
import { cellsOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";
import { labelsOf } from "./cells.js";
import { hexNumbers, numberOf } from "./numbers.js";
import type { Reading } from "./reading.js";
import { isList, isObject, type Json, member, type Path, shown } from "./text.js";

/**
 * The values and the blocks form: a dense tensor as one block of cells, a mixed one as a block by
 * mapped labels. A block is an array, nested or flat, or hexadecimal text. Where all sizes are known, nesting says
 * nothing and the count everything; where one is not, nesting says it.
 */

/** The one block of a dense tensor; for a scalar also its number. */
export function readValues(values: Json, path: Path, reading: Reading): Tensor | undefined {
  const dense = new Blocks(reading);
  const { type } = reading;
  const cells =
    type.isScalar && !isList(values)
      ? Float64Array.of(numberOf(values, path, reading))
      : dense.cellsIn(values, path);
  if (!reading.isSound || cells === undefined) return undefined;
  const rows = new Rows(type, dense.sizes);
  rows.block([]).set(cells);
  return Tensor.ofRows(rows);
}

/** `{"a":[…], …}` for one mapped dimension; for any number `[{"address":{…},"values":[…]}, …]`. */
export function readBlocks(blocks: Json, path: Path, reading: Reading): Tensor | undefined {
  const { type } = reading;
  if (type.isDense || type.isSparse) {
    return reading.complain(
      path,
      shown(blocks),
      `left out: ${type} has not both mapped and indexed dimensions`,
    );
  }
  const mixed = new Blocks(reading);
  if (isList(blocks)) for (const [at, block] of blocks.entries()) mixed.addAddressed(block, path.at(at));
  else if (isObject(blocks) && (type.mapped.length === 1 || Object.keys(blocks).length === 0)) {
    for (const [label, block] of Object.entries(blocks))
      mixed.add([label], block, path.at(label), path.at(label));
  } else {
    const object = type.mapped.length === 1 ? ", or an object of arrays by label" : "";
    reading.complain(path, shown(blocks), `an array of blocks, each {"address":{…},"values":[…]}${object}`);
  }
  return reading.isSound ? mixed.finish() : undefined;
}

/** Blocks of one shape, which the first of them decides as far as the type leaves it open. */
class Blocks {
  private readonly found = new Map<string, { labels: readonly string[]; cells: Float64Array; path: Path }>();
  /** By indexed dimension; nothing where it is not yet known. */
  private readonly known: (number | undefined)[];

  constructor(private readonly reading: Reading) {
    this.known = reading.type.indexed.map(({ size }) => size);
  }

  get sizes(): number[] {
    return this.known.map((size) => size ?? 0);
  }

  addAddressed(block: Json, path: Path): void {
    if (!isObject(block)) {
      return this.reading.complain(path, shown(block), `a block: {"address":{…},"values":[…]}`);
    }
    const { mapped } = this.reading.type;
    const labels = labelsOf(member(block, "address"), path.at("address"), mapped, this.reading);
    if (labels !== undefined) this.add(labels, member(block, "values"), path.at("values"), path);
  }

  add(labels: readonly string[], block: Json | undefined, blockPath: Path, path: Path): void {
    const cells = this.cellsIn(block, blockPath);
    const key = labelKey(labels);
    const earlier = this.found.get(key)?.path;
    if (earlier !== undefined) {
      this.reading.complain(path, `the address of ${earlier} again`, "a block with an address of its own");
    }
    if (cells !== undefined) this.found.set(key, { labels, cells, path });
  }

  finish(): Tensor {
    const rows = new Rows(this.reading.type, this.sizes);
    for (const { labels, cells } of this.found.values()) rows.block(labels).set(cells);
    return Tensor.ofRows(rows);
  }

  /** The cells of one block, as many as the sizes ask. */
  cellsIn(block: Json | undefined, path: Path): Float64Array | undefined {
    const { reading } = this;
    const { type } = reading;
    if (typeof block === "string") return hexNumbers(block, path, reading);
    if (!isList(block)) return reading.complain(path, shown(block), this.wanted());
    const isNested = !type.isBound && !this.isFlat(block);
    if (isNested && !this.measure(block, path, 0)) return undefined;
    const numbers = numbersIn(block, path, reading);
    if (!type.isBound && !isNested) this.measureFlat(numbers.length);
    if (numbers.length === cellsOf(this.sizes)) return Float64Array.from(numbers);
    return reading.complain(path, countText(numbers.length), this.wanted());
  }

  /** Whether the block may leave out brackets: it does, and only one size is unknown. */
  private isFlat(block: Json[]): boolean {
    const unknown = this.known.filter((size) => size === undefined).length;
    return this.known.length > 1 && unknown <= 1 && block.length > 0 && !block.some(isList);
  }

  /** The one size that is not known is what the others leave of the cells. */
  private measureFlat(cells: number): void {
    const others = this.known.reduce<number>((product, size) => product * (size ?? 1), 1);
    const at = this.known.indexOf(undefined);
    if (at >= 0) this.known[at] = Math.floor(cells / others);
  }

  /** Finds the sizes that arrays nested as deep as the type say. Recursion ends where the dimensions do. */
  private measure(value: Json, path: Path, depth: number): boolean {
    const dimension = this.reading.type.indexed[depth];
    if (dimension === undefined) {
      // What else is no number is found when the numbers are read.
      if (isList(value))
        this.reading.complain(path, shown(value), "a number: the arrays nest deeper than the dimensions");
      return !isList(value);
    }
    if (!isList(value)) {
      this.reading.complain(path, shown(value), `an array for ${dimensionText(dimension)}`);
      return false;
    }
    const size = this.known[depth] ?? value.length;
    this.known[depth] = size;
    if (size !== value.length) {
      this.reading.complain(
        path,
        `an array of ${value.length}`,
        `an array of ${size}, for ${dimensionText(dimension)}`,
      );
      return false;
    }
    return value.every((item, at) => this.measure(item, path.at(at), depth + 1));
  }

  private wanted(): string {
    const { type } = this.reading;
    if (!type.isBound) return `arrays nested for ${type.indexed.map(dimensionText).join(",")}`;
    return `an array of ${countText(type.blockSize)}`;
  }
}

const countText = (numbers: number): string => `${numbers} ${numbers === 1 ? "number" : "numbers"}`;

/** All numbers in arrays of any depth, in their order. */
function numbersIn(list: Json[], path: Path, reading: Reading): number[] {
  const numbers: number[] = [];
  const open = [{ list, path, next: 0 }];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const at = inner.next++;
    const item = inner.list[at];
    if (item === undefined) open.pop();
    else if (typeof item === "number") numbers.push(item);
    else if (isList(item)) open.push({ list: item, path: inner.path.at(at), next: 0 });
    else numbers.push(numberOf(item, inner.path.at(at), reading));
  }
  return numbers;
}
