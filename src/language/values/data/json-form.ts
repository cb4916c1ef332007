import { element } from "../element.js";
import { numberText } from "../text.js";

/** A number as JSON has it. NaN, the infinities and -0 are texts, which readers of JSON here take for numbers. */
export type JsonNumber = number | string;

/** Numbers in arrays of any depth. */
export type JsonBlock = JsonNumber | readonly JsonBlock[];

/** A tensor in those of Vespa's forms of JSON that say the type: all cells of a dense one, otherwise a block for each row. */
export type JsonTensor =
  | { readonly type: string; readonly values: JsonBlock }
  | {
      readonly type: string;
      readonly cells: readonly { readonly address: JsonAddress; readonly value: JsonNumber }[];
    }
  | {
      readonly type: string;
      readonly blocks: readonly { readonly address: JsonAddress; readonly values: JsonBlock }[];
    };

/** The labels of a cell, by dimension. */
export type JsonAddress = Readonly<Record<string, string>>;

/** What is written of a tensor. */
interface JsonSource {
  readonly type: {
    readonly isDense: boolean;
    readonly isSparse: boolean;
    readonly isScalar: boolean;
    readonly mapped: readonly { readonly name: string }[];
  };
  readonly sizes: readonly number[];
  readonly labels: readonly (readonly string[])[];
  readonly blockCells: number;
  at(position: number): number;
}

export function jsonOf(tensor: JsonSource): JsonTensor {
  const { type: shape, sizes, labels, blockCells } = tensor;
  const type = `${shape}`;
  const number = (position: number): JsonNumber => {
    const value = tensor.at(position);
    return Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value);
  };
  const block = (start: number, level: number, cells: number): JsonBlock => {
    const size = sizes[level];
    if (size === undefined) return number(start);
    const stride = size === 0 ? 0 : cells / size;
    return Array.from({ length: size }, (_, index) => block(start + index * stride, level + 1, stride));
  };
  if (shape.isScalar) return { type, values: [number(0)] };
  if (shape.isDense) return { type, values: block(0, 0, blockCells) };
  const address = (row: readonly string[]): JsonAddress =>
    Object.fromEntries(shape.mapped.map(({ name }, at) => [name, element(row, at)]));
  return shape.isSparse
    ? { type, cells: labels.map((each, row) => ({ address: address(each), value: number(row) })) }
    : {
        type,
        blocks: labels.map((each, row) => ({
          address: address(each),
          values: block(row * blockCells, 0, blockCells),
        })),
      };
}
