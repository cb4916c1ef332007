import type { Cells, Input, Inputs } from "./inputs.js";

/** Small models in ONNX's format, as bytes: its protocol buffers, as far as they are needed here. */

export interface Graph {
  readonly inputs: Inputs;
  /** Inputs that are part of the model. */
  readonly constants?: Inputs;
  /** One after the other; the last has the result. */
  readonly nodes: readonly Node[];
}

interface Node {
  readonly op: string;
  /** Names of inputs and constants; `""` is the result of the node before. */
  readonly inputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** Versions of the format and of its operations. */
const [format, operations] = [8, 17];

export function modelOf({ inputs, constants = {}, nodes }: Graph): Uint8Array {
  const cells = Object.values(inputs)[0]?.cells ?? new Float32Array();
  const graph = [
    ...nodes.map((node, at) => field(1, nodeOf(node, at))),
    field(2, text("bench")),
    ...Object.entries(constants).map(([name, input]) => field(5, constantOf(name, input))),
    ...Object.entries(inputs).map(([name, { cells: each, shape }]) =>
      field(11, describedAs(name, each, shape)),
    ),
    field(12, describedAs(nameOf(nodes.length - 1), cells, undefined)),
  ];
  return joined([
    field(1, format),
    field(7, joined(graph)),
    field(8, joined([field(1, text("")), field(2, operations)])),
  ]);
}

const nameOf = (node: number): string => `result${node}`;

function nodeOf({ op, inputs, attributes = {} }: Node, at: number): Uint8Array {
  return joined([
    ...inputs.map((name) => field(1, text(name === "" ? nameOf(at - 1) : name))),
    field(2, text(nameOf(at))),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeOf(name, value))),
  ]);
}

/** A whole number (kind 2) or several (kind 7). */
function attributeOf(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value === "number") return joined([field(1, text(name)), field(3, value), field(20, 2)]);
  return joined([field(1, text(name)), ...value.map((each) => field(8, each)), field(20, 7)]);
}

function constantOf(name: string, { cells, shape }: Input): Uint8Array {
  const bytes = new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
  return joined([
    ...shape.map((size) => field(1, size)),
    field(2, kindOf(cells)),
    field(8, text(name)),
    field(9, bytes),
  ]);
}

function describedAs(name: string, cells: Cells, shape: readonly number[] | undefined): Uint8Array {
  const sizes = (shape ?? []).map((size) => field(1, field(1, size)));
  const type = [field(1, kindOf(cells)), ...(shape === undefined ? [] : [field(2, joined(sizes))])];
  return joined([field(1, text(name)), field(2, field(1, joined(type)))]);
}

/** Its number of the type of cells. */
const kindOf = (cells: Cells): number =>
  cells instanceof Float64Array ? 11 : cells instanceof Float32Array ? 1 : 3;

/** A field: its number and a whole number, or its number and the length of bytes, and the bytes. */
function field(number: number, value: number | Uint8Array): Uint8Array {
  if (typeof value === "number") return joined([varint(number << 3), varint(value)]);
  return joined([varint((number << 3) | 2), varint(value.length), value]);
}

/** Seven bits to a byte, the lowest first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
