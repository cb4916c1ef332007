import type { LiteralCell, Node } from "../../core/operations.js";
import type { Report } from "../../source/problem.js";
import { cellCount, type LiteralLayout, layOutLiteral } from "../../syntax/literal-layout.js";
import type { Literal, LiteralItem, Supplied } from "../../syntax/tree.js";
import { typeOf } from "../../syntax/typing.js";
import { cellTypes } from "../../types/cell.js";
import type { TensorType } from "../../types/type.js";
import { Rows } from "../../values/data/rows.js";
import { element } from "../../values/element.js";
import { Tensor } from "../../values/tensor.js";
import type { Checker } from "../checker.js";
import { losesSign } from "../deployment/numbers.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { cellIndexes, supplied } from "./supplied.js";

/** `tensor(x[2]):[a, a + 1]`: cells written one by one, each a scalar (Paper 5.3.9). */
export function literal(checker: Checker, tree: Literal, scope: Scope): Node | undefined {
  const report = checker.report(scope);
  const type = typeOf(tree.type, checker.words(scope), report);
  if (type === undefined) return undefined;
  const unbound = tree.type.dimensions.find((each) => each.kind === "indexed" && each.size === undefined);
  if (unbound !== undefined) {
    const values = { dimension: unbound.name.text, type };
    return void report(problem("literal/unbound", unbound.span, values));
  }
  warnOfForm(tree, type, report);
  if (type.isScalar && tree.body.kind === "cells" && tree.body.cells.length === 0) {
    report(problem("portability/empty-scalar", tree.span, {}));
    return checker.graph.number(checker.isVespa ? 0 : Number.NaN, tree.span);
  }
  const writtenNames = tree.type.dimensions.map(({ name }) => checker.dimensionName(name, scope).text);
  const body = checker.isVespa ? flatten(tree.body, type, writtenNames) : tree.body;
  const layout = layOutLiteral<Supplied>(
    type,
    writtenNames,
    withResolvedDimensions(checker, body, scope),
    report,
    false,
    checker.context.repeatedCells,
  );
  if (layout === undefined) return undefined;
  const [cells, limit] = [cellCount(type, layout), checker.context.cells];
  if (cells > limit) return void report(problem("limit/cells", tree.span, { cells, limit }));
  checker.context.store?.(cells * cellTypes[type.cellType].width, tree.span);
  return literalNode(checker, tree, type, layout, scope);
}

/** The body with the dimensions of its addresses as the caller of a function named them. */
function withResolvedDimensions(checker: Checker, body: Literal["body"], scope: Scope): Literal["body"] {
  if (body.kind !== "cells" || scope.origin === undefined) return body;
  const cells = body.cells.map((cell) => {
    const address = cell.address.map((each) => ({
      ...each,
      dimension: checker.dimensionName(each.dimension, scope),
    }));
    return { ...cell, address };
  });
  return { ...body, cells };
}

/**
 * Vespa does not mind where the brackets of dimensions of size 1 stand: `tensor(x[2],y[1]):[[1,2]]` is one flat array.
 * Without them brackets nest as the sizes do.
 */
function flatten(body: Literal["body"], type: TensorType, writtenNames: readonly string[]): Literal["body"] {
  const sizes = writtenNames.map((name) => type.dimension(name)?.size);
  if (body.kind !== "nested" || !type.isDense || !sizes.includes(1)) return body;
  const items: Supplied[] = [];
  const isSame = gather(
    body,
    sizes.filter((size) => size !== 1),
    items,
  );
  return isSame ? { ...body, items } : body;
}

/** Whether brackets, but for those around one item, have as many items as the sizes; collects the items. */
function gather(
  body: LiteralItem<Supplied>,
  sizes: readonly (number | undefined)[],
  items: Supplied[],
): boolean {
  if (body.kind !== "nested") {
    if (body.kind === "scalar" || body.kind === "cells" || body.kind === "entries") return false;
    items.push(body);
    return sizes.length === 0;
  }
  const [size, ...inner] = sizes;
  const [only] = body.items;
  if (body.items.length === 1 && only !== undefined) return gather(only, sizes, items);
  return body.items.length === size && body.items.every((each) => gather(each, inner, items));
}

/** Vespa writes scalars with an address, and dense cells without braces. */
function warnOfForm(tree: Literal, type: TensorType, report: Report): void {
  const { body } = tree;
  const bare = body.kind === "scalar";
  const braced = body.kind === "nested" && body.span.source.text[body.span.start] === "{";
  if (bare || braced || !tree.isTyped) report(problem("portability/literal", body.span, { type }));
}

/** The tensor itself where all cells are numbers as written, otherwise a node that computes them. */
function literalNode(
  checker: Checker,
  tree: Literal,
  type: TensorType,
  layout: LiteralLayout<Supplied>,
  scope: Scope,
): Node | undefined {
  const { graph } = checker;
  const constant = (numbers: readonly number[]): Node => {
    if (type.isScalar) return graph.number(element(numbers, 0), tree.span);
    const rows = new Rows(type, layout.sizes);
    for (const [at, { labels, offset }] of layout.cells.entries()) {
      if (offset !== "block") rows.block(labels)[offset] = element(numbers, at);
    }
    return graph.constant(Tensor.ofRows(rows), tree.span);
  };
  const numbers = layout.cells.map(({ value }) =>
    value.kind === "prefixed" && losesSign(checker, value, scope) ? 0 : writtenValue(value),
  );
  if (numbers.every((each) => each !== undefined)) return constant(numbers);
  const cells: LiteralCell[] = [];
  for (const { labels, offset, value } of layout.cells) {
    if (value.kind === "text")
      checker.report(scope)(problem("literal/text", value.span, { text: value.value }));
    const indexes = () => cellIndexes(checker, type, layout.sizes, offset, value.span);
    const node = supplied(checker, value, scope, "cell", indexes);
    if (node !== undefined && offset !== "block") cells.push({ labels, offset, value: node });
  }
  if (cells.length < layout.cells.length) return undefined;
  // A lambda over indexes may have come to a number.
  const constants = cells.flatMap(({ value }) => (value.op === "constant" ? value.value.asNumber() : []));
  if (constants.length > 0 && constants.length === cells.length) return constant(constants);
  if (type.isScalar) return cells[0]?.value ?? graph.constant(Tensor.scalar(0, type), tree.span);
  return graph.literal(type, cells, tree.span);
}

/** A number, with any number of minus signs. */
function writtenValue(tree: Supplied): number | undefined {
  if (tree.kind === "number") return tree.value;
  if (tree.kind !== "prefixed" || tree.operand.kind !== "number") return undefined;
  if (tree.operators.some((each) => each.symbol === "!")) return undefined;
  return tree.operators.length % 2 === 1 ? -tree.operand.value : tree.operand.value;
}
