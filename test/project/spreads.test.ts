import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { nodesOf, type SyntaxNode, sourceFiles } from "./source-trees.js";

/**
 * `push(...list)` and `Math.max(...list)` are calls with as many arguments as the list is long, of which the stack holds
 * some hundred thousand. These lists are short, whatever comes from outside; all others go through `append` and `greatest`.
 */
// biome-ignore format: a table
const short: Readonly<Record<string, string>> = {
  "backends/engine/engine.ts this.plans.unshift(…)":    "one plan, which moves to the front",
  "backends/engine/loops/calls.ts kernel(…)":           "the arguments of a kernel",
  "backends/engine/plan/joins/aligning.ts sides[0].unshift(…)": "the axes of a group, which loops go over",
  "backends/engine/plan/joins/aligning.ts sides[1].unshift(…)": "the axes of a group, which loops go over",
  "backends/engine/sparse/matching.ts matchRows(…)":    "two sides",
  "backends/engine/threads/divided-step.ts lowering(…)": "a loop or two",
  "backends/engine/threads/member.ts kernel(…)":        "the arguments of a kernel",
  "backends/engine/threads/team.ts call(…)":            "the arguments of a kernel",
  "backends/reference/joining.ts Math.max(…)":          "the sizes of two operands",
  "backends/reference/joining.ts Math.min(…)":          "the sizes of two operands",
  "backends/sql/expressions/expressions.ts call(…)":               "the arguments of a scalar function",
  "backends/sql/expressions/scalar-expression.ts call(…)":          "the parameters of a function",
  "backends/sql/expressions/scalar-expression.ts Math.max(…)":      "the parameters of a function",
  "backends/sql/expressions/scalar-expression.ts template(…)":      "the parameters of a function",
  "backends/sql/expressions/scalar-expression.ts each.template(…)": "the parameters of a function",
  "cli/packages/ranking-inputs.ts all.set(…)":                   "a name and a value",
  "backends/engine/inspection.ts Math.min(…)":         "the times of a few runs",
  "language/core/operations.ts table[node.op] as (node: Node, ...context: Context) => Result(…)": "what a visitor passes on",
  "language/source/excerpt.ts shown.push(…)":           "the marks under one line",
  "models/onnx/operators.ts Math.min(…)":              "the rows of one operator",
  "optimise/scalars.ts applied(…)":                     "the arguments of a scalar function",
  "pictures/scale.ts between(…)":                       "two ends",
  "pictures/svg.ts element(…)":                         "the parts of a picture, which are limited",
  "program/texts/host-functions.ts declared.call(…)":        "the arguments of a function of the host",
  "vespa/compat/playground.ts value.pathTo(…)":         "two keys",
  "vespa/rank-tests/differences.ts numberDifference(…)": "two numbers",
  "vespa/ranking/list/hit-scores.ts this.scorer.number(…)": "a hit and its list",
};

/** Files that write kernels: what they spread are the operands and the instructions of one operation. */
const writers = /^backends\/engine\/(?:kernels|contractions)\//;

const isCall = ({ type }: SyntaxNode): boolean => type === "CallExpression" || type === "NewExpression";

test("no list of any length becomes the arguments of a call", patient, () => {
  const found = new Set<string>();
  for (const file of sourceFiles().filter(({ path }) => !writers.test(path))) {
    for (const node of nodesOf(file).filter(isCall)) {
      const list = node.arguments as readonly SyntaxNode[]; // of a call
      if (!list.some(({ type }) => type === "SpreadElement")) continue;
      const { start, end } = node.callee as SyntaxNode; // of a call
      found.add(`${file.path} ${file.text.slice(start, end)}(…)`);
    }
  }
  expect([...found].filter((each) => !Object.hasOwn(short, each))).toEqual([]);
  expect(Object.keys(short).filter((each) => !found.has(each))).toEqual([]);
});
