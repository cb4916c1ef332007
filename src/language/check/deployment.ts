import type { Argument } from "../syntax/tree.js";
import { bareWord } from "./names.js";
import type { Binding, Scope } from "./scope.js";

/**
 * What Vespa makes of the expressions of a rank profile when it deploys it, before any engine sees them: `a && b` becomes
 * `if(a, b, false)`, constants are put in by their names, and what is constant is computed.
 */
export interface Deployment {
  /** The names of the scalar constants. */
  readonly constants: ReadonlySet<string>;
}

/** Whether a constant is put in for this name, although a parameter of a function or a dimension of a generator has it. */
export function isHiddenByConstant(
  deployment: Deployment | undefined,
  name: string,
  binding: Binding | undefined,
): boolean {
  if (binding === undefined || deployment?.constants.has(name) !== true) return false;
  return binding.kind === "argument" || binding.dimension !== undefined;
}

/** Whether an argument is a name for which a constant is put in where the caller has a parameter of that name. */
export function isConstantsName(
  deployment: Deployment | undefined,
  argument: Argument,
  scope: Scope,
): boolean {
  const word = deployment === undefined ? undefined : bareWord(argument);
  return word !== undefined && isHiddenByConstant(deployment, word.text, scope.find(word.text));
}
