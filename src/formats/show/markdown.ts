import { clip, columnsOf, padded } from "../../language/source/columns.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { cellRows, shownLabel } from "../addresses.js";
import { layoutOf } from "./grid.js";

/**
 * Tensors as a table of Markdown, all cells, all digits: a grid where there are two dimensions, otherwise a row for
 * each cell. Labels are text: what Markdown or HTML would read in them is escaped.
 */
export function markdownText(tensor: Tensor): string {
  const { type } = tensor;
  return tensor.data.length > 0 && type.rank === 2 ? grid(tensor) : list(tensor);
}

/** Where most of a grid would be empty it is a list, too. */
function grid(tensor: Tensor): string {
  const { rows, columns, grids } = layoutOf(tensor);
  const [left, top] = [rows[0], columns[0]];
  if (left === undefined || top === undefined) return list(tensor);
  const { rows: down, columns: across, value } = grids.at(0);
  const labels = Array.from({ length: across.count }, (_, at) => element(across.at(at), 0));
  const lines = Array.from({ length: down.count }, (_, row) => {
    const numbers = labels.map((_, at) => {
      const number = value(row, at);
      return number === undefined ? "" : numberText(number, tensor.type.cellType);
    });
    return [escaped(element(down.at(row), 0)), ...numbers];
  });
  return table([escapedName(`${left.name}\\${top.name}`), ...labels.map(escaped)], 1, lines);
}

function list(tensor: Tensor): string {
  const { names, rank } = tensor.type;
  return table([...names.map(escapedName), "value"], rank, cellRows(tensor, escaped));
}

/** Labels stand to the left, numbers to the right, also for who reads the text as it is. */
function table(header: readonly string[], labels: number, lines: readonly (readonly string[])[]): string {
  const columns = header.map((name, at) => {
    const texts = [name, ...lines.map((line) => element(line, at))];
    const widest = texts.reduce((most, text) => Math.max(most, columnsOf(text)), 3);
    const isLabel = at < labels;
    const [first = "", ...rest] = texts.map((text) => padded(text, widest, isLabel ? "end" : "start"));
    return [first, isLabel ? "-".repeat(widest) : `${"-".repeat(widest - 1)}:`, ...rest];
  });
  const rows = columns[0]?.map((_, row) => columns.map((column) => column[row]).join(" | ")) ?? [];
  return rows.map((row) => `| ${row} |`).join("\n");
}

const escaped = (label: string): string => escapedName(shownLabel(label));

/** A visible text of one line, in which an underscore inside a word means nothing to Markdown. */
const escapedName = (text: string): string =>
  clip(text, Number.POSITIVE_INFINITY).replace(/[\\`*[\]<>|~&]|\b_|_\b/g, (sign) =>
    sign === "<" ? "&lt;" : sign === "&" ? "&amp;" : `\\${sign}`,
  );
