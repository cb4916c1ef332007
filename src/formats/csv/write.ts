import type { Tensor } from "../../language/values/tensor.js";
import { cellRows } from "../addresses.js";
import { refuseTensor } from "../messages.js";

/**
 * Tensors as comma-separated values, for programs: a header of the dimensions' names and `value`, a line for each cell,
 * all digits. Fields are quoted as RFC 4180 says; lines end as lines of text do, without a carriage return.
 * @throws SphexError where a label has half of a surrogate pair, which no file could hold: CSV has no escapes.
 */
export function csvText(tensor: Tensor): string {
  const lines = [[...tensor.type.names, "value"], ...cellRows(tensor)];
  const text = lines.map((fields) => fields.map(quoted).join(",")).join("\n");
  return /\p{Cs}/u.test(text) ? refuseTensor("csv", tensor.type, "whole characters") : text;
}

/** Blank fields and blanks at an end are quoted too: some readers drop them. */
const quoted = (field: string): string =>
  /[",\r\n]|^\s|\s$|^$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
