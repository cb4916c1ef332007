import { clip, columnsOf, padded } from "../../language/source/columns.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { cellRows, shownLabel } from "../addresses.js";
import { aligned } from "./numbers.js";

/** Tensors as a table without lines: a column for each dimension and one for the values, all cells, all digits. */
export function tableText(tensor: Tensor): string {
  const { dimensions, rank } = tensor.type;
  const rows = cellRows(tensor, shownLabel);
  const labels = dimensions.map(({ name, kind }, at) =>
    column([name, ...rows.map((row) => element(row, at))], kind === "mapped" ? "end" : "start"),
  );
  const values = column(["value", ...aligned(rows.map((row) => element(row, rank)))], "start");
  return values
    .map((value, at) => [...labels.map((each) => each[at]), value].join("  ").trimEnd())
    .join("\n");
}

/** Visible texts of the same width. */
function column(texts: readonly string[], side: "start" | "end"): string[] {
  const shown = texts.map((text) => clip(text, Number.POSITIVE_INFINITY));
  const widest = shown.reduce((columns, text) => Math.max(columns, columnsOf(text)), 0);
  return shown.map((text) => padded(text, widest, side));
}
