import { quotedLabel } from "../language/source/escapes.js";
import type { Tensor } from "../language/values/tensor.js";
import { labelsAt, numberText } from "../language/values/text.js";

/** Cells with their addresses, as people and tables are told. */

/** A row for each cell, in canonical order: its labels as they are shown, and its value with all digits. */
export function cellRows(tensor: Tensor, shown: (label: string) => string = (label) => label): string[][] {
  return Array.from({ length: tensor.data.length }, (_, at) => [
    ...labelsAt(tensor, at).map(shown),
    numberText(tensor.at(at), tensor.type.cellType),
  ]);
}

/** Words without signs that could be taken for quotes, for a part of an address, or for what tables draw. */
const plain = /^[^\p{C}\p{Z}'"\\:,│·…]+(?: [^\p{C}\p{Z}'"\\:,│·…]+)*$/u;

/** A label beside its cell: as it is where that is clear, otherwise quoted as in the language. */
export const shownLabel = (label: string): string => (plain.test(label) ? label : quotedLabel(label));
