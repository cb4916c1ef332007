import type { Node } from "../../core/operations.js";
import type { Span } from "../../source/span.js";
import type { Supplied, Word } from "../../syntax/tree.js";
import type { TensorType } from "../../types/type.js";
import { element } from "../../values/element.js";
import { indexesAt } from "../../values/shape.js";
import type { Checker } from "../checker.js";
import { deploymentIn } from "../deployment/deployment.js";
import type { ScalarPart } from "../messages/types.js";
import { problem } from "../messages.js";
import { bareWord } from "../names.js";
import type { Scope } from "../scope.js";

/** The indexes that a lambda may take, by dimension. */
export type Indexes = ReadonlyMap<string, Node>;

/**
 * An index of a slice, or a cell of a literal: an expression, or a lambda (Paper 5.3.8 and 5.3.9). The parameters of a
 * lambda are dimensions, as those of a generator are: of the literal, of what the slice leaves, or of generators around it.
 */
export function supplied(
  checker: Checker,
  tree: Supplied,
  scope: Scope,
  part: ScalarPart,
  indexes: () => Indexes,
): Node | undefined {
  if (tree.kind !== "lambda") {
    const isDeployed = deploymentIn(checker, scope) !== undefined;
    return checker.scalar(tree, isDeployed ? scope.apart() : scope, part);
  }
  const report = checker.report(scope);
  const inner = checker.deferral.binder(tree, scope, [], () => scope.indexes());
  const own = indexes();
  let sound = true;
  for (const parameter of tree.parameters) {
    const { text, span } = parameter;
    const index = own.get(dimensionOf(checker, parameter, scope));
    const binding = scope.find(text);
    const isAround = binding?.kind === "node" && binding.frame === scope.frame;
    const values = { name: text, dimensions: [...own.keys()] };
    if (index !== undefined && isAround) report(problem("call/lambda-ambiguous", span, values));
    else if (index !== undefined) inner.bind(text, { kind: "node", node: index, frame: scope.frame });
    else if (!isAround) report(problem("call/lambda-index", span, values));
    if (isAround === (index !== undefined)) sound = false;
  }
  if (!sound) return undefined;
  report(problem("portability/lambda", tree.span, {}));
  return checker.scalar(tree.body, inner, part);
}

/** The dimension that a word names, which may be a parameter of a function. */
export function dimensionOf(checker: Checker, word: Word, scope: Scope): string {
  const { argument } = checker.resolve(
    { kind: "reference", name: word, outputs: [], span: word.span },
    scope,
  );
  return bareWord(argument)?.text ?? word.text;
}

/** The indexes of a cell of a literal, by dimension. */
export function cellIndexes(
  checker: Checker,
  type: TensorType,
  sizes: readonly number[],
  offset: number | "block",
  span: Span,
): Indexes {
  const at = offset === "block" ? sizes.map(() => 0) : indexesAt(offset, sizes);
  return new Map(type.indexed.map(({ name }, axis) => [name, checker.graph.number(element(at, axis), span)]));
}
