import { type OperatorSymbol, operators, type PrefixSymbol } from "../scalar/operators.js";
import type { Span } from "../source/span.js";
import type { TensorType } from "../types/type.js";
import type {
  Argument,
  Chain,
  Expression,
  LambdaTree,
  Reference,
  SliceBinding,
  TypeText,
  Word,
} from "./tree.js";

/** Trees that were built and not parsed, to be printed. Their spans are those of an empty text. */
export const syntheticSpan: Span = { source: { name: "made", text: "" }, start: 0, end: 0 };

export const wordOf = (text: string): Word => ({ text, span: syntheticSpan });

/** A number as an expression: with a minus before it, or a division where it is not finite. */
export function numberOf(value: number): Expression {
  if (Number.isNaN(value)) return operation(numberOf(0), "/", numberOf(0));
  if (!Number.isFinite(value)) return operation(numberOf(Math.sign(value)), "/", numberOf(0));
  if (value < 0 || Object.is(value, -0)) return prefix("-", numberOf(-value));
  return { kind: "number", span: syntheticSpan, value, text: `${value}`.replace("e+", "e") };
}

/** A name, or a call of it. */
export function nameOf(name: string, args?: readonly Argument[]): Reference {
  const bare = { kind: "reference", span: syntheticSpan, name: wordOf(name), outputs: [] } as const;
  return args === undefined ? bare : { ...bare, arguments: args };
}

/** `x`, or `(x, y)`. */
export function namesOf(names: readonly string[]): Argument {
  const [only] = names;
  return names.length === 1 && only !== undefined
    ? nameOf(only)
    : { kind: "names", span: syntheticSpan, names: names.map((each) => wordOf(each)) };
}

export const lambdaOf = (parameters: readonly string[], body: Expression): LambdaTree => ({
  kind: "lambda",
  span: syntheticSpan,
  parameters: parameters.map((each) => wordOf(each)),
  body,
});

/** An expression in parentheses: in them a number is computed, and is no index as written. */
export const computed = (tree: Expression): Expression => ({
  ...tree,
  span: { source: { name: "made", text: "(" }, start: 0, end: 1 },
});

/** An operator before an operand. A `-0` is written `-0.0`, for Vespa reads a whole number of it, which has no sign. */
export function prefix(symbol: PrefixSymbol, operand: Expression): Expression {
  const isZero = symbol === "-" && operand.kind === "number" && operand.value === 0;
  return {
    kind: "prefixed",
    span: syntheticSpan,
    operators: [{ symbol, span: syntheticSpan }],
    operand: isZero ? { ...operand, text: "0.0" } : operand,
  };
}

/** Chains of these go on, for all engines group them alike. */
const chained = new Set<OperatorSymbol>(["+", "-", "*", "/"]);

/** An operation on two expressions: `a + b`, and of that and `c` `a + b + c`. */
export function operation(left: Expression, symbol: OperatorSymbol, right: Expression): Chain {
  const goesOn =
    left.kind === "chain" && chained.has(symbol) && left.rest.every((each) => isAlike(each, symbol));
  const { first, rest } = goesOn ? left : { first: left, rest: [] };
  return { kind: "chain", span: syntheticSpan, first, rest: [...rest, linkOf(symbol, right)] };
}

/** `(a + b) + c`, also where the parentheses mean nothing. */
export const grouped = (left: Expression, symbol: OperatorSymbol, right: Expression): Chain => ({
  kind: "chain",
  span: syntheticSpan,
  first: left,
  rest: [linkOf(symbol, right)],
});

/** Whether operations of these symbols, one after the other, stand in one chain. */
export const isChained = (symbol: OperatorSymbol, next: OperatorSymbol): boolean =>
  chained.has(symbol) && chained.has(next) && operators[symbol].tightness === operators[next].tightness;

/** Operations of symbols that stand in one chain, each on what those before it come to: as `operation` by `operation`. */
export function chain(
  first: Expression,
  [link, ...others]: readonly (readonly [OperatorSymbol, Expression])[],
): Expression {
  if (link === undefined) return first;
  const beginning = operation(first, link[0], link[1]);
  const links = others.map(([symbol, operand]) => linkOf(symbol, operand));
  return { ...beginning, rest: [...beginning.rest, ...links] };
}

const linkOf = (symbol: OperatorSymbol, operand: Expression): Chain["rest"][number] => ({
  kind: "operation",
  symbol,
  span: syntheticSpan,
  operand,
});

const isAlike = (link: Chain["rest"][number], symbol: OperatorSymbol): boolean =>
  link.kind === "operation" && operators[link.symbol].tightness === operators[symbol].tightness;

/** `t{x:…, y:…}` */
export const slice = (tensor: Expression, bindings: readonly SliceBinding[]): Expression => ({
  kind: "sliced",
  span: syntheticSpan,
  tensor,
  slices: [{ kind: "address", span: syntheticSpan, bindings }],
});

/** A type as it is written, with these sizes where it does not say its own. */
export function typeText({ cellType, dimensions }: TensorType, sizes: readonly number[] = []): TypeText {
  let indexed = 0;
  const texts = dimensions.map(({ name, kind, size }) => {
    const bound = kind === "mapped" ? undefined : (size ?? sizes[indexed]);
    if (kind === "indexed") indexed++;
    const bare = { span: syntheticSpan, name: wordOf(name), kind };
    return bound === undefined ? bare : { ...bare, size: wordOf(`${bound}`) };
  });
  const cells = cellType === "double" ? {} : { cellType: wordOf(cellType) };
  return { span: syntheticSpan, ...cells, dimensions: texts };
}
