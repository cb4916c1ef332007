import type { Dimension } from "../types/type.js";
import { labelKey, Rows } from "../values/rows.js";
import { cellsOf, stridesOf } from "../values/shape.js";
import type { Tensor } from "../values/tensor.js";
import { numberOf } from "./json-numbers.js";
import { isList, isObject, type Json, member, type Path, type Reading, shown } from "./json-text.js";

/**
 * The cells form: every cell with its address, `[{"address":{"x":"a"},"value":2.0}, …]`, or for one
 * dimension `{"a":2.0, …}`. Cells of a dense block that are not given are 0.
 */

/** How many cells a few with large indexes may ask for, unless all of them are in the text. */
const mostCells = 50_000_000;

interface Cell {
  /** Of the mapped dimensions, in canonical order. */
  readonly labels: readonly string[];
  readonly indexes: readonly number[];
  readonly value: number;
  readonly path: Path;
}

export function readCells(cells: Json, path: Path, reading: Reading): Tensor | undefined {
  const found = isList(cells)
    ? cells.map((cell, at) => verboseCell(cell, path.at(at), reading))
    : shortCells(cells, path, reading);
  return reading.isSound
    ? placed(
        found.filter((each) => each !== undefined),
        path,
        reading,
      )
    : undefined;
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
      const { size = Number.POSITIVE_INFINITY } = dimension;
      const index = /^(?:0|[1-9]\d*)$/.test(label) ? Number(label) : size;
      if (index >= size) {
        const wanted = dimension.size === undefined ? "an index from 0" : `an index from 0 to ${size - 1}`;
        return reading.complain(placeOf(dimension), shown(label), wanted);
      }
      indexes.push(index);
    }
  }
  return { labels, indexes, value, path };
}

/** The tensor of these cells; an unbound dimension is as long as its highest index asks. */
function placed(cells: readonly Cell[], path: Path, reading: Reading): Tensor | undefined {
  const { type } = reading;
  const sizes = type.indexed.map(
    ({ size }, at) =>
      size ?? cells.reduce((longest, { indexes }) => Math.max(longest, (indexes[at] ?? 0) + 1), 0),
  );
  const blocks = type.isDense ? 1 : new Set(cells.map(({ labels }) => labelKey(labels))).size;
  const total = blocks * cellsOf(sizes);
  if (total > Math.max(mostCells, cells.length)) {
    return reading.complain(path, `${total} cells, with the zeros between`, `at most ${mostCells} cells`);
  }
  const rows = new Rows(type, sizes);
  const strides = stridesOf(sizes);
  const seen = new Map<string, Path>();
  for (const { labels, indexes, value, path } of cells) {
    const offset = indexes.reduce((sum, index, at) => sum + index * (strides[at] ?? 1), 0);
    const key = `${offset} ${labelKey(labels)}`;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      reading.complain(path, `the address of ${earlier} again`, "a cell with an address of its own");
    seen.set(key, path);
    rows.block(labels)[offset] = value;
  }
  return rows.finish();
}
