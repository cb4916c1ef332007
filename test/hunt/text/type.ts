import { refuse } from "./refusal.js";
import { type CellName, decayed, holdsAll, isCellName } from "./storage.js";

/** Types, and the type of what each operation gives (3.1 to 3.6 of the language). */

export interface Dimension {
  readonly name: string;
  readonly isMapped: boolean;
  /** Nothing where it is mapped or unbound. */
  readonly size: number | undefined;
}

export interface Type {
  readonly cells: CellName;
  /** Sorted by name. */
  readonly dimensions: readonly Dimension[];
}

export function typeOf(cells: CellName, dimensions: readonly Dimension[]): Type {
  const sorted = [...dimensions].sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const [at, { name }] of sorted.entries())
    if (sorted[at + 1]?.name === name) refuse(`there are two dimensions ${name}`);
  return { cells: sorted.length === 0 ? "double" : cells, dimensions: sorted };
}

export const scalar: Type = typeOf("double", []);

export const cellNameOf = (text: string): CellName => {
  if (text === "byte") return "int8";
  return isCellName(text) ? text : refuse(`there are no cells called ${text}`);
};

export const isScalar = ({ dimensions }: Type): boolean => dimensions.length === 0;
export const namesOf = ({ dimensions }: Type): readonly string[] => dimensions.map(({ name }) => name);
export const mappedOf = ({ dimensions }: Type): readonly Dimension[] =>
  dimensions.filter((each) => each.isMapped);
export const indexedOf = ({ dimensions }: Type): readonly Dimension[] =>
  dimensions.filter((each) => !each.isMapped);
export const dimensionOf = ({ dimensions }: Type, name: string): Dimension | undefined =>
  dimensions.find((each) => each.name === name);

/** The dense block of a tensor that has this type. */
export const blockOf = (type: Type): Type => typeOf(type.cells, indexedOf(type));

const unified = (one: Type, other: Type): CellName => {
  if (isScalar(one)) return other.cells;
  if (isScalar(other) || one.cells === other.cells) return one.cells;
  return floating(one.cells, other.cells);
};

/** The type of floating point in which two different types of cells can be computed. */
const floating = (one: CellName, other: CellName): CellName =>
  [one, other].some((each) => decayed[each] === "double") ? "double" : "float";

const largest = (one: CellName, other: CellName): CellName => {
  if (holdsAll(one, other)) return one;
  return holdsAll(other, one) ? other : floating(one, other);
};

type Sizes = (one: number | undefined, other: number | undefined) => number | undefined;

/** The dimensions of either side, once each, with a size that follows from those of both sides. */
const together = (one: Type, other: Type, size: Sizes): readonly Dimension[] => [
  ...one.dimensions.map((each): Dimension => {
    const match = dimensionOf(other, each.name);
    if (match === undefined) return each;
    if (match.isMapped !== each.isMapped) refuse(`${each.name} is mapped on one side only`);
    return { ...each, size: size(each.size, match.size) };
  }),
  ...other.dimensions.filter(({ name }) => dimensionOf(one, name) === undefined),
];

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** A size that one side has, or none; where both have one, it has to be the same. */
const equal: Sizes = (one, other) => {
  if (one !== undefined && other !== undefined && one !== other) refuse("sizes differ");
  return one ?? other;
};

export const mapType = (type: Type): Type => typeOf(decayed[type.cells], type.dimensions);

/** Where both sides are bound, the overlap is left (D2). */
export const joinType = (one: Type, other: Type): Type =>
  typeOf(
    decayed[unified(one, other)],
    together(one, other, (a, b) => (a === undefined || b === undefined ? (a ?? b) : Math.min(a, b))),
  );

export function mergeType(one: Type, other: Type): Type {
  if (!isSame(namesOf(one), namesOf(other))) refuse("merge is of tensors with the same dimensions");
  return typeOf(decayed[unified(one, other)], together(one, other, equal));
}

export function reduceType(type: Type, over: readonly string[]): Type {
  for (const name of over) if (dimensionOf(type, name) === undefined) refuse(`there is no dimension ${name}`);
  if (new Set(over).size < over.length) refuse("a dimension is reduced twice");
  const left = over.length === 0 ? [] : type.dimensions.filter(({ name }) => !over.includes(name));
  return typeOf(decayed[type.cells], left);
}

/** What either of two results can be stored in (`if` and `switch`). */
export function eitherType(one: Type, other: Type): Type {
  if (!isSame(namesOf(one), namesOf(other)))
    refuse("one of two results has the same dimensions as the other");
  const size: Sizes = (a, b) => (a === undefined || b === undefined ? undefined : equal(a, b));
  return typeOf(largest(one.cells, other.cells), together(one, other, size));
}

export function concatType(one: Type, other: Type, along: string): Type {
  const ends = [one, other].map((type) => dimensionOf(type, along));
  if (ends.some((each) => each?.isMapped)) refuse(`${along} is mapped`);
  const [first, second] = ends.map((each) => (each === undefined ? 1 : each.size));
  const size = first === undefined || second === undefined ? undefined : first + second;
  const sizes: Sizes = (a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b));
  const rest = together(one, other, sizes).filter(({ name }) => name !== along);
  return typeOf(unified(one, other), [...rest, { name: along, isMapped: false, size }]);
}
