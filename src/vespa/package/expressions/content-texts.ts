import { bareWord } from "../../../language/check/names.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf, treesIn } from "../../../language/syntax/parts.js";
import type { Argument, Expression, Reference, Slice } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import { featureListNames, type Profile } from "../model/model.js";
import { contentBodies } from "./content-bodies.js";

/** What Vespa deploys, and its content nodes cannot read: they refuse the rank profile when they get it. */
export function unreadableOnContentNodes(profile: Profile): readonly Problem[] {
  const ofBodies = [...contentBodies(profile)].flatMap((each) => [...problemsIn(each, profile)]);
  return [...ofBodies, ...unreadableLists(profile)];
}

/** `rankingExpression(f(1))` in a list of features, where Vespa puts nothing in for functions and constants, and knows `f(1)` and `rankingExpression(f)` by themselves. */
function unreadableLists({ features, functions, constants }: Profile): readonly Problem[] {
  const roots = featureListNames.flatMap((list) => features[list] ?? []).map((each) => each.expression.tree);
  return roots.flatMap((tree) => {
    const [argument] = isOfExpression(tree) ? (tree.arguments ?? []) : [];
    if (argument === undefined || functions.has(bareWord(argument)?.text ?? "")) return [];
    const isUnknown = [...treesIn(argument)].some(
      (each) =>
        each.kind === "reference" &&
        (functions.has(each.name.text) || constants.has(bareWord(each)?.text ?? "")),
    );
    const values = { expected: "feature or function", found: "expression" } as const;
    return isUnknown ? [problem("feature/argument", argument.span, values)] : [];
  });
}

const isOfExpression = (tree: Expression | undefined): tree is Reference =>
  tree?.kind === "reference" && tree.name.text === "rankingExpression";

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
