import type { Deployment } from "../../../language/check/deployment/deployment.js";
import { isBareChain, isCondition } from "../../../language/check/deployment/rows.js";
import { bareWord } from "../../../language/check/names.js";
import { scalarNamed } from "../../../language/scalar/functions.js";
import { append } from "../../../language/source/lists.js";
import type { Problem } from "../../../language/source/problem.js";
import { partsOf } from "../../../language/syntax/parts.js";
import type {
  Argument,
  Chain,
  Expression,
  MembershipLink,
  Prefixed,
  Reference,
} from "../../../language/syntax/tree.js";
import { type Profile, phaseNames } from "../model/model.js";
import { deploymentOf } from "./deployment.js";
import { areRefused, behindLists, listAtEnd, listProblem, signsProblem } from "./expression-texts.js";

/**
 * What Vespa cannot read of the expressions of phases once it has written them anew: inline functions are put in for their names,
 * and signs and lists have no parentheses any more. The functions' texts it reads once, as they are written.
 */
export function unreadablePhases(profile: Profile): readonly Problem[] {
  const reader = new PhaseReader(profile, deploymentOf(profile));
  return phaseNames.flatMap((each) => {
    const tree = profile.phases[each]?.expression?.tree;
    return tree === undefined ? [] : [...reader.problemsIn(tree)];
  });
}

/** So many inline functions within each other are looked through. */
const deepest = 8;

class PhaseReader {
  constructor(
    private readonly profile: Profile,
    private readonly deployment: Deployment,
  ) {}

  *problemsIn(tree: Expression): Iterable<Problem> {
    const open: { readonly tree: Argument; readonly depth: number }[] = [{ tree, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { tree, depth } = next;
      // What is constant is a number in the new text.
      if (depth > deepest || this.isNumber(tree)) continue;
      if (tree.kind === "prefixed") yield* this.signProblems(tree);
      if (tree.kind === "chain") yield* this.listProblems(tree);
      const body = this.putIn(tree);
      if (body !== undefined) open.push({ tree: body, depth: depth + 1 });
      else
        append(
          open,
          this.rewrittenParts(tree).map((each) => ({ tree: each, depth })),
        );
    }
  }

  private *signProblems(tree: Prefixed): Iterable<Problem> {
    const signs = tree.operators.map(({ symbol }) => symbol);
    if (areRefused(signs, tree.operand)) return;
    let operand = this.standingFor(tree.operand);
    while (operand.kind === "prefixed" && !this.isNumber(operand)) {
      append(
        signs,
        operand.operators.map(({ symbol }) => symbol),
      );
      operand = this.standingFor(operand.operand);
    }
    if (areRefused(signs, operand)) yield signsProblem(tree, signs);
  }

  private *listProblems(tree: Chain): Iterable<Problem> {
    const written = new Set(Array.from(behindLists(tree, listAtEnd), ({ list }) => list));
    for (const { list, next } of behindLists(tree, (each) => this.listAtEnd(each)))
      if (!written.has(list) && !(next.kind === "operation" && isCondition(next)))
        yield listProblem(list, next);
  }

  /** The list that the text of an operand ends with. */
  private listAtEnd(operand: Expression): MembershipLink | undefined {
    const tree = this.standingFor(operand);
    if (tree.kind === "prefixed") return this.listAtEnd(tree.operand);
    if (tree.kind !== "chain") return undefined;
    const last = tree.rest.at(-1);
    if (last?.kind === "membership") return last;
    return isBareChain(tree) && last !== undefined ? this.listAtEnd(last.operand) : undefined;
  }

  /** The parts that are written anew: not the arguments of functions with parameters, which have texts of their own. */
  private rewrittenParts(tree: Argument): readonly Argument[] {
    if (tree.kind === "literal" || tree.kind === "lambda") return [];
    if (tree.kind === "sliced") return [tree.tensor];
    if (tree.kind === "reference") {
      const { name, arguments: list = [] } = tree;
      const isDecided = name.text === "if" && list[0] !== undefined && this.isConstant(list[0]);
      if (isDecided || this.profile.functions.has(name.text)) return [];
    }
    return partsOf(tree).map((each) => each.tree);
  }

  /** An expression, or the body of the inline function that it names. */
  private standingFor(tree: Expression, depth = 0): Expression {
    const body = depth < deepest ? this.putIn(tree) : undefined;
    return body === undefined ? tree : this.standingFor(body, depth + 1);
  }

  private putIn(tree: Argument): Expression | undefined {
    return isName(tree) ? this.deployment.inline.get(tree.name.text) : undefined;
  }

  /** Whether a number stands in the new text; what has a constant value may stand there as an expression: `!0`, `sqrt(4)`. */
  private isNumber(tree: Argument): boolean {
    if (tree.kind === "number" || tree.kind === "text") return true;
    if (tree.kind === "prefixed")
      return tree.operators.every(({ symbol }) => symbol === "-") && this.isNumber(tree.operand);
    if (tree.kind === "chain") return partsOf(tree).every((each) => this.isConstant(each.tree));
    const name = isName(tree) ? tree.name.text : constantNamed(tree);
    return name === "true" || name === "false" || this.deployment.constants.has(name);
  }

  private isConstant(tree: Argument): boolean {
    if (this.isNumber(tree)) return true;
    const isComputed = tree.kind === "reference" ? this.isScalarFunction(tree) : tree.kind === "prefixed";
    return isComputed && partsOf(tree).every((each) => this.isConstant(each.tree));
  }

  private isScalarFunction({ name: { text }, arguments: list }: Reference): boolean {
    return list !== undefined && !this.profile.functions.has(text) && scalarNamed(text) !== undefined;
  }
}

/** `c` of `constant(c)`; empty for anything else. */
function constantNamed(tree: Argument): string {
  if (tree.kind !== "reference" || tree.name.text !== "constant" || tree.outputs.length > 0) return "";
  const [first, ...others] = tree.arguments ?? [];
  return (others.length === 0 && first && bareWord(first)?.text) || "";
}

const isName = (tree: Argument): tree is Reference =>
  tree.kind === "reference" && tree.arguments === undefined && tree.outputs.length === 0;
