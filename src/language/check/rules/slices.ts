import type { Node, Selection } from "../../core/operations.js";
import { type Span, textIn, through } from "../../source/span.js";
import type { LambdaTree, Selector, Slice, Sliced, Supplied } from "../../syntax/tree.js";
import * as algebra from "../../types/algebra.js";
import { type Dimension, TensorType } from "../../types/type.js";
import { wholeLabel as labelOfWhole } from "../../values/text.js";
import type { Checker } from "../checker.js";
import { deployedAlone } from "../deployment/chains.js";
import { deploymentIn } from "../deployment/deployment.js";
import { putIn } from "../deployment/text.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { dimensionOf, type Indexes, supplied } from "./supplied.js";

/** `a{x:0}`, `a{k:foo}`, `a[1]`, `a{foo}`: the cells at a partial address (Paper 5.3.8). Slices apply left to right. */
export function sliced(checker: Checker, tree: Sliced, scope: Scope): Node | undefined {
  const deployed = deploymentIn(checker, scope) && deployedAlone(checker, tree, scope);
  if (deployed !== undefined) return checker.node(deployed, scope);
  reportSecondSlice(checker, tree, scope);
  let node = checker.node(tree.tensor, scope);
  for (const slice of tree.slices) {
    if (node === undefined) return undefined;
    const span = through(tree.tensor.span, slice.span);
    const along = dimensionsAlong(checker, node.type, slice, scope);
    const at = along.length === 0 ? selections(checker, node, slice, scope, noIndexes) : undefined;
    node =
      along.length > 0
        ? sliceAlong(checker, node, slice, scope, span)
        : at && checker.graph.slice(node, at, span);
  }
  return node;
}

/** Vespa reads one slice behind a tensor, and writes parentheses around one away. */
function reportSecondSlice(checker: Checker, { tensor, slices }: Sliced, scope: Scope): void {
  if (checker.context.deployment === undefined || scope.origin?.inPrelude === true) return;
  const found = tensor.kind === "reference" ? putIn(checker, tensor) : tensor;
  const isSecond = found?.kind === "sliced" && deploymentIn(checker, scope) !== undefined;
  const second = isSecond ? slices[0] : slices[1];
  if (second !== undefined) checker.report(scope)(problem("portability/slices", second.span, {}));
}

const noIndexes: () => Indexes = () => new Map();

function selections(
  checker: Checker,
  tensor: Node,
  slice: Slice,
  scope: Scope,
  indexes: () => Indexes,
): Selection[] | undefined {
  return slice.kind === "address"
    ? address(checker, tensor, slice, scope, indexes)
    : short(checker, tensor, slice, scope, indexes);
}

/** The dimensions that stay and that lambdas of a slice take their indexes from: `t{x:f(y)(y)}` is a diagonal. */
function dimensionsAlong(checker: Checker, type: TensorType, slice: Slice, scope: Scope): readonly string[] {
  const lambdas =
    slice.kind === "address" ? slice.bindings.flatMap(({ selector }) => lambdaOf(selector)) : [];
  const parameters = lambdas.flatMap(({ parameters }) => parameters);
  const dimensions = remaining(checker, type, slice, scope).map(({ name }) => name);
  return parameters
    .map((each) => dimensionOf(checker, each, scope))
    .filter((each) => dimensions.includes(each));
}

const lambdaOf = (selector: Selector): readonly LambdaTree[] =>
  selector.kind === "value" && selector.value.kind === "lambda" ? [selector.value] : [];

/** The dimensions that a slice does not name. */
function remaining(checker: Checker, type: TensorType, slice: Slice, scope: Scope): readonly Dimension[] {
  const bindings = slice.kind === "address" ? slice.bindings : [];
  const named = bindings.map(({ dimension }) => dimensionOf(checker, dimension, scope));
  return type.dimensions.filter(({ name }) => !named.includes(name));
}

/** A slice at indexes that lambdas compute from those of the dimensions that stay, which must all have a size. */
function sliceAlong(
  checker: Checker,
  tensor: Node,
  slice: Slice,
  scope: Scope,
  span: Span,
): Node | undefined {
  const stay = remaining(checker, tensor.type, slice, scope);
  const loose = stay.find(({ kind, size }) => kind === "mapped" || size === undefined);
  const type = algebra.sliceType(
    tensor.type,
    tensor.type.names.filter((name) => stay.every((each) => each.name !== name)),
  );
  if (loose !== undefined) {
    checker.report(scope)(problem("slice/along", slice.span, { dimension: loose.name, type }));
    return undefined;
  }
  const inner = checker.deferral.binder(slice, scope, [type], () => scope.generator());
  const indexes: Indexes = new Map(
    type.names.map((name, at) => [name, checker.graph.parameter(inner.level, at, TensorType.scalar, span)]),
  );
  const at = selections(checker, tensor, slice, inner, () => indexes);
  if (at === undefined) return undefined;
  const along = [...indexes].map(([dimension, label]): Selection => ({ dimension, label }));
  return checker.graph.generate(
    type,
    inner.level,
    checker.graph.slice(tensor, [...at, ...along], span),
    span,
  );
}

function address(
  checker: Checker,
  tensor: Node,
  slice: Extract<Slice, { kind: "address" }>,
  scope: Scope,
  indexes: () => Indexes,
): Selection[] | undefined {
  const at: Selection[] = [];
  let sound = true;
  for (const { dimension, selector } of slice.bindings) {
    const name = checker.dimension(checker.dimensionName(dimension, scope), tensor.type, scope);
    const target = name === undefined ? undefined : tensor.type.dimension(name);
    if (target !== undefined && at.some((each) => each.dimension === target.name)) {
      const values = { dimension: target.name };
      checker.report(scope)(problem("type/duplicate-dimension", dimension.span, values));
      sound = false;
    }
    const label = target === undefined ? undefined : selection(checker, target, selector, scope, indexes);
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
  indexes: () => Indexes,
): Selection[] | undefined {
  const selector: Selector = slice.kind === "index" ? { kind: "value", value: slice.index } : slice.selector;
  const kind = selector.kind === "label" ? "mapped" : "indexed";
  const candidates = tensor.type[kind];
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) {
    const { span } = selector.kind === "label" ? selector.label : selector.value;
    const isWord = selector.kind === "label" && !selector.quoted;
    const values = { type: tensor.type, kind, selector: textIn(span), isWord } as const;
    checker.report(scope)(problem("slice/ambiguous", slice.span, values));
    return undefined;
  }
  if (checker.context.deployment !== undefined && tensor.type.rank > 1 && scope.origin?.inPrelude !== true)
    checker.report(scope)(
      problem("portability/short-slice", slice.span, { type: tensor.type, dimension: only.name }),
    );
  const label = selection(checker, only, selector, scope, indexes);
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
  indexes: () => Indexes,
): string | Node | undefined {
  if (selector.kind === "label") {
    const { text, span } = selector.label;
    if (dimension.kind === "mapped") return text;
    if (wholeLabel.test(text)) return index(checker, dimension, { text, value: Number(text) }, span, scope);
    return void checker.report(scope)(problem("slice/text-label", span, { dimension, label: text }));
  }
  const written = writtenNumber(selector.value);
  if (written === undefined)
    return supplied(checker, selector.value, scope, { kind: "index", dimension: dimension.name }, indexes);
  if (dimension.kind === "indexed") return index(checker, dimension, written, selector.value.span, scope);
  return /^-?\d+$/.test(written.text) ? written.text : labelOfWhole(written.value);
}

/** A label that is an index: the canonical text of one. */
const wholeLabel = /^(?:0|[1-9]\d*)$/;

/** The number is cut to a whole one. */
function index(
  checker: Checker,
  dimension: Dimension,
  { text, value }: WrittenNumber,
  span: Span,
  scope: Scope,
): string | undefined {
  if (value >= 0 && value < (dimension.size ?? Number.POSITIVE_INFINITY)) return `${Math.trunc(value)}`;
  return void checker.report(scope)(problem("slice/out-of-bounds", span, { dimension, index: text }));
}

/** A number as written, and what it is. */
interface WrittenNumber {
  readonly text: string;
  readonly value: number;
}

/** `5`, `-1`, `1.9`, `1.f` as written, with no computing. */
function writtenNumber(value: Supplied): WrittenNumber | undefined {
  if (value.span.source.text[value.span.start] === "(") return undefined;
  if (value.kind === "number") return value;
  if (value.kind !== "prefixed" || value.operand.kind !== "number" || value.operators.length !== 1)
    return undefined;
  const { text, value: size } = value.operand;
  return value.operators[0]?.symbol === "-" ? { text: `-${text}`, value: -size } : undefined;
}
