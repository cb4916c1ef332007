import type { CellArray } from "../../language/types/cell.js";
import { indexed, TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { cellsIn, dimensionsOf, type Shape } from "./axes.js";
import { type ElementType, elementOfCode, elementTypes } from "./element-type.js";
import type { TensorProto } from "./schema.js";

/** A tensor of a file, with the shape that ONNX gives it. */
export interface Constant {
  readonly element: ElementType;
  readonly shape: Shape;
  readonly numbers: ArrayLike<number>;
}

/** Why the content of a tensor is no constant. */
export type ConstantFault = "element type" | "sizes" | "length" | "external data";

/** The bytes of a file beside the model, from an offset on; nothing where there is none such. */
export type ReadExternal = (
  location: string,
  offset: number,
  length: number | undefined,
) => Uint8Array | undefined;

/** Reads a tensor of a file, or what is wrong with it. */
export function constantOf(proto: TensorProto, external: ReadExternal): Constant | ConstantFault {
  const element = elementOfCode(proto.dataType);
  if (element === undefined) return "element type";
  if (proto.dims.some((size) => !Number.isSafeInteger(size) || size < 0)) return "sizes";
  const count = cellsIn(proto.dims);
  if (count > 2 ** 31) return "sizes";
  const raw = proto.dataLocation === 1 ? externalBytes(proto, external) : proto.rawData;
  if (proto.dataLocation === 1 && raw === undefined) return "external data";
  const numbers = raw === undefined ? fieldNumbers(proto, element) : rawNumbers(raw, element, count);
  if (numbers === undefined || numbers.length !== count) return "length";
  return { element, shape: proto.dims, numbers };
}

function externalBytes(proto: TensorProto, external: ReadExternal): Uint8Array | undefined {
  const entry = (name: string): string | undefined =>
    proto.externalData.find(({ key }) => key === name)?.value;
  const location = entry("location");
  const length = entry("length");
  if (location === undefined) return undefined;
  return external(location, Number(entry("offset") ?? 0), length === undefined ? undefined : Number(length));
}

function rawNumbers(raw: Uint8Array, element: ElementType, count: number): ArrayLike<number> | undefined {
  const { width, read } = elementTypes[element];
  if (raw.length !== count * width) return undefined;
  // A copy begins where a typed array may: at a multiple of its width.
  if (element === "float" && isLittleEndian) return new Float32Array(new Uint8Array(raw).buffer);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const numbers = new Float64Array(count);
  for (let at = 0; at < count; at++) numbers[at] = read(view, at * width);
  return numbers;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The numbers of a tensor that has them as a list; floats of 16 bits are lists of their bits. */
function fieldNumbers(proto: TensorProto, element: ElementType): ArrayLike<number> {
  const { int32Data, int64Data, uint64Data, floatData, doubleData } = proto;
  if (element === "float16" || element === "bfloat16") {
    const { read } = elementTypes[element];
    const view = new DataView(new ArrayBuffer(2));
    return int32Data.map((bits) => {
      view.setUint16(0, bits, true);
      return read(view, 0);
    });
  }
  return [int32Data, int64Data, uint64Data, floatData, doubleData].find((list) => list.length > 0) ?? [];
}

/** A constant as a tensor of a program, without dimensions of size 1. */
export function tensorOf({ element, shape, numbers }: Constant): Tensor {
  const dimensions = dimensionsOf(shape);
  const cell = dimensions.length === 0 ? "double" : elementTypes[element].inside;
  const type = TensorType.of(
    cell,
    dimensions.map(({ name, size }) => indexed(name, size)),
  );
  const data: CellArray = cell === "float" ? Float32Array.from(numbers) : Float64Array.from(numbers);
  return new Tensor(
    type,
    dimensions.map(({ size }) => size),
    [[]],
    numbers instanceof Float32Array && cell === "float" ? numbers : data,
  );
}

/** A tensor of a program as a constant of ONNX. */
export function constantFrom(tensor: Tensor, shape: Shape, element: ElementType): Constant {
  const numbers = new Float64Array(cellsIn(shape));
  for (let at = 0; at < numbers.length; at++) numbers[at] = tensor.at(at);
  return { element, shape, numbers };
}
