import type { TensorType } from "../types/type.js";
import { type Address, indexIn, labelText } from "./address.js";
import { labelKey } from "./data/rows.js";
import { problem, refuse, typeSpan } from "./messages.js";
import { stridesOf } from "./shape.js";

/**
 * Finds cells by their addresses. Rows of labels are hashed once, when the first cell is looked up: after that a cell of a
 * million takes as long as one of ten.
 */
export class CellLookup {
  private readonly rows: ReadonlyMap<string, number>;
  private readonly strides: readonly number[];

  constructor(
    private readonly type: TensorType,
    private readonly sizes: readonly number[],
    labels: readonly (readonly string[])[],
    private readonly blockCells: number,
  ) {
    this.rows = new Map(labels.map((each, row) => [labelKey(each), row]));
    this.strides = stridesOf(sizes);
  }

  /**
   * The position among all cells; nothing where there is no cell of this address.
   * @throws SphexError where the address lacks a dimension, has another one, or an index is no whole number.
   */
  position(address: Address): number | undefined {
    const type = this.type;
    const names = Object.keys(address);
    const isExact =
      names.length === type.names.length && type.names.every((name) => Object.hasOwn(address, name));
    const wrong = isExact
      ? undefined
      : (type.names.find((name) => !Object.hasOwn(address, name)) ??
        names.find((name) => type.dimension(name) === undefined));
    if (wrong !== undefined) refuse(problem("value/address", typeSpan(type), { type, dimension: wrong }));
    const row = this.rows.get(labelKey(type.mapped.map(({ name }) => labelText(address[name]))));
    let offset = 0;
    let isInside = row !== undefined;
    for (const [at, { name }] of type.indexed.entries()) {
      const index = indexIn(address[name]);
      if (index === undefined) {
        const values = { type, dimension: name, label: `${address[name]}` };
        return refuse(problem("value/index", typeSpan(type), values));
      }
      const [size, stride] = [this.sizes[at], this.strides[at]];
      if (size === undefined || stride === undefined || index >= size) isInside = false;
      else offset += index * stride;
    }
    return isInside && row !== undefined ? row * this.blockCells + offset : undefined;
  }
}
