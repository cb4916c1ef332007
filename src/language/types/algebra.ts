import { append } from "../source/lists.js";
import type { CodeOf, ValuesOf } from "../source/problem.js";
import { type CellType, decay, largest, unify } from "./cell.js";
import { type Dimension, indexed, TensorType } from "./type.js";

/** Takes the problems of a rule. Whether one is an error or a warning depends on its code and the dialect. */
export type TypeReporter = <Code extends CodeOf<"language/types">>(
  code: Code,
  values: ValuesOf<"language/types", Code>,
) => void;

const silent: TypeReporter = () => undefined;

/** The cell type of two operands: a scalar has no say. */
function unifyTypes(left: TensorType, right: TensorType): CellType {
  if (left.isScalar) return right.cellType;
  return right.isScalar ? left.cellType : unify(left.cellType, right.cellType);
}

/** map and every function of one tensor: the dimensions stay, the cells decay. */
export function mapType(type: TensorType): TensorType {
  return type.withCells(decay(type.cellType));
}

/** reduce: the dimensions that are not named, or none where none is named (Paper 5.3.2). */
export function reduceType(type: TensorType, over: readonly string[]): TensorType {
  const remaining = over.length === 0 ? [] : without(type, over);
  return TensorType.of(decay(type.cellType), remaining);
}

/** join: the union of the dimensions; a shared bound dimension gets the smaller size (Paper 5.3.3, D2, D4). */
export function joinType(left: TensorType, right: TensorType, by: string, report = silent): TensorType {
  if (left.isScalar) return mapType(right);
  if (right.isScalar) return mapType(left);
  const dimensions = union(
    left,
    right,
    (a, b) => {
      if (a.size !== b.size && a.size !== undefined && b.size !== undefined)
        report("type/size-mismatch", { dimension: a.name, left, right, by });
      return a.size === undefined ? b : b.size === undefined || a.size <= b.size ? a : b;
    },
    by,
    report,
  );
  return TensorType.of(decay(unifyTypes(left, right)), dimensions);
}

/** merge: both must have the same dimensions (Paper 5.3.4). */
export function mergeType(left: TensorType, right: TensorType, report = silent): TensorType {
  if (left.names.join() !== right.names.join()) {
    report("type/merge-dimensions", { left, right });
  }
  const dimensions = union(
    left,
    right,
    (a, b) => {
      if (a.size !== b.size && a.size !== undefined && b.size !== undefined)
        report("type/merge-size", { dimension: a.name, left, right });
      return a.size === undefined ? b : a;
    },
    "merge",
    report,
  );
  return TensorType.of(decay(unifyTypes(left, right)), dimensions);
}

/** concat: sizes add up along the dimension; elsewhere the larger size, padded with 0 (Paper 5.3.6, D3). */
export function concatType(left: TensorType, right: TensorType, along: string, report = silent): TensorType {
  for (const type of [left, right]) {
    if (type.dimension(along)?.kind === "mapped") report("type/concat-mapped", { dimension: along, type });
  }
  const others = union(
    sliceType(left, [along]),
    sliceType(right, [along]),
    (a, b) => {
      if (a.size === undefined || b.size === undefined) {
        report("type/concat-unbound", { dimension: a.name, along });
        return a.size === undefined ? a : b;
      }
      if (a.size !== b.size) report("type/concat-size", { dimension: a.name, along, left, right });
      return a.size >= b.size ? a : b;
    },
    "concat",
    report,
  );
  const [first, second] = [extent(left, along), extent(right, along)];
  const joined = indexed(along, first === undefined || second === undefined ? undefined : first + second);
  return TensorType.of(unifyTypes(left, right), [...others, joined]);
}

/** The size of a dimension, 1 where the tensor lacks it, nothing where it is unbound. */
function extent(type: TensorType, name: string): number | undefined {
  const dimension = type.dimension(name);
  return dimension === undefined ? 1 : dimension.size;
}

/** rename: the names change, kind and size travel along (Paper 5.3.5). */
export function renameType(type: TensorType, from: readonly string[], to: readonly string[]): TensorType {
  const newName = renaming(from, to);
  return type.withDimensions(type.dimensions.map((each) => ({ ...each, name: newName(each.name) })));
}

/** The name that `rename` gives a dimension: its own one unless it is listed. */
export function renaming(from: readonly string[], to: readonly string[]): (name: string) => string {
  const names = new Map(from.map((name, at) => [name, to[at] ?? name]));
  return (name) => names.get(name) ?? name;
}

/** slice: the dimensions that are not in the partial address (Paper 5.3.8). */
export function sliceType(type: TensorType, at: readonly string[]): TensorType {
  return type.withDimensions(without(type, at));
}

/** if: both branches must have the same dimensions; the sizes and cell types are generalised. */
export function branchType(left: TensorType, right: TensorType, report = silent): TensorType {
  const [one, other] = [left, right].map((type) =>
    type.dimensions.map((each) => `${each.name} ${each.kind}`).join(),
  );
  const sizesAgree = left.dimensions.every((each) => {
    const size = right.dimension(each.name)?.size;
    return each.size === size || each.size === undefined || size === undefined;
  });
  if (one !== other || !sizesAgree) report("type/branches", { left, right });
  const dimensions = left.dimensions.map((each) =>
    each.size === undefined ? each : (right.dimension(each.name) ?? each),
  );
  return TensorType.of(largest(left.cellType, right.cellType), dimensions);
}

/** What map_subspaces hands to its lambda: the dense block, or a scalar. */
export function subspaceType(type: TensorType): TensorType {
  return type.withDimensions(type.indexed);
}

/** map_subspaces: the outer mapped dimensions and those of the lambda's result. */
export function mapSubspacesType(type: TensorType, result: TensorType, report = silent): TensorType {
  if (result.mapped.length > 0) report("type/subspace-mapped", { type: result });
  const clash = type.mapped.find((each) => result.dimension(each.name) !== undefined);
  if (clash !== undefined) report("type/subspace-clash", { dimension: clash.name, type: result });
  if (type.mapped.length === 0) return result;
  const outer = type.mapped.filter((each) => each !== clash);
  return TensorType.of(result.isScalar ? decay(type.cellType) : result.cellType, [
    ...outer,
    ...result.dimensions,
  ]);
}

type Meet = (left: Dimension, right: Dimension) => Dimension;

/** All dimensions of both; `meet` decides about shared indexed ones, mapped against indexed is an error. */
function union(
  left: TensorType,
  right: TensorType,
  meet: Meet,
  by: string,
  report: TypeReporter,
): Dimension[] {
  const result: Dimension[] = [];
  const others = right.dimensions;
  let at = 0;
  // Both are sorted by name.
  for (const mine of left.dimensions) {
    let theirs = others[at];
    for (; theirs !== undefined && theirs.name < mine.name; theirs = others[++at]) result.push(theirs);
    if (theirs === undefined || theirs.name !== mine.name) {
      result.push(mine);
      continue;
    }
    at++;
    if (mine.kind !== theirs.kind) report("type/kind-clash", { dimension: mine.name, left, right, by });
    result.push(mine.kind === "indexed" && theirs.kind === "indexed" ? meet(mine, theirs) : mine);
  }
  append(result, others.slice(at));
  return result;
}

function without(type: TensorType, names: readonly string[]): readonly Dimension[] {
  const left = new Set(names);
  return type.dimensions.filter((each) => !left.has(each.name));
}
