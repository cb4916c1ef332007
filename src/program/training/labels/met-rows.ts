import { below, nothingWaits, usedBy, type Waiting } from "../../../language/check/waiting.js";
import type { Node } from "../../../language/core/operations.js";
import { element } from "../../../language/values/element.js";
import { Tensor } from "../../../language/values/tensor.js";
import { withRows } from "../data/batches.js";
import { labelSources, rowOfLabel } from "./label-sources.js";

/** A variable of whose rows a value needs only those whose labels some tensors have. */
export interface MetVariable {
  readonly name: string;
  /** Its only mapped dimension. */
  readonly dimension: string;
  /** The inputs and retained tensors that have all labels which it may meet: more than one may meet it. */
  readonly sources: readonly string[];
}

/**
 * The variables that values use in nothing but joins with what has labels of inputs along the only mapped dimension of the variable: rows
 * that meet no label are of no use to the values, and have the derivative 0.
 */
export function metVariables(
  names: readonly string[],
  roots: readonly Node[],
  waiting: Waiting = nothingWaits,
): readonly MetVariable[] {
  const nodes = new Set(roots.flatMap((root) => [...below(root, waiting)]));
  return names.flatMap((name) => {
    const isVariable = (node: Node): boolean => node.op === "input" && node.name === name;
    const users = [...nodes].filter((node) => usedBy(node, waiting).some(isVariable));
    const [dimension, ...more] = [...nodes].find(isVariable)?.type.mapped ?? [];
    if (dimension === undefined || more.length > 0 || roots.some(isVariable)) return [];
    const sources = users.map((node) => {
      if (node.op !== "join" || (isVariable(node.left) && isVariable(node.right))) return undefined;
      const other = isVariable(node.left) ? node.right : node.left;
      const has = other.type.dimension(dimension.name)?.kind === "mapped";
      return has ? labelSources(other, dimension.name) : undefined;
    });
    return sources.every((each) => each !== undefined)
      ? [{ name, dimension: dimension.name, sources: [...new Set(sources.flat())] }]
      : [];
  });
}

/** Tensors with those rows of variables alone that may be met, where these are fewer than all. */
export function withMetRows(
  state: ReadonlyMap<string, Tensor>,
  variables: readonly MetVariable[],
  inputs: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Tensor> {
  const met = new Map(state);
  for (const { name, dimension, sources } of variables) {
    const variable = state.get(name);
    const rows =
      variable &&
      metRows(
        variable,
        dimension,
        sources.map((source) => inputs[source] ?? state.get(source)),
      );
    if (variable !== undefined && rows !== undefined) met.set(name, withRows(variable, rows));
  }
  return met;
}

/** The rows of a variable whose labels others have, rising; nothing where others have as many labels, or are not tensors. */
function metRows(
  { labels, rows }: Tensor,
  dimension: string,
  others: readonly unknown[],
): readonly number[] | undefined {
  const met = new Set<number>();
  for (const other of others) {
    if (!(other instanceof Tensor) || other.rows >= rows) return undefined;
    const at = other.type.mapped.findIndex(({ name }) => name === dimension);
    for (const each of other.labels) {
      const row = rowOfLabel(element(each, at), labels);
      if (row !== undefined) met.add(row);
    }
  }
  return [...met].sort((one, other) => one - other);
}
