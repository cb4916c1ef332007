import { LeftOut } from "./refusal.js";
import { stores } from "./storage.js";
import { blockOf, indexedOf, isScalar, mappedOf, namesOf, scalar, type Type } from "./type.js";

/** The label of each dimension; of an indexed one it is the index as a text. */
export type Address = Readonly<Record<string, string>>;

export interface Cell {
  readonly address: Address;
  readonly value: number;
}

/** The sizes of indexed dimensions. */
export type Extents = ReadonlyMap<string, number>;

/** A tensor: its cells with their addresses, and those of unbound dimensions besides. */
export interface Value {
  readonly type: Type;
  readonly extents: Extents;
  readonly cells: readonly Cell[];
}

const mostCells = 100_000;

export const numberValue = (value: number): Value => ({
  type: scalar,
  extents: new Map(),
  cells: [{ address: {}, value }],
});

/** The number that a scalar is; a slice beyond all cells has none, which is 0. */
export const numberOf = ({ cells: [first] }: Value): number => (first === undefined ? 0 : first.value);

export const among = (address: Address, names: readonly string[]): Address => {
  const left: Record<string, string> = {};
  for (const name of names) left[name] = labelAt(address, name);
  return left;
};

export function labelAt(address: Address, name: string): string {
  const label = address[name];
  if (label === undefined) throw new Error(`an address has no dimension ${name}`);
  return label;
}

/** What tells addresses apart in these dimensions. */
export const keyOf = (address: Address, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => labelAt(address, name)));

/** Cells by where they are in these dimensions, in the order in which they are first met. */
export function grouped(
  cells: readonly Cell[],
  names: readonly string[],
): ReadonlyMap<string, readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = keyOf(cell.address, names);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cell]);
    else group.push(cell);
  }
  return groups;
}

/** All combinations of indexes of these dimensions, the last one fastest. */
export function combinations(names: readonly string[], extents: Extents): readonly Address[] {
  let all: readonly Address[] = [{}];
  for (const name of names) {
    const indexes = Array.from({ length: extents.get(name) ?? 0 }, (_, index) => `${index}`);
    if (all.length * indexes.length > mostCells) throw new LeftOut("a large tensor");
    all = all.flatMap((address) => indexes.map((index) => ({ ...address, [name]: index })));
  }
  return all;
}

/** A tensor that has these cells, stored as its type says: dense blocks are whole, and what nobody gave a value is 0. */
export function stored(type: Type, wished: Extents, cells: readonly Cell[]): Value {
  const store = stores[type.cells];
  const [all, indexed] = [namesOf(type), indexedOf(type)];
  if (all.length === 0) return numberValue(cells[0] === undefined ? 0 : cells[0].value);
  const mapped = mappedOf(type).map(({ name }) => name);
  const extents = new Map(indexed.map(({ name, size }) => [name, size ?? wished.get(name) ?? 0]));
  const values = new Map<string, number>();
  const rows = new Map<string, Address>(mapped.length === 0 ? [["", {}]] : []);
  for (const { address, value } of cells) {
    values.set(keyOf(address, all), store(value));
    if (mapped.length > 0) rows.set(keyOf(address, mapped), among(address, mapped));
  }
  const block = combinations([...extents.keys()], extents);
  if (rows.size * block.length > mostCells) throw new LeftOut("a large tensor");
  const whole = [...rows.values()].flatMap((row) =>
    block.map((indexes): Cell => {
      const address = { ...row, ...indexes };
      return { address, value: values.get(keyOf(address, all)) ?? 0 };
    }),
  );
  // A tensor is its cells: where there are none, no unbound dimension has a size.
  const left = whole.length > 0 ? extents : new Map(indexed.map(({ name, size = 0 }) => [name, size]));
  return { type, extents: left, cells: whole };
}

/** The cells in canonical order: by labels as texts, and then by indexes. */
export function ordered({ type, cells }: Value): readonly Cell[] {
  const [mapped, indexed] = [mappedOf(type), indexedOf(type)];
  return [...cells].sort((one, other) => {
    for (const { name } of mapped) {
      const [a, b] = [labelAt(one.address, name), labelAt(other.address, name)];
      if (a !== b) return a < b ? -1 : 1;
    }
    for (const { name } of indexed) {
      const difference = Number(one.address[name]) - Number(other.address[name]);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** A dense block of a tensor, with the labels that it has there; all that is there keeps its whole addresses, too. */
export interface Block {
  readonly labels: Address;
  readonly cells: readonly Cell[];
  readonly value: Value;
}

export function blocksOf(value: Value): readonly Block[] {
  const names = mappedOf(value.type).map(({ name }) => name);
  // A dense tensor is one block, also where it has no cell.
  const groups = names.length === 0 ? [ordered(value)] : [...grouped(ordered(value), names).values()];
  const inner = blockOf(value.type);
  return groups.map((cells) => {
    const own = cells.map(({ address, value }) => ({ address: among(address, namesOf(inner)), value }));
    const [first] = cells;
    return {
      labels: first === undefined ? {} : among(first.address, names),
      cells,
      value: isScalar(inner)
        ? stored(inner, new Map(), own)
        : { type: inner, extents: value.extents, cells: own },
    };
  });
}
