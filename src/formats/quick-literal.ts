import { SliceMeter, type Slices } from "../language/limits/slices.js";
import type { Spend } from "../language/limits/spend.js";
import type { Span } from "../language/source/span.js";
import type { TensorType } from "../language/types/type.js";
import { indexIn } from "../language/values/address.js";
import { intAt } from "../language/values/element.js";
import { Tensor } from "../language/values/tensor.js";
import { CellColumns } from "./from-cells.js";
import { hexNumbers } from "./hex-cells.js";
import { LabelledBlocks } from "./labelled-blocks.js";
import { type LiteralScanner, marks, numberIn } from "./literal-scanner.js";

/** What becomes of a literal without a cell, the most cells that it may have, and who is told of the work. */
export interface QuickLiteralOptions {
  /** What a tensor of rank 0 without a cell is: NaN for the Paper, 0 for Vespa (D5). */
  readonly empty: number;
  /** How many cells it may have. */
  readonly cells: number;
  /** Is told of the work, and may end it. */
  readonly spend?: Spend | undefined;
}

/** What a number, and a cell with its address or labels, take to be read: as long as to copy so many cells. */
const [cellsPerNumber, cellsPerCell] = [4, 16];

/**
 * Reads the body of a literal of a known type in one pass, without a syntax tree. Nothing becomes of a text with a mistake,
 * which the grammar then reads once more to say what it is; every other text is the same tensor both ways.
 */
export class QuickLiteral {
  private readonly mapped: readonly string[];
  private readonly blocks: LabelledBlocks;
  private readonly meter = new SliceMeter();
  /** The position of each dimension: the mapped ones, then the indexed ones, in canonical order. */
  private readonly positionOf: ReadonlyMap<string, number>;
  /** Of each dimension, the number of the last address that has it. */
  private readonly lastSeen: number[];
  private addresses = 0;
  /** Numbers that are not yet counted as work. */
  private uncounted = 0;

  constructor(
    private readonly type: TensorType,
    /** Its dimensions in the order of the text. */
    written: readonly string[],
    private readonly scanner: LiteralScanner,
    private readonly options: QuickLiteralOptions,
    /** Where the work is counted. */
    private readonly span: Span,
  ) {
    this.mapped = written.filter((name) => type.dimension(name)?.kind === "mapped");
    this.blocks = new LabelledBlocks(type, written);
    this.positionOf = new Map(
      [...type.mapped, ...type.indexed].map(({ name }, position) => [name, position]),
    );
    this.lastSeen = written.map(() => 0);
  }

  *tensor(): Slices<Tensor | undefined> {
    const tensor = yield* this.body();
    this.count(this.uncounted);
    return Number.isNaN(this.scanner.next()) ? tensor : undefined;
  }

  *body(): Slices<Tensor | undefined> {
    const { type, scanner, blocks, options } = this;
    if (scanner.takes(marks.openBrace)) {
      if (scanner.takes(marks.closeBrace))
        return type.isScalar
          ? Tensor.scalar(options.empty, type)
          : yield* this.tensorOf(new CellColumns(type));
      if (scanner.next() === marks.openBrace) return yield* this.addressed();
      if (type.isScalar) return this.braced();
      if (this.mapped.length === 0) return yield* this.byIndex();
      return (yield* this.entries()) ? yield* blocks.tensor(options.cells) : undefined;
    }
    if (this.mapped.length > 0) return undefined;
    if (type.isScalar && scanner.next() !== marks.openBracket) return this.scalar(scanner.number());
    return (yield* this.block([])) ? yield* blocks.tensor(options.cells) : undefined;
  }

  private scalar(value: number | undefined): Tensor | undefined {
    this.uncounted++;
    return value === undefined ? undefined : Tensor.scalar(value, this.type);
  }

  /** `{5}` is a scalar too. */
  private braced(): Tensor | undefined {
    const word = this.scanner.label();
    const value = word === undefined ? undefined : numberIn(word);
    return this.scanner.takes(marks.closeBrace) ? this.scalar(value) : undefined;
  }

  /** `{x:a,y:0}:5, …}`: cells with addresses. */
  private *addressed(): Slices<Tensor | undefined> {
    const { type, scanner } = this;
    const cells = new CellColumns(type);
    const labels = new Array<string>(type.mapped.length).fill("");
    const indexes = new Array<number>(type.indexed.length).fill(0);
    do {
      if (!scanner.takes(marks.openBrace) || !this.address(labels, indexes)) return undefined;
      scanner.takes(marks.colon);
      const value = scanner.number();
      if (value === undefined) return undefined;
      cells.add(labels, indexes, value);
      if (this.isFull(cellsPerCell)) yield;
    } while (scanner.takes(marks.comma));
    return scanner.takes(marks.closeBrace) ? yield* this.tensorOf(cells) : undefined;
  }

  /** Reads an address behind its brace: whether it has each dimension once. */
  private address(labels: string[], indexes: number[]): boolean {
    const { type, scanner } = this;
    const address = ++this.addresses;
    let seen = 0;
    while (!scanner.takes(marks.closeBrace)) {
      if (seen++ > 0 && !scanner.takes(marks.comma)) return false;
      const position = this.positionOf.get(scanner.word() ?? "");
      if (position === undefined || this.lastSeen[position] === address || !scanner.takes(marks.colon))
        return false;
      this.lastSeen[position] = address;
      const label = scanner.label();
      if (label === undefined) return false;
      const axis = position - type.mapped.length;
      if (axis < 0) labels[position] = label;
      else {
        const index = this.index(axis, label);
        if (index === undefined) return false;
        indexes[axis] = index;
      }
    }
    return seen === type.rank;
  }

  private index(axis: number, label: string): number | undefined {
    const dimension = this.type.indexed[axis];
    const index = indexIn(label);
    if (dimension === undefined || index === undefined) return undefined;
    return index < (dimension.size ?? mostIndexes) ? index : undefined;
  }

  /** `{0:5, …}`: the indexes of a single unbound dimension. */
  private *byIndex(): Slices<Tensor | undefined> {
    const { type, scanner } = this;
    if (type.rank !== 1 || type.isBound) return undefined;
    const cells = new CellColumns(type);
    do {
      const label = scanner.label();
      const index = label === undefined ? undefined : this.index(0, label);
      const value = index !== undefined && scanner.takes(marks.colon) ? scanner.number() : undefined;
      if (index === undefined || value === undefined) return undefined;
      cells.add([], [index], value);
      if (this.isFull(cellsPerCell)) yield;
    } while (scanner.takes(marks.comma));
    return scanner.takes(marks.closeBrace) ? yield* this.tensorOf(cells) : undefined;
  }

  private *tensorOf(cells: CellColumns): Slices<Tensor | undefined> {
    let isSound = true;
    const refuse = (): void => {
      isSound = false;
    };
    const tensor = yield* cells.slices(this.options.cells, { ofSize: refuse, ofRepeat: refuse });
    return isSound ? tensor : undefined;
  }

  /** `a:…, b:…}`: braces for each mapped dimension, in the order of the text; whether they are well formed to the last one. */
  private *entries(): Slices<boolean> {
    const { scanner, mapped } = this;
    const path = mapped.map(() => "");
    let level = 0;
    for (let isOpen = true; ; ) {
      if (isOpen) {
        const label = scanner.label();
        if (label === undefined || !scanner.takes(marks.colon)) return false;
        path[level] = label;
        if (level + 1 < mapped.length) {
          if (!scanner.takes(marks.openBrace)) return false;
          level++;
          isOpen = scanner.next() !== marks.closeBrace;
          continue;
        }
        if (!(this.type.isSparse ? this.cell(path) : yield* this.block(path))) return false;
        if (this.isFull(cellsPerCell)) yield;
        isOpen = scanner.takes(marks.comma);
        if (isOpen) continue;
      }
      if (!scanner.takes(marks.closeBrace)) return false;
      if (level === 0) return true;
      level--;
      isOpen = scanner.takes(marks.comma);
    }
  }

  /** The one cell of a row without indexed dimensions. */
  private cell(path: readonly string[]): boolean {
    const value = this.scanner.number();
    if (value === undefined) return false;
    this.blocks.add(value);
    this.blocks.close(path);
    return true;
  }

  /** The dense block of some labels: nested arrays, one array of all cells, or hexadecimal. */
  private *block(path: readonly string[]): Slices<boolean> {
    const { scanner, blocks, type } = this;
    if (!scanner.takes(marks.openBracket)) {
      const word = scanner.word();
      const numbers = word === undefined ? undefined : hexNumbers(word, type);
      if (numbers === undefined) return false;
      this.uncounted += numbers.length;
      for (let at = 0; at < numbers.length; at++) blocks.add(numbers[at] as number); // within the array
      return blocks.close(path);
    }
    const isFlat = blocks.axes !== 1 && type.isBound && scanner.next() !== marks.openBracket;
    return (isFlat ? yield* this.flat() : yield* this.nested()) && blocks.close(path);
  }

  /** All cells in one array, the last dimension of the text varying fastest. */
  private *flat(): Slices<boolean> {
    const { scanner, blocks, type } = this;
    let count = 0;
    do {
      const value = scanner.number();
      if (value === undefined) return false;
      blocks.add(value);
      count++;
      if (this.isFull(cellsPerNumber)) yield;
    } while (scanner.takes(marks.comma));
    return scanner.takes(marks.closeBracket) && count === type.blockSize;
  }

  /** Brackets for each indexed dimension, in the order of the text, which agree in their lengths. */
  private *nested(): Slices<boolean> {
    const { scanner, blocks } = this;
    const counts = new Int32Array(blocks.axes);
    const last = counts.length - 1;
    // A number has no brackets.
    if (last < 0) return false;
    let level = 0;
    for (let isOpen = scanner.next() !== marks.closeBracket; ; ) {
      if (isOpen) {
        counts[level] = intAt(counts, level) + 1;
        if (level < last) {
          if (!scanner.takes(marks.openBracket)) return false;
          counts[++level] = 0;
          isOpen = scanner.next() !== marks.closeBracket;
          continue;
        }
        const value = scanner.number();
        if (value === undefined) return false;
        blocks.add(value);
        if (this.isFull(cellsPerNumber)) yield;
        isOpen = scanner.takes(marks.comma);
        if (isOpen) continue;
      }
      if (!scanner.takes(marks.closeBracket) || !blocks.fits(level, intAt(counts, level))) return false;
      if (level === 0) return true;
      level--;
      isOpen = scanner.takes(marks.comma);
    }
  }

  /** Counts a number, or a cell; true when it is time for a pause. */
  private isFull(cells: number): boolean {
    if (++this.uncounted >= mostUncounted) this.count(this.uncounted);
    return this.meter.isFull(cells);
  }

  private count(work: number): void {
    this.uncounted = 0;
    this.options.spend?.(work, this.span);
  }
}

/** So many numbers are counted at once. */
const mostUncounted = 512;

/** So far the grammar lets indexes go. */
const mostIndexes = 0x7fffffff;
