import { BinaryWriter } from "@bufbuild/protobuf/wire";

/** Writes small models of ONNX, part by part. */
export type Write = (writer: BinaryWriter) => unknown;
export const part =
  (field: number, write: Write) =>
  (writer: BinaryWriter): BinaryWriter => {
    writer.tag(field, 2).fork();
    write(writer);
    return writer.join();
  };
export const text =
  (field: number, value: string) =>
  (writer: BinaryWriter): BinaryWriter =>
    writer.tag(field, 2).string(value);
export const number =
  (field: number, value: number) =>
  (writer: BinaryWriter): BinaryWriter =>
    writer.tag(field, 0).int64(value);
export const all =
  (...writes: readonly Write[]) =>
  (writer: BinaryWriter): void => {
    for (const write of writes) write(writer);
  };

export const size = (value: number | string): Write =>
  part(1, typeof value === "number" ? number(1, value) : text(2, value));
/** An input or output; its elements are floats, or of the type with another number. */
export const port = (field: number, name: string, sizes: readonly (number | string)[], element = 1): Write =>
  part(
    field,
    all(text(1, name), part(2, part(1, all(number(1, element), part(2, all(...sizes.map(size))))))),
  );
/** The same without a shape, so that not even the number of axes is declared. */
export const shapeless = (field: number, name: string): Write =>
  part(field, all(text(1, name), part(2, part(1, number(1, 1)))));
export const node = (operator: string, inputs: readonly string[], output: string): Write =>
  part(1, all(...inputs.map((each) => text(1, each)), text(2, output), text(4, operator)));
export const floats = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer);
export const weights = (name: string, sizes: readonly number[], content: Write): Write =>
  part(5, all(...sizes.map((each) => number(1, each)), number(2, 1), text(8, name), content));
export const raw =
  (bytes: Uint8Array): Write =>
  (writer) =>
    writer.tag(9, 2).bytes(bytes);
export const external = (entries: Readonly<Record<string, string>>): Write =>
  all(
    number(14, 1),
    ...Object.entries(entries).map(([key, value]) => part(13, all(text(1, key), text(2, value)))),
  );

export const model = (...graph: readonly Write[]): Uint8Array => {
  const writer = new BinaryWriter();
  all(part(7, all(...graph)), part(8, number(2, 17)))(writer);
  return writer.finish();
};

/** relu(x W) for two rows. */
export const layer = (content: Write, rows: number | string = 2): Uint8Array =>
  model(
    node("MatMul", ["x", "layer.0/W"], "product"),
    node("Relu", ["product"], "y"),
    weights("layer.0/W", [3, 2], content),
    port(11, "x", [rows, 3]),
    port(12, "y", [rows, 2]),
  );
