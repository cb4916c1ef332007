import { greatest } from "../../language/source/lists.js";
import { element } from "../../language/values/element.js";

/** Rows of texts in aligned columns, all to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => greatest(rows.map((row) => element(row, at).length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(element(widths, at)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
