import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";

/** A tensor in a few numbers. */
export interface TensorSummary {
  /** How many labels each dimension has, in canonical order. */
  readonly sizes: readonly { readonly dimension: string; readonly size: number }[];
  readonly cells: number;
  /** The smallest and the largest cell that is not NaN; nothing where there is none. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly nans: number;
  readonly infinities: number;
}

export function summaryOf(tensor: Tensor): TensorSummary {
  const cells = tensor.data.length;
  let [least, greatest, nans, infinities] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let at = 0; at < cells; at++) {
    const cell = tensor.at(at);
    if (Number.isNaN(cell)) nans++;
    else {
      if (!Number.isFinite(cell)) infinities++;
      least = Math.min(least, cell);
      greatest = Math.max(greatest, cell);
    }
  }
  const hasNumbers = nans < cells;
  return {
    sizes: sizesOf(tensor),
    cells,
    minimum: hasNumbers ? least : undefined,
    maximum: hasNumbers ? greatest : undefined,
    nans,
    infinities,
  };
}

function sizesOf({ type, sizes, labels }: Tensor): TensorSummary["sizes"] {
  let [mapped, indexed] = [0, 0];
  return type.dimensions.map(({ name, kind }) => {
    if (kind === "indexed") return { dimension: name, size: element(sizes, indexed++) };
    const column = mapped++;
    return { dimension: name, size: new Set(labels.map((row) => row[column])).size };
  });
}
