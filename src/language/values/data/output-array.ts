import { type CellArray, type CellType, cellTypeNames, cellTypes } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { arrayText, problem, refuse, spanOfText } from "../messages.js";

/** The names of the classes that have cells of each type. */
const classNames = Object.fromEntries(
  cellTypeNames.map((name) => [name, cellTypes[name].allocate(0).constructor.name]),
) as Readonly<Record<CellType, string>>; // a name for each cell type

/**
 * Sees that an array of a caller is of the class of a type's cells, and has just so many.
 * @throws SphexError where it does not.
 */
export function requireOutput(array: CellArray, type: TensorType, cells: number): void {
  const name = classNames[type.cellType];
  if (array.constructor.name === name && array.length === cells) return;
  const found = { name: array.constructor.name, length: array.length };
  const expected = { name, length: cells };
  refuse(problem("value/into", spanOfText("into", arrayText(found)), { type, found, expected }));
}
