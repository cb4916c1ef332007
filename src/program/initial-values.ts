import type { CheckedProgram } from "../language/check/program.js";
import { inputsOf, isVolatile, lambdaOf, type Node, visit } from "../language/core/operations.js";
import type { Role } from "../language/syntax/tree.js";
import type { TensorType } from "../language/types/type.js";

/** Which tensors a session keeps between runs, and which of their initial values are others whenever they are computed. */

const isRetained: Readonly<Record<Role, boolean>> = {
  input: false,
  constant: false,
  variable: true,
  persistent: true,
};

/** The variable and persistent tensors of a program, with their types. */
export const retainedTypes = ({ declared }: CheckedProgram): ReadonlyMap<string, TensorType> =>
  new Map(
    [...declared].flatMap(([name, { role, type }]) => (isRetained[role] ? [[name, type] as const] : [])),
  );

const cache = new WeakMap<CheckedProgram, readonly string[]>();

/**
 * The tensors that a session keeps whose initial values draw random numbers, or call functions of the host that are not pure, in the
 * order of their declarations.
 */
export function changingDefaults(checked: CheckedProgram): readonly string[] {
  const cached = cache.get(checked);
  if (cached !== undefined) return cached;
  const names = [...retainedTypes(checked).keys()].filter((name) =>
    nodesOf(checked.declared.get(name)?.value).some(isVolatile),
  );
  cache.set(checked, names);
  return names;
}

/** A node and all that it is computed from, bodies among it. */
function nodesOf(root: Node | undefined): readonly Node[] {
  const found = new Set<Node>(root === undefined ? [] : [root]);
  for (const node of found) {
    for (const part of visit(inputsOf, node)) found.add(part);
    const body = lambdaOf(node)?.body;
    if (body !== undefined) found.add(body);
  }
  return [...found];
}
