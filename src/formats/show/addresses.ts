import { quotedLabel } from "../../language/source/escapes.js";
import { indexesAt } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";

/** Cells with their addresses, as people and tables are told. */

/** A row for each cell, in canonical order: its labels as they are shown, and its value with all digits. */
export function cellRows(tensor: Tensor, shown: (label: string) => string = (label) => label): string[][] {
  return Array.from({ length: tensor.data.length }, (_, at) => [
    ...labelsAt(tensor, at).map(shown),
    numberText(tensor.at(at), tensor.type.cellType),
  ]);
}

/** The labels of the cell at a position of the tensor's data, one for each dimension, in canonical order. */
function labelsAt(tensor: Tensor, at: number): string[] {
  const labels = tensor.labels[Math.floor(at / tensor.blockCells)] ?? [];
  const indexes = indexesAt(at % tensor.blockCells, tensor.sizes);
  let [mapped, indexed] = [0, 0];
  return tensor.type.dimensions.map(
    ({ kind }) => (kind === "mapped" ? labels[mapped++] : `${indexes[indexed++]}`) ?? "",
  );
}

/** Words without signs that could be taken for quotes, for a part of an address, or for what tables draw. */
const plain = /^[^\p{C}\p{Z}'"\\:,│·…]+(?: [^\p{C}\p{Z}'"\\:,│·…]+)*$/u;

/** A label beside its cell: as it is where that is clear, otherwise quoted as in the language. */
export const shownLabel = (label: string): string => (plain.test(label) ? label : quotedLabel(label));
