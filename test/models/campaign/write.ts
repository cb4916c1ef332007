import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { storeCells } from "../../../src/language/types/cell.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { type ElementType, elementTypes } from "../../../src/models/onnx/file/element-type.js";
import { all, number, part, size, text, type Write } from "../onnx/write-model.js";
import type { Attribute, Graph, Port, Step } from "./graph.js";

/** Arrays of the numbers of an element, as they lie in a file and as ONNX Runtime takes them. */
export const elementArrays: Partial<Record<ElementType, (numbers: readonly number[]) => ElementArray>> = {
  float: (numbers) => Float32Array.from(numbers),
  double: (numbers) => Float64Array.from(numbers),
  float16: (numbers) => storeCells("half", Float64Array.from(numbers)) as Uint16Array, // bits
  bool: (numbers) => Uint8Array.from(numbers),
  int8: (numbers) => Int8Array.from(numbers),
  uint8: (numbers) => Uint8Array.from(numbers),
  int32: (numbers) => Int32Array.from(numbers),
  int64: (numbers) => BigInt64Array.from(numbers, BigInt),
};

export type ElementArray =
  | Float32Array
  | Float64Array
  | Uint16Array
  | Uint8Array
  | Int8Array
  | Int32Array
  | BigInt64Array;

export function elementArray({ element, numbers }: Constant): ElementArray {
  const array = elementArrays[element];
  if (array === undefined) throw new Error(`no arrays of ${element}`);
  return array(Array.from(numbers));
}

const tensor = (name: string, constant: Constant): Write => {
  const { buffer, byteOffset, byteLength } = elementArray(constant);
  return all(
    ...constant.shape.map((each) => number(1, each)),
    number(2, elementTypes[constant.element].code),
    text(8, name),
    (writer) => writer.tag(9, 2).bytes(new Uint8Array(buffer, byteOffset, byteLength)),
  );
};

const float =
  (field: number, value: number): Write =>
  (writer) =>
    writer.tag(field, 5).float(value);

function attributeValue(value: Attribute): Write {
  if (typeof value === "number") return all(number(3, value), number(20, 2));
  if (typeof value === "string") return all(text(4, value), number(20, 3));
  if ("float" in value) return all(float(2, value.float), number(20, 1));
  if ("floats" in value) return all(...value.floats.map((each) => float(7, each)), number(20, 6));
  if ("strings" in value) return all(...value.strings.map((each) => text(9, each)), number(20, 8));
  if ("tensor" in value) return all(part(5, tensor("", value.tensor)), number(20, 4));
  return all(...value.map((each) => number(8, each)), number(20, 7));
}

const node = ({ operator, domain, inputs, outputs, attributes }: Step): Write =>
  part(
    1,
    all(
      ...inputs.map((each) => text(1, each)),
      ...outputs.map((each) => text(2, each)),
      text(4, operator),
      ...(domain === undefined ? [] : [text(7, domain)]),
      ...Object.entries(attributes).map(([name, value]) =>
        part(5, all(text(1, name), attributeValue(value))),
      ),
    ),
  );

const port = (field: number, name: string, { element, shape }: Port): Write => {
  const sizes = shape === undefined ? [] : [part(2, all(...shape.map(size)))];
  const type = part(2, part(1, all(number(1, elementTypes[element].code), ...sizes)));
  return part(field, all(text(1, name), type));
};

const domainVersions: Readonly<Record<string, number>> = { "ai.onnx.ml": 3 };

/** The file of a graph; axes of its inputs of this size have a name instead. */
export function modelBytes(
  graph: Graph,
  named?: { readonly size: number; readonly name: string },
): Uint8Array {
  const { opset, inputs, constants, steps, outputs } = graph;
  const sizes = ({ shape }: Constant): (number | string)[] =>
    shape.map((each) => (each === named?.size ? named.name : each));
  const content = all(
    ...steps.map(node),
    text(2, "graph"),
    ...[...constants].map(([name, each]) => part(5, tensor(name, each))),
    ...[...inputs].map(([name, each]) => port(11, name, { element: each.element, shape: sizes(each) })),
    ...[...outputs].map(([name, each]) => port(12, name, each)),
  );
  const writer = new BinaryWriter();
  const domains = new Set(steps.flatMap(({ domain }) => (domain === undefined ? [] : [domain])));
  const others = [...domains].map((domain) =>
    part(8, all(text(1, domain), number(2, domainVersions[domain] ?? 1))),
  );
  all(number(1, 8), part(7, content), part(8, number(2, opset)), ...others)(writer);
  return writer.finish();
}
