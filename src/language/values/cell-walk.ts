import { boolean, type OptionRules } from "../source/option-rule.js";
import type { TensorType } from "../types/type.js";
import type { TextAddress } from "./address.js";
import { element, textAt } from "./element.js";

/** A cell with its address. */
export interface Cell {
  readonly address: TextAddress;
  readonly value: number;
}

/** How cells are walked over. */
export interface CellsOptions {
  /**
   * Whether one object, with one address, is each cell in turn: a loop that keeps none of them then allocates nothing.
   * False by default.
   */
  readonly reuse?: boolean;
}

export const cellsRules: OptionRules<CellsOptions> = { reuse: boolean };

/** What is read of a tensor. */
interface ReadableTensor {
  readonly type: TensorType;
  readonly sizes: readonly number[];
  readonly labels: readonly (readonly string[])[];
  readonly blockCells: number;
  readonly data: { readonly length: number };
  at(position: number): number;
}

/** An indexed dimension that is walked along. */
interface WalkedAxis {
  readonly name: string;
  /** Its indexes as text: the same texts for all rows. */
  readonly texts: readonly string[];
  index: number;
}

/** The cells of a tensor one by one, in canonical order. */
export class CellWalk implements IterableIterator<Cell> {
  private position = 0;
  private readonly cells: number;
  /** The last dimension, which is the fastest, first. */
  private readonly axes: readonly WalkedAxis[];
  private readonly address: Record<string, string>;
  private readonly cell: { address: TextAddress; value: number };
  private readonly result: { done: false; value: Cell };

  constructor(
    private readonly tensor: ReadableTensor,
    private readonly reuse: boolean,
  ) {
    const { type, sizes, data } = tensor;
    this.cells = data.length;
    const textsOf = (size: number): string[] =>
      Array.from({ length: this.cells === 0 ? 0 : size }, (_, at) => `${at}`);
    this.axes = type.indexed
      .map(({ name }, at) => ({ name, texts: textsOf(element(sizes, at)), index: 0 }))
      .reverse();
    // Own properties, whatever the dimensions are called.
    this.address = Object.fromEntries(type.names.map((name) => [name, "0"]));
    this.cell = { address: this.address, value: 0 };
    this.result = { done: false, value: this.cell };
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Cell, undefined> {
    const tensor = this.tensor;
    const position = this.position;
    if (position >= this.cells) return { done: true, value: undefined };
    if (position % tensor.blockCells === 0) this.enterRow(position / tensor.blockCells);
    else this.step();
    this.position = position + 1;
    const value = tensor.at(position);
    if (!this.reuse) return { done: false, value: { address: { ...this.address }, value } };
    this.cell.value = value;
    return this.result;
  }

  private enterRow(row: number): void {
    const { type, labels } = this.tensor;
    const texts = element(labels, row);
    for (const [at, { name }] of type.mapped.entries()) this.address[name] = textAt(texts, at);
    for (const axis of this.axes) {
      axis.index = 0;
      this.address[axis.name] = "0";
    }
  }

  /** Moves to the next index, the last dimension fastest. */
  private step(): void {
    for (const axis of this.axes) {
      const next = axis.index + 1;
      axis.index = next < axis.texts.length ? next : 0;
      this.address[axis.name] = textAt(axis.texts, axis.index);
      if (axis.index > 0) return;
    }
  }
}
