import type { Checker } from "../../../language/check/checker.js";
import { Names } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import { originIn, type Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import type { Reference } from "../../../language/syntax/tree.js";

/**
 * `tokenInputIds(128, a, b)` and its like, as expressions: the tokens of some tensors, which end with the first 0, between those that
 * begin a sequence and separate its parts, filled up with 0.
 */
export type TokenFeature = "input ids" | "type ids" | "attention mask";

interface TokenSequence {
  readonly kind: TokenFeature;
  readonly length: number;
  /** The token that begins a sequence, and the one behind each part. */
  readonly first: string;
  readonly separator: string;
}

/** The value of a feature for these parts; nothing where one of them is no row of numbers. */
export function tokenRow(
  checker: Checker,
  feature: Reference,
  sequence: TokenSequence,
  parts: readonly Node[],
  scope: Scope,
): Node | undefined {
  const isRow = ({ type }: Node): boolean => type.rank === 1 && type.isDense;
  if (parts.length === 0 || !parts.every(isRow)) return undefined;
  const dimensions = parts.map(({ type }) => type.names[0] ?? "");
  const source = { name: feature.name.text, text: rowText(sequence, dimensions) };
  const { tree } = parseExpression(source);
  if (tree === undefined) return undefined;
  checker.imported.add(source);
  const expanded = {
    name: feature.name.text,
    call: feature.span,
    inPrelude: false,
    names: new Names(preludeNames()),
    definedAt: { source, start: 0, end: 0 },
  };
  const inner = scope.expansion(originIn(scope, expanded));
  const bind = (name: string, node: Node): void =>
    inner.bind(name, { kind: "node", node, frame: inner.frame });
  return checker.withSite(inner, () => {
    for (const [at, node] of parts.entries()) {
      bind(`part_${at}`, node);
      const length = parseExpression({ name: source.name, text: `sum(map(part_${at}, f(x)(x > 0)))` });
      const sum = length.tree && checker.node(length.tree, inner);
      if (sum !== undefined) bind(`length_${at}`, sum);
    }
    return checker.node(tree, inner);
  });
}

/** An expression of `part_0`, `length_0` and so on. */
function rowText({ kind, length, first, separator }: TokenSequence, dimensions: readonly string[]): string {
  const type = `tensor<float>(d0[1],d1[${length}])`;
  const end = (count: number): string =>
    [`${1 + count}`, ...dimensions.slice(0, count).map((_, at) => `length_${at}`)].join(" + ");
  const whole = end(dimensions.length);
  if (kind === "attention mask") return `${type}(if(d1 < ${whole}, 1, 0))`;
  if (kind === "type ids") return `${type}(if(d1 < ${end(1)}, 0, if(d1 < ${whole}, 1, 0)))`;
  const steps = dimensions.map((dimension, at) => {
    const token = `part_${at}{${dimension}:(d1 - (${end(at)}))}`;
    return `if(d1 < ${end(at)} + length_${at}, ${token}, if(d1 < ${end(at + 1)}, ${separator}, `;
  });
  return `${type}(if(d1 < 1, ${first}, ${steps.join("")}0${"))".repeat(steps.length)}))`;
}
