import { select } from "./choosing.js";
import { forest } from "./forests.js";
import { generate } from "./generating.js";
import { concat } from "./joins/concatenating.js";
import { apply, cast, join, map } from "./joins/elementwise.js";
import { merge } from "./joins/merging.js";
import { literal } from "./literals.js";
import type { OperationPlans } from "./plan-state.js";
import { unsupported } from "./planned.js";
import { order } from "./reductions/ranking.js";
import { reduce } from "./reductions/reducing.js";
import { parameter, rename } from "./shaping.js";
import { slice } from "./slices/slicing.js";
import { filterSubspaces, mapSubspaces } from "./subspaces.js";

/** How each operation becomes a value. What the engine has no way for is computed by the reference. */
export const operations: OperationPlans = {
  constant: (node, state) => state.constant(node),
  input: (node, state, scope) => state.inputs.planned(node, scope),
  parameter,
  random: () => unsupported("random numbers"),
  host: ({ function: { name } }) => unsupported(`${name} is a function of the host`),
  apply: (node, state, scope) => forest(node, state, scope) ?? apply(node, state, scope),
  select: (node, state, scope) => forest(node, state, scope) ?? select(node, state, scope),
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
  order,
  mapSubspaces,
  filterSubspaces,
};
