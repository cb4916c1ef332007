import type { Node } from "../../core/operations.js";
import type { Generate, Shape, TypeText } from "../../syntax/tree.js";
import { typeOf } from "../../syntax/typing.js";
import { TensorType } from "../../types/type.js";
import { shapeBodies } from "../calls/intrinsics.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";

/** `tensor(x[3])(x + 1)`: a cell for each combination of indexes, which the body may use by name (Paper 5.3.7). */
export function generate(checker: Checker, tree: Generate, scope: Scope): Node | undefined {
  const type = generatedType(checker, tree.type, scope);
  const names = tree.type.dimensions.map(({ name }) => ({
    written: name.text,
    name: checker.dimensionName(name, scope),
  }));
  const types = type === undefined ? [] : [type];
  const inner = checker.deferral.binder(tree, scope, types, () => scope.generator());
  const positions = new Map(type?.names.map((each, at) => [each, at]));
  for (const { written, name } of names) {
    const position = positions.get(name.text) ?? 0;
    const node = checker.graph.parameter(inner.level, position, TensorType.scalar, tree.type.span);
    inner.bind(written, { kind: "node", node, frame: inner.frame, dimension: name });
  }
  const body = checker.scalar(tree.body, type?.isScalar ? scope : inner, "generated cell");
  if (type === undefined || body === undefined) return undefined;
  return type.isScalar ? body : checker.graph.generate(type, inner.level, body, tree.span);
}

/** `range(x[3])`, `diag(x[2],y[2])`, `random(x[3])` */
export function shape(checker: Checker, tree: Shape, scope: Scope): Node | undefined {
  const type = generatedType(checker, tree.type, scope);
  const body = shapeBodies.get(tree.word.text);
  return type === undefined || body === undefined ? undefined : body(checker, type, scope, tree.span);
}

/** The type of a tensor that is generated: all of its dimensions are indexed and have a size. */
function generatedType(checker: Checker, text: TypeText, scope: Scope): TensorType | undefined {
  const report = checker.report(scope);
  const type = typeOf(text, checker.words(scope), report);
  const loose = text.dimensions.find((each) => each.kind === "mapped" || each.size === undefined);
  if (type === undefined || loose === undefined) return type;
  report(problem("type/not-generated", loose.span, { dimension: loose.name.text, type }));
  return undefined;
}
