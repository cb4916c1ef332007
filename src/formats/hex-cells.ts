import { type CellType, cellTypes, readCell } from "../language/types/cell.js";
import type { TensorType } from "../language/types/type.js";

/** How many digits so many cells have. */
export const hexDigits = (type: CellType, cells: number): number => 2 * cellTypes[type].width * cells;

export const isHex = (text: string): boolean => /^[0-9a-fA-F]+$/.test(text);

/**
 * The cells of a dense block, given as the bits of each, most significant digit first, in the type's own width; nothing where the
 * text is not that.
 */
export function hexNumbers(text: string, type: TensorType): Float64Array | undefined {
  const { cellType, blockSize } = type;
  if (!type.isBound || text.length !== hexDigits(cellType, blockSize) || !isHex(text)) return undefined;
  const cells = cellTypes[cellType].allocate(blockSize);
  const bytes = new DataView(cells.buffer);
  const { width } = cellTypes[cellType];
  for (let at = 0; at < text.length / 2; at++) {
    const byte = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
    // The buffer is as the machine keeps it; all machines that run JavaScript today are little-endian.
    bytes.setUint8(at - (at % width) + (width - 1 - (at % width)), byte);
  }
  return Float64Array.from({ length: blockSize }, (_, at) => readCell(cellType, cells, at));
}
