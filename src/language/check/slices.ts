import type { Node, Selection } from "../core/operations.js";
import type { Span } from "../source/span.js";
import { through } from "../source/span.js";
import type { Expression, Selector, Slice, Sliced } from "../syntax/tree.js";
import type { Dimension } from "../types/type.js";
import { wholeLabel } from "../values/text.js";
import type { Checker } from "./checker.js";
import { problem } from "./messages.js";
import type { Scope } from "./scope.js";

/** `a{x:0}`, `a{k:foo}`, `a[1]`, `a{foo}`: the cells at a partial address (Paper 5.3.8). Slices apply left to right. */
export function sliced(checker: Checker, tree: Sliced, scope: Scope): Node | undefined {
  let node = checker.node(tree.tensor, scope);
  for (const slice of tree.slices) {
    if (node === undefined) return undefined;
    const at =
      slice.kind === "address" ? address(checker, node, slice, scope) : short(checker, node, slice, scope);
    node = at && checker.graph.slice(node, at, through(tree.tensor.span, slice.span));
  }
  return node;
}

function address(
  checker: Checker,
  tensor: Node,
  slice: Extract<Slice, { kind: "address" }>,
  scope: Scope,
): Selection[] | undefined {
  const at: Selection[] = [];
  let sound = true;
  for (const { dimension, selector } of slice.bindings) {
    const name = checker.dimension(checker.word(dimension, scope), tensor.type, scope);
    const target = name === undefined ? undefined : tensor.type.dimension(name);
    if (target !== undefined && at.some((each) => each.dimension === target.name)) {
      const values = { dimension: target.name };
      checker.report(scope)(problem("type/duplicate-dimension", dimension.span, values));
      sound = false;
    }
    const label = target === undefined ? undefined : selection(checker, target, selector, scope);
    if (target === undefined || label === undefined) sound = false;
    else at.push({ dimension: target.name, label });
  }
  return sound ? at : undefined;
}

/** `a[i]` is about the one indexed dimension, `a{label}` about the one mapped dimension. */
function short(
  checker: Checker,
  tensor: Node,
  slice: Extract<Slice, { kind: "index" | "short" }>,
  scope: Scope,
): Selection[] | undefined {
  const selector: Selector = slice.kind === "index" ? { kind: "value", value: slice.index } : slice.selector;
  const kind = selector.kind === "label" ? "mapped" : "indexed";
  const candidates = tensor.type[kind];
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) {
    const { source, start, end } = selector.kind === "label" ? selector.label.span : selector.value.span;
    const isWord = selector.kind === "label" && !selector.quoted;
    const values = { type: tensor.type, kind, selector: source.text.slice(start, end), isWord } as const;
    checker.report(scope)(problem("slice/ambiguous", slice.span, values));
    return undefined;
  }
  const label = selection(checker, only, selector, scope);
  return label === undefined ? undefined : [{ dimension: only.name, label }];
}

/**
 * A label as written, or an index to compute. An optionally signed number as written is a label too; on an indexed
 * dimension a label as written must be an index below the size (D13).
 */
function selection(
  checker: Checker,
  dimension: Dimension,
  selector: Selector,
  scope: Scope,
): string | Node | undefined {
  if (selector.kind === "label") {
    return dimension.kind === "mapped"
      ? selector.label.text
      : index(checker, dimension, selector.label.text, selector.label.span, scope, wholeLabels);
  }
  const written = writtenNumber(selector.value);
  if (written === undefined)
    return checker.scalar(selector.value, scope, { kind: "index", dimension: dimension.name });
  if (dimension.kind === "indexed")
    return index(checker, dimension, written, selector.value.span, scope, anyNumber);
  return /^-?\d+$/.test(written) ? written : wholeLabel(Number(written));
}

/** What counts as an index: a label must be the canonical text of one, a number is cut to a whole one. */
const wholeLabels = /^(?:0|[1-9]\d*)$/;
const anyNumber = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

function index(
  checker: Checker,
  dimension: Dimension,
  text: string,
  span: Span,
  scope: Scope,
  pattern: RegExp,
): string | undefined {
  const report = checker.report(scope);
  if (!pattern.test(text)) return void report(problem("slice/text-label", span, { dimension, label: text }));
  const at = Math.trunc(Number(text));
  if (at >= 0 && at < (dimension.size ?? Number.POSITIVE_INFINITY) && !text.startsWith("-")) return `${at}`;
  return void report(problem("slice/out-of-bounds", span, { dimension, index: text }));
}

/** `5`, `-1`, `1.9` as written, with no computing. */
function writtenNumber(value: Expression): string | undefined {
  if (value.span.source.text[value.span.start] === "(") return undefined;
  if (value.kind === "number") return value.text;
  if (value.kind !== "prefixed" || value.operand.kind !== "number" || value.operators.length !== 1)
    return undefined;
  return value.operators[0]?.symbol === "-" ? `-${value.operand.text}` : undefined;
}
