import type { CellType } from "../../src/language/types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../../src/language/types/type.js";
import type { Choice } from "./choice.js";

/** How many dimensions of a program are of which kind. */
const mixtures = [
  ...[0, 1, 2].map(() => ["indexed", "indexed", "indexed", "indexed", "mapped", "mapped", "unbound"]),
  ["indexed", "indexed", "indexed", "mapped", "mapped", "mapped", "mapped"],
  ["indexed", "indexed", "indexed", "mapped", "mapped", "unbound", "unbound"],
] as const;

const usualNames = ["x", "y", "z", "k", "j", "B", "a1"];
/** In a few programs, whose tensors have many dimensions. */
const moreNames = ["u", "b2", "Cc", "d_4"];

/** The dimensions of a program: each name is of one kind, and has one size nearly everywhere. */
export class Dimensions {
  private readonly all: readonly Dimension[];
  /** Whether tensors have many dimensions, each of which is short. */
  readonly isWide: boolean;

  constructor(
    private readonly choice: Choice,
    readonly isLarge: boolean,
  ) {
    this.isWide = choice.percent(4);
    const names = choice.shuffled([...usualNames, ...(this.isWide ? moreNames : [])]);
    const kinds = choice.oneOf(mixtures);
    this.all = names.map((name, at): Dimension => {
      const kind = kinds[at % kinds.length];
      if (kind === "mapped") return mapped(name);
      return indexed(name, kind === "unbound" ? undefined : this.size());
    });
  }

  /** One that is not named so; nothing where there is none left. Not all places can have mapped or unbound ones. */
  other(names: readonly string[], isDense: boolean, isBound: boolean): Dimension | undefined {
    const free = this.all.filter(
      ({ name, kind, size }) =>
        !names.includes(name) &&
        !(isDense && kind === "mapped") &&
        !(isBound && kind === "indexed" && size === undefined),
    );
    if (free.length === 0) return undefined;
    const dimension = this.choice.oneOf(free);
    if (dimension.size === undefined || this.choice.percent(90)) return dimension;
    return indexed(dimension.name, this.size());
  }

  /** Some that are not named so. */
  others(names: readonly string[], most: number, isDense: boolean, isBound: boolean): Dimension[] {
    const found: Dimension[] = [];
    while (found.length < most) {
      const dimension = this.other([...names, ...found.map(({ name }) => name)], isDense, isBound);
      if (dimension === undefined) break;
      found.push(dimension);
    }
    return found;
  }

  size(): number {
    if (this.isWide) return this.choice.oneOf([1, 1, 2, 2, 2, 3]);
    if (this.isLarge) return this.choice.oneOf([1, 2, 3, 8, 9, 16, 17, 31, 40, 70, 100]);
    return this.choice.oneOf([1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 8]);
  }
}

/** How many cells a tensor of a type has, about. */
export function cellsOf(type: TensorType): number {
  const rows = [1, 4, 6, 8][type.mapped.length] ?? 12;
  return type.indexed.reduce((product, { size = 3 }) => product * size, rows);
}

const computed: readonly CellType[] = ["double", "float"];

/** Whether cells of the type can be computed: others are only stored. */
export const isComputed = ({ cellType }: TensorType): boolean => computed.includes(cellType);

const cellWeights: Readonly<Record<CellType, number>> = {
  ...{ double: 8, float: 6, bfloat16: 3, int8: 3 },
  ...{ half: 1, short: 1, int: 1, long: 1 },
};
const cellNames = Object.keys(cellWeights) as CellType[]; // the record is total

export const anyCells = (choice: Choice): CellType => choice.weighted(cellNames, (name) => cellWeights[name]);

/** Cells that this cell type is computed from. */
export function cellsThatDecayTo(cellType: CellType, choice: Choice): CellType {
  if (choice.percent(60)) return cellType;
  return cellType === "double"
    ? choice.oneOf(["double", "double", "int", "long"])
    : choice.oneOf(["float", "bfloat16", "int8", "bfloat16", "int8", "half", "short"]);
}

/** The cell types of two tensors that unify to what decays to this one. */
export function cellsThatUnify(cellType: CellType, choice: Choice): [CellType, CellType] {
  const first = cellsThatDecayTo(cellType, choice);
  if (cellType === "float") return [first, cellsThatDecayTo(cellType, choice)];
  const both: [CellType, CellType] = [first, anyCells(choice)];
  return choice.percent(60) ? [first, first] : choice.percent(50) ? both : [both[1], both[0]];
}

export const withDimensions = (cellType: CellType, dimensions: readonly Dimension[]): TensorType =>
  TensorType.of(cellType, dimensions);
