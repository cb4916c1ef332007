import { thrownText } from "../../../language/source/thrown.js";
import type { CellArray } from "../../../language/types/cell.js";
import { indexed, TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { oneRow } from "../../../language/values/tensor-storage.js";
import { cellsIn, dimensionsOf, type Shape } from "../axes.js";
import { type ConstantFault, UnreadableTensor } from "./constant-fault.js";
import { type ElementType, elementName, elementOfCode, elementTypes, truth } from "./element-type.js";
import type { Numbers } from "./numbers.js";
import type { TensorProto } from "./protos.js";
import { areAsInMemory, RawFloats } from "./raw-floats.js";

/** A tensor of a file, with the shape that ONNX gives it. */
export interface Constant {
  readonly element: ElementType;
  readonly shape: Shape;
  readonly numbers: Numbers;
}

/** The bytes of a file beside the model. @throws Error whose message is the reason where it cannot be read. */
export type ReadExternal = (location: string) => Uint8Array;

/**
 * Reads a tensor of a file.
 * @throws UnreadableTensor where it has other elements than it says, or none that are numbers.
 */
export function constantOf(proto: TensorProto, external?: ReadExternal): Constant {
  const fail = (fault: ConstantFault): never => {
    throw new UnreadableTensor(proto.name, fault);
  };
  const element = elementOfCode(proto.dataType);
  if (element === undefined) return fail({ kind: "element type", name: elementName(proto.dataType) });
  const count = cellsIn(proto.dims);
  const areSizes = proto.dims.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (!areSizes || count > 2 ** 31) return fail({ kind: "sizes", sizes: proto.dims });
  const raw = proto.dataLocation === 1 ? externalBytes(proto, external, fail) : proto.rawData;
  if (raw !== undefined && raw.length !== Math.ceil(count * elementTypes[element].width))
    return fail({
      kind: "length",
      found: Math.floor(raw.length / elementTypes[element].width),
      expected: count,
    });
  const numbers =
    raw === undefined ? fieldNumbers(proto, element, count) : rawNumbers(proto.name, raw, element, count);
  if (numbers.length !== count) return fail({ kind: "length", found: numbers.length, expected: count });
  return { element, shape: proto.dims, numbers };
}

/** Whether a path leads to a file in the folder of the model, or below it. */
const isBeside = (location: string): boolean =>
  location !== "" && !/^[/\\]|[\\:\0]/.test(location) && !location.split("/").includes("..");

/**
 * The files beside the model that hold these tensors, by their paths.
 * @throws Error whose message is the reason where one cannot
 * be read.
 */
export function externalFiles(
  tensors: readonly TensorProto[],
  read: ReadExternal,
): ReadonlyMap<string, Uint8Array> {
  const outside = tensors.filter(({ dataLocation }) => dataLocation === 1);
  const entries = outside.flatMap(({ externalData }) => externalData.filter(({ key }) => key === "location"));
  const paths = new Set(entries.map(({ value }) => value).filter(isBeside));
  return new Map([...paths].map((path) => [path, fileBeside(path, read)]));
}

function fileBeside(path: string, read: ReadExternal): Uint8Array {
  try {
    return read(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${thrownText(error)}`);
  }
}

/** The part of a file beside the model that holds a tensor. */
function externalBytes(
  { externalData }: TensorProto,
  external: ReadExternal | undefined,
  fail: (fault: ConstantFault) => never,
): Uint8Array {
  const entry = (name: string): string | undefined => externalData.find(({ key }) => key === name)?.value;
  const location = entry("location") ?? "";
  if (!isBeside(location)) return fail({ kind: "location", location });
  let file: Uint8Array;
  try {
    if (external === undefined) throw new Error("this host reads no files");
    file = external(location);
  } catch (error) {
    return fail({ kind: "external", location, reason: thrownText(error) });
  }
  const [offset, length] = [Number(entry("offset") ?? 0), Number(entry("length") ?? file.length)];
  const end = entry("length") === undefined ? file.length : offset + length;
  if (!(offset >= 0 && end >= offset && end <= file.length)) return fail({ kind: "part", location });
  return file.subarray(offset, end);
}

/** Fewer floats are copied, so that a few of them do not hold on to a file. */
const leastRaw = 1024;

/** The numbers of raw data, which has as many. */
function rawNumbers(name: string, raw: Uint8Array, element: ElementType, count: number): Numbers {
  if (element === "float" && areAsInMemory && count >= leastRaw) return new RawFloats(name, raw);
  const { width, read } = elementTypes[element];
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const numbers = new (element === "float" ? Float32Array : Float64Array)(count);
  for (let at = 0; at < count; at++) numbers[at] = read(view, at * width);
  return numbers;
}

/** The numbers of a tensor that has them as a list; floats of 16 bits, and elements of less than a byte, are lists of their bits. */
function fieldNumbers(proto: TensorProto, element: ElementType, count: number): Numbers {
  const { int32Data, int64Data, uint64Data, floatData, doubleData } = proto;
  const { width, read } = elementTypes[element];
  if (element === "float16" || element === "bfloat16" || width < 1) {
    const view = new DataView(new ArrayBuffer(Math.ceil(width) * int32Data.length));
    for (const [at, bits] of int32Data.entries())
      if (width < 1) view.setUint8(at, bits);
      else view.setUint16(2 * at, bits, true);
    const available = Math.min(count, int32Data.length / Math.min(width, 1));
    return Float64Array.from({ length: available }, (_, at) => read(view, at * width));
  }
  if (element === "bool") return int32Data.map(truth);
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
  const sizes = dimensions.map(({ size }) => size);
  if (numbers instanceof RawFloats && cell === "float") return Tensor.ofStorage(type, sizes, numbers);
  return Tensor.of(type, sizes, oneRow, cell === "float" ? asFloats(numbers) : Float64Array.from(numbers));
}

/** Floats that are there already are not copied. */
const asFloats = (numbers: Numbers): CellArray =>
  numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);

/** A tensor of a program as a constant of ONNX. */
export function constantFrom(tensor: Tensor, shape: Shape, element: ElementType): Constant {
  const numbers = new Float64Array(cellsIn(shape));
  for (let at = 0; at < numbers.length; at++) numbers[at] = tensor.at(at);
  return { element, shape, numbers };
}
