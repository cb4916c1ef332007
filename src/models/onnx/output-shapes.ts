import { element, entry } from "../../language/values/element.js";
import { sizeName } from "./importer.js";

/**
 * The shapes of outputs that a file does not tell: what its nodes make of two choices of the sizes that have names. An axis that has one size
 * for both has that size always; another one has the size of the name that it goes with, or one that only a run tells.
 */

type Shapes = ReadonlyMap<string, readonly number[]>;

/** Pairs of sizes that are tried: small ones, and such as nets of images have, which divide by many numbers. */
const trials = [
  [2, 3],
  [32, 48],
  [224, 256],
] as const;

/**
 * The shape of each output; nothing where the model takes none of the sizes that are tried, or their number of axes depends on them. The function
 * has the shapes for sizes by name, or nothing where it takes them not.
 */
export function outputShapes(
  names: readonly string[],
  shapesFor: (sizes: ReadonlyMap<string, number>) => Shapes | undefined,
): ReadonlyMap<string, readonly (number | string)[]> | undefined {
  if (names.length === 0) return shapesFor(new Map());
  for (const [small, large] of trials) {
    // Each name has sizes of its own, so that they can be told apart.
    const sizesFrom = (first: number): ReadonlyMap<string, number> =>
      new Map(names.map((name, at) => [name, first * (at + 1) + at]));
    const [less, more] = [sizesFrom(small), sizesFrom(large)];
    const one = shapesFor(less);
    const other = one && shapesFor(more);
    if (one === undefined || other === undefined) continue;
    const shapes = new Map<string, readonly (number | string)[]>();
    for (const [output, shape] of one) {
      const second = entry(other, output);
      if (second.length !== shape.length) return undefined;
      const axes = shape.map((size, axis) => {
        const otherSize = element(second, axis);
        if (size === otherSize) return size;
        const name = names.find((each) => less.get(each) === size && more.get(each) === otherSize);
        return name ?? sizeName(output, axis, undefined);
      });
      shapes.set(output, axes);
    }
    return shapes;
  }
  return undefined;
}
