import type { Dimension } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { indexOf, indexText, mostCells, type PlacedCell, placed } from "../from-cells.js";
import { numberOf } from "./numbers.js";
import type { Reading } from "./reading.js";
import { isList, isObject, type Json, member, type Path, shown } from "./text.js";

/**
 * The cells form: every cell with its address, `[{"address":{"x":"a"},"value":2.0}, …]`, or for one
 * dimension `{"a":2.0, …}`. Cells of a dense block that are not given are 0.
 */

type Cell = PlacedCell<Path>;

const ownCell = "a cell with an address of its own";

export function readCells(cells: Json, path: Path, reading: Reading): Tensor | undefined {
  const found = isList(cells)
    ? cells.map((cell, at) => verboseCell(cell, path.at(at), reading))
    : shortCells(cells, path, reading);
  if (!reading.isSound) return undefined;
  const known = found.filter((each) => each !== undefined);
  return placed(known, reading.type, {
    ofSize: (total) =>
      reading.complain(path, `${total} cells, with the zeros between`, `at most ${mostCells} cells`),
    ofRepeat: (place, earlier) => reading.complain(place, `the address of ${earlier} again`, ownCell),
  });
}

function verboseCell(cell: Json, path: Path, reading: Reading): Cell | undefined {
  if (!isObject(cell)) return reading.complain(path, shown(cell), `a cell: {"address":{…},"value":…}`);
  const { dimensions } = reading.type;
  const addressPath = path.at("address");
  const labels = labelsOf(member(cell, "address"), addressPath, dimensions, reading);
  const value = numberOf(member(cell, "value"), path.at("value"), reading);
  return labels && cellOf(labels, (dimension) => addressPath.at(dimension.name), value, path, reading);
}

/** An object by label. Without members it is any tensor without cells. */
function shortCells(cells: Json, path: Path, reading: Reading): readonly (Cell | undefined)[] {
  const { rank } = reading.type;
  const entries = isObject(cells) ? Object.entries(cells) : undefined;
  if (entries === undefined || (entries.length > 0 && rank !== 1)) {
    const object = rank === 1 ? ", or an object of numbers by label" : "";
    reading.complain(path, shown(cells), `an array of cells, each {"address":{…},"value":…}${object}`);
    return [];
  }
  reading.complainOfRepeats(path, ownCell);
  return entries.map(([label, value]) => {
    const place = path.at(label);
    return cellOf([label], () => place, numberOf(value, place, reading), place, reading);
  });
}

/** The labels of an address that must name each of these dimensions, and no other, in their order. */
export function labelsOf(
  address: Json | undefined,
  path: Path,
  dimensions: readonly Dimension[],
  reading: Reading,
): readonly string[] | undefined {
  if (address === undefined && dimensions.length === 0) return [];
  const names = dimensions.map(({ name }) => name);
  const list = names.join(", ");
  if (!isObject(address)) {
    return reading.complain(
      path,
      shown(address),
      `an object with ${list ? `labels for ${list}` : "no labels"}`,
    );
  }
  const unknown = Object.keys(address).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const wanted = list ? `one of the dimensions ${list}` : `left out: ${reading.type} has no dimensions`;
    return reading.complain(path.at(unknown), shown(unknown), wanted);
  }
  const labels: string[] = [];
  for (const name of names) {
    const label = member(address, name);
    if (typeof label !== "string") return reading.complain(path.at(name), shown(label), "a label, as text");
    labels.push(label);
  }
  return labels;
}

/** A cell with the indexes among its labels as numbers. */
function cellOf(
  all: readonly string[],
  placeOf: (dimension: Dimension) => Path,
  value: number,
  path: Path,
  reading: Reading,
): Cell | undefined {
  const labels: string[] = [];
  const indexes: number[] = [];
  for (const [at, dimension] of reading.type.dimensions.entries()) {
    const label = all[at] ?? "";
    if (dimension.kind === "mapped") labels.push(label);
    else {
      const index = indexOf(label, dimension.size);
      if (index === undefined)
        return reading.complain(placeOf(dimension), shown(label), indexText(dimension.size));
      indexes.push(index);
    }
  }
  return { labels, indexes, value, place: path };
}
