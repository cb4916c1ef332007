import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { below } from "./new-labels.js";
import type { Trainable } from "./train.js";

/** The dimensions along which inputs of some types have items. */
export function dataDimensions(types: readonly TensorType[]): Pick<Trainable, "unbound" | "mapped"> {
  const unbound = types.flatMap(({ indexed }) =>
    indexed.flatMap(({ name, size }) => (size === undefined ? [name] : [])),
  );
  return { unbound: [...new Set(unbound)], mapped: mappedDimensions(types) };
}

/** The mapped dimensions of some types, and those that all types with labels have. */
function mappedDimensions(types: readonly TensorType[]): Trainable["mapped"] {
  const names = types.flatMap(({ mapped }) => (mapped.length === 0 ? [] : [mapped.map(({ name }) => name)]));
  const all = [...new Set(names.flat())];
  return { all, shared: all.filter((name) => names.every((own) => own.includes(name))) };
}

/**
 * The first node below another that has an indexed dimension from nothing that has it, unless it is an input among the data whose size is
 * unbound there: a literal, a constant, a variable, the default of an input.
 */
export function fixedAlong(root: Node, dimension: string, data: ReadonlySet<string>): Span | undefined {
  const has = ({ type }: Node): boolean => type.dimension(dimension)?.kind === "indexed";
  for (const node of below(root)) {
    if (!has(node)) continue;
    const isUnbound = node.type.dimension(dimension)?.size === undefined;
    const isData = node.op === "input" && data.has(node.name) && isUnbound;
    if (!isData && !visit(inputsOf, node).some(has)) return node.span;
  }
  return undefined;
}
