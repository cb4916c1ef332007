import { membershipTightness, operators } from "../../scalar/operators.js";
import { append } from "../../source/lists.js";
import { name, number } from "../tokens.js";
import type * as Tree from "../tree.js";
import { begin, bracket, end, flatText, lineBreak, type Opener, type Piece, token } from "./document.js";

/**
 * From tree to text. A table has the parts of each kind of tree, in order: texts, pieces, and trees
 * that are printed in turn. The text is canonical and reads back as the same tree. Parentheses stand where precedence
 * needs them, and where Vespa's engines would read the text otherwise: around `in [...]` as an operand, and around
 * the expressions of slices. Nothing recurses, so that no tree is too deep.
 */
export type Printable =
  | Tree.Expression
  | Tree.Argument
  | Tree.Slice
  | Tree.Selector
  | Tree.LiteralBody<Tree.Supplied>;

export type PrintPart = string | Piece | Printable | (() => readonly PrintPart[]);

/** An expression on one line. */
export function printExpression(tree: Tree.Expression): string {
  return flatText(piecesOf([tree]));
}

/** The pieces that parts come down to. */
export function piecesOf(parts: readonly PrintPart[]): Piece[] {
  const pieces: Piece[] = [];
  const pending = [...parts].reverse();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === "string") pieces.push({ kind: "token", text: part });
    else if (typeof part !== "function" && isPiece(part)) pieces.push(part);
    else {
      const inner = typeof part === "function" ? part() : partsOf(part);
      for (const each of [...inner].reverse()) pending.push(each);
    }
  }
  return pieces;
}

const isPiece = (part: Piece | Printable): part is Piece => !Object.hasOwn(printing, part.kind);

function partsOf(tree: Printable): readonly PrintPart[] {
  const print: (tree: never) => readonly PrintPart[] = printing[tree.kind];
  return print(tree as never); // the row of its kind takes it
}

type Printing = {
  readonly [Kind in Printable["kind"]]: (tree: Extract<Printable, { kind: Kind }>) => readonly PrintPart[];
};

const printing: Printing = {
  number: ({ text, span }) => [token(text, { of: span, part: "first" })],
  text: ({ value, span }) => [token(quotedText(value), { of: span, part: "first" })],
  reference: (tree) => [word(tree.name), ...callParts(tree), ...outputParts(tree.outputs)],
  prefixed: ({ operators, operand }) => [
    ...operators.map(({ symbol, span }) => token(symbol, span.start)),
    ...(operand.kind === "chain" || operand.kind === "prefixed" ? parenthesised(operand) : [operand]),
  ],
  chain: (tree) => chainParts(tree, 1),
  sliced: ({ tensor, slices }) => [
    ...(needsParenthesesBefore(slices[0], tensor) ? parenthesised(tensor) : [tensor]),
    ...slices,
  ],
  switch: ({ value, cases, otherwise, span }) => [
    token("switch", { of: span, part: "first" }),
    ...bracket<PrintPart>("(", [alone(value)], { closes: { of: span, part: "first" } }),
    " ",
    ...bracket<PrintPart>(
      "{",
      [...cases.map(({ when, result }) => ["case ", when, ": ", result]), ["default: ", otherwise]],
      { of: span, part: "last" },
    ),
  ],
  generate: ({ type, body, span }) => [
    ...typeParts(token("tensor", type.span.start), type),
    ...bracket<PrintPart>("(", [alone(body)], { of: span, part: "last" }),
  ],
  literal: ({ type, isTyped, body }) =>
    isTyped ? [...typeParts(token("tensor", type.span.start), type), ":", body] : [body],
  shape: ({ word: shape, type }) => typeParts(word(shape), type),

  lambda: ({ parameters, body, span }) => [
    token("f", span.start),
    ...bracket<PrintPart>(
      "(",
      parameters.map((each) => [word(each)]),
      { closes: span.start },
      "tight",
    ),
    ...bracket<PrintPart>("(", [alone(body)], span.end - 1),
  ],
  named: ({ name, value }) => [word(name), isLabel(value) ? ":" : ": ", value],
  names: ({ names, span }) =>
    bracket<PrintPart>(
      "(",
      names.map((each) => [word(each)]),
      span.end - 1,
    ),

  index: ({ index, span }) =>
    bracket<PrintPart>("[", [isComputedNumber(index) ? parenthesised(index) : alone(index)], span.end - 1),
  short: ({ selector, span }) => bracket<PrintPart>("{", [[selector]], span.end - 1),
  address: ({ bindings, span }) =>
    bracket<PrintPart>(
      "{",
      bindings.map(({ dimension, selector }) => [word(dimension), ":", selector]),
      span.end - 1,
    ),
  label: ({ label, quoted }) => [quoted ? token(quotedText(label.text), label.span.start) : word(label)],
  value: ({ value }) =>
    value.kind === "lambda" || (isPlainSelector(value) && !isComputedNumber(value))
      ? [value]
      : parenthesised(value),

  scalar: ({ value, span }) => bracket<PrintPart>("{", [[value]], span.end - 1),
  nested: ({ items, span }) =>
    bracket<PrintPart>(
      "[",
      items.map((each) => [each]),
      span.end - 1,
      items.some(isRow) ? "loose" : "filled",
    ),
  cells: ({ cells, span }) => bracket<PrintPart>("{", cells.map(cellParts), span.end - 1),
  entries: ({ entries, span }) =>
    bracket<PrintPart>(
      "{",
      entries.map(({ label: text, value }) => [label(text), ":", value]),
      span.end - 1,
    ),
};

/** A name, a text or a number, as the arguments of features are. */
const isLabel = (value: Tree.Expression): boolean =>
  value.kind === "text" ||
  value.kind === "number" ||
  (value.kind === "reference" && value.arguments === undefined) ||
  (value.kind === "prefixed" && value.operand.kind === "number");

const word = ({ text, span }: Tree.Word): Piece => token(text, span.start);

/** An expression that has brackets to itself: a chain in them needs no indentation of its own. */
export const alone = (tree: Tree.Expression): readonly PrintPart[] =>
  tree.kind === "chain" ? [() => chainParts(tree, 0)] : [tree];

const parenthesised = (tree: Tree.Expression): PrintPart[] =>
  bracket<PrintPart>("(", [alone(tree)], { of: tree.span, part: "close" }, "loose", {
    of: tree.span,
    part: "open",
  });

/** A chain breaks after its operators. */
function chainParts({ first, rest }: Tree.Chain, level: 0 | 1): PrintPart[] {
  const parts: PrintPart[] = [begin("all"), ...operandParts(first, rest[0])];
  const space = lineBreak(" ", level);
  for (const [at, link] of rest.entries()) {
    if (link.kind === "membership") {
      const items = link.items.map((each) => [each]);
      parts.push(" ", token("in", link.span.start), " ");
      append(parts, bracket<PrintPart>("[", items, link.span.end - 1, "filled"));
    } else {
      const before = rest[at - 1];
      const left = before?.kind === "operation" ? before.operand : first;
      parts.push(token(` ${link.symbol}`, link.span.start), space);
      if (readsAsType(left, link, rest[at + 1])) append(parts, parenthesised(link.operand));
      else append(parts, operandParts(link.operand, link));
    }
  }
  parts.push(end);
  return parts;
}

function operandParts(operand: Tree.Expression, link: Tree.Link | undefined): readonly PrintPart[] {
  if (operand.kind !== "chain" || link === undefined) return [operand];
  const [inner] = operand.rest;
  const isTighter = inner !== undefined && tightnessOf(inner) > tightnessOf(link);
  const isMembership = operand.rest.some((each) => each.kind === "membership");
  return isTighter && !isMembership ? [operand] : parenthesised(operand);
}

const tightnessOf = (link: Tree.Link): number =>
  link.kind === "membership" ? membershipTightness : operators[link.symbol].tightness;

/** Words that begin a type where `<name>(` or a dimension follows. */
const typeWords = new Set(["tensor", "range", "diag", "random"]);

/** `range < (a) > (b && c)` would be a type without the parentheses around `a`. */
function readsAsType(left: Tree.Expression, link: Tree.Link, next: Tree.Link | undefined): boolean {
  if (link.kind !== "operation" || link.symbol !== "<" || !isName(link.operand)) return false;
  if (next?.kind !== "operation" || next.symbol !== ">") return false;
  if (next.operand.kind !== "chain" && next.operand.kind !== "sliced") return false;
  let last = left;
  for (let inner = lastOf(last); inner !== undefined; inner = lastOf(last)) last = inner;
  return isName(last) && typeWords.has(last.name.text);
}

/** The last operand of an expression that does not end with a bracket. */
function lastOf(tree: Tree.Expression): Tree.Expression | undefined {
  if (tree.kind === "prefixed") return tree.operand;
  const link = tree.kind === "chain" ? tree.rest.at(-1) : undefined;
  return link?.kind === "operation" ? link.operand : undefined;
}

const isName = (tree: Tree.Argument): tree is Tree.Reference =>
  tree.kind === "reference" && tree.arguments === undefined && tree.outputs.length === 0;

function callParts({ name: called, arguments: args, outputs, span }: Tree.Reference): PrintPart[] {
  if (args === undefined) return [];
  const items = args.map((each, at) => {
    if (at === 0 && typeWords.has(called.text) && isDimension(each)) return parenthesised(each);
    return argumentParts(each, args.length);
  });
  return bracket("(", items, outputs.length > 0 ? { closes: called.span.end } : { of: span, part: "last" });
}

/** A name in parentheses is a value where a bare one would be a label or a dimension. */
function argumentParts(tree: Tree.Argument, count: number): readonly PrintPart[] {
  if (tree.kind === "reference" && tree.grouped !== undefined) return parenthesised(tree);
  return tree.kind === "chain" && count === 1 ? alone(tree) : [tree];
}

/** `range((x[3]))` would be a type without the inner parentheses. */
function isDimension(tree: Tree.Argument): tree is Tree.Sliced {
  if (tree.kind !== "sliced" || !isName(tree.tensor)) return false;
  const [slice, ...more] = tree.slices;
  if (slice?.kind !== "index" || more.length > 0) return false;
  return slice.index.kind === "number" || isName(slice.index);
}

/** `(switch(a)){case}` would be a switch without the parentheses. */
function needsParenthesesBefore(slice: Tree.Slice | undefined, tensor: Tree.Expression): boolean {
  if (tensor.kind === "reference")
    return tensor.name.text === "switch" && tensor.arguments !== undefined && slice?.kind !== "index";
  return tensor.kind === "chain" || tensor.kind === "prefixed" || tensor.kind === "sliced";
}

/** A number in parentheses: an index as written must be within the size, and one that is computed need not. */
function isComputedNumber(tree: Tree.Supplied): boolean {
  const { source, start } = tree.span;
  const number = tree.kind === "prefixed" ? tree.operand : tree;
  return number.kind === "number" && source.text[start] === "(";
}

/** A selector that is no label for any engine, also without parentheses. */
function isPlainSelector(value: Tree.Expression): boolean {
  if (value.kind === "reference") return value.grouped === undefined && !isName(value);
  const isMinus =
    value.kind === "prefixed" && value.operators.length === 1 && value.operators[0]?.symbol === "-";
  return (isMinus ? value.operand : value).kind === "number";
}

export function typeParts(first: Piece, { cellType, dimensions, span }: Tree.TypeText): PrintPart[] {
  const cells = cellType === undefined ? [] : ["<", word(cellType), ">"];
  return [first, ...cells, ...bracket<PrintPart>("(", dimensions.map(dimensionParts), span.end - 1, "tight")];
}

const openers = { mapped: "{", indexed: "[" } as const satisfies Record<Tree.DimensionText["kind"], Opener>;

function dimensionParts({ kind, name: dimension, size, span }: Tree.DimensionText): PrintPart[] {
  const items = size === undefined ? [] : [[word(size)]];
  return [word(dimension), ...bracket<PrintPart>(openers[kind], items, span.end - 1)];
}

function cellParts({ address, value, span }: Tree.LiteralCellTree<Tree.Supplied>): PrintPart[] {
  const labels = address.map(({ dimension, label: text }): PrintPart[] => [
    word(dimension),
    ":",
    label(text),
  ]);
  return [...bracket("{", labels, { closes: span.start }, "tight"), ":", value];
}

const isRow = (item: Tree.LiteralItem<Tree.Supplied>): boolean => item.kind === "nested";

function outputParts(outputs: readonly Tree.Word[]): PrintPart[] {
  return outputs.flatMap((output, at) => [staysApart(outputs[at - 1], output) ? "." : " .", word(output)]);
}

const patternOf = ({ PATTERN }: typeof name): string => (PATTERN instanceof RegExp ? PATTERN.source : "");
const numberInFront = new RegExp(`^(?:${patternOf(number)})`);
const bareLabel = new RegExp(`^(?:(?![0-9])(?:${patternOf(name)})|-?[0-9]+)$`);

/** Whether `1.x` is read as `1`, a dot and `x`: in `a.1 .2` the space keeps `1.2` from being one number. */
function staysApart(before: Tree.Word | undefined, output: Tree.Word): boolean {
  if (before === undefined || !/^\d+$/.test(before.text)) return true;
  return numberInFront.exec(`${before.text}.${output.text}`)?.[0] === before.text;
}

/** A label is bare where it can be read back, by Vespa too, which knows no `1.0` and `1e5` there. */
const label = ({ text, span }: Tree.Word): Piece =>
  token(bareLabel.test(text) ? text : quotedText(text), span.start);

/** JSON's escapes are ours, but for that of the backspace. */
const quotedText = (text: string): string =>
  JSON.stringify(text).replace(/\\([\s\S])/g, (whole, letter) => (letter === "b" ? "\\x08" : whole));
