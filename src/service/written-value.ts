import { partsOf } from "../language/syntax/parts.js";
import type { Argument, Expression } from "../language/syntax/tree.js";
import type { Tensor } from "../language/values/tensor.js";
import { numberText } from "../language/values/text.js";

/**
 * Whether an expression is a number or a tensor of numbers that are written out, and its value has just these: none is computed, none
 * is left out, and none is another one than it says because a cell holds less.
 */
export function isWrittenValue(tree: Expression, tensor: Tensor): boolean {
  if (tree.kind !== "number" && tree.kind !== "literal") return false;
  const leaves = tree.kind === "number" ? [tree] : partsOf(tree).map((part) => part.tree);
  if (leaves.length !== tensor.data.length) return false;
  const { cellType } = tensor.type;
  // In their own order: the cells of a tensor are sorted by their labels.
  const cells = leaves.map((_, at) => digitsOf(numberText(tensor.at(at), cellType))).sort();
  const written = leaves.map(writtenDigits).sort();
  return written.every((each, at) => each === cells[at]);
}

/** The sign and the digits of a number as it is written; a text that no number has of what must be computed. */
function writtenDigits(leaf: Argument): string {
  if (leaf.kind === "number") return digitsOf(leaf.text);
  if (leaf.kind !== "prefixed" || leaf.operand.kind !== "number") return "computed";
  const isNegative = leaf.operators.length === 1 && leaf.operators[0]?.symbol === "-";
  return isNegative ? digitsOf(`-${leaf.operand.text}`) : "computed";
}

/** The sign and the digits of a finite number, without zeros at their ends: `1.50e3` and `1500.0` have the same. */
function digitsOf(text: string): string {
  const [, sign = "", whole = "", fraction = ""] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE][+-]?\d+)?[fFdD]?$/.exec(text) ?? [];
  if (whole === "") return text;
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return sign + digits.slice(start, end);
}
