import { type Lambda, Meaning, meaningOf } from "./meaning.js";
import type { Dialect } from "./number-function.js";
import { refuse } from "./refusal.js";
import { decayed } from "./storage.js";
import {
  blockOf,
  concatType,
  dimensionOf,
  indexedOf,
  isScalar,
  mappedOf,
  mapType,
  namesOf,
  type Type,
  typeOf,
} from "./type.js";
import {
  type Address,
  blocksOf,
  type Cell,
  combinations,
  type Extents,
  keyOf,
  labelAt,
  ordered,
  stored,
  type Value,
} from "./value.js";

/** Operations that put cells elsewhere, and those of whole blocks (4.5 and 4.7 of the language). */

export function rename(tensor: Meaning, from: readonly string[], to: readonly string[]): Meaning {
  const { cells, dimensions } = tensor.type;
  if (from.length !== to.length) refuse("as many names as there are new ones");
  for (const name of from) if (dimensionOf(tensor.type, name) === undefined) refuse(`no dimension ${name}`);
  const newName = (name: string): string => to[from.indexOf(name)] ?? name;
  const type = typeOf(
    cells,
    dimensions.map((each) => ({ ...each, name: newName(each.name) })),
  );
  const moved = (address: Address): Address =>
    Object.fromEntries(Object.entries(address).map(([name, label]) => [newName(name), label]));
  return new Meaning(type, () => {
    const { extents, cells: all } = tensor.value;
    return stored(
      type,
      new Map([...extents].map(([name, size]) => [newName(name), size])),
      all.map(({ address, value }) => ({ address: moved(address), value })),
    );
  });
}

export function concat(left: Meaning, right: Meaning, along: string, dialect: Dialect): Meaning {
  const type = concatType(left.type, right.type, along);
  return new Meaning(type, () => {
    const [one, other] = [left.value, right.value];
    const length = one.extents.get(along) ?? 1;
    const extents = new Map(one.extents);
    // Where unbound dimensions differ, Vespa keeps the overlap, and the Paper all (D3).
    const size = dialect === "vespa" ? Math.min : Math.max;
    for (const [name, each] of other.extents) extents.set(name, size(each, extents.get(name) ?? each));
    extents.set(along, length + (other.extents.get(along) ?? 1));
    const block = combinations(namesOf(blockOf(type)), extents);
    const common = namesOf(one.type).filter((name) => dimensionOf(other.type, name)?.isMapped);
    const [first, second] = [cellsAt(one), cellsAt(other)];
    const cells = blocksOf(one).flatMap(({ labels }) =>
      blocksOf(other)
        .filter((each) => common.every((name) => labels[name] === each.labels[name]))
        .flatMap((each) =>
          block.map((indexes): Cell => {
            const address = { ...labels, ...each.labels, ...indexes };
            const index = Number(labelAt(indexes, along));
            const value =
              index < length ? first(address) : second({ ...address, [along]: `${index - length}` });
            return { address, value: value ?? 0 };
          }),
        ),
    );
    return stored(type, extents, cells);
  });
}

/** A tensor as a function of addresses, which may have more dimensions. */
function cellsAt({ type, cells }: Value): (address: Address) => number | undefined {
  const names = namesOf(type);
  const values = new Map(cells.map(({ address, value }) => [keyOf(address, names), value]));
  return (address) => values.get(keyOf(address, names));
}

/** Each cell becomes its rank; NaN comes last, and equal cells stay in their order (D19). */
export function cellOrder(tensor: Meaning, isDescending: boolean): Meaning {
  const type = mapType(tensor.type);
  return new Meaning(type, () => {
    const cells = ordered(tensor.value);
    const [numbers, others] = [
      cells.filter(({ value }) => !Number.isNaN(value)),
      cells.filter(({ value }) => Number.isNaN(value)),
    ];
    // The order of cells that are equal is kept by sort.
    numbers.sort((one, other) => {
      if (one.value === other.value) return 0;
      return one.value < other.value === isDescending ? 1 : -1;
    });
    const ranked = [...numbers, ...others].map(({ address }, rank) => ({ address, value: rank }));
    return stored(type, tensor.value.extents, ranked);
  });
}

/** A tensor of this type without cells, for the type of what a lambda makes of one. */
const unknown = (type: Type): Meaning => new Meaning(type, () => refuse("a type has no cells"));

export function mapSubspaces(tensor: Meaning, lambda: Lambda): Meaning {
  const { type: body } = lambda.of(unknown(blockOf(tensor.type)));
  if (mappedOf(body).length > 0) refuse("a subspace becomes a dense one");
  const mapped = mappedOf(tensor.type);
  if (mapped.length === 0) return lambda.of(tensor);
  const cells = isScalar(body) ? decayed[tensor.type.cells] : body.cells;
  const type = typeOf(cells, [...mapped, ...body.dimensions]);
  return new Meaning(type, () => {
    const results = blocksOf(tensor.value).map(({ labels, value }) => ({
      labels,
      result: lambda.of(meaningOf(value)).value,
    }));
    const extents = largest(results.map(({ result }) => result.extents));
    // Along an unbound dimension a block that is shorter than another one ends in zeros, also where it has no cells.
    const [first] = combinations([...extents.keys()], extents);
    const zero = first === undefined ? [] : [{ address: first, value: 0 }];
    return stored(
      type,
      extents,
      results.flatMap(({ labels, result: { cells } }) =>
        (cells.length > 0 ? cells : zero).map(({ address, value }) => ({
          address: { ...labels, ...address },
          value,
        })),
      ),
    );
  });
}

/** The greatest size along each dimension. */
function largest(all: readonly Extents[]): Extents {
  const sizes = new Map<string, number>();
  for (const extents of all)
    for (const [name, size] of extents) sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
  return sizes;
}

export function filterSubspaces(tensor: Meaning, lambda: Lambda): Meaning {
  const { type } = tensor;
  if (mappedOf(type).length === 0) refuse("a dense tensor has no subspaces to leave out");
  lambda.of(unknown(blockOf(type)));
  return new Meaning(type, () => {
    const retained = blocksOf(tensor.value).filter(({ value }) => {
      const cells = ordered(lambda.of(meaningOf(value)).value);
      return cells.reduce((sum, each) => sum + each.value, 0) !== 0;
    });
    return stored(
      type,
      tensor.value.extents,
      retained.flatMap(({ cells }) => cells),
    );
  });
}

/** A cell for each bit of a byte, along the last indexed dimension. */
export function unpackBits(tensor: Meaning, cells: Type["cells"], isBig: boolean): Meaning {
  const { type } = tensor;
  const last = indexedOf(type).at(-1);
  if (type.cells !== "int8" || last?.size === undefined)
    return refuse("bits are those of bytes along a size");
  const { name, size } = last;
  const whole = typeOf(
    cells,
    type.dimensions.map((each) => (each === last ? { ...each, size: size * 8 } : each)),
  );
  return new Meaning(whole, () => {
    const bits = tensor.value.cells.flatMap(({ address, value }) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((at): Cell => {
        const index = Number(labelAt(address, name)) * 8 + at;
        return { address: { ...address, [name]: `${index}` }, value: (value >> (isBig ? 7 - at : at)) & 1 };
      }),
    );
    return stored(whole, new Map(), bits);
  });
}

/** A number for each combination of indexes; all dimensions are indexed and bound. */
export function generated(type: Type, body: (indexes: Address) => number): Meaning {
  if (type.dimensions.some(({ size }) => size === undefined)) refuse("only a tensor with sizes is generated");
  const extents = new Map(type.dimensions.map(({ name, size = 0 }) => [name, size]));
  return new Meaning(type, () =>
    stored(
      type,
      extents,
      combinations(namesOf(type), extents).map((address) => ({ address, value: body(address) })),
    ),
  );
}
