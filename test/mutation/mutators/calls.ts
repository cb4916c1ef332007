import {
  isArrowFunction,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  isSpreadElement,
  type Node,
} from "typescript/unstable/ast";
import { between, type Edit, type Mutator, replaced } from "./mutator.js";

/** Methods that are taken for each other. Where the other does not exist, what comes of it is no program. */
// biome-ignore format: a table
const others: Readonly<Record<string, string>> = {
  push: "unshift", unshift: "push", pop: "shift", shift: "pop",
  every: "some", some: "every", find: "findLast", findLast: "find",
  findIndex: "findLastIndex", findLastIndex: "findIndex", indexOf: "lastIndexOf",
  min: "max", max: "min", floor: "ceil", ceil: "floor", trunc: "ceil",
  add: "subtract", subtract: "add", multiply: "add", larger: "smaller", smaller: "larger",
};

const method = (node: Node): readonly Edit[] => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { name } = node.expression;
  const other = Object.hasOwn(others, name.text) ? others[name.text] : undefined;
  return other === undefined ? [] : [replaced(name, other)];
};

/** Methods that can be left out: the call becomes what it is called on. */
const dropped: ReadonlySet<string> = new Set([
  "reverse",
  "toReversed",
  "sort",
  "toSorted",
  "filter",
  "slice",
]);

const order = (node: Node): readonly Edit[] => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  const without = dropped.has(name.text) ? [between(expression.end, node.end, "")] : [];
  const [comparator] = node.arguments;
  if (!/^(?:sort|toSorted)$/.test(name.text) || comparator === undefined) return without;
  return [...without, flipped(comparator)].filter((edit) => edit !== undefined);
};

/** A comparator of the other direction. */
function flipped(comparator: Node): Edit | undefined {
  if (isIdentifier(comparator)) return replaced(comparator, `(one, other) => ${comparator.text}(other, one)`);
  if (!isArrowFunction(comparator)) return undefined;
  const [one, other] = comparator.parameters;
  if (one === undefined || other === undefined) return undefined;
  return between(one.getStart(), other.end, `${other.getText()}, ${one.getText()}`);
}

/** Calls whose arguments may come in any order. */
const symmetric = /\b(?:add|multiply|min|max|imul|hypot)$/;

/** Two arguments that stand side by side, swapped. Where they are of other types, it is no program. */
const swap = (node: Node): readonly Edit[] => {
  if (!isCallExpression(node) && !isNewExpression(node)) return [];
  if (symmetric.test(node.expression.getText())) return [];
  const all = node.arguments ?? [];
  return all.slice(1).flatMap((other, at): Edit[] => {
    const one = all[at];
    if (one === undefined || isSpreadElement(one) || isSpreadElement(other)) return [];
    if (one.getText() === other.getText()) return [];
    return [between(one.getStart(), other.end, `${other.getText()}, ${one.getText()}`)];
  });
};

export const calls: readonly Mutator[] = [
  { name: "method", edits: method },
  { name: "order", edits: order },
  { name: "arguments", edits: swap },
];
