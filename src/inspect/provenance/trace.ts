import type { Clock } from "../../backends/meter.js";
import type { Watch } from "../../backends/reference/evaluation.js";
import type { Node } from "../../language/core/operations.js";

/**
 * A trace of an evaluation: the nodes in the order in which they first got a value, and the time of each, without that of
 * its operands.
 */
export class Trace implements Watch {
  private readonly ended = new Set<Node>();
  private readonly times = new Map<Node, number>();
  private readonly open: Node[] = [];
  private last = 0;

  constructor(private readonly clock?: Clock) {}

  begins(node: Node): void {
    this.charge();
    this.open.push(node);
  }

  ends(node: Node): void {
    this.charge();
    this.open.pop();
    this.ended.add(node);
  }

  /** The nodes so far, also those within lambdas; in the order of their first values. */
  get order(): readonly Node[] {
    return [...this.ended];
  }

  /** Milliseconds, if there is a clock. */
  time(node: Node): number | undefined {
    return this.clock === undefined ? undefined : (this.times.get(node) ?? 0);
  }

  /** The milliseconds of all nodes together. */
  get total(): number | undefined {
    return this.clock === undefined
      ? undefined
      : [...this.times.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Adds the time since the last call to the node that was being evaluated. */
  private charge(): void {
    if (this.clock === undefined) return;
    const now = this.clock();
    const node = this.open.at(-1);
    if (node !== undefined) this.times.set(node, (this.times.get(node) ?? 0) + now - this.last);
    this.last = now;
  }
}
