import { isTensorArgument } from "../../../language/check/calls/tensor-arguments.js";
import { bareWord, featureName } from "../../../language/check/names.js";
import { scalarNamed } from "../../../language/scalar/functions.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf, treesIn } from "../../../language/syntax/parts.js";
import type { Argument, Reference } from "../../../language/syntax/tree.js";
import { problem } from "../model/messages.js";
import type { Profile } from "../model/model.js";
import { bodiesOf } from "./bodies.js";

/**
 * Calls that Vespa takes for a loop. It finds the type of a call in the body of what is called, and that of a parameter in the
 * argument, while the bodies are open: a call whose text, `clamp(x)`, is one of those that are open ends it, whatever its
 * parameters stand for. So `damp(boost(p))` is refused where both functions have `clamp(x)` in them.
 */
export function invocationLoops(profile: Profile): readonly Problem[] {
  const types = new TypeSearch(profile.functions);
  for (const { tree, parameters } of bodiesOf(profile)) if (parameters.length === 0) types.search(tree);
  return [...types.problems.values()];
}

/** Where an expression stands: the functions whose bodies it is in, and what their parameters stand for. */
interface CallSite {
  readonly functions: readonly string[];
  readonly bindings: ReadonlyMap<string, { readonly tree: Argument; readonly site: CallSite }>;
}

const outermost: CallSite = { functions: [], bindings: new Map() };

/** Deeply nested calls have exponentially many steps: so many are gone through, and nothing is told of more, or of what lies deeper. */
const mostSteps = 50_000;
const deepest = 500;

/** Goes through expressions as Vespa does to find their types. */
class TypeSearch {
  readonly problems = new Map<Reference, Problem>();
  private readonly open = new Set<string>();
  private steps = 0;
  private readonly withArguments = new Map<string, boolean>();

  constructor(private readonly functions: Profile["functions"]) {}

  search(tree: Argument, site = outermost, depth = 0): void {
    if (++this.steps > mostSteps || depth > deepest || tree.kind === "lambda") return;
    if (tree.kind !== "reference") return this.parts(tree, site, depth);
    const isName = tree.arguments === undefined && tree.outputs.length === 0;
    const bound = isName ? site.bindings.get(tree.name.text) : undefined;
    if (bound !== undefined) return this.search(bound.tree, bound.site, depth + 1);
    const called = tree.outputs.length === 0 ? this.functions.get(tree.name.text) : undefined;
    if (called?.expression.tree === undefined) return this.parts(tree, site, depth);
    // What calls itself is told as that, and where no parameter stands for anything nothing is a loop.
    if (site.functions.includes(tree.name.text) || !this.hasArguments(tree.name.text)) return;
    const text = featureName(tree);
    if (this.open.has(text))
      return void this.problems.set(tree, problem("portability/loop", tree.span, { call: text }));
    const bindings = called.parameters.flatMap(({ text: name }, at) => {
      const argument = tree.arguments?.[at];
      return argument === undefined ? [] : [[name, { tree: argument, site }] as const];
    });
    const inner: CallSite = {
      functions: [...site.functions, tree.name.text],
      bindings: new Map(bindings),
    };
    this.open.add(text);
    this.search(called.expression.tree, inner, depth + 1);
    this.open.delete(text);
  }

  /** Whether a function has parameters, or calls one that has, through others too. */
  private hasArguments(name: string): boolean {
    const earlier = this.withArguments.get(name);
    if (earlier !== undefined) return earlier;
    const visited = new Set([name]);
    for (const each of visited) {
      const called = this.functions.get(each);
      if (called === undefined) continue;
      if (called.parameters.length > 0 || this.withArguments.get(each) === true) {
        this.withArguments.set(name, true);
        return true;
      }
      if (this.withArguments.has(each)) continue;
      for (const tree of called.expression.tree === undefined ? [] : treesIn(called.expression.tree))
        if (tree.kind === "reference" && this.functions.has(tree.name.text)) visited.add(tree.name.text);
    }
    for (const each of visited) this.withArguments.set(each, false);
    return false;
  }

  private parts(tree: Argument, site: CallSite, depth: number): void {
    for (const part of typedParts(tree)) this.search(part, site, depth + 1);
  }
}

/** The parts whose types decide that of an expression: not what is tested, what is the number of a cell, or which cell is taken. */
function typedParts(tree: Argument): readonly Argument[] {
  if (tree.kind === "generate" || tree.kind === "literal") return [];
  if (tree.kind === "sliced") return [tree.tensor];
  if (tree.kind === "chain" && tree.rest.some(({ kind }) => kind === "membership")) return [];
  if (tree.kind !== "reference") return partsOf(tree).map((each) => each.tree);
  const { name, arguments: list = [] } = tree;
  // A bare name is the dimension of a reduction, say, unless a tensor or a number stands there: `max(a, b)` may be of two.
  const isScalar = scalarNamed(name.text) !== undefined;
  const isTyped = (each: Argument, at: number): boolean =>
    isScalar || bareWord(each) === undefined || isTensorArgument(name.text, at);
  return list.filter((each, at) => isTyped(each, at) && (name.text !== "if" || at > 0));
}
