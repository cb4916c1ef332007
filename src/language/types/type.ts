import { isBranded } from "../source/brand.js";
import { beginning, longestText } from "../source/message.js";
import type { CellType } from "./cell.js";

/**
 * A dimension: a name, and whether its labels are free text (mapped) or 0, 1, 2 … (indexed). An indexed
 * dimension has a size, or is unbound: each tensor has a size of its own (Paper 5.1).
 */
export interface Dimension {
  readonly name: string;
  readonly kind: "mapped" | "indexed";
  /** Of an indexed and bound dimension only. */
  readonly size?: number;
}

export const mapped = (name: string): Dimension => ({ name, kind: "mapped" });
export const indexed = (name: string, size?: number): Dimension =>
  size === undefined ? { name, kind: "indexed" } : { name, kind: "indexed", size };

const brand = "sphex.type.1";

/**
 * A tensor type: a cell type and dimensions sorted by name (Paper 5.1). Immutable. All scalars are one type,
 * `tensor()`, whatever their cell type.
 */
export class TensorType {
  static readonly name = "TensorType";
  static readonly scalar = new TensorType("double", []);

  readonly cellType: CellType;
  /** Sorted by name, in the order of code units. */
  readonly dimensions: readonly Dimension[];
  /** Those of `dimensions` that are mapped, in that order. */
  readonly mapped: readonly Dimension[];
  /** Those of `dimensions` that are indexed, in that order: canonical axes of a block, outermost first. */
  readonly indexed: readonly Dimension[];

  /** Only indexed dimensions, or none at all. */
  readonly isDense: boolean;
  /** All indexed dimensions have a size. */
  readonly isBound: boolean;
  /** No dimensions: `tensor()`, whose cell is a double. */
  readonly isScalar: boolean;
  private text: string | undefined;
  private told: TensorType | undefined;
  private byName: Map<string, Dimension> | undefined;
  private cachedNames: readonly string[] | undefined;
  private cachedSizes: readonly number[] | undefined;

  /** Also one of another copy of the library. */
  static [Symbol.hasInstance](value: unknown): value is TensorType {
    return isBranded(value, brand);
  }

  protected get brand(): string {
    return brand;
  }

  private constructor(cellType: CellType, dimensions: readonly Dimension[]) {
    this.cellType = cellType;
    this.dimensions = dimensions;
    this.mapped = dimensions.filter((each) => each.kind === "mapped");
    this.indexed = dimensions.filter((each) => each.kind === "indexed");
    this.isScalar = dimensions.length === 0;
    this.isDense = this.mapped.length === 0;
    this.isBound = this.indexed.every((each) => each.size !== undefined);
  }

  /** The type with these dimensions, in any order. Their names must differ. */
  static of(cellType: CellType, dimensions: readonly Dimension[]): TensorType {
    if (dimensions.length === 0) return TensorType.scalar;
    return new TensorType(
      cellType,
      [...dimensions].sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }

  /** How many dimensions there are. */
  get rank(): number {
    return this.dimensions.length;
  }

  /** Only mapped dimensions, and at least one. */
  get isSparse(): boolean {
    return this.rank > 0 && this.indexed.length === 0;
  }

  /** The dimension of this name; undefined where there is none. */
  dimension(name: string): Dimension | undefined {
    if (this.rank <= fewDimensions) return this.dimensions.find((each) => each.name === name);
    this.byName ??= new Map(this.dimensions.map((each) => [each.name, each]));
    return this.byName.get(name);
  }

  /** The names of the dimensions, in their order. */
  get names(): readonly string[] {
    this.cachedNames ??= this.dimensions.map((each) => each.name);
    return this.cachedNames;
  }

  /** Cells of one dense block; unbound dimensions count as 0. */
  get blockSize(): number {
    return this.declaredSizes.reduce((cells, size) => cells * size, 1);
  }

  /** Sizes of the indexed dimensions, in their order; an unbound one counts as 0, as in a tensor without cells. */
  get declaredSizes(): readonly number[] {
    this.cachedSizes ??= this.indexed.map(({ size }) => size ?? 0);
    return this.cachedSizes;
  }

  /** The same dimensions with cells of another type. A scalar stays what it is, double. */
  withCells(cellType: CellType): TensorType {
    return cellType === this.cellType ? this : TensorType.of(cellType, this.dimensions);
  }

  /** These dimensions, in any order, with cells of the same type. Their names must differ. Of none it is the scalar, which is double. */
  withDimensions(dimensions: readonly Dimension[]): TensorType {
    return TensorType.of(this.cellType, dimensions);
  }

  /** The type with these sizes of its indexed dimensions; others stay as they are, as do sizes of 0, which no type has. */
  withSizes(sizes: ReadonlyMap<string, number>): TensorType {
    const dimensions = this.dimensions.map((each) =>
      each.kind === "mapped" ? each : indexed(each.name, sizes.get(each.name) || each.size),
    );
    return this.withDimensions(dimensions);
  }

  /** Whether cell types are the same, and dimensions in name, kind and size: an unbound one equals no size. */
  equals(other: TensorType): boolean {
    return this === other || this.toString() === other.toString();
  }

  /** What `console.log` of Node shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `TensorType ${this.toString().slice(0, longestShown)}`;
  }

  /** As messages tell a type of thousands of dimensions. */
  [beginning](): TensorType {
    const text = this.toString();
    if (text.length <= longestText) return this;
    this.told ??= Object.assign<TensorType, object>(Object.create(this), {
      text: text.slice(0, longestText + 1),
    });
    return this.told;
  }

  /** Canonical text: `tensor<float>(a{},x[3])`; `double` is left out. */
  toString(): string {
    if (this.text === undefined) {
      const cells = this.cellType === "double" ? "" : `<${this.cellType}>`;
      this.text = `tensor${cells}(${this.dimensions.map(dimensionText).join(",")})`;
    }
    return this.text;
  }
}

const longestShown = 1000;

/** So many are found sooner by looking at each. */
const fewDimensions = 8;

/** `k{}`, `x[3]` or `x[]`. */
export function dimensionText(dimension: Dimension): string {
  return dimension.kind === "mapped" ? `${dimension.name}{}` : `${dimension.name}[${dimension.size ?? ""}]`;
}
