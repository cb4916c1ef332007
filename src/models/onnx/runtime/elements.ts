import type { CellArray } from "../../../language/types/cell.js";
import type { NumberArray } from "../../../language/values/data/number-array.js";

/** The elements of a tensor as ONNX Runtime has them. */
export type ElementArray = NumberArray | BigUint64Array;

/** A type of elements that ONNX Runtime takes and returns: what it calls it, and its array for cells of the border, and back. */
interface RuntimeElement {
  readonly type: string;
  readonly toElements: (cells: CellArray) => ElementArray;
  readonly toCells: (elements: ElementArray) => NumberArray;
}

const numbers = (array: ElementArray | CellArray): Float64Array =>
  Float64Array.from(array as ArrayLike<number | bigint>, Number); // each of its classes is one of these

const integers = (array: ElementArray | CellArray): bigint[] =>
  Array.from(array as ArrayLike<number | bigint>, BigInt); // each of its classes is one of these

const same = <T>(array: T): T => array;

/** Elements that are the cells themselves, bit by bit. */
const alike = (type: string): RuntimeElement => ({
  type,
  toElements: same,
  toCells: (elements) => (elements instanceof BigUint64Array ? numbers(elements) : elements),
});

/** By the name that a file of ONNX has for it. */
const rows: Readonly<Record<string, RuntimeElement>> = {
  float: alike("float32"),
  double: alike("float64"),
  int8: alike("int8"),
  int16: alike("int16"),
  int32: alike("int32"),
  int64: alike("int64"),
  float16: {
    type: "float16",
    toElements: same,
    // Where there is a class for these numbers the runtime returns it; cells are their bits.
    toCells: ({ buffer, byteOffset, length }) => new Uint16Array(buffer, byteOffset, length),
  },
  bool: {
    type: "bool",
    toElements: (cells) => Uint8Array.from(numbers(cells), (cell) => (cell === 0 ? 0 : 1)),
    toCells: (elements) => Int8Array.from(numbers(elements)),
  },
  uint8: {
    type: "uint8",
    toElements: (cells) => Uint8Array.from(numbers(cells)),
    toCells: (elements) => Int16Array.from(numbers(elements)),
  },
  uint16: {
    type: "uint16",
    toElements: (cells) => Uint16Array.from(numbers(cells)),
    toCells: (elements) => Int32Array.from(numbers(elements)),
  },
  uint32: {
    type: "uint32",
    toElements: (cells) => Uint32Array.from(numbers(cells)),
    toCells: (elements) => BigInt64Array.from(integers(elements)),
  },
  uint64: {
    type: "uint64",
    toElements: (cells) => BigUint64Array.from(integers(cells)),
    toCells: numbers,
  },
};

/** The row of a type of elements. @throws Error where ONNX Runtime has no arrays for it. */
export function runtimeElement(element: string): RuntimeElement {
  const row = Object.hasOwn(rows, element) ? rows[element] : undefined;
  if (row === undefined) throw new Error(`ONNX Runtime takes no elements of type ${element} from a program`);
  return row;
}
