import type { Node } from "../../core/operations.js";
import { textAsNumber } from "../../scalar/hash.js";
import { SphexError } from "../../source/problem.js";
import type { Source, Span } from "../../source/span.js";
import { parseExpression, parseProgram } from "../../syntax/parse.js";
import type { Dimension, TensorType } from "../../types/type.js";
import { element } from "../../values/element.js";
import type { Checker } from "../checker.js";
import { Names } from "../names.js";
import { anyEqual } from "../operators.js";
import { preludeNames } from "../prelude-names.js";
import { originIn, type Scope } from "../scope.js";
import { axisDimension, type ModelPort, type ModelProgram } from "./models.js";
import type { ScalarBuilder } from "./scalar-builder.js";

/** A call of a model that becomes core. */
export interface ModelCall {
  readonly name: string;
  readonly call: Span;
  readonly program: ModelProgram;
}

/**
 * The outputs of a model for these inputs: its statements, in a scope of their own.
 * @throws SphexError where its text is none of the language.
 */
export function expanded(
  checker: Checker,
  { name, call, program }: ModelCall,
  args: readonly Node[],
  scope: Scope,
): (Node | undefined)[] {
  const source: Source = { name, text: program.text };
  const { tree, problems } = parseProgram(source);
  if (tree === undefined || problems.length > 0) throw new SphexError(problems);
  const names = new Names(preludeNames());
  const inner = importedScope(checker, { name, call, source, names }, scope);
  const bind = (word: string, node: Node): void =>
    inner.bind(word, { kind: "node", node, frame: inner.frame });
  for (const [word, tensor] of program.constants) {
    checker.context.store?.(tensor.bytes, call);
    bind(word, checker.graph.constant(tensor, call));
  }
  for (const [at, word] of program.inputs.entries()) {
    const node = args[at];
    if (word !== undefined && node !== undefined) bind(word, node);
  }
  if (program.scalars !== undefined) {
    const build = nodeBuilder(checker, { source, start: 0, end: 0 });
    for (const [word, scalar] of program.scalars)
      bind(
        word,
        checker.withSite(inner, () => scalar(args, build)),
      );
  }
  for (const statement of tree.statements) {
    if (statement.kind !== "definition") continue;
    const { name: word, parameters, body } = statement;
    if (parameters !== undefined) {
      names.define(word.text, { kind: "function", tree: statement, parameters, names });
      continue;
    }
    const node = checker.withSite(inner, () => checker.node(body, inner));
    if (node === undefined) return [];
    bind(word.text, node);
  }
  return program.outputs.map((word) => {
    const binding = inner.find(word);
    return binding?.kind === "node" ? binding.node : undefined;
  });
}

/** Builds nodes of the graph that a checker fills. */
function nodeBuilder({ graph, context: { spend } }: Checker, span: Span): ScalarBuilder<Node> {
  const counted = (node: Node): Node => {
    spend?.(1, span);
    return node;
  };
  const number = (value: number): Node => counted(graph.number(value, span));
  return {
    number,
    apply: (name, values) => counted(graph.apply(name, values, span)),
    select: (condition, yes, no) => counted(graph.select(condition, yes, no, span)),
    isAmong: (value, items) => {
      const nodes = items.map((each) => number(typeof each === "number" ? each : textAsNumber(each)));
      return anyEqual(graph, value, nodes, span);
    },
    sum: ([first = number(0), ...others]) =>
      others.reduce((sum, each) => counted(graph.apply("add", [sum, each], span)), first),
  };
}

/** A scope for a text of another tool, whose warnings are nobody's here. */
function importedScope(
  checker: Checker,
  { name, call, source, names }: { name: string; call: Span; source: Source; names: Names },
  scope: Scope,
): Scope {
  checker.imported.add(source);
  const definedAt = { source, start: 0, end: 0 };
  return scope.expansion(originIn(scope, { name, call, names, inPrelude: false, definedAt }));
}

/** A value with the axes and cells of an input; nothing where its axes are others. */
export function adapted(checker: Checker, node: Node, port: ModelPort, scope: Scope): Node | undefined {
  const text = adapterOf(node.type, port);
  return text === undefined ? undefined : adapterValue(checker, text, node, scope);
}

/** A tensor with NaN, which is a missing value, at those of the labels that it has no cell for. */
export function withMissing(checker: Checker, node: Node, labels: readonly string[], scope: Scope): Node {
  const { names } = node.type;
  const cells = labels.map((label) => `${JSON.stringify(label)}:(0 / 0)`);
  const text = `merge(argument, tensor(${names}{}):{${cells.join(", ")}}, f(a, b)(a))`;
  return adapterValue(checker, text, node, scope) ?? node;
}

/** The value of an expression of `argument`. */
function adapterValue(checker: Checker, text: string, node: Node, scope: Scope): Node | undefined {
  if (text === "argument") return node;
  const source: Source = { name: "argument", text };
  const { tree } = parseExpression(source);
  if (tree === undefined) return undefined;
  const names = new Names(preludeNames());
  const inner = importedScope(checker, { name: "model", call: node.span, source, names }, scope);
  inner.bind("argument", { kind: "node", node, frame: inner.frame });
  return checker.withSite(inner, () => checker.node(tree, inner));
}

/** An expression of `argument` that has the axes and cells of a port. */
function adapterOf(type: TensorType, port: ModelPort): string | undefined {
  const { shape, cell, axes } = port;
  if (!type.isDense || type.rank > shape.length) return undefined;
  // By their names where a program has some. Otherwise in their order: as in NumPy, axes at the left may be missing.
  const axisOf = ({ name }: Dimension, at: number): number =>
    axes === undefined ? shape.length - type.rank + at : axes.indexOf(name);
  const found = type.dimensions.map(axisOf);
  const fits = type.dimensions.every(({ size }, at) => {
    const expected = shape[found[at] ?? -1];
    return (
      typeof expected === "string" || (expected !== undefined && (size === undefined || size === expected))
    );
  });
  const missing = [...shape.keys()].filter((axis) => !found.includes(axis));
  // What is missing has size 1.
  const isWhole = missing.every((axis) => typeof shape[axis] === "string" || shape[axis] === 1);
  if (!fits || !isWhole) return undefined;
  if (shape.length === 0) return "argument";
  const pairs = type.dimensions.map(({ name }, at) => [name, axisDimension(element(found, at))] as const);
  const isRenamed = pairs.some(([from, to]) => from !== to);
  const list = (side: 0 | 1): string => pairs.map((pair) => pair[side]).join(", ");
  const renamed = isRenamed ? `rename(argument, (${list(0)}), (${list(1)}))` : "argument";
  const ones = missing.map((axis) => `${axisDimension(axis)}[1]`).join(", ");
  const whole = missing.length === 0 ? renamed : `${renamed} * tensor<int8>(${ones})(1)`;
  return type.cellType === cell && missing.length === 0 ? whole : `cell_cast(${whole}, ${cell})`;
}
