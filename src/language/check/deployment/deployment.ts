import type { Argument, Expression, Prefixed } from "../../syntax/tree.js";
import type { TensorType } from "../../types/type.js";
import { bareWord, type Names } from "../names.js";
import type { Binding, Scope } from "../scope.js";

/**
 * What Vespa makes of the expressions of a rank profile when it deploys it, before any engine sees them: constants and inline
 * functions are put in by their names, what is constant is computed, a product with 0 is 0, and `a && b` becomes
 * `if(a, b, false)`.
 */
export interface Deployment {
  /** The scalar constants, by name. */
  readonly constants: ReadonlyMap<string, number>;
  /** The bodies of inline functions without parameters, by name. */
  readonly inline: ReadonlyMap<string, Expression>;
  /** Whether types are those of what is deployed; otherwise those of what is written, which Vespa checks before. */
  readonly isTypedAsDeployed: boolean;
  /** The dimensions that an expression of a function has where the function is defined, as its parameters are numbers there. */
  readonly dimensionsOf: (tree: Argument, environment: DeployedEnvironment) => ReadonlySet<string>;
}

/** Where an expression of a function stands, and what names and types mean there. */
export interface DeployedEnvironment {
  readonly scope: Scope;
  readonly names: Names;
  readonly typeOf: (tree: Expression, scope: Scope) => TensorType | undefined;
}

/** What of a checker and a scope decides whether an expression is deployed as another one. */
interface Deployable {
  readonly context: { readonly deployment?: Deployment | undefined };
}

/** The deployment of what is written in a scope; nothing where Vespa ships it as it is. */
export function deploymentIn({ context }: Deployable, scope: Scope): Deployment | undefined {
  return scope.isDeployed && scope.origin?.inPrelude !== true ? context.deployment : undefined;
}

/** Whether a number is `-0`, and not `-0.0`: a whole number has no zero with a sign when it is written anew. */
export const isUnsignedZero = ({ operators, operand }: Prefixed): boolean =>
  operand.kind === "number" && /^0+$/.test(operand.text) && operators.every(({ symbol }) => symbol === "-");

/** Whether what is written in a scope is of a rank profile, which Vespa writes anew: not what the prelude has there. */
export const isWrittenAnew = ({ context }: Deployable, scope: Scope): boolean =>
  context.deployment !== undefined && scope.origin?.inPrelude !== true;

/** Whether something else is put in for this name, although a parameter of a function or a dimension of a generator has it. */
export function isReplaced(
  { context: { deployment } }: Deployable,
  name: string,
  binding: Binding | undefined,
  scope: Scope,
): boolean {
  if (binding === undefined || deployment === undefined || scope.origin?.inPrelude === true) return false;
  const isPutIn =
    deployment.constants.has(name) ||
    (scope.isDeployed && !scope.isOfArgument && deployment.inline.has(name));
  return isPutIn && (binding.kind === "argument" || binding.dimension !== undefined);
}

/** Whether an argument is a name for which something is put in where the caller has a parameter of that name. */
export function isReplacedName(checker: Deployable, argument: Argument, scope: Scope): boolean {
  const word = checker.context.deployment === undefined ? undefined : bareWord(argument);
  return word !== undefined && isReplaced(checker, word.text, scope.find(word.text), scope);
}
