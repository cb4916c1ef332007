import type { NodeOf } from "../language/core/operations.js";
import { renaming } from "../language/types/algebra.js";
import { cellTypes } from "../language/types/cell.js";
import type { TensorType } from "../language/types/type.js";
import { type Pass, type RewriteRule, rule } from "./rewrite-rule.js";

/** Names and cell types that are changed twice. */

const renames: RewriteRule = rule(
  "rename",
  "rename(rename(t, a, b), b, c) = rename(t, a, c); a rename to the same names = t",
  (node, graph) => {
    const names = newNames(node);
    const { tensor } = node.tensor.op === "rename" ? node.tensor : node;
    const from = [...names.keys()].filter((name) => names.get(name) !== name);
    if (from.length === 0) return tensor;
    if (tensor === node.tensor) return undefined;
    return graph.rename(
      tensor,
      from,
      from.map((name) => names.get(name) ?? name),
      node.span,
    );
  },
);

/** What each dimension is called after a rename, and after the one before it where there is one. */
function newNames({ tensor, from, to }: NodeOf<"rename">): Map<string, string> {
  const inner = tensor.op === "rename" ? tensor : undefined;
  const { names } = (inner?.tensor ?? tensor).type;
  const [first, second] = [renaming(inner?.from ?? [], inner?.to ?? []), renaming(from, to)];
  return new Map(names.map((name) => [name, second(first(name))]));
}

const casts: RewriteRule = rule(
  "cast",
  "cell_cast(cell_cast(t, A), B) = cell_cast(t, B), where A holds all that cells of t are",
  ({ tensor, type, span }, graph) => {
    if (tensor.op !== "cast") return undefined;
    const [first, between] = [tensor.tensor.type, tensor.type];
    const isExact = cellTypes[between.cellType].holds.includes(first.cellType);
    return isExact && haveSameSizes(first, between) ? graph.cast(tensor.tensor, type, span) : undefined;
  },
);

const haveSameSizes = (left: TensorType, right: TensorType): boolean =>
  left.withCells("double").equals(right.withCells("double"));

export const shapes: Pass = {
  name: "shapes",
  description: "names and cell types that change twice",
  rules: [renames, casts],
};
