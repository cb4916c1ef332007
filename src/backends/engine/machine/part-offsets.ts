import { element, intAt } from "../../../language/values/element.js";
import { offsetAlong } from "../values/tables.js";
import type { BufferStride } from "../values/value.js";

/** How far the cells at one index of some axes are from the first, for a step that goes through all indexes, the last axis fastest. */
export class PartOffsets {
  private readonly indexes: Int32Array;

  constructor(private readonly sizes: readonly number[]) {
    this.indexes = new Int32Array(sizes.length);
  }

  moveTo(part: number): void {
    let rest = part;
    for (let axis = this.sizes.length - 1; axis >= 0; axis--) {
      const size = element(this.sizes, axis);
      const index = rest % size;
      rest = (rest - index) / size;
      this.indexes[axis] = index;
    }
  }

  /** Moves to the row that a part is in, where each row has so many; its index there. */
  moveToRow(part: number, row: number): number {
    const index = part % row;
    this.moveTo((part - index) / row);
    return index;
  }

  along(strides: readonly BufferStride[]): number {
    let offset = 0;
    for (let axis = 0; axis < this.indexes.length; axis++)
      offset += offsetAlong(element(strides, axis), intAt(this.indexes, axis));
    return offset;
  }
}
