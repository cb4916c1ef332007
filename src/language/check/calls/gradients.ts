import type { Lambda, Node } from "../../core/operations.js";
import { NotDifferentiable, type Surroundings } from "../../differentiate/calculus.js";
import {
  directionalDerivative,
  type Gradient,
  gradient as gradientOf,
} from "../../differentiate/gradient.js";
import { parseExpression } from "../../syntax/parse.js";
import { TensorType } from "../../types/type.js";
import { problem } from "../messages.js";
import { preludeNames } from "../prelude-names.js";
import { type Capture, Frame, originIn, Scope } from "../scope.js";
import type { StandIns } from "../stand-ins.js";
import type { Call } from "./call.js";

/** `gradient(y, x)`: the derivative of `y` in each cell of `x`, which must be a name. */
export function gradient(call: Call): Node | undefined {
  const [y, x] = [call.tensor(0), call.tensor(1)];
  if (y === undefined || x === undefined) return undefined;
  return derivative(call, y, x, (inX, surroundings) => gradientOf(inX, x, surroundings));
}

/** `jvp(y, x, t)`: the derivative of each cell of `y` as `x`, which must be a name, changes in the direction `t`. */
export function jacobianVectorProduct(call: Call): Node | undefined {
  const { checker, scope } = call;
  const [y, x, direction] = [call.tensor(0), call.tensor(1), call.tensor(2)];
  if (y === undefined || x === undefined || direction === undefined) return undefined;
  if (!isDirection(direction.type, x.type)) {
    const values = { found: direction.type, expected: x.type };
    return void checker.report(scope)(problem("gradient/direction", call.spanOf(2), values));
  }
  return derivative(call, y, x, (inX, surroundings) =>
    directionalDerivative(inX, x, direction, surroundings),
  );
}

/** Whether a tensor has a cell for each of a variable's: what it lacks of a mapped dimension does not change. */
const isDirection = (direction: TensorType, x: TensorType): boolean =>
  direction.rank === x.rank &&
  x.dimensions.every(({ name, kind, size }) => {
    const own = direction.dimension(name);
    return own?.kind === kind && (own.size === undefined || size === undefined || own.size === size);
  });

/** A derivative in a name, or the problem that there is none. */
function derivative(
  call: Call,
  y: Node,
  x: Node,
  find: (inX: Node, surroundings: Surroundings) => Gradient,
): Node | undefined {
  const { checker, scope, span } = call;
  const { standIns, waiting, graph } = checker;
  const report = checker.report(scope);
  const values = { y: call.textOf(0), x: call.textOf(1) };
  if (x.op !== "input" && x.op !== "parameter")
    return void report(problem("gradient/not-name", call.spanOf(1), { text: values.x }));
  const followed = standIns.followedThrough(y, x);
  if (followed !== undefined)
    return void report(
      problem("gradient/through", span, values, [{ span: followed.span, label: "the derivative" }]),
    );
  const captured = changingAround(y, x, scope.frame, standIns);
  if (captured !== undefined)
    return void report(
      problem("gradient/captured", span, { ...values, captured: captured.name }, [
        { span: captured.outer.span, label: `${captured.name} is computed here` },
      ]),
    );
  const inX = standIns.inVariable(y, x, scope.level);
  try {
    const { node, isDependent } = find(inX.y, {
      ...{ graph, span, level: scope.level },
      lambda: (text: string) => lambdaOf(call, text),
    });
    report(problem("portability/gradient", span, { name: call.name }));
    // What waits for the sizes of a run may depend on all.
    if (!isDependent && waiting.isEmpty) report(problem("gradient/zero", span, values));
    // A derivative of what waits waits, too.
    const isWaiting = [...standIns.sourcesOf(y, x)].some((each) => waiting.includes(each));
    const key = `${call.name} ${span.start} ${y.id} ${x.id}`;
    const found = isWaiting ? waiting.node(key, node.type, { sources: [node, y, x], span }) : node;
    return standIns.ofDerivative(found, inX.through);
  } catch (error) {
    if (!(error instanceof NotDifferentiable)) throw error;
    const { reason, node } = error;
    return void report(
      problem("gradient/operation", node.span, { reason }, [{ span, label: "wanted by this" }]),
    );
  }
}

/**
 * What a lambda sees from around it, and that changes there with a variable that it sees, too. To the lambda both are numbers, and
 * neither is computed of the other.
 */
function changingAround(y: Node, x: Node, frame: Frame, standIns: StandIns): Capture | undefined {
  const { user, captured } = frame;
  const variable = captured.find(({ parameter }) => parameter === x);
  if (variable === undefined || user === undefined) return undefined;
  const sources = standIns.sourcesOf(y, x);
  return captured.find(
    (each) =>
      each !== variable &&
      sources.has(each.parameter) &&
      (standIns.sourcesOf(each.outer, variable.outer).has(variable.outer) ||
        changingAround(each.outer, variable.outer, user, standIns) !== undefined),
  );
}

const { scalar } = TensorType;

/** A function of x and y that is written in the language, whatever names the program gives new meanings. */
function lambdaOf({ checker, span, scope }: Call, text: string): Lambda {
  const source = { name: "prelude", text };
  const { tree } = parseExpression(source);
  const names = preludeNames();
  const origin = originIn(scope, { name: "gradient", call: span, inPrelude: true, names, definedAt: span });
  const inner = new Scope(new Frame(), 1, origin);
  for (const [at, name] of ["x", "y"].entries()) {
    const node = checker.graph.parameter(1, at, scalar, span);
    inner.bind(name, { kind: "node", node, frame: inner.frame });
  }
  const body = tree && checker.withSite(inner, () => checker.node(tree, inner));
  if (body === undefined) throw new Error(`the derivative ${text} is broken`);
  return { parameters: [scalar, scalar], body };
}
