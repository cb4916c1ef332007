import { cellTypes } from "./cell.js";
import type { TensorType } from "./type.js";

/**
 * Whether a value of one type may be given where another is declared: the same dimensions
 * and kinds, cells that fit, and sizes that are equal, or smaller (then zeros fill the rest), or not declared.
 */
export function isAssignable(value: TensorType, declared: TensorType): boolean {
  return (
    value.rank === declared.rank &&
    (value.isScalar || cellTypes[declared.cellType].holds.includes(value.cellType)) &&
    declared.dimensions.every((wanted) => {
      const given = value.dimension(wanted.name);
      if (given?.kind !== wanted.kind) return false;
      return wanted.size === undefined || (given.size !== undefined && given.size <= wanted.size);
    })
  );
}
