import type { CheckedProgram } from "../../language/check/statements/program.js";
import { isMadeVolatile } from "../../language/core/operations.js";
import type { Role } from "../../language/syntax/tree.js";
import type { TensorType } from "../../language/types/type.js";

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

/**
 * The tensors that a session keeps whose initial values draw random numbers, or call functions of the host that are not pure, in the
 * order of their declarations.
 */
export const changingDefaults = (checked: CheckedProgram): readonly string[] =>
  [...retainedTypes(checked).keys()].filter((name) => {
    const value = checked.declared.get(name)?.value;
    return value !== undefined && isMadeVolatile(value);
  });
