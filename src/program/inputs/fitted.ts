import { problem } from "../../language/limits/messages.js";
import { SphexError } from "../../language/source/problem.js";
import { cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { copyCell } from "../../language/values/data/array-cells.js";
import { element } from "../../language/values/element.js";
import { typeSpan } from "../../language/values/messages.js";
import { cellsOf, offsetsOf, stridesOf } from "../../language/values/shape.js";
import { Tensor } from "../../language/values/tensor.js";

/**
 * A tensor whose type is assignable to the declared one, in that type: smaller sizes are filled up with zeros.
 * @throws SphexError where it would have more cells than the limit.
 */
export function fitted(tensor: Tensor, declared: TensorType, limit: number): Tensor {
  const own = tensor.retyped(declared);
  const sizes = declared.indexed.map(({ size }, at) => size ?? element(tensor.sizes, at));
  if (sizes.every((size, at) => size === tensor.sizes[at])) return own;
  const blockCells = cellsOf(sizes);
  const cells = tensor.rows * blockCells;
  if (cells > limit) throw new SphexError([problem("limit/cells", typeSpan(declared), { cells, limit })]);
  const data = cellTypes[declared.cellType].allocate(cells);
  const { data: ownData } = own;
  const offsets = offsetsOf(tensor.sizes, stridesOf(sizes), tensor.rows);
  for (let row = 0; row < tensor.rows; row++)
    for (const [at, offset] of offsets.entries())
      copyCell(ownData, row * tensor.blockCells + at, data, row * blockCells + offset);
  return Tensor.of(declared, sizes, tensor.labels, data);
}
