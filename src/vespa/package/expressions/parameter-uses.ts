import { bareWord } from "../../../language/check/names.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type { Argument, Word } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile, RankFunction } from "../model/model.js";

/**
 * What Vespa refuses of parameters, which it takes for numbers where a function is defined: `unpack_bits(x)`, and slices that do
 * not name their dimension, `x[0]` and `x{a}`. These it cannot write for its engines.
 */
export function parameterUses({ functions }: Profile): Problem[] {
  return [...functions.values()].flatMap((each) =>
    each.parameters.length === 0 || each.expression.tree === undefined
      ? []
      : usesIn(each, each.expression.tree),
  );
}

function usesIn({ name, parameters }: RankFunction, body: Argument): Problem[] {
  const problems: Problem[] = [];
  const open: { readonly tree: Argument; readonly free: readonly Word[] }[] = [
    { tree: body, free: parameters },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, free } = next;
    const use = usedAsTensor(tree);
    const word = use === undefined ? undefined : bareWord(use.of)?.text;
    if (use !== undefined && word !== undefined && free.some(({ text }) => text === word))
      problems.push(problem("function/parameter", tree.span, { name: word, of: name.text, use: use.kind }));
    for (const { tree: inner, binds } of partsOf(tree))
      open.push({ tree: inner, free: free.filter(({ text }) => binds.every((each) => each.text !== text)) });
  }
  return problems;
}

/** What an expression needs the type of. */
function usedAsTensor(
  tree: Argument,
): { readonly kind: "bits" | "slice"; readonly of: Argument } | undefined {
  if (tree.kind === "reference" && tree.name.text === "unpack_bits") {
    const [of] = tree.arguments ?? [];
    return of && { kind: "bits", of: castIn(of) };
  }
  if (tree.kind !== "sliced") return undefined;
  return tree.slices[0]?.kind === "address" ? undefined : { kind: "slice", of: tree.tensor };
}

/** `x` of `cell_cast(x, int8)` */
function castIn(tree: Argument): Argument {
  const [first] = tree.kind === "reference" && tree.name.text === "cell_cast" ? (tree.arguments ?? []) : [];
  return first ?? tree;
}
