import type { Node, NodeOf } from "../../../../language/core/operations.js";
import type { OutcomeOf, Outcomes, Request, RequestKind } from "../planned.js";
import { Origins } from "./origins.js";

/** What a plan asks of a run, and what it was told. */
export class Requests {
  /** Requests that had an outcome, in the order in which the plan came to them. */
  readonly resolved: Request[] = [];
  /** The nodes that have their values of what a run tells; of a label that is the slice, and not the number. */
  private readonly asking = new Set<Node>();
  private readonly askedBehind: Origins;

  /** `fallbacksOf` tells what stands for an input that is absent. */
  constructor(
    private readonly outcomes: Outcomes,
    fallbacksOf: (node: NodeOf<"input">) => readonly Node[],
  ) {
    this.askedBehind = new Origins((node) => this.asking.has(node), fallbacksOf);
  }

  /** The outcome of a request, on which the value of a node depends; absent where no run has told it yet. */
  outcome<K extends RequestKind>(
    request: Extract<Request, { kind: K }>,
    node: Node,
  ): OutcomeOf[K] | undefined {
    const outcome = this.outcomes.of<K>(request.kind as K, request.node); // by the type of the request
    if (outcome === undefined) return undefined;
    this.resolved.push(request);
    this.asking.add(node);
    return outcome;
  }

  /** Says that a node has no value before a run has told something. */
  ask(node: Node): void {
    this.asking.add(node);
  }

  /** Whether a run tells something before it has the value of a node that was planned, in an earlier stage or a later one. */
  isBehind(node: Node): boolean {
    return this.asking.size > 0 && this.askedBehind.has(node);
  }
}
