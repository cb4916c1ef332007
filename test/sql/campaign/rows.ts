import type { Tensor } from "../../../src/language/values/tensor.js";
import type { DuplicateRule } from "../../../src/sql.js";
import type { Choice } from "../../hunt/choice.js";

/** A row of a table: a label or an index for each dimension that has a column, and cells; what is missing is NULL. */
export interface Row {
  readonly address: readonly (string | number | undefined)[];
  /** One, or those of a block. */
  readonly cells: readonly (number | undefined)[] | undefined;
}

/** Rows that are a tensor by the rules of a binding, and not always as they are. */
export interface TableRows {
  readonly rows: readonly Row[];
  readonly duplicates: DuplicateRule;
  readonly missing: "error" | "zero";
  readonly nulls: "error" | "absent";
}

/** The cells of a tensor as rows: a row for each block, or for each cell. */
export function plainRows(tensor: Tensor, isBlock: boolean): readonly Row[] {
  const { type, sizes, labels, blockCells } = tensor;
  return labels.flatMap((row, at): Row[] => {
    const cells = Array.from({ length: blockCells }, (_, cell) => tensor.at(at * blockCells + cell));
    if (isBlock) return [{ address: row, cells }];
    return cells.map((cell, position): Row => {
      let rest = position;
      const indexes = sizes.toReversed().map((size) => {
        const index = rest % size;
        rest = Math.floor(rest / size);
        return index;
      });
      const byName = new Map<string, string | number>([
        ...type.mapped.map(({ name }, dimension) => [name, row[dimension] ?? ""] as const),
        ...type.indexed.map(({ name }, dimension) => [name, indexes.at(-1 - dimension) ?? 0] as const),
      ]);
      return { address: type.dimensions.map(({ name }) => byName.get(name)), cells: [cell] };
    });
  });
}

/** The rows of a tensor with what the rules of a binding put right: repeated, lacking and void ones. */
export function irregularRows(
  tensor: Tensor,
  isBlock: boolean,
  choice: Choice,
  hasNullCells: boolean,
): TableRows {
  const plain = plainRows(tensor, isBlock);
  const hasZeros = tensor.type.indexed.length > 0 && choice.percent(35);
  const lacking = hasZeros ? withoutZeros(plain, tensor, isBlock, choice) : plain;
  const repeated = choice.percent(25) ? withDuplicates(lacking, choice) : undefined;
  const { rows = lacking, duplicates = "error" } = repeated ?? {};
  const hasNulls = choice.percent(20) || (hasZeros && isBlock);
  const all = hasNulls ? withNulls(rows, tensor, isBlock, choice, hasNullCells) : lacking;
  return {
    rows: choice.percent(50) ? choice.shuffled(all) : all,
    duplicates,
    missing: hasZeros ? "zero" : "error",
    nulls: hasNulls ? "absent" : "error",
  };
}

/** Rows for one address, which a rule makes one cell of again: none where its arithmetic would not be exact. */
const parts: Readonly<
  Record<Exclude<DuplicateRule, "error">, (cell: number) => readonly [number, number] | undefined>
> = {
  sum: (cell) => (isWhole(cell) ? [cell - 3, 3] : undefined),
  max: (cell) => (Number.isNaN(cell) ? undefined : [cell, cell - 1]),
  min: (cell) => (Number.isNaN(cell) ? undefined : [cell + 1, cell]),
  avg: (cell) => (isWhole(cell) ? [cell - 1, cell + 1] : undefined),
};
const isWhole = (cell: number): boolean =>
  Number.isInteger(cell) && Math.abs(cell) < 2 ** 20 && !Object.is(cell, -0);

function withDuplicates(rows: readonly Row[], choice: Choice): Pick<TableRows, "rows" | "duplicates"> {
  const duplicates = choice.oneOf(["sum", "max", "min", "avg"] as const);
  const apart = parts[duplicates];
  return {
    duplicates,
    rows: rows.flatMap((row): Row[] => {
      const pairs = choice.percent(40) ? row.cells?.map((cell) => cell !== undefined && apart(cell)) : [];
      if (pairs === undefined || pairs.length === 0 || pairs.some((each) => !each)) return [row];
      const cellsOf = (at: 0 | 1): Row => ({
        ...row,
        cells: pairs.map((each) => (each ? each[at] : undefined)),
      });
      return [cellsOf(0), cellsOf(1)];
    }),
  };
}

/** Without some of the cells that are 0; those that tell of blocks and of their sizes stay. */
function withoutZeros(rows: readonly Row[], tensor: Tensor, isBlock: boolean, choice: Choice): Row[] {
  if (isBlock)
    return rows.map((row) => {
      const cells = row.cells?.map((cell, at) =>
        cell === 0 && at > 0 && choice.percent(50) ? undefined : cell,
      );
      return { ...row, cells };
    });
  const { type, sizes } = tensor;
  const isMapped = type.dimensions.map(({ kind }) => kind === "mapped");
  const seen = new Set<string>();
  const last = new Map(type.indexed.map(({ name, size }, at) => [name, size ?? (sizes[at] ?? 0) - 1]));
  return rows.filter(({ address, cells }) => {
    const block = JSON.stringify(address.filter((_, at) => isMapped[at]));
    const isFirst = !seen.has(block);
    seen.add(block);
    const tellsSize = type.dimensions.some(
      ({ name, kind, size }, at) =>
        kind === "indexed" && size === undefined && address[at] === last.get(name),
    );
    const isZero = cells?.[0] === 0;
    const isNeeded = (isFirst && type.mapped.length > 0) || tellsSize;
    return isNeeded || !isZero || choice.percent(50);
  });
}

/** With rows that lack a label or a value. */
function withNulls(
  rows: readonly Row[],
  { type, blockCells }: Tensor,
  isBlock: boolean,
  choice: Choice,
  hasNullCells: boolean,
): Row[] {
  const dimensions = isBlock ? type.mapped : type.dimensions;
  const address: Row["address"] = dimensions.map(({ kind }) => (kind === "mapped" ? "void" : 0));
  const cells = isBlock ? Array.from({ length: blockCells }, () => 1) : [1];
  const void_: Row[] = hasNullCells ? [{ address, cells: undefined }] : [];
  for (const at of dimensions.keys()) void_.push({ address: address.with(at, undefined), cells });
  return [...rows, ...choice.some(void_)];
}
