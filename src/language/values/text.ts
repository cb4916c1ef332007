import { requireNumber } from "../source/arguments.js";
import { labelText } from "../source/escapes.js";
import { requireCellType } from "../types/arguments.js";
import { type CellType, cellTypes } from "../types/cell.js";
import type { TensorType } from "../types/type.js";
import { element } from "./element.js";
import { indexesAt } from "./shape.js";

/**
 * The canonical text of a number in a cell: the shortest digits that name it, laid out as Java
 * does: `1.0`, `0.001`, `1.0E10`; whole-number cells as `1`. Reading it back gives the same cell.
 */
export function numberText(value: number, cellType: CellType = "double"): string {
  requireNumber("numberText", value);
  requireCellType("numberText", cellType);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  if (cellTypes[cellType].whole) return BigInt(value).toString();
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  const [mantissa = "0", exponent = "0"] = shortest(size, cellType).split("e");
  const digits = mantissa.replace(".", "");
  const power = Number(exponent);
  if (size === 0) return `${sign}0.0`;
  if (size < 1e-3 || size >= 1e7) return `${sign}${digits[0]}.${digits.slice(1) || "0"}E${power}`;
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  return `${sign}${digits.slice(0, power + 1).padEnd(power + 1, "0")}.${digits.slice(power + 1) || "0"}`;
}

/**
 * The label of a computed number: its whole part in decimal. A number that is not finite has none: it becomes what Vespa's
 * content nodes make of it, the least integer of 64 bits, and never a label that is spelt as the number is.
 */
export function wholeLabel(value: number): string {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : leastInteger;
}

const leastInteger = `${-(2n ** 63n)}`;

/** `d.ddde±n` with as few digits as distinguish the number from the next float or double. */
function shortest(size: number, cellType: CellType): string {
  if (cellType === "double") return size.toExponential();
  for (let digits = 0; digits < 9; digits++) {
    const text = size.toExponential(digits);
    if (Math.fround(Number(text)) === Math.fround(size)) return text;
  }
  return size.toExponential();
}

/** The parts of a tensor that its text is built from. */
export interface TensorContent {
  readonly type: TensorType;
  readonly sizes: readonly number[];
  readonly blockCells: number;
  readonly rows: number;
  readonly labels: readonly (readonly string[])[];
  readonly data: { readonly length: number };
  at(position: number): number;
}

/** The canonical text of a tensor: its type, `:` and its cells; parsing it gives the same tensor. */
export function tensorText(tensor: TensorContent): string {
  return `${tensor.type}:${contentText(tensor)}`;
}

/** The cells as they stand after the type: `[1.0, 2.0]`, `{a:1.0}`. */
export function contentText(tensor: TensorContent): string {
  const { type, sizes } = tensor;
  const number = (at: number): string => numberText(tensor.at(at), type.cellType);
  if (type.isScalar) return `{${number(0)}}`;
  if (type.isDense && type.isBound) return nestedText(sizes, 0, number);
  const onlyDimension = type.rank === 1 ? type.dimensions[0] : undefined;
  if (onlyDimension?.kind === "indexed") return braces(tensor.data.length, (at) => `${at}:${number(at)}`);
  if (type.mapped.length === 1 && type.isBound) {
    const block = (row: number) => nestedText(sizes, row * tensor.blockCells, number);
    const value = (row: number) => (type.indexed.length === 0 ? number(row) : block(row));
    return braces(
      tensor.rows,
      (row) => `${labelText(element(element(tensor.labels, row), 0))}:${value(row)}`,
    );
  }
  return braces(tensor.data.length, (at) => `${addressText(tensor, at)}:${number(at)}`);
}

const braces = (count: number, each: (at: number) => string): string =>
  `{${Array.from({ length: count }, (_, at) => each(at)).join(", ")}}`;

/** `[[1.0, 2.0], [3.0, 4.0]]`, without recursion along the cells. */
function nestedText(sizes: readonly number[], start: number, number: (at: number) => string): string {
  const [size = 1, ...inner] = sizes;
  if (sizes.length === 0) return number(start);
  const step = inner.reduce((cells, each) => cells * each, 1);
  const parts = Array.from({ length: size }, (_, at) => nestedText(inner, start + at * step, number));
  return `[${parts.join(", ")}]`;
}

/** `{x:a,y:0}` */
function addressText(tensor: TensorContent, position: number): string {
  const labels = labelsAt(tensor, position);
  const parts = tensor.type.dimensions.map(({ name, kind }, at) => {
    const label = element(labels, at);
    return `${name}:${kind === "mapped" ? labelText(label) : label}`;
  });
  return `{${parts.join(",")}}`;
}

/** The labels of the cell at a position of the tensor's data, one for each dimension, in canonical order. */
export function labelsAt({ type, sizes, blockCells, labels }: TensorContent, position: number): string[] {
  const row = element(labels, Math.floor(position / blockCells));
  const indexes = indexesAt(position % blockCells, sizes);
  let [mapped, indexed] = [0, 0];
  return type.dimensions.map(({ kind }) =>
    kind === "mapped" ? element(row, mapped++) : `${element(indexes, indexed++)}`,
  );
}
