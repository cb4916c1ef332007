import type { Argument, Expression, Reference } from "../syntax/tree.js";
import type { TensorType } from "../types/type.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import { bareWord } from "./names.js";
import type { Scope } from "./scope.js";

/** Calls that would be right with their arguments in another order, or with one dimension more. */

const textOf = ({ span: { source, start, end } }: Argument | Reference): string =>
  source.text.slice(start, end);

export const isValue = (argument: Argument): argument is Expression =>
  argument.kind !== "lambda" && argument.kind !== "names" && argument.kind !== "named";

/** Whether a call has the name of a dimension where the tensor should be, as `sum(x, t)` has; it is reported. */
export function hasSwappedArguments(checker: Checker, tree: Reference, scope: Scope): boolean {
  const [first, ...others] = tree.arguments ?? [];
  const word = first && bareWord(first);
  if (first === undefined || word === undefined || others.length === 0 || first.kind === "number")
    return false;
  const { inputs, names } = checker.context;
  const isName = scope.find(word.text) ?? names.own(word.text) ?? (inputs.has(word.text) || undefined);
  if (isName !== undefined || !others.every(isValue)) return false;
  const at = others.findIndex((each) => typeOfName(checker, each, scope)?.dimension(word.text) !== undefined);
  if (at < 0) return false;
  const replacement = `${tree.name.text}(${[...others, first].map(textOf).join(", ")})`;
  checker.report(scope)(problem("call/order", tree.span, { text: textOf(tree), replacement }));
  return true;
}

/** The type of an argument that is the name of a value. */
function typeOfName(checker: Checker, argument: Argument, scope: Scope): TensorType | undefined {
  const word = bareWord(argument);
  if (word === undefined || !isValue(argument)) return undefined;
  const { inputs, names } = checker.context;
  const exists = scope.find(word.text) ?? names.own(word.text) ?? inputs.get(word.text);
  return exists === undefined ? undefined : checker.node(argument, scope)?.type;
}

/** A call that lacks its last argument, a dimension: with one that its tensors have. */
export function withDimension(checker: Checker, tree: Reference, scope: Scope): string | undefined {
  const args = tree.arguments ?? [];
  const types = args.filter(isValue).flatMap((each) => checker.node(each, scope)?.type ?? []);
  const tensors = types.filter((type) => !type.isScalar);
  if (types.length < args.length) return undefined;
  const shared = tensors[0]?.names.find((name) =>
    tensors.every((type) => type.dimension(name) !== undefined),
  );
  const dimension = shared ?? tensors[0]?.names[0];
  if (dimension === undefined) return undefined;
  return `${tree.name.text}(${[...args.map(textOf), dimension].join(", ")})`;
}
