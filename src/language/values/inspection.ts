import { escapeHidden } from "../source/hidden-characters.js";
import { SphexError } from "../source/problem.js";
import { type Cell, CellWalk } from "./cell-walk.js";
import { element, property } from "./element.js";
import { numberText } from "./text.js";

/** What `console.log` of Node, Deno and Bun shows of a tensor: its type, and a table of its first cells. */

const mostRows = 12;
const longestLabel = 24;
const longestType = 120;

type InspectedTensor = ConstructorParameters<typeof CellWalk>[0];

export function inspectionText(tensor: InspectedTensor): string {
  const { type } = tensor;
  const name = cut(`${type}`, longestType);
  try {
    const total = tensor.data.length;
    if (type.isScalar) return `${name} ${numberText(tensor.at(0))}`;
    const rows = firstCells(tensor).map(({ address, value }) => [
      ...type.names.slice(0, mostRows).map((dimension) => cut(property(address, dimension), longestLabel)),
      numberText(value),
    ]);
    const header = [...type.names.slice(0, mostRows).map((each) => cut(each, longestLabel)), "value"];
    const more = total > rows.length ? [`… ${total - rows.length} more`] : [];
    return [`${name} of ${total} cells`, ...table([header, ...rows]), ...more].join("\n");
  } catch (error) {
    // It was disposed of; what shows values must not throw.
    if (error instanceof SphexError) return `${name} without its cells`;
    throw error;
  }
}

function firstCells(tensor: InspectedTensor): readonly Cell[] {
  const cells: Cell[] = [];
  for (const cell of new CellWalk(tensor, false)) {
    if (cells.length === mostRows) break;
    cells.push(cell);
  }
  return cells;
}

/** Columns below each other; numbers and labels alike on the right. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, element(row, column).length), 0),
  );
  return rows.map(
    (row) => `  ${row.map((text, column) => text.padStart(element(widths, column))).join("  ")}`,
  );
}

const cut = (text: string, most: number): string =>
  escapeHidden(text.length > most ? `${text.slice(0, most - 1)}…` : text);
