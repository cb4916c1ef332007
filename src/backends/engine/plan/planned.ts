import type { Node } from "../../../language/core/operations.js";
import type { LabelIndex } from "../../../language/values/labels/label-index.js";
import type { BufferAccess, ReferenceCall, Refused, Value } from "../values/value.js";

/** What comes of planning a node. All of it is data: nothing is thrown to say that a plan cannot go on. */
export type Planned = Value | Unsupported | Pending | Refused;

/** The engine has no way of its own for this: the reference computes the node, or one around it. */
export interface Unsupported {
  readonly kind: "unsupported";
  readonly reason: string;
}

/** The plan depends on cells, and continues when a run has reported the outcome. */
export interface Pending {
  readonly kind: "pending";
  readonly request: Request;
}

/** What a plan must know of cells; nodes are closed, so that each has one outcome in a run. */
export type Request =
  /**
   * Whether the condition of a choice holds. The node is the choice: another with the same condition may need no outcome,
   * and then is planned without it, whatever is known.
   */
  | { readonly kind: "truth"; readonly node: Node; readonly access: BufferAccess }
  /** The label that a number means. */
  | { readonly kind: "label"; readonly node: Node; readonly access: BufferAccess }
  /** Which cells along the only axis are not 0. */
  | { readonly kind: "rows"; readonly node: Node; readonly access: BufferAccess; readonly rows: number }
  /** The sizes and labels of what the reference finds. */
  | { readonly kind: "tensor"; readonly node: Node; readonly call: ReferenceCall };

export interface TensorOutcome {
  readonly sizes: readonly number[];
  readonly index: LabelIndex | undefined;
}

/** What a request is answered with. */
export interface OutcomeOf {
  readonly truth: boolean;
  readonly label: string;
  readonly rows: Int32Array;
  readonly tensor: TensorOutcome;
}

export type RequestKind = Request["kind"];
export type Outcome = OutcomeOf[RequestKind];

export interface Resolved {
  readonly kind: RequestKind;
  readonly node: Node;
  readonly outcome: Outcome;
}

/** The outcomes of requests so far, in the order of the stages that they end. */
export class Outcomes {
  constructor(readonly resolved: readonly Resolved[] = []) {}

  of<K extends RequestKind>(kind: K, node: Node): OutcomeOf[K] | undefined {
    const found = this.resolved.find((each) => each.kind === kind && each.node === node);
    return found?.outcome as OutcomeOf[K] | undefined; // an outcome is of its request's kind
  }

  with(request: Request, outcome: Outcome): Outcomes {
    return new Outcomes([...this.resolved, { kind: request.kind, node: request.node, outcome }]);
  }
}

export const unsupported = (reason: string): Unsupported => ({ kind: "unsupported", reason });

export const isValue = (planned: Planned): planned is Value => "axes" in planned;

export const isUnsupported = (planned: object): planned is Unsupported =>
  "kind" in planned && planned.kind === "unsupported";
