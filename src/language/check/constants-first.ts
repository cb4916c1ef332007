import { scalarNamed } from "../scalar/functions.js";
import { type OperatorSymbol, operatorSymbols, operators } from "../scalar/operators.js";
import { shortenedWithin } from "../source/message.js";
import { type Span, through } from "../source/span.js";
import type { Argument, Chain, Expression, OperationLink, Reference } from "../syntax/tree.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import { bareWord } from "./names.js";
import type { Scope } from "./scope.js";

/**
 * A chain as engines get it, where that is another one. What is constant Vespa computes when it deploys a rank profile, two
 * neighbours at a time, the looser of its own levels of operators first (D1), and does not mind what stands before them: of
 * `a / 60 / 60` its engines get `a / 1`. Of this there is a warning.
 */
export function deployedChain(checker: Checker, tree: Chain, scope: Scope): Chain | undefined {
  if (checker.context.deployment === undefined || !scope.isDeployed) return undefined;
  const run = runOf(checker, tree);
  if (run === undefined) return isLogical(tree) ? tree : undefined;
  const regrouped: Pair[] = [];
  const deployed = javaOrder.reduce((each, symbol) => withConstantsFirst(each, symbol, regrouped), run);
  const { span } = tree;
  const [first] = regrouped;
  if (first !== undefined)
    checker.report(scope)(
      problem(
        "portability/constants",
        through(tree.first.span, first.right),
        readings(tree.first.span, first),
      ),
    );
  // Where another order differs by rounding alone, the one that is written counts.
  if (first === undefined && !isLogical(tree)) return undefined;
  return {
    ...{ kind: "chain", span, first: deployed.first.tree },
    rest: deployed.rest.map((each) => ({ ...each.link, operand: each.operand.tree })),
  };
}

/** Whether a chain is one of `&&` or `||`. */
export function isLogical({ rest: [link] }: Chain): boolean {
  return link?.kind === "operation" && (link.symbol === "&&" || link.symbol === "||");
}

/** The operands of a chain of three or more; nothing where one is a membership, `in [a, b]`. */
function runOf(checker: Checker, { first, rest }: Chain): Run | undefined {
  const operand = (tree: Expression): Operand => ({
    tree,
    isConstant: !isLooseChain(tree) && isDeployedConstant(checker, tree),
  });
  const links = rest.flatMap((link) =>
    link.kind === "operation" ? [{ link, operand: operand(link.operand) }] : [],
  );
  if (links.length < 2 || links.length < rest.length) return undefined;
  return { first: operand(first), rest: links };
}

interface Operand {
  readonly tree: Expression;
  readonly isConstant: boolean;
}

/** Operands with the operators between them. */
interface Run {
  readonly first: Operand;
  readonly rest: readonly { readonly link: OperationLink; readonly operand: Operand }[];
}

/** Neighbours that are computed before what stands left of them. */
interface Pair {
  readonly left: Span;
  readonly right: Span;
}

/** A chain as engines get it, and as it is written. */
function readings({ source, start }: Span, { left, right }: Pair): { vespa: string; written: string } {
  const text = (from: number, to: number): string => source.text.slice(from, to);
  return {
    vespa: shortenedWithin(`${text(start, left.start)}(${text(left.start, right.end)})`),
    written: shortenedWithin(`(${text(start, left.end)})${text(left.end, right.end)}`),
  };
}

/** Operators of which several stand in one chain, the loosest in Java first; what is grouped to the right stays as it is. */
const javaOrder = operatorSymbols
  .filter((each) => each !== "^")
  .sort((one, other) => operators[one].java - operators[other].java);

/** Neighbours that are constant and have this operator between them become one operand. Those that change a value are added. */
function withConstantsFirst(run: Run, symbol: OperatorSymbol, regrouped: Pair[]): Run {
  if (run.rest.every(({ link }) => link.symbol !== symbol)) return run;
  let { first } = run;
  const rest: Run["rest"][number][] = [];
  for (const [at, each] of run.rest.entries()) {
    const before = rest.at(-1);
    const left = before?.operand ?? first;
    const { link, operand } = each;
    const isPair = link.symbol === symbol && left.isConstant && operand.isConstant;
    if (!isPair || isTighter(before?.link, symbol) || isTighter(run.rest[at + 1]?.link, symbol)) {
      rest.push(each);
      continue;
    }
    const span = through(left.tree.span, operand.tree.span);
    const tree: Chain = {
      ...{ kind: "chain", span, first: left.tree },
      rest: [{ ...link, operand: operand.tree }],
    };
    const pair = { tree, isConstant: true };
    if (before === undefined) first = pair;
    else {
      rest[rest.length - 1] = { link: before.link, operand: pair };
      if (!isHarmless(before.link.symbol, symbol))
        regrouped.push({ left: left.tree.span, right: operand.tree.span });
    }
  }
  return { first, rest };
}

const isTighter = (one: OperationLink | undefined, other: OperatorSymbol): boolean =>
  one !== undefined && operators[one.symbol].java > operators[other].java;

/** Whether `a before (b symbol c)` is `(a before b) symbol c`, but for rounding. */
const isHarmless = (before: OperatorSymbol, symbol: OperatorSymbol): boolean =>
  before === "+" || before === "&&" || before === "||" || (before === "*" && symbol !== "%");

/** A chain of tighter operators without parentheses, whose operators stand in one row with those around it. */
const isLooseChain = (tree: Expression): boolean =>
  tree.kind === "chain" && tree.span.start === tree.first.span.start;

/** Constants that lie deeper are not worth looking for. */
const deepest = 8;

/** Whether Vespa can compute an expression when it deploys it. */
export function isDeployedConstant(checker: Checker, tree: Expression, depth = 0): boolean {
  const isInner = (each: Expression): boolean => isDeployedConstant(checker, each, depth + 1);
  if (depth > deepest) return false;
  switch (tree.kind) {
    case "number":
    case "text":
      return true;
    case "prefixed":
      return isInner(tree.operand);
    case "chain":
      return (
        isInner(tree.first) &&
        tree.rest.every((each) =>
          each.kind === "operation" ? isInner(each.operand) : each.items.every(isInner),
        )
      );
    case "reference":
      return tree.outputs.length === 0 && isConstantReference(checker, tree, isInner);
    default:
      return false;
  }
}

function isConstantReference(
  checker: Checker,
  { name: { text }, arguments: list }: Reference,
  isInner: (tree: Expression) => boolean,
): boolean {
  const isNamed = (name: string): boolean => checker.context.deployment?.constants.has(name) === true;
  if (list === undefined) return text === "true" || text === "false" || isNamed(text);
  const [first] = list;
  const word = text === "constant" && first !== undefined ? bareWord(first) : undefined;
  if (word !== undefined) return isNamed(word.text);
  if (text === "if") return list.every((each) => isArgument(each) && isInner(each));
  const isFunction = scalarNamed(text) !== undefined && checker.context.names.own(text) === undefined;
  return isFunction && list.every((each) => isArgument(each) && isInner(each));
}

const isArgument = (argument: Argument): argument is Expression =>
  argument.kind !== "lambda" && argument.kind !== "names" && argument.kind !== "named";
