import { cellTypes } from "../types/cell.js";
import { cellsOf } from "../values/shape.js";
import type { Tensor } from "../values/tensor.js";
import { numberText } from "../values/text.js";
import { hexText } from "./json-numbers.js";

/** Tensors as JSON, in canonical order of the cells. */

export interface JsonOptions {
  /** `short`, the tersest form that the type has, unless every cell shall have its address. */
  readonly form?: "short" | "cells" | undefined;
  /** Only the cells, without an object around them that says the type. */
  readonly direct?: boolean | undefined;
  /** Dense blocks of known sizes as their bits in hexadecimal digits; the short form only. */
  readonly hex?: boolean | undefined;
}

/** NaN and the infinities become null, which is read as NaN; hexadecimal cells keep them. */
export function writeJson(tensor: Tensor, options: JsonOptions = {}): string {
  const { form, text } = written(tensor, options);
  return options.direct ? text : `{"type":${JSON.stringify(`${tensor.type}`)},"${form}":${text}}`;
}

function written(
  tensor: Tensor,
  { form = "short", hex = false }: JsonOptions,
): { form: string; text: string } {
  const { type } = tensor;
  const { mapped } = type;
  if (form === "cells" || (type.isSparse && mapped.length > 1))
    return { form: "cells", text: cellsText(tensor) };
  if (type.isDense) return { form: "values", text: blockText(tensor, 0, hex) };
  const blocks = tensor.labels.map((labels, row) => {
    const text = type.isSparse ? numberJson(tensor, row) : blockText(tensor, row, hex);
    if (mapped.length === 1) return `${JSON.stringify(labels[0])}:${text}`;
    const address = Object.fromEntries(mapped.map(({ name }, at) => [name, labels[at]]));
    return `{"address":${JSON.stringify(address)},"values":${text}}`;
  });
  const text = mapped.length === 1 ? `{${blocks.join(",")}}` : `[${blocks.join(",")}]`;
  return { form: type.isSparse ? "cells" : "blocks", text };
}

function cellsText(tensor: Tensor): string {
  const cells: string[] = [];
  for (const { address } of tensor.cells()) {
    cells.push(`{"address":${JSON.stringify(address)},"value":${numberJson(tensor, cells.length)}}`);
  }
  return `[${cells.join(",")}]`;
}

/** The dense block of a row; of a scalar too, whose one cell is never written as bits. */
function blockText(tensor: Tensor, row: number, hex: boolean): string {
  const { type, sizes, blockCells } = tensor;
  const start = row * blockCells;
  if (type.isScalar) return `[${numberJson(tensor, 0)}]`;
  if (!hex || !type.isBound) return nestedText(tensor, sizes, start);
  const numbers = Array.from({ length: blockCells }, (_, at) => tensor.at(start + at));
  return `"${hexText(numbers, type.cellType)}"`;
}

function nestedText(tensor: Tensor, [size, ...inner]: readonly number[], start: number): string {
  if (size === undefined) return numberJson(tensor, start);
  const step = cellsOf(inner);
  const parts = Array.from({ length: size }, (_, at) => nestedText(tensor, inner, start + at * step));
  return `[${parts.join(",")}]`;
}

/** Whole-number cells as integers, all others as Java writes a double: `1.0`, `1.0E10`. */
function numberJson(tensor: Tensor, at: number): string {
  const { cellType } = tensor.type;
  const value = tensor.at(at);
  return Number.isFinite(value) ? numberText(value, cellTypes[cellType].whole ? cellType : "double") : "null";
}
