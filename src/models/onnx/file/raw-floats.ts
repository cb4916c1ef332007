import { SphexError } from "../../../language/source/problem.js";
import { type CellArray, isLittleEndian } from "../../../language/types/cell.js";
import { spanOfText } from "../../../language/values/messages.js";
import { type Labels, oneRow, type TensorStorage } from "../../../language/values/tensor-storage.js";
import { problem } from "../../messages.js";
import type { Numbers } from "./numbers.js";

const width = Float32Array.BYTES_PER_ELEMENT;

/** Whether floats lie in a file as in the memory of this machine. */
export const areAsInMemory = isLittleEndian;

/**
 * Floats that stay in the bytes of their file, at any address, so that a weight takes no memory beside them until its cells are read.
 * The bytes must not be changed as long as there is a tensor of them.
 */
export class RawFloats implements Numbers, TensorStorage {
  readonly rows = 1;
  readonly cells: number;

  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {
    this.cells = bytes.length / width;
  }

  get length(): number {
    return this.cells;
  }

  labels(): Labels {
    return oneRow;
  }

  /** @throws SphexError where the bytes were transferred to another thread. */
  data(into: CellArray = new Float32Array(this.cells)): CellArray {
    this.part(0, into);
    return into;
  }

  part(first: number, into: CellArray): void {
    const { name, bytes, cells } = this;
    if (bytes.length !== cells * width)
      throw new SphexError([
        problem("model/tensor", spanOfText(name, name), { name, fault: { kind: "bytes" } }),
      ]);
    const start = first * width;
    const part = bytes.subarray(start, start + into.byteLength);
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(part);
  }

  [Symbol.iterator](): Iterator<number> {
    return (this.data() as Float32Array)[Symbol.iterator](); // of the class that it makes
  }
}
