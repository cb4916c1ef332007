import { aggregates } from "./aggregate.js";
import type { Lambda } from "./meaning.js";
import { Meaning, numberMeaning } from "./meaning.js";
import type { Dialect } from "./number-function.js";
import { refuse } from "./refusal.js";
import {
  dimensionOf,
  isScalar,
  joinType,
  mapType,
  mergeType,
  namesOf,
  reduceType,
  type Type,
} from "./type.js";
import {
  among,
  type Cell,
  grouped,
  keyOf,
  labelAt,
  numberOf,
  numberValue,
  ordered,
  stored,
} from "./value.js";

/** Operations that compute cells from cells: map, join, merge and reduce (4.4 to 4.7 of the language). */

/** A lambda as a function of numbers; its body has to be a scalar whatever they are. */
export function numbersOf(lambda: Lambda, count: number): (...numbers: readonly number[]) => number {
  const of = (numbers: readonly number[]): Meaning => lambda.of(...numbers.map(numberMeaning));
  if (!isScalar(of(Array<number>(count).fill(0)).type)) refuse("a lambda of numbers gives a number");
  return (...numbers) => of(numbers).number;
}

export function map(tensor: Meaning, change: (x: number) => number): Meaning {
  const type = mapType(tensor.type);
  return new Meaning(type, () => {
    const { extents, cells } = tensor.value;
    return stored(
      type,
      extents,
      cells.map(({ address, value }) => ({ address, value: change(value) })),
    );
  });
}

export function join(left: Meaning, right: Meaning, combine: (x: number, y: number) => number): Meaning {
  const type = joinType(left.type, right.type);
  const common = namesOf(left.type).filter((name) => dimensionOf(right.type, name) !== undefined);
  return new Meaning(type, () => {
    const [one, other] = [left.value, right.value];
    const extents = new Map(one.extents);
    for (const [name, size] of other.extents) extents.set(name, Math.min(size, extents.get(name) ?? size));
    const matches = grouped(other.cells, common);
    const cells = one.cells.flatMap((each) =>
      (matches.get(keyOf(each.address, common)) ?? []).map(
        (match): Cell => ({
          address: { ...each.address, ...match.address },
          value: combine(each.value, match.value),
        }),
      ),
    );
    return stored(type, extents, cells);
  });
}

export function merge(left: Meaning, right: Meaning, combine: (x: number, y: number) => number): Meaning {
  const type = mergeType(left.type, right.type);
  const key = ({ address }: Cell): string => keyOf(address, namesOf(type));
  return new Meaning(type, () => {
    const [one, other] = [left.value, right.value];
    const extents = new Map(one.extents);
    for (const [name, size] of other.extents) extents.set(name, Math.max(size, extents.get(name) ?? size));
    const cells = new Map(one.cells.map((each) => [key(each), each]));
    for (const each of other.cells) {
      const match = cells.get(key(each));
      const value = match === undefined ? each.value : combine(match.value, each.value);
      cells.set(key(each), { ...each, value });
    }
    return stored(type, extents, [...cells.values()]);
  });
}

export function reduce(tensor: Meaning, name: string, over: readonly string[], dialect: Dialect): Meaning {
  const type = reduceType(tensor.type, over);
  const aggregate = aggregates[dialect][name] ?? refuse(`there is no aggregator ${name}`);
  const left = namesOf(type);
  return new Meaning(type, () => {
    const groups = grouped(ordered(tensor.value), left);
    const cells = [...groups.values()].flatMap((group) =>
      group.slice(0, 1).map(({ address }) => ({
        address: among(address, left),
        value: aggregate(group.map(({ value }) => value)),
      })),
    );
    return stored(type, tensor.value.extents, cells);
  });
}

/** The same cells in another type: of other cells, or with sizes that are said less exactly. */
export const converted = (tensor: Meaning, type: Type): Meaning =>
  new Meaning(type, () => stored(type, tensor.value.extents, tensor.value.cells));

/** One of some tensors, which is computed alone. */
export const chosen = (type: Type, choose: () => Meaning): Meaning =>
  new Meaning(type, () => converted(choose(), type).value);

/** The cells at these labels, without their dimensions; no cell is at a label that there is not. */
export function cut(tensor: Meaning, type: Type, labels: () => ReadonlyMap<string, string>): Meaning {
  return new Meaning(type, () => {
    const at = [...labels()];
    const { extents, cells } = tensor.value;
    const found = cells.filter(({ address }) =>
      at.every(([name, label]) => labelAt(address, name) === label),
    );
    if (isScalar(type)) return numberValue(numberOf({ type, extents, cells: found }));
    return stored(
      type,
      extents,
      found.map(({ address, value }) => ({ address: among(address, namesOf(type)), value })),
    );
  });
}
