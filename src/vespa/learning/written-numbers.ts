import { cellTypes } from "../../language/types/cell.js";
import type { Tensor } from "../../language/values/tensor.js";
import { decimalText } from "../package/schemas/written-values.js";

/** A number as it stands in a text, outside of quotes. */
const numberPattern = /"[^"]*"|'[^']*'|[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/g;

/**
 * A text with other numbers in the positions of those that its cells have, and nothing else changed; nothing where its form has no
 * such positions. Which number is which cell its reader tells: it reads the numbers of the positions first, and must find the new cells
 * in the result.
 */
export function withNumbers(
  text: string,
  cells: ArrayLike<number>,
  read: (text: string) => Tensor | undefined,
): string | undefined {
  const positions = read(replaced(text, (position) => `${position}`));
  if (positions?.data.length !== cells.length) return undefined;
  const cellAt = new Map(Array.from(cells, (value, cell) => [positions.at(cell), value]));
  if (cellAt.size !== cells.length) return undefined;
  const result = replaced(text, (position, written) => {
    const value = cellAt.get(position);
    return value === undefined ? written : decimalText(value);
  });
  const found = read(result);
  return found !== undefined && hasCells(found, cells) ? result : undefined;
}

function replaced(text: string, next: (position: number, written: string) => string): string {
  let position = 0;
  return text.replace(numberPattern, (found) => (/^["']/.test(found) ? found : next(position++, found)));
}

function hasCells(tensor: Tensor, cells: ArrayLike<number>): boolean {
  const { store } = cellTypes[tensor.type.cellType];
  return Array.from(cells).every((value, cell) => tensor.at(cell) === store(value));
}

/** How many digits learnt numbers have: a sample of judgments tells no more. */
const digits = 6;

/** A number with as many digits as are written. */
export const rounded = (value: number): number => Number(value.toPrecision(digits));
