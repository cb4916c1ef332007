import { greatest } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import { axesFrom, axisName, sizeAt, spreadsTo } from "../axes.js";
import { generate, number, reduce, rename } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, insideCell, renamed } from "../operand.js";
import type { Value } from "../value.js";
import { withinRange } from "../whole-numbers.js";
import type { Become, OperatorTable } from "./table.js";

/** Products that are summed along shared axes. */

const contracted = "k";

const sumOf = (product: string, isSummed: boolean): string =>
  isSummed ? `sum(${product}, ${contracted})` : product;

const matMul: Become = (node) => {
  const [left, right] = [node.input(0), node.input(1)];
  defineProduct(node, left, right, (sum) => withinRange(sum, left.element));
};

/** The product of matrices, or of stacks of them; a vector is a row on the left and a column on the right. */
export function defineProduct(
  node: NodeImport,
  left: Value,
  right: Value,
  finish: (sum: string) => string = (sum) => sum,
): Value {
  const [rankLeft, rankRight] = [left.shape.length, right.shape.length];
  const batchLeft = left.shape.slice(0, -2);
  const batchRight = right.shape.slice(0, -2);
  const batch = node.broadcast([
    { ...left, shape: batchLeft },
    { ...right, shape: batchRight },
  ]);
  const rows = rankLeft > 1 ? [sizeAt(left.shape, rankLeft - 2)] : [];
  const columns = rankRight > 1 ? [sizeAt(right.shape, rankRight - 1)] : [];
  const shared = sizeAt(left.shape, rankLeft - 1);
  const sharedRight = sizeAt(right.shape, Math.max(0, rankRight - 2));
  if (shared !== sharedRight) node.refuse({ kind: "shapes", shapes: [left.shape, right.shape] });
  const shape = [...batch, ...rows, ...columns];
  const rank = shape.length;
  const outer = rank - rows.length - columns.length;
  const names = (value: Value, inner: readonly string[]): string[] => {
    const stacked = Math.max(0, value.shape.length - 2);
    return [...axesFrom(outer - stacked, outer).map((axis) => axisName(rank, axis)), ...inner];
  };
  const row = rows.map(() => axisName(rank, outer));
  const column = columns.map(() => axisName(rank, rank - 1));
  const product = `${renamed(left, names(left, [...row, contracted]))} * ${renamed(right, names(right, [contracted, ...column]))}`;
  return node.define(finish(sumOf(product, shared !== 1)), shape, left.element);
}

const gemm: Become = (node) => {
  const [a, b] = [node.input(0), node.input(1)];
  const isTransposed = (name: string): boolean => node.integer(name, 0) === 1;
  const [rows, shared] = isTransposed("transA") ? [...a.shape].reverse() : a.shape;
  const [sharedRight, columns] = isTransposed("transB") ? [...b.shape].reverse() : b.shape;
  if (rows === undefined || shared === undefined || columns === undefined || shared !== sharedRight)
    return node.refuse({ kind: "shapes", shapes: [a.shape, b.shape] });
  const [row, column] = [axisName(2, 0), axisName(2, 1)];
  const left = renamed(a, isTransposed("transA") ? [contracted, row] : [row, contracted]);
  const right = renamed(b, isTransposed("transB") ? [column, contracted] : [contracted, column]);
  const product = sumOf(`${left} * ${right}`, shared !== 1);
  const [alpha, beta] = [node.float("alpha", 1), node.float("beta", 1)];
  const scaled = alpha === 1 ? product : `${number(alpha)} * ${shared === 1 ? `(${product})` : product}`;
  const bias = node.optional(2);
  if (bias !== undefined) node.checkFit(spreadsTo(bias.shape, [rows, columns]), [a, b, bias]);
  const added =
    bias === undefined || beta === 0 ? "" : ` + ${beta === 1 ? bias.text : `${number(beta)} * ${bias.text}`}`;
  node.define(withinRange(scaled + added, a.element), [rows, columns], a.element);
};

/** The letters of an equation for each operand and the result; `…` stands for digits, which are no letters of an equation. */
function einsumLetters(equation: string, operands: readonly Value[]): { terms: string[]; result: string } {
  const [left = "", right] = equation.replaceAll(" ", "").split("->");
  const terms = left.split(",");
  const extended = terms.map((term, at) => {
    const rank = operands[at]?.shape.length ?? 0;
    return { term, extra: term.includes("...") ? rank - term.replace("...", "").length : 0 };
  });
  const ellipsis = "0123456789".slice(0, greatest(extended.map(({ extra }) => extra)));
  const full = extended.map(({ term, extra }) =>
    term.replace("...", ellipsis.slice(ellipsis.length - extra)),
  );
  if (right !== undefined) return { terms: full, result: right.replace("...", ellipsis) };
  const all = full.join("");
  const once = [...new Set(all)].filter(
    (letter) => all.split(letter).length === 2 && !ellipsis.includes(letter),
  );
  return { terms: full, result: ellipsis + once.sort().join("") };
}

const einsum: Become = (node) => {
  const operands = node.allInputs;
  const { terms, result } = einsumLetters(node.text("equation", ""), operands);
  if (
    terms.length !== operands.length ||
    operands.some(({ shape }, at) => shape.length !== terms[at]?.length)
  )
    node.refuse({ kind: "shapes", shapes: operands.map(({ shape }) => shape) });
  const lettered = operands.map((value, at) => ({ value, letters: [...element(terms, at)] }));
  const sizes = new Map<string, number>();
  for (const { value, letters } of lettered)
    for (const [axis, letter] of letters.entries()) {
      const size = element(value.shape, axis);
      const other = sizes.get(letter) ?? 1;
      node.checkFit(size === 1 || other === 1 || size === other, operands);
      if (size !== 1 || !sizes.has(letter)) sizes.set(letter, size);
    }
  const name = (letter: string): string => `e_${letter}`;
  const factors = lettered.map(({ value, letters }) => {
    if (new Set(letters).size === letters.length) return renamed(value, letters.map(name));
    const distinct = [...new Set(letters)].filter((letter) => sizes.get(letter) !== 1);
    const dimensions = distinct.map((letter) => ({ name: name(letter), size: sizes.get(letter) ?? 1 }));
    return generate(insideCell(value.element), dimensions, elementAt(value, letters.map(name)));
  });
  const summed = [...sizes].filter(([letter, size]) => size !== 1 && !result.includes(letter));
  const text = reduce(
    "sum",
    factors.join(" * "),
    summed.map(([letter]) => name(letter)),
  );
  const pairs = [...result].flatMap((letter, axis) =>
    sizes.get(letter) === 1 ? [] : [[name(letter), axisName(result.length, axis)] as const],
  );
  const wrapped = pairs.length > 0 || summed.length > 0 ? text : `(${text})`;
  node.define(
    withinRange(rename(wrapped, pairs), node.input(0).element),
    [...result].map((letter) => sizes.get(letter) ?? 1),
    node.input(0).element,
  );
};

// biome-ignore format: a table
export const products: OperatorTable = {
  Einsum: { 12: einsum },
  Gemm:   { 1: gemm },
  MatMul: { 1: matMul },
};
