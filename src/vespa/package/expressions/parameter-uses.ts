import { bareWord } from "../../../language/check/names.js";
import { append } from "../../../language/source/lists.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Reference, TypeText, Word } from "../../../language/syntax/tree.js";
import type { ParameterUse } from "../model/feature-messages.js";
import { problem } from "../model/messages.js";
import type { Profile, RankFunction } from "../model/model.js";

/**
 * What Vespa refuses of parameters where a function is defined, whether or not it is called. It takes them for numbers there: it
 * has no bits of one, no slice without the name of its dimension, and no name where its grammar has a size, a cell type or an
 * aggregator. Its lambdas see none of them. Of a feature of one, such as `attribute(name)`, it has no type, which bits, such slices and
 * `max(attribute(name), x)` need.
 */
export function parameterUses({ functions }: Profile): Problem[] {
  return [...functions.values()].flatMap((each) =>
    each.parameters.length === 0 || each.expression.tree === undefined
      ? []
      : usesIn(each, each.expression.tree),
  );
}

interface OpenTree {
  readonly tree: Argument;
  /** The parameters that are meant by their names here. */
  readonly free: readonly Word[];
  readonly isInLambda: boolean;
}

function usesIn({ name, parameters }: RankFunction, body: Argument): Problem[] {
  const problems: Problem[] = [];
  const open: OpenTree[] = [{ tree: body, free: parameters, isInLambda: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, free, isInLambda } = next;
    const uses = isInLambda ? [...readsOf(tree), ...usesOf(tree)] : usesOf(tree);
    for (const { use, of } of uses)
      if (of !== undefined && free.some(({ text }) => text === of.text)) {
        const span = use === "bits" || use === "slice" || use === "feature" ? tree.span : of.span;
        problems.push(problem("function/parameter", span, { name: of.text, of: name.text, use }));
      }
    for (const { tree: inner, binds } of partsOf(tree))
      open.push({
        tree: inner,
        free: free.filter(({ text }) => binds.every((each) => each.text !== text)),
        isInLambda: isInLambda || tree.kind === "lambda",
      });
  }
  return problems;
}

/** A word that may be a parameter, and what it is used as. */
interface Use {
  readonly use: ParameterUse;
  readonly of: Word | undefined;
}

function readsOf(tree: Argument): readonly Use[] {
  return tree.kind === "reference" ? [{ use: "lambda", of: bareWord(tree) }] : [];
}

function usesOf(tree: Argument): Iterable<Use> {
  if (tree.kind === "generate" || tree.kind === "literal" || tree.kind === "shape") return sizesIn(tree.type);
  if (tree.kind === "reference") return ofCall(tree);
  if (tree.kind !== "sliced" || tree.slices[0]?.kind === "address") return [];
  return [
    { use: "slice", of: bareWord(tree.tensor) },
    { use: "feature", of: namedBy(tree.tensor) },
  ];
}

const sizesIn = ({ dimensions }: TypeText): readonly Use[] =>
  dimensions.map(({ size }) => ({ use: "size", of: size }));

/** The calls that need more of an argument than a number, with the argument. */
const calls: Readonly<Record<string, { readonly use: ParameterUse; readonly at: number }>> = {
  unpack_bits: { use: "bits", at: 0 },
  cell_cast: { use: "cells", at: 1 },
  reduce: { use: "aggregator", at: 1 },
};

function ofCall({ name: { text }, arguments: list = [] }: Reference): Iterable<Use> {
  const [first, second, ...others] = list;
  // It may be a reduction over that dimension, which the type of the first tells.
  if ((text === "max" || text === "min") && first && others.length === 0 && second && isBareName(second))
    return typedFeatures(first);
  const call = Object.hasOwn(calls, text) ? calls[text] : undefined;
  const argument = call && list[call.at];
  if (call === undefined || argument === undefined) return [];
  if (call.use !== "bits") return [{ use: call.use, of: bareWord(argument) }];
  const cast = castIn(argument);
  return [
    { use: "bits", of: bareWord(cast) },
    { use: "feature", of: namedBy(cast) },
  ];
}

/** The features by whose types an expression has its own. */
function* typedFeatures(tree: Argument): Iterable<Use> {
  const open = [tree];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield { use: "feature", of: namedBy(next) };
    append(open, typedParts(next));
  }
}

/** The parts whose types decide that of the whole: no condition, and nothing where it is written or a number whatever the parts are. */
function typedParts(tree: Argument): readonly Argument[] {
  if (tree.kind === "reference") return (tree.arguments ?? []).slice(tree.name.text === "if" ? 1 : 0);
  const isComputed =
    tree.kind === "chain" ? tree.rest.every(({ kind }) => kind === "operation") : tree.kind === "prefixed";
  return isComputed ? partsOf(tree).map((each) => each.tree) : [];
}

/** `name` of `attribute(name)` and `constant(name)`, which must be there; a query feature that is not is a number. */
function namedBy(tree: Argument): Word | undefined {
  const isNamed = tree.kind === "reference" && ["attribute", "constant"].includes(tree.name.text);
  const [first] = isNamed ? (tree.arguments ?? []) : [];
  return first && bareWord(first);
}

const isBareName = (tree: Argument): boolean => tree.kind === "reference" && bareWord(tree) !== undefined;

/** `x` of `cell_cast(x, int8)` */
function castIn(tree: Argument): Argument {
  const [first] = tree.kind === "reference" && tree.name.text === "cell_cast" ? (tree.arguments ?? []) : [];
  return first ?? tree;
}
