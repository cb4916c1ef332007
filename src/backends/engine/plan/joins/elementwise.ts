import type { Lambda, NodeOf } from "../../../../language/core/operations.js";
import type { TensorType } from "../../../../language/types/type.js";
import { broadcast, combined, rounded } from "../../values/arithmetic.js";
import { type Hiding, renamedAxes } from "../../values/axes.js";
import type { Axis, Value } from "../../values/value.js";
import { isLight } from "../dependencies.js";
import type { PlanState } from "../plan-state.js";
import { isValue, type Planned, unsupported } from "../planned.js";
import { Scope } from "../scope.js";
import { aligned } from "./aligning.js";

/** A scalar function of scalars, or of values that are scalars at each index of hidden axes. */
export function apply(node: NodeOf<"apply">, _: PlanState, scope: Scope): Planned {
  const values = node.arguments.map((each) => scope.value(each));
  return combined({ op: "apply", function: node.function }, values);
}

/** map: the lambda at every cell. */
export function map(node: NodeOf<"map">, state: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  return overAxes(state, node.lambda, value.axes, [value], node.type);
}

/** join: the lambda at every pair of cells that agree in what they share. */
export function join(node: NodeOf<"join">, state: PlanState, scope: Scope): Planned {
  const { axes, left, right } = aligned(state, scope.value(node.left), scope.value(node.right), node.span);
  if (isPadded(axes, node.type)) return unsupported("the type has more cells than the operands share");
  return overAxes(state, node.lambda, axes, [left, right], node.type);
}

/** cell_cast: the same cells, stored as another type. */
export function cast(node: NodeOf<"cast">, _: PlanState, scope: Scope): Planned {
  const value = scope.value(node.tensor);
  if (isPadded(value.axes, node.type)) return unsupported("the type has more cells than the operand");
  return rounded(value, node.type);
}

/** Whether a type has another size than the axes do: what the axes lack is zeros then. */
const isPadded = (axes: readonly Axis[], type: TensorType): boolean =>
  axes.some(({ name, size }) => {
    const required = name === undefined ? undefined : type.dimension(name)?.size;
    return required !== undefined && required !== size;
  });

const same = (name: string): string => name;
const nothingHidden: Hiding = { hide: same, show: same };

const renamedValue = (value: Value, rename: (name: string) => string): Value =>
  rename === same ? value : { ...value, axes: renamedAxes(value.axes, rename) };

/** The value of a lambda at all indexes of some axes, which its body does not see, rounded as cells of the type are. */
export function overAxes(
  state: PlanState,
  lambda: Lambda,
  axes: readonly Axis[],
  parameters: readonly Value[],
  type: TensorType,
): Planned {
  // Arithmetic names no dimensions: there is nothing to hide.
  const { hide, show } = isLight(lambda.body) ? nothingHidden : state.hiding();
  const hidden = parameters.map((value) => renamedValue(value, hide));
  const inner = new Scope(true).bind(1, hidden);
  const body = state.body(inner, lambda.body);
  if (!isValue(body)) return body;
  return rounded(broadcast(renamedValue(body, show), axes), type);
}
