import type { Dimension } from "../../language/types/type.js";
import { compareLabels, labelKey } from "../../language/values/data/rows.js";
import { element } from "../../language/values/element.js";
import { cellsOf, indexesAt } from "../../language/values/shape.js";
import type { Tensor } from "../../language/values/tensor.js";

/**
 * A tensor laid out on paper: grids of rows and columns, one for each combination of labels of the dimensions that are
 * neither. Nothing here is text yet, and nothing is computed but what is asked for: of a large tensor only a few cells
 * are ever seen.
 */
export interface Layout {
  /** The dimensions that the rows of a grid are told apart by, and those of its columns: one or none. */
  readonly rows: readonly Dimension[];
  readonly columns: readonly Dimension[];
  /** The dimensions that tell the grids apart. */
  readonly outer: readonly Dimension[];
  readonly grids: List<Grid>;
}

export interface Grid {
  /** Labels of the outer dimensions. */
  readonly labels: readonly string[];
  /** Labels of each row, and of each column. */
  readonly rows: List<readonly string[]>;
  readonly columns: List<readonly string[]>;
  /** Nothing where the tensor has no such cell. */
  readonly value: (row: number, column: number) => number | undefined;
}

/** Things that are made when they are asked for. */
export interface List<T> {
  readonly count: number;
  readonly at: (index: number) => T;
}

/** How a tensor that is no scalar is best laid out. */
export function layoutOf(tensor: Tensor): Layout {
  const { mapped, indexed, isDense, isSparse } = tensor.type;
  const last = indexed.at(-1);
  if (isSparse) return sparseLayout(tensor);
  if (last !== undefined && !isDense && indexed.length === 1) return layout(tensor, mapped, [last]);
  return layout(tensor, indexed.slice(-2, -1), indexed.slice(-1));
}

/** Below this share of cells that exist, a grid is mostly holes. */
const fewest = 1 / 4;
/** Grids with fewer cells than this are no grids. */
const smallest = 4;

/** Grids where they are well filled, otherwise a row for each cell. */
function sparseLayout(tensor: Tensor): Layout {
  const { mapped } = tensor.type;
  const list = layout(tensor, mapped, []);
  if (mapped.length === 1) return list;
  const grids = layout(tensor, mapped.slice(-2, -1), mapped.slice(-1));
  const { count, at } = grids.grids;
  let capacity = 0;
  for (let index = 0; index < count; index++) capacity += at(index).rows.count * at(index).columns.count;
  const isFilled = tensor.rows >= fewest * capacity && (count === 1 || tensor.rows >= smallest * count);
  return isFilled ? grids : list;
}

function layout(tensor: Tensor, rows: readonly Dimension[], columns: readonly Dimension[]): Layout {
  const inner = new Set([...rows, ...columns]);
  const free = tensor.type.dimensions.filter((each) => !inner.has(each));
  // As an axis counts them: a mapped dimension before all indexed ones.
  const outer = [...free.filter(isMapped), ...free.filter((each) => !isMapped(each))];
  const byLabels = new Map<string, number[]>();
  const labelsOf = picker(tensor, outer);
  for (let row = 0; row < tensor.rows; row++) {
    const key = labelKey(labelsOf(row));
    const existing = byLabels.get(key);
    if (existing === undefined) byLabels.set(key, [row]);
    else existing.push(row);
  }
  const all = axis(tensor, wholeNumbers(tensor.rows), outer);
  const cache = new Map<number, Grid>();
  const at = (index: number): Grid => {
    const existing = cache.get(index);
    if (existing !== undefined) return existing;
    const position = all.at(index);
    const grid = gridOf(tensor, byLabels.get(labelKey(position.mapped)) ?? [], position, rows, columns);
    cache.set(index, grid);
    return grid;
  };
  return { rows, columns, outer, grids: { count: all.count, at } };
}

const isMapped = ({ kind }: Dimension): boolean => kind === "mapped";
const wholeNumbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** One combination of labels: those of mapped dimensions, and how far into a block those of indexed ones lead. */
interface AxisPosition {
  readonly labels: readonly string[];
  readonly mapped: readonly string[];
  readonly offset: number;
}

/** One grid, made of these rows of the tensor; `outer` is where in their blocks it begins. */
function gridOf(
  tensor: Tensor,
  tensorRows: readonly number[],
  outer: AxisPosition,
  rows: readonly Dimension[],
  columns: readonly Dimension[],
): Grid {
  const [down, across] = [axis(tensor, tensorRows, rows), axis(tensor, tensorRows, columns)];
  const labelsOf = picker(tensor, [...rows, ...columns]);
  const blocks = new Map(tensorRows.map((row) => [labelKey(labelsOf(row)), row]));
  return {
    labels: outer.labels,
    rows: { count: down.count, at: (index) => down.at(index).labels },
    columns: { count: across.count, at: (index) => across.at(index).labels },
    value: (row, column) => {
      const [left, top] = [down.at(row), across.at(column)];
      const block = blocks.get(labelKey([...left.mapped, ...top.mapped]));
      if (block === undefined) return undefined;
      return tensor.at(block * tensor.blockCells + outer.offset + left.offset + top.offset);
    },
  };
}

/** The combinations of labels that these dimensions, the mapped ones first, have in these rows of the tensor. */
function axis(tensor: Tensor, rows: readonly number[], dimensions: readonly Dimension[]): List<AxisPosition> {
  const labelsOf = picker(tensor, dimensions);
  const mapped = [...new Map(rows.map((row) => [labelKey(labelsOf(row)), labelsOf(row)])).values()];
  mapped.sort(compareLabels);
  const indexed = tensor.type.indexed.flatMap((each, at) => {
    const size = element(tensor.sizes, at);
    const step = cellsOf(tensor.sizes.slice(at + 1));
    return dimensions.includes(each) ? [{ size, step }] : [];
  });
  const sizes = indexed.map(({ size }) => size);
  const inBlock = cellsOf(sizes);
  return {
    count: mapped.length * inBlock,
    at: (index) => {
      const labels = element(mapped, Math.floor(index / inBlock));
      const indexes = indexesAt(index % inBlock, sizes);
      const offset = indexes.reduce((sum, each, at) => sum + each * element(indexed, at).step, 0);
      return { labels: [...labels, ...indexes.map(String)], mapped: labels, offset };
    },
  };
}

/** Gives the labels that a row of the tensor has in those of the dimensions that are mapped. */
function picker(tensor: Tensor, dimensions: readonly Dimension[]): (row: number) => readonly string[] {
  const positions = dimensions.map((each) => tensor.type.mapped.indexOf(each)).filter((at) => at >= 0);
  return (row) => {
    const labels = element(tensor.labels, row);
    return positions.map((at) => element(labels, at));
  };
}
