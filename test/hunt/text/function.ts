import { aggregates } from "./aggregate.js";
import { chosen, converted, join, map, merge, numbersOf, reduce } from "./elementwise.js";
import type { Arguments, Meaning } from "./meaning.js";
import { ofOne, ofTwo } from "./number-function.js";
import { refuse } from "./refusal.js";
import { cellOrder, concat, filterSubspaces, mapSubspaces, rename, unpackBits } from "./shaping.js";
import { cellNameOf, dimensionOf, eitherType, isScalar, typeOf } from "./type.js";

/** The functions that are not composed of others, each as it reads its arguments (5.2 and 5.3 of the language). */

type Called = (given: Arguments) => Meaning;

const wordsFrom = ({ count, word }: Arguments, first: number): readonly string[] =>
  Array.from({ length: Math.max(count - first, 0) }, (_, at) => word(first + at));

const truth = (x: number, y: number): number => (x === y ? 1 : 0);

/** Ones where a cell is the best along these dimensions. */
const best =
  (aggregator: string): Called =>
  (given) => {
    const tensor = given.tensor(0);
    return join(tensor, reduce(tensor, aggregator, wordsFrom(given, 1), given.dialect), truth);
  };

const functions: Readonly<Record<string, Called>> = {
  if: ({ tensor }) => {
    const [condition, yes, no] = [tensor(0), tensor(1), tensor(2)];
    if (!isScalar(condition.type)) refuse("a condition is a scalar");
    const type = eitherType(yes.type, no.type);
    return chosen(type, () => (condition.number !== 0 ? yes : no));
  },
  map: ({ tensor, lambda }) => map(tensor(0), numbersOf(lambda(1), 1)),
  join: ({ tensor, lambda }) => join(tensor(0), tensor(1), numbersOf(lambda(2), 2)),
  merge: ({ tensor, lambda }) => merge(tensor(0), tensor(1), numbersOf(lambda(2), 2)),
  reduce: (given) => reduce(given.tensor(0), given.word(1), wordsFrom(given, 2), given.dialect),
  rename: ({ tensor, words }) => rename(tensor(0), words(1), words(2)),
  concat: ({ tensor, word, dialect }) => concat(tensor(0), tensor(1), word(2), dialect),
  cell_cast: ({ tensor, word }) => {
    const { type } = tensor(0);
    const cells = cellNameOf(word(1));
    if (isScalar(type) && cells !== "double") refuse("a scalar is a double");
    return converted(tensor(0), typeOf(cells, type.dimensions));
  },
  cell_order: ({ tensor, word }) => cellOrder(tensor(0), word(1) === "max"),
  argmax: best("max"),
  argmin: best("min"),
  map_subspaces: ({ tensor, lambda }) => mapSubspaces(tensor(0), lambda(1)),
  filter_subspaces: ({ tensor, lambda }) => filterSubspaces(tensor(0), lambda(1)),
  unpack_bits: ({ tensor, word, count }) =>
    unpackBits(tensor(0), count > 1 ? cellNameOf(word(1)) : "float", count < 3 || word(2) === "big"),
};

/** What a function that the language has gives for these arguments; nothing where it is none. */
export function called(name: string, given: Arguments): Meaning | undefined {
  const { count, dialect, tensor, bareWord } = given;
  const one = Object.hasOwn(ofOne, name) ? ofOne[name] : undefined;
  if (one !== undefined && count === 1) return map(tensor(0), one);
  const two = Object.hasOwn(ofTwo[dialect], name) ? ofTwo[dialect][name] : undefined;
  const word = count === 2 && two !== undefined ? bareWord(1) : undefined;
  // The name of a dimension is one where the first argument has it, and a tensor otherwise (D21).
  const isDimension = word !== undefined && dimensionOf(tensor(0).type, word) !== undefined;
  const isReduction =
    Object.hasOwn(aggregates[dialect], name) && (isDimension || two === undefined || count !== 2);
  if (isReduction) return reduce(tensor(0), name, wordsFrom(given, 1), dialect);
  if (two !== undefined && count === 2) return join(tensor(0), tensor(1), two);
  return Object.hasOwn(functions, name) ? functions[name]?.(given) : undefined;
}
