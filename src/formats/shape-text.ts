/** A shape as Python writes it: `(2, 3)`, `(4,)`. Nothing stands for any size. */
export const shapeText = (sizes: readonly (number | undefined)[]): string =>
  `(${sizes.map((size) => size ?? "any").join(", ")}${sizes.length === 1 ? "," : ""})`;
