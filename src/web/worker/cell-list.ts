import { shortNumber, type Tensor } from "../../index.js";
import type { TableWindow } from "../protocol.js";
import { indexesAt } from "./table-axis.js";
import { escapedLabels } from "./table-view.js";

/** The most lines of a part of a list. */
const mostLines = 2000;

/** A part of the list of all cells of a tensor, as a table with a row for each. */
export function cellList(tensor: Tensor, [start, end]: readonly [number, number]): TableWindow {
  const { type, data } = tensor;
  const rowCount = data.length;
  const from = Math.max(0, Math.min(Math.floor(start), rowCount));
  const to = Math.max(from, Math.min(Math.ceil(end), rowCount, from + mostLines));
  const positions = Array.from({ length: to - from }, (_, at) => from + at);
  const rowLabels = positions.map((position) => addressAt(tensor, position));
  return {
    view: { rows: type.names, columns: [], slices: {} },
    choices: {},
    ...{ rowCount, columnCount: 1, rowStart: from, columnStart: 0 },
    rowLabels,
    columnLabels: [[]],
    escaped: escapedLabels(rowLabels),
    texts: positions.map((position) => shortNumber(tensor.at(position), type.cellType)),
    numbers: Float64Array.from(positions, (position) => tensor.at(position)),
  };
}

/** The labels of the cell at a position, in the order of the dimensions of the type. */
function addressAt({ type, labels, sizes, blockCells }: Tensor, position: number): readonly string[] {
  const row = labels[Math.floor(position / blockCells)] ?? [];
  const indexes = indexesAt(position % blockCells, sizes);
  let [mapped, indexed] = [0, 0];
  return type.dimensions.map(({ kind }) =>
    kind === "mapped" ? (row[mapped++] ?? "") : `${indexes[indexed++]}`,
  );
}
