import { cellTypes } from "./cell.js";
import type { TensorType } from "./type.js";

/**
 * Whether a value of one type may stand where another is declared: the same dimensions
 * and kinds, cells that fit, and sizes that are equal, or smaller (then zeros fill the rest), or not declared.
 */
export function isAssignable(value: TensorType, declared: TensorType): boolean {
  return (
    value.rank === declared.rank &&
    (value.isScalar || cellTypes[declared.cellType].holds.includes(value.cellType)) &&
    declared.dimensions.every((dimension) => {
      const actual = value.dimension(dimension.name);
      if (actual?.kind !== dimension.kind) return false;
      return dimension.size === undefined || (actual.size !== undefined && actual.size <= dimension.size);
    })
  );
}
