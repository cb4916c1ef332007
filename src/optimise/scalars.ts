import type { Graph } from "../language/core/graph.js";
import type { Node, NodeOf } from "../language/core/operations.js";
import { isNumber as is, isApplied, numberOf } from "../language/core/patterns.js";
import { comparisonNames } from "../language/scalar/comparisons.js";
import type { ScalarName } from "../language/scalar/functions.js";
import { type Pass, type RewriteRule, rule } from "./rewrite-rule.js";

/**
 * Scalar arithmetic, in lambdas and out of them. What is not here has an exception: `x + 0` is not `x` where that is -0,
 * `x * 0` and `x - x` are not 0 of NaN and the infinities, and the square root is not the power of 0.5 of -0.
 */

type Apply = NodeOf<"apply">;
type Rewrite = (node: Apply, graph: Graph, x: Node, y: Node) => Node | undefined;

/** A rule of one function. */
function of(name: ScalarName, description: string, rewrite: Rewrite): RewriteRule {
  const base = rule("apply", description, (node, graph) => {
    const [x, y = x] = node.arguments;
    return x === undefined || y === undefined ? undefined : rewrite(node, graph, x, y);
  });
  return { ...base, function: name };
}

/** The argument of a function of one, where a node is that function of it. */
function inside(name: ScalarName, node: Node): Node | undefined {
  return isApplied(node, name) ? node.arguments[0] : undefined;
}

/** Another function of these. */
const applied = (name: ScalarName, node: Apply, graph: Graph, ...values: readonly Node[]): Node =>
  graph.apply(name, values, node.span);

/** Whether 1 / number is exact, so that to divide by the one is to multiply by the other. */
function isPowerOfTwo(number: number): boolean {
  const size = Math.abs(number);
  return (
    size >= 2 ** -1022 &&
    size <= 2 ** 1022 &&
    Number.isInteger(Math.log2(size)) &&
    2 ** Math.log2(size) === size
  );
}

/** Whether a value is 0 or 1 and nothing else. */
const isTruth = (node: Node): boolean => node.op === "apply" && truths.has(node.function);
const truths: ReadonlySet<ScalarName> = new Set<ScalarName>([
  ...comparisonNames,
  ...(["approximately", "and", "or", "not", "isInfinite", "isNan"] as const),
]);

// biome-ignore format: a table
export const scalars: Pass = {
  name: "scalars",
  description: "arithmetic that can be less",
  rules: [
    of("multiply",    "x * 1 = x",                             (_node, _graph, x, y) => is(y, 1) ? x : undefined),
    of("multiply",    "1 * x = x",                             (_node, _graph, x, y) => is(x, 1) ? y : undefined),
    of("multiply",    "x * -1 = -x",                           (node, graph, x, y) => is(y, -1) ? applied("negate", node, graph, x) : undefined),
    of("multiply",    "-1 * x = -x",                           (node, graph, x, y) => is(x, -1) ? applied("negate", node, graph, y) : undefined),
    of("divide",      "x / 1 = x",                             (_node, _graph, x, y) => is(y, 1) ? x : undefined),
    of("divide",      "x / 2^n = x * 2^-n",                    quotient),
    of("subtract",    "x - 0 = x, for 0 but not -0",           (_node, _graph, x, y) => is(y, 0) ? x : undefined),
    of("subtract",    "x - -y = x + y",                        (node, graph, x, y) => withInside("negate", y, (z) => applied("add", node, graph, x, z))),
    of("add",         "x + -0 = x, for -0 but not 0",          (_node, _graph, x, y) => is(y, -0) ? x : undefined),
    of("add",         "-0 + x = x, for -0 but not 0",          (_node, _graph, x, y) => is(x, -0) ? y : undefined),
    of("add",         "x + -y = x - y",                        (node, graph, x, y) => withInside("negate", y, (z) => applied("subtract", node, graph, x, z))),
    of("negate",      "--x = x",                               (_node, _graph, x) => inside("negate", x)),
    of("pow",         "x ^ 1 = x",                             (_node, _graph, x, y) => is(y, 1) ? x : undefined),
    of("pow",         "x ^ 2 = square(x)",                     (node, graph, x, y) => is(y, 2) ? applied("square", node, graph, x) : undefined),
    of("pow",         "x ^ -1 = 1 / x",                        (node, graph, x, y) => is(y, -1) ? applied("divide", node, graph, graph.number(1, node.span), x) : undefined),
    of("square",      "square(-x) = square(x)",                (node, graph, x) => withInside("negate", x, (z) => applied("square", node, graph, z))),
    of("square",      "square(abs(x)) = square(x)",            (node, graph, x) => withInside("abs", x, (z) => applied("square", node, graph, z))),
    of("abs",         "abs(-x) = abs(x)",                      (node, graph, x) => withInside("negate", x, (z) => applied("abs", node, graph, z))),
    of("abs",         "abs(abs(x)) = abs(x)",                  (_node, _graph, x) => inside("abs", x) && x),
    of("relu",        "relu(relu(x)) = relu(x)",               (_node, _graph, x) => inside("relu", x) && x),
    of("floor",       "floor(floor(x)) = floor(x)",            (_node, _graph, x) => inside("floor", x) && x),
    of("ceil",        "ceil(ceil(x)) = ceil(x)",               (_node, _graph, x) => inside("ceil", x) && x),
    of("max",         "max(x, x) = x",                         (_node, _graph, x, y) => x === y ? x : undefined),
    of("min",         "min(x, x) = x",                         (_node, _graph, x, y) => x === y ? x : undefined),
    of("not",         "!(x == y) = x != y; not so of x < y",   (node, graph, x) => negated("equal", "notEqual", x, node, graph)),
    of("not",         "!(x != y) = x == y",                    (node, graph, x) => negated("notEqual", "equal", x, node, graph)),
    rule("select",     "if(!t, x, y) = if(t, y, x)",            ({ condition, yes, no, span }, graph) => withInside("not", condition, (t) => graph.select(t, no, yes, span))),
    rule("select",     "if(t, 1, 0) = (t != 0)",                ({ condition, yes, no, span }, graph) => is(yes, 1) && is(no, 0) ? graph.apply("notEqual", [condition, no], span) : undefined),
    rule("map",        "map(t, f(x)(x)) = t, as cells of a map", ({ tensor, lambda, type, span }, graph) => lambda.body.op === "parameter" ? graph.cast(tensor, type, span) : undefined),
    of("notEqual",    "(t != 0) = t, where t is 0 or 1",       (_node, _graph, x, y) => isTruth(x) && is(y, 0) ? x : undefined),
  ],
};

function withInside(name: ScalarName, node: Node, make: (inner: Node) => Node): Node | undefined {
  const inner = inside(name, node);
  return inner && make(inner);
}

function quotient(node: Apply, graph: Graph, x: Node, y: Node): Node | undefined {
  const divisor = numberOf(y);
  if (divisor === undefined || !isPowerOfTwo(divisor)) return undefined;
  return applied("multiply", node, graph, x, graph.number(1 / divisor, y.span));
}

function negated(from: ScalarName, to: ScalarName, x: Node, node: Apply, graph: Graph): Node | undefined {
  return isApplied(x, from) ? applied(to, node, graph, ...x.arguments) : undefined;
}
