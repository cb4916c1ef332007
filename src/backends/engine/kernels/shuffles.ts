/** Which bytes of two vectors make a new one: those of the first have the indexes 0 to 15, those of the second 16 to 31. */

/** Parts of a vector, so many bytes each, by their numbers: from `count` of them on they are of the second. */
const partsOf =
  (bytes: number) =>
  (...indexes: readonly number[]): readonly number[] =>
    indexes.flatMap((index) => Array.from({ length: bytes }, (_, at) => index * bytes + at));

const halves = partsOf(8);
export const words = partsOf(4);
const pairs = partsOf(2);
const bytes = partsOf(1);

/** The first halves of two vectors. */
export const lowHalves = halves(0, 2);
/** The second half of a vector, twice. */
export const upperHalf = halves(1, 1);
/** Every other word of two vectors: of masks of doubles, masks of floats. */
export const evenWords = words(0, 2, 4, 6);

/** Of four words, the first or the second two bytes of each, or the first byte; then the same again. */
export const firstPairs = pairs(0, 2, 4, 6, 0, 2, 4, 6);
export const secondPairs = pairs(1, 3, 5, 7, 1, 3, 5, 7);
export const firstBytes = bytes(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
