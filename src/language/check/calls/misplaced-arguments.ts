import { scalarFunctions, scalarNamed } from "../../scalar/functions.js";
import { textIn } from "../../source/span.js";
import { partsOf } from "../../syntax/parts.js";
import { type Argument, isExpression, type Reference } from "../../syntax/tree.js";
import type { TensorType } from "../../types/type.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";
import type { Scope } from "../scope.js";

/** Calls that would be right with their arguments in another order or form, or with one dimension more. */

const textOf = ({ span }: Argument | Reference): string => textIn(span);

/** Whether a call has the name of a dimension where the tensor should be, as `sum(x, t)` has; it is reported. */
export function hasSwappedArguments(checker: Checker, tree: Reference, scope: Scope): boolean {
  const [first, ...others] = tree.arguments ?? [];
  const word = first && bareWord(first);
  if (first === undefined || word === undefined || others.length === 0 || first.kind === "number")
    return false;
  if (isKnown(checker, word.text, scope) || !others.every(isExpression)) return false;
  const at = others.findIndex((each) => typeOfName(checker, each, scope)?.dimension(word.text) !== undefined);
  if (at < 0) return false;
  const replacement = `${tree.name.text}(${[...others, first].map(textOf).join(", ")})`;
  checker.report(scope)(problem("call/order", tree.span, { text: textOf(tree), replacement }));
  return true;
}

/** The type of an argument that is the name of a value. */
function typeOfName(checker: Checker, argument: Argument, scope: Scope): TensorType | undefined {
  const word = bareWord(argument);
  if (word === undefined || !isExpression(argument)) return undefined;
  const { inputs, names } = checker.context;
  const own = names.own(word.text);
  if (own?.kind === "function") return undefined;
  const exists = scope.find(word.text) ?? own ?? inputs.get(word.text);
  return exists === undefined ? undefined : checker.node(argument, scope)?.type;
}

/** A call that lacks its last argument, a dimension: with one that its tensors have. */
export function withDimension(checker: Checker, tree: Reference, scope: Scope): string | undefined {
  const args = tree.arguments ?? [];
  const types = args.filter(isExpression).flatMap((each) => checker.node(each, scope)?.type ?? []);
  const tensors = types.filter((type) => !type.isScalar);
  if (types.length < args.length) return undefined;
  const shared = tensors[0]?.names.find((name) =>
    tensors.every((type) => type.dimension(name) !== undefined),
  );
  const dimension = shared ?? tensors[0]?.names[0];
  if (dimension === undefined) return undefined;
  return `${tree.name.text}(${[...args.map(textOf), dimension].join(", ")})`;
}

/**
 * A lambda of what stands where one is needed, if it would be right: `sqrt` as `f(x)(sqrt(x))`, and `x * x`, where nothing is called
 * `x`, as `f(x)(x * x)`.
 */
export function asLambda(
  checker: Checker,
  argument: Argument,
  scope: Scope,
  parameters: number,
): string | undefined {
  const word = argument.kind === "number" ? undefined : bareWord(argument);
  if (word !== undefined) {
    const name = isKnown(checker, word.text, scope) ? undefined : scalarNamed(word.text);
    const names = ["x", "y"].slice(0, parameters);
    if (name === undefined || scalarFunctions[name].parameters.length !== parameters) return undefined;
    return `f(${names.join(",")})(${word.text}(${names.join(", ")}))`;
  }
  const free = freeNames(checker, argument, scope);
  return free?.length === parameters ? `f(${free.join(",")})(${textOf(argument)})` : undefined;
}

const isKnown = ({ context: { inputs, names } }: Checker, text: string, scope: Scope): boolean =>
  scope.find(text) !== undefined ||
  text === "true" ||
  text === "false" ||
  names.own(text) !== undefined ||
  inputs.has(text) ||
  inputs.has(`constant(${text})`);

/** The names of an expression of scalars that nothing is called; nothing where it is no such expression. */
function freeNames(checker: Checker, argument: Argument, scope: Scope): readonly string[] | undefined {
  const free = new Set<string>();
  const open: Argument[] = [argument];
  for (let tree = open.pop(); tree !== undefined; tree = open.pop()) {
    if (!isScalarForm(tree)) return undefined;
    const word = tree.kind === "reference" && tree.arguments === undefined ? tree.name.text : undefined;
    if (word !== undefined && !isKnown(checker, word, scope)) free.add(word);
    else if (word !== undefined && typeOfName(checker, tree, scope)?.isScalar !== true) return undefined;
    for (const part of partsOf(tree).toReversed()) open.push(part.tree);
  }
  return [...free];
}

/** Whether a form of expression is one of numbers: arithmetic, and scalar functions. */
function isScalarForm(tree: Argument): boolean {
  if (tree.kind === "number" || tree.kind === "prefixed" || tree.kind === "chain") return true;
  if (tree.kind !== "reference" || tree.outputs.length > 0) return false;
  return tree.arguments === undefined || tree.name.text === "if" || scalarNamed(tree.name.text) !== undefined;
}
