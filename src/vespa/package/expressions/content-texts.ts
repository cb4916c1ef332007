import { builtins } from "../../../language/check/calls/builtins.js";
import { bareWord } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf, treesIn } from "../../../language/syntax/parts.js";
import type { Argument, Expression, Slice, Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { contentBodies } from "./content-bodies.js";

/** What Vespa deploys, and its content nodes cannot read: they refuse the rank profile when they get it. */
export function unreadableOnContentNodes(profile: Profile): readonly Problem[] {
  const ofBodies = [...contentBodies(profile)].flatMap((each) => [...problemsIn(each, profile)]);
  return [...ofBodies, ...unreadableLists(profile)];
}

/**
 * What stands in lists of features is deployed as it is written, but for calls of functions: no constants are put in, and
 * nothing in `rankingExpression(f(1))`.
 */
function unreadableLists(profile: Profile): readonly Problem[] {
  const lists = [profile.features["match-features"], profile.features["summary-features"]];
  return lists
    .flatMap((list) => list ?? [])
    .flatMap(({ expression: { tree } }) => {
      const found = tree && unknownIn(tree, profile);
      return found === undefined ? [] : [problem("feature/listed", found.span, { name: found.text })];
    });
}

function unknownIn(root: Expression, { functions, constants }: Profile): Word | undefined {
  if (root.kind !== "reference") return undefined;
  const isOwn = functions.has(root.name.text);
  const [argument] = root.name.text === "rankingExpression" ? (root.arguments ?? []) : [];
  if (argument !== undefined && bareWord(argument) === undefined)
    for (const each of treesIn(argument))
      if (each.kind === "reference" && functions.has(each.name.text)) return each.name;
  const open: Argument[] = isOwn ? [...(root.arguments ?? [])] : [argument ?? root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const word = next.kind === "reference" ? bareWord(next) : undefined;
    if (word !== undefined && constants.has(word.text) && !functions.has(word.text)) return word;
    // The arguments of rank features are names.
    if (next.kind === "reference" && !functions.has(next.name.text) && !isOfTheLanguage(next.name.text))
      continue;
    for (const part of partsOf(next)) open.push(part.tree);
  }
  return undefined;
}

const isOfTheLanguage = (name: string): boolean =>
  name !== "random" && (builtins.has(name) || preludeNames().own(name) !== undefined);

/** The functions that only Vespa's containers have, and what is the same there. */
const containerFunctions: Readonly<Record<string, string>> = {
  abs: "fabs(x)",
  round: "floor(x + 0.5)",
  sign: "if(x < 0, -1, 1)",
  square: "x * x",
};

interface DeployedTree {
  readonly tree: Argument;
  /** The dimensions of the generators around it. */
  readonly indexes: readonly string[];
  readonly isInLambda: boolean;
}

function* problemsIn(body: Argument, { functions }: Profile): Iterable<Problem> {
  const open: DeployedTree[] = [{ tree: body, indexes: [], isInLambda: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, indexes, isInLambda } = next;
    if (tree.kind === "reference" && tree.arguments !== undefined) {
      const { text: name, span } = tree.name;
      // A function of the profile is meant where it has as many parameters.
      const isOwn = functions.get(name)?.parameters.length === tree.arguments.length;
      const instead = Object.hasOwn(containerFunctions, name) ? containerFunctions[name] : undefined;
      if (instead !== undefined && !isOwn)
        yield problem("portability/container-function", span, { name, instead });
    }
    const slice = tree.kind === "sliced" ? tree.slices[0] : undefined;
    const index = slice && indexNamed(slice);
    if (slice !== undefined && isInLambda && slice.kind !== "address")
      yield problem("portability/lambda-slice", slice.span, {});
    else if (slice !== undefined && index !== undefined && indexes.includes(index))
      yield problem("portability/index-label", slice.span, { index });
    for (const { tree: inner, binds } of partsOf(tree)) {
      const own = tree.kind === "generate" ? binds.map(({ text }) => text) : [];
      const isLambda = isInLambda || tree.kind === "lambda";
      open.push({ tree: inner, indexes: [...indexes, ...own], isInLambda: isLambda });
    }
  }
}

/** `i` of `[i]`, which has no parentheses around it. */
function indexNamed(slice: Slice): string | undefined {
  if (slice.kind !== "index" || slice.index.kind !== "reference") return undefined;
  const { name, arguments: list, outputs, grouped } = slice.index;
  return list === undefined && outputs.length === 0 && grouped === undefined ? name.text : undefined;
}
