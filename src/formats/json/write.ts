import { visibleJson } from "../../language/source/hidden-characters.js";
import { cellTypes } from "../../language/types/cell.js";
import { axisOrder, isAscending, offsetsAlong, permuted } from "../../language/values/data/axis-order.js";
import { numberAt } from "../../language/values/element.js";
import { cellsOf } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { hexText } from "./numbers.js";

/** Tensors as JSON. Vespa's forms have the cells in canonical order. */

export interface JsonOptions {
  /** `short`, the tersest form that the type has, unless every cell shall have its address. */
  readonly form?: "short" | "cells" | undefined;
  /** Only the cells, without an object around them. */
  readonly direct?: boolean | undefined;
  /** Of cells without an object around them, where these are arrays, alone or by label: the dimensions in the order of the axes. */
  readonly axes?: readonly string[] | undefined;
  /** Whether the object around the cells says the type; it does unless told otherwise. */
  readonly typed?: boolean | undefined;
  /** Dense blocks of known sizes as their bits in hexadecimal digits; the short form only. */
  readonly hex?: boolean | undefined;
  /** Whether NaN and the infinities are texts; they are null, which is read as NaN, unless told so. */
  readonly namesNonFinite?: boolean | undefined;
}

/** NaN and the infinities survive as texts, and in hexadecimal cells. */
export function writeJson(tensor: Tensor, options: JsonOptions = {}): string {
  const { form, text } = written(tensor, options);
  if (options.direct) return text;
  const type = options.typed === false ? "" : `"type":${visibleJson(`${tensor.type}`)},`;
  return `{${type}"${form}":${text}}`;
}

type NumberAt = (at: number) => string;

function written(
  tensor: Tensor,
  { form = "short", hex = false, namesNonFinite = false, direct, axes }: JsonOptions,
): { form: string; text: string } {
  const { type } = tensor;
  const { mapped } = type;
  const number = (at: number): string => numberJson(tensor, at, namesNonFinite);
  if (form === "cells" || (type.isSparse && mapped.length > 1))
    return { form: "cells", text: cellsText(tensor, number) };
  const isByLabel = mapped.length === 1;
  const order = axisOrder(type, direct === true && (type.isDense || isByLabel) ? axes : undefined).indexed;
  if (type.isDense) return { form: "values", text: blockText(tensor, 0, order, hex, number) };
  const blocks = tensor.labels.map((labels, row) => {
    const text = type.isSparse ? number(row) : blockText(tensor, row, order, hex, number);
    if (isByLabel) return `${visibleJson(labels[0])}:${text}`;
    const address = Object.fromEntries(mapped.map(({ name }, at) => [name, labels[at]]));
    return `{"address":${visibleJson(address)},"values":${text}}`;
  });
  const text = isByLabel ? `{${blocks.join(",")}}` : `[${blocks.join(",")}]`;
  return { form: type.isSparse ? "cells" : "blocks", text };
}

function cellsText(tensor: Tensor, number: NumberAt): string {
  const cells: string[] = [];
  for (const { address } of tensor.cells()) {
    cells.push(`{"address":${visibleJson(address)},"value":${number(cells.length)}}`);
  }
  return `[${cells.join(",")}]`;
}

/** The dense block of a row, along its dimensions in an order; of a scalar too, whose one cell is never written as bits. */
function blockText(
  tensor: Tensor,
  row: number,
  order: readonly number[],
  hex: boolean,
  number: NumberAt,
): string {
  const { type, sizes, blockCells } = tensor;
  const start = row * blockCells;
  if (type.isScalar) return `[${number(0)}]`;
  const offsets = isAscending(order) ? undefined : offsetsAlong(order, sizes);
  const cellOf = (at: number): number => start + (offsets === undefined ? at : numberAt(offsets, at));
  if (!hex || !type.isBound) return nestedText((at) => number(cellOf(at)), permuted(sizes, order), 0);
  const cells = Array.from({ length: blockCells }, (_, at) => tensor.at(cellOf(at)));
  return `"${hexText(cells, type.cellType)}"`;
}

function nestedText(number: NumberAt, [size, ...inner]: readonly number[], start: number): string {
  if (size === undefined) return number(start);
  const step = cellsOf(inner);
  const parts = Array.from({ length: size }, (_, at) => nestedText(number, inner, start + at * step));
  return `[${parts.join(",")}]`;
}

/** Whole-number cells as integers, all others as Java writes a double: `1.0`, `1.0E10`. */
function numberJson(tensor: Tensor, at: number, namesNonFinite: boolean): string {
  const { cellType } = tensor.type;
  const value = tensor.at(at);
  if (!Number.isFinite(value)) return namesNonFinite ? `"${numberText(value)}"` : "null";
  return numberText(value, cellTypes[cellType].whole ? cellType : "double");
}
