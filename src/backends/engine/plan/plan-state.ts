import type { Node, NodeOf, Table } from "../../../language/core/operations.js";
import type { Forest } from "../forest/forest.js";
import type { PassFunctions } from "../passes/pass.js";
import type { PassState } from "../passes/pass-state.js";
import type { Hiding } from "../values/axes.js";
import type { ReferenceCall, Value } from "../values/value.js";
import type { Planned } from "./planned.js";
import type { Inputs } from "./runs/inputs.js";
import type { Refusals } from "./runs/refusals.js";
import type { Requests } from "./runs/requests.js";
import type { Scope } from "./scope.js";

/** What the plan of an operation may use of the plan around it. */
export interface PlanState extends PassState {
  readonly passes: PassFunctions;
  /** What becomes of a body in a scope of its own. */
  readonly body: (scope: Scope, root: Node) => Planned;
  /** New names for the axes that a body must not see. */
  readonly hiding: () => Hiding;
  readonly requests: Requests;
  readonly inputs: Inputs;
  readonly constant: (node: NodeOf<"constant">) => Value;
  /** The forest of decision trees that a node is, if it is one. */
  readonly forestOf: (node: Node) => Forest | undefined;
  /** Whether values hold those of many runs, along an axis that no node sees. */
  readonly isBatch: boolean;
  readonly refusals: Refusals;
  /** Nodes that the reference computes, for those who report on a plan. */
  readonly calls: Map<Node, ReferenceCall>;
}

/** How each operation becomes a value. */
export type OperationPlans = Table<[PlanState, Scope], Planned>;
