import { cellTypes, storeCells } from "../../src/language/types/cell.js";
import type { TensorType } from "../../src/language/types/type.js";
import { Tensor } from "../../src/language/values/tensor.js";

/** A label for each dimension. */
export type Address = Readonly<Record<string, string>>;

export interface Cell {
  readonly address: Address;
  readonly value: number;
}

/** A tensor as cells with addresses: all those of its dense blocks are there. */
export class Cells {
  private readonly byKey: ReadonlyMap<string, number>;

  constructor(
    readonly type: TensorType,
    /** Of indexed dimensions. */
    readonly sizes: ReadonlyMap<string, number>,
    readonly cells: readonly Cell[],
  ) {
    this.byKey = new Map(cells.map(({ address, value }) => [this.key(address), value]));
  }

  /** A tensor of these cells, stored as its cell type says, with zeros where a dense block lacks one. */
  static filled(type: TensorType, extents: ReadonlyMap<string, number>, cells: readonly Cell[]): Cells {
    const { store } = cellTypes[type.cellType];
    const sizes = new Map(type.indexed.map(({ name, size }) => [name, size ?? extents.get(name) ?? 0]));
    const inside = cells.filter(({ address }) =>
      type.indexed.every(({ name }) => Number(address[name]) < (sizes.get(name) ?? 0)),
    );
    const some = new Cells(type, sizes, inside);
    const blockAddresses = combinations(sizes);
    const all = some.rows(cells).flatMap((row) =>
      blockAddresses.map((indexes): Cell => {
        const address = { ...row, ...indexes };
        return { address, value: store(some.at(address) ?? 0) };
      }),
    );
    // Without a cell nothing tells how far an unbound dimension reaches.
    const isVoid = all.length === 0 && !type.isBound;
    return new Cells(
      type,
      isVoid ? new Map(type.indexed.map(({ name, size = 0 }) => [name, size])) : sizes,
      all,
    );
  }

  at(address: Address): number | undefined {
    return this.byKey.get(this.key(address));
  }

  private key(address: Address): string {
    return JSON.stringify(this.type.names.map((name) => address[name]));
  }

  /** The labels of each block, in canonical order; none at all of a dense tensor. */
  rows(cells = this.cells): readonly Address[] {
    const names = this.type.mapped.map(({ name }) => name);
    if (names.length === 0) return [{}];
    const found = new Map(
      cells.map(({ address }) => {
        const labels = names.map((name) => address[name] ?? "");
        return [JSON.stringify(labels), labels] as const;
      }),
    );
    const sorted = [...found.values()].sort((one, other) => compared(one, other));
    return sorted.map((labels) => Object.fromEntries(names.map((name, at) => [name, labels[at] ?? ""])));
  }

  /** The cells in canonical order: block by block, and in a block the last dimension fastest. */
  ordered(): readonly Cell[] {
    const blockAddresses = combinations(this.sizes);
    return this.rows().flatMap((row) =>
      blockAddresses.flatMap((indexes): Cell[] => {
        const address = { ...row, ...indexes };
        const value = this.at(address);
        return value === undefined ? [] : [{ address, value }];
      }),
    );
  }

  toTensor(): Tensor {
    const { type, sizes } = this;
    const ordered = this.ordered();
    const labels = ordered.length === 0 && !type.isDense ? [] : this.rows();
    const numbers = Float64Array.from(ordered, ({ value }) => value);
    const names = type.mapped.map(({ name }) => name);
    return Tensor.of(
      type,
      type.indexed.map(({ name }) => sizes.get(name) ?? 0),
      labels.map((row) => names.map((name) => row[name] ?? "")),
      storeCells(type.cellType, numbers),
    );
  }
}

function compared(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, index) => label !== other[index]);
  return at < 0 ? 0 : `${one[at]}` < `${other[at]}` ? -1 : 1;
}

/** The indexes of each place in a dense block, the last dimension by name fastest. */
export function combinations(sizes: ReadonlyMap<string, number>): readonly Address[] {
  const names = [...sizes.keys()].sort((one, other) => (one < other ? -1 : 1));
  return names.reduce<readonly Address[]>(
    (all, name) =>
      all.flatMap((address) =>
        Array.from({ length: sizes.get(name) ?? 0 }, (_, index) => ({ ...address, [name]: `${index}` })),
      ),
    [{}],
  );
}
