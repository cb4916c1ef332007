import type { Tensor } from "../../language/values/tensor.js";
import { cellRows } from "../addresses.js";

/**
 * Tensors as comma-separated values, for programs: a header of the dimensions' names and `value`, a line for each cell,
 * all digits. Fields are quoted as RFC 4180 says; lines end as lines of text do, without a carriage return.
 */
export function csvText(tensor: Tensor): string {
  const lines = [[...tensor.type.names, "value"], ...cellRows(tensor)];
  return lines.map((fields) => fields.map(quoted).join(",")).join("\n");
}

/** Blank fields and blanks at an end are quoted too: some readers drop them. */
const quoted = (field: string): string =>
  /[",\r\n]|^\s|\s$|^$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
