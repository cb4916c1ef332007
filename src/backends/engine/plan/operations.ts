import type { NodeOf, Table } from "../../../language/core/operations.js";
import { forest } from "../forest/value.js";
import { apply, cast, join, map, select } from "./elementwise.js";
import { generate } from "./generating.js";
import { literal } from "./literals.js";
import { concat, merge } from "./merging.js";
import type { Planner } from "./planner.js";
import { reduce } from "./reducing.js";
import type { Scope } from "./scope.js";
import { rename, slice } from "./shaping.js";
import { NeedsMore, NoWay } from "./signals.js";
import { filterSubspaces, mapSubspaces } from "./subspaces.js";
import type { Value } from "./value.js";

const noWay = (): never => {
  throw new NoWay();
};

/** An input's own value, or that of its default. */
function input(node: NodeOf<"input">, { surroundings }: Planner, scope: Scope): Value {
  const given = surroundings.input(node);
  if (given !== undefined) return given;
  const otherwise = surroundings.defaultOf(node);
  scope.choose(node, [otherwise]);
  const value = scope.known(otherwise);
  if (value === undefined) throw new NeedsMore();
  return value;
}

/** How each operation becomes a value. What has no row of its own here is computed by the reference. */
export const operations: Table<[Planner, Scope], Value> = {
  constant: (node, { surroundings }) => surroundings.constant(node),
  input,
  parameter: ({ level, position }, _, scope) => scope.parameter(level, position) ?? noWay(),
  random: noWay,
  apply: (node, planner, scope) => forest(node, planner, scope) ?? apply(node, planner, scope),
  select: (node, planner, scope) => forest(node, planner, scope) ?? select(node, planner, scope),
  map,
  reduce,
  join,
  merge,
  rename,
  concat,
  generate,
  slice,
  literal,
  cast,
  order: noWay,
  mapSubspaces,
  filterSubspaces,
};
