import { requireArgument } from "../source/arguments.js";
import { cellTypes } from "./cell.js";

/** @throws SphexError where a caller without types names no cell type. */
export const requireCellType = (name: string, value: unknown): void =>
  requireArgument(name, "cellType", value, typeof value === "string" && Object.hasOwn(cellTypes, value));
