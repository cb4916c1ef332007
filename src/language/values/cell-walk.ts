import { boolean, type OptionRules } from "../source/option-rule.js";
import type { TensorType } from "../types/type.js";
import type { TextAddress } from "./address.js";

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

/** The cells of a tensor one by one, in canonical order. */
export class CellWalk implements IterableIterator<Cell> {
  private position = 0;
  private readonly cells: number;
  /** By indexed dimension, as text: the same texts for all rows. */
  private readonly indexTexts: readonly (readonly string[])[];
  private readonly indexes: number[];
  private readonly address: Record<string, string>;
  private readonly cell: { address: TextAddress; value: number };
  private readonly result: { done: false; value: Cell };

  constructor(
    private readonly tensor: ReadableTensor,
    private readonly reuse: boolean,
  ) {
    const { type, sizes, data } = tensor;
    this.cells = data.length;
    this.indexTexts = sizes.map((size) =>
      Array.from({ length: this.cells === 0 ? 0 : size }, (_, at) => `${at}`),
    );
    this.indexes = sizes.map(() => 0);
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
    for (const [at, { name }] of type.mapped.entries()) this.address[name] = labels[row]?.[at] ?? "";
    this.indexes.fill(0);
    for (const { name } of type.indexed) this.address[name] = "0";
  }

  /** Moves to the next index, the last dimension fastest. */
  private step(): void {
    const { indexed } = this.tensor.type;
    for (let at = indexed.length - 1; at >= 0; at--) {
      const [dimension, texts] = [indexed[at], this.indexTexts[at]];
      if (dimension === undefined || texts === undefined) return;
      const next = (this.indexes[at] ?? 0) + 1;
      const index = next < texts.length ? next : 0;
      this.indexes[at] = index;
      this.address[dimension.name] = texts[index] ?? "";
      if (index > 0) return;
    }
  }
}
