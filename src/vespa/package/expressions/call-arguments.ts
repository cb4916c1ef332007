import { builtins } from "../../../language/check/calls/builtins.js";
import { bareWord } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import { scalarNamed } from "../../../language/scalar/functions.js";
import { append } from "../../../language/source/lists.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Reference, Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile, RankFunction } from "../model/model.js";
import { type Body, bodiesOf } from "./bodies.js";
import { freeParameter } from "./function-features.js";

/**
 * What becomes of the arguments of functions of a rank profile. Vespa ships each call as a function of its own, whose text has the
 * arguments in the place of the parameters: it knows no indexes of generators, in generators no parameters with the names of these, and within functions of tensors a name that the
 * caller has for a parameter is the caller's argument, also where it is a parameter of the function that is called.
 */
export function callArguments(profile: Profile): readonly Problem[] {
  return bodiesOf(profile).flatMap((each) => [...problemsIn(each, profile)]);
}

interface Open {
  readonly tree: Argument;
  /** Whether a function of tensors is around it. */
  readonly isOfTensors: boolean;
  /** The dimensions of the generators around it. */
  readonly indexes: readonly string[];
}

function* problemsIn({ tree: body, parameters }: Body, { functions }: Profile): Iterable<Problem> {
  const open: Open[] = [{ tree: body, isOfTensors: false, indexes: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, isOfTensors, indexes } = next;
    const called = tree.kind === "reference" ? functions.get(tree.name.text) : undefined;
    if (tree.kind === "reference" && called !== undefined && called.parameters.length > 0) {
      yield* indexProblems(tree, indexes);
      yield* hiddenByIndexes(tree, called, indexes);
      if (isOfTensors) yield* nameProblems(tree, called, parameters);
    }
    const isInner = isOfTensors || isFunctionOfTensors(tree, functions);
    for (const { tree: part, binds } of partsOf(tree)) {
      // A lambda is told what it may not see.
      if (part.kind === "lambda") continue;
      const bound = tree.kind === "generate" ? binds.map(({ text }) => text) : [];
      open.push({ tree: part, isOfTensors: isInner, indexes: [...indexes, ...bound] });
    }
  }
}

/** An argument that needs the index of a generator. */
function* indexProblems(call: Reference, indexes: readonly string[]): Iterable<Problem> {
  const open: Argument[] = [...(call.arguments ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const word = bareWord(next);
    if (word !== undefined && indexes.includes(word.text)) {
      const values = { function: call.name.text, index: word.text };
      return yield problem("portability/index", word.span, values);
    }
    if (next.kind !== "lambda" && next.kind !== "generate")
      append(
        open,
        partsOf(next).map((each) => each.tree),
      );
  }
}

/** A parameter that the function reads, and that has the name of a dimension of a generator around the call: it gets no value. */
function* hiddenByIndexes(
  call: Reference,
  { name, parameters, expression: { tree } }: RankFunction,
  indexes: readonly string[],
): Iterable<Problem> {
  if (tree === undefined) return;
  const hidden = parameters.filter(({ text }) => indexes.includes(text));
  const read = freeParameter(tree, hidden, new Set());
  const argument = call.arguments?.[parameters.findIndex(({ text }) => text === read?.text)];
  if (read === undefined || argument === undefined || indexes.includes(bareWord(argument)?.text ?? ""))
    return;
  const related = [{ span: read.span, label: "the parameter" }];
  yield problem("portability/index-name", argument.span, { index: read.text, function: name.text }, related);
}

/** A parameter of the function that is called whose name the caller has for a parameter of its own, and passes another value for. */
function* nameProblems(
  call: Reference,
  { name, parameters }: RankFunction,
  own: readonly Word[],
): Iterable<Problem> {
  for (const [at, { text }] of parameters.entries()) {
    const argument = call.arguments?.[at];
    if (
      argument === undefined ||
      !own.some((each) => each.text === text) ||
      bareWord(argument)?.text === text
    )
      continue;
    yield problem("portability/parameter", argument.span, { parameter: text, function: name.text });
  }
}

/** `sum(…)`, `tensor(x[2])(…)`, `tensor(x[2]):[…]`, and slices; not what has a number for each number. */
function isFunctionOfTensors(tree: Argument, functions: Profile["functions"]): boolean {
  if (tree.kind === "generate" || tree.kind === "literal" || tree.kind === "sliced") return true;
  if (tree.kind !== "reference" || tree.arguments === undefined || functions.has(tree.name.text))
    return false;
  const { text } = tree.name;
  const isOfNumbers = scalarNamed(text) !== undefined && !(isReduction(text) && tree.arguments.length === 1);
  return text !== "if" && !isOfNumbers && (builtins.has(text) || preludeNames().own(text) !== undefined);
}

const isReduction = (name: string): boolean => name === "max" || name === "min";
