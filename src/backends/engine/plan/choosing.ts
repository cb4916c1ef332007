import type { NodeOf } from "../../../language/core/operations.js";
import { combined } from "../values/arithmetic.js";
import { byStorage, imagesAmong } from "../values/axes.js";
import { viewed } from "../values/source.js";
import { loopAxes, storageOf, wholeBuffer } from "../values/storage.js";
import {
  type Axis,
  type Branch,
  type Buffer,
  cellsIn,
  namesOf,
  type Refused,
  type Value,
} from "../values/value.js";
import { isLight } from "./dependencies.js";
import type { PlanState } from "./plan-state.js";
import { isValue, type Planned, unsupported } from "./planned.js";
import type { Scope } from "./scope.js";

/**
 * if: where the condition is one number, both branches are planned, and a run takes one of them. Light scalars, and
 * choices at each index of hidden axes, are computed on both sides. Where the branches do not have the same axes, or
 * one of them depends on cells itself, a run must tell first which is taken.
 */
export function select(node: NodeOf<"select">, state: PlanState, scope: Scope): Planned {
  const condition = scope.get(node.condition);
  if (condition === undefined || !isValue(condition)) return condition ?? unsupported("no condition");
  if (node.condition.depends === 0 && !scope.isBody) {
    const branch = chosenBranch(node, condition, state);
    if (branch !== undefined) {
      state.refusals.take(node, branch);
      return scope.get(branch) ?? unsupported("the branch was not planned");
    }
  }
  const [yes, no] = [scope.get(node.yes), scope.get(node.no)];
  if (yes === undefined || no === undefined) return unsupported("a branch was not planned");
  // Where a branch ends the run, it is not computed in vain.
  const isRefusing = state.refusals.isAmong([node.yes, node.no]);
  if ([node.yes, node.no].some((branch) => state.inputs.draws(branch))) {
    // At which index, or in which of many runs at once, a branch is the first to draw is for the reference to tell.
    if (condition.axes.length > 0) return unsupported("random numbers at some indexes, or of some runs");
    // What the other branch shares with the rest of the program comes after those of the branch that is taken.
    return requestTruth(node, condition, state, scope);
  }
  if (condition.axes.length > 0 || (isLight(node) && !isRefusing)) {
    if (isRefusing) return unsupported("a branch that may refuse, from index to index");
    const isUniform =
      isValue(yes) && isValue(no) && (node.type.isScalar || (node.type.isDense && node.type.isBound));
    if (isUniform) return combined({ op: "select" }, [condition, yes, no]);
    if (condition.axes.length > 0) return unsupported("branches that differ from index to index");
  }
  return branchValue(node, condition, yes, no, state) ?? requestTruth(node, condition, state, scope);
}

/** The branch that an outcome, or a constant condition, says is taken. */
function chosenBranch(
  node: NodeOf<"select">,
  condition: Value,
  state: PlanState,
): NodeOf<"select">["yes"] | undefined {
  if (condition.source.kind === "constant") return condition.source.value !== 0 ? node.yes : node.no;
  if (condition.axes.length > 0) return undefined;
  const truth = state.requests.outcome(truthOf(node, condition, state), node);
  return truth === undefined ? undefined : truth ? node.yes : node.no;
}

const truthOf = (node: NodeOf<"select">, condition: Value, { storage }: PlanState) => {
  const { access } = storage.store(condition, "double", node.span).source;
  return { kind: "truth", node, access } as const;
};

function requestTruth(node: NodeOf<"select">, condition: Value, state: PlanState, scope: Scope): Planned {
  if (node.condition.depends !== 0 || scope.isBody)
    return unsupported("branches of different layouts in a body");
  return { kind: "pending", request: truthOf(node, condition, state) };
}

/** A buffer that one of two branches computes; absent where they differ in their axes. */
function branchValue(
  node: NodeOf<"select">,
  condition: Value,
  yes: Planned,
  no: Planned,
  state: PlanState,
): Value | undefined {
  if (!isBranch(yes) || !isBranch(no)) return undefined;
  const model = isValue(yes) ? yes : isValue(no) ? no : undefined;
  if (model === undefined) return undefined;
  const axes = [...model.axes].sort(byStorage);
  if ([yes, no].some((each) => isValue(each) && !hasSameAxes(each.axes, axes))) return undefined;
  const { storage, refusals } = state;
  const [ofYes, ofNo] = [refusals.required([node.yes]), refusals.required([node.no])];
  const producer = {
    kind: "branch",
    condition: storage.store(condition, "double", node.span).source.access,
    yes: branchOf(yes, axes, ofYes),
    no: branchOf(no, axes, ofNo),
  } as const;
  const buffer = storage.buffer(node.type.cellType, cellsIn(axes), producer, node.span);
  // A branch refuses by itself, or by a choice within it.
  if (!isValue(yes) || !isValue(no) || ofYes.length > 0 || ofNo.length > 0) refusals.add(node, buffer);
  return wholeBuffer(buffer, axes);
}

const isBranch = (planned: Planned): planned is Value | Refused =>
  isValue(planned) || planned.kind === "refused";

/** A branch that computes cells along axes, which are those of its value, in the order of storage. */
export function branchOf(
  branch: Value | Refused,
  axes: readonly Axis[],
  required: readonly Buffer[],
): Branch {
  if (!isValue(branch)) return branch;
  const { source } = viewed(axes, branch.source, imagesAmong(branch.axes, axes));
  const strides = storageOf(axes).sortedStrides;
  return { kind: "loop", axes: loopAxes(axes), source, offset: 0, strides, required };
}

function hasSameAxes(left: readonly Axis[], right: readonly Axis[]): boolean {
  return (
    left.length === right.length &&
    left.every((axis) =>
      right.some(
        (other) =>
          other.size === axis.size &&
          other.factor?.index === axis.factor?.index &&
          namesOf(other).join() === namesOf(axis).join(),
      ),
    )
  );
}
