import { inputsOf, type Node, type NodeOf, visit } from "../../../../language/core/operations.js";
import type { Buffer } from "../../values/value.js";
import { unconditionalInputs } from "../dependencies.js";

/**
 * Nodes that end a run which lacks an input. Their buffers are computed even where nothing reads a cell of them: for the
 * results of a run, and for the branch of a choice that stands around them.
 */
export class Refusals {
  private readonly buffers = new Map<Node, Buffer>();
  private readonly takenBranches = new Map<Node, Node>();
  /** Nodes that are computed from nothing that refuses, as far as the plan has come. */
  private readonly safe = new Set<Node>();

  /** `fallbacksOf` tells what stands for an input that is absent. */
  constructor(private readonly fallbacksOf: (node: NodeOf<"input">) => readonly Node[]) {}

  add(node: Node, buffer: Buffer): void {
    this.buffers.set(node, buffer);
    this.safe.clear();
  }

  /** Says that all runs of the plan take this branch of a choice. */
  take(choice: Node, branch: Node): void {
    this.takenBranches.set(choice, branch);
  }

  /** Whether all runs of the plan take the same branch of a choice. */
  isTaken(choice: Node): boolean {
    return this.takenBranches.has(choice);
  }

  /** Whether one of these, or anything that they are computed from in any branch, may end the run. */
  isAmong(nodes: readonly Node[]): boolean {
    if (this.buffers.size === 0) return false;
    const open = nodes.filter((node) => !this.safe.has(node));
    const seen = new Set(open);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (this.buffers.has(node)) return true;
      for (const input of visit(inputsOf, node)) {
        if (seen.has(input) || this.safe.has(input)) continue;
        seen.add(input);
        open.push(input);
      }
    }
    for (const node of seen) this.safe.add(node);
    return false;
  }

  /** The buffers that must be computed for these nodes, of what no choice avoids. */
  required(nodes: readonly Node[]): readonly Buffer[] {
    if (this.buffers.size === 0) return [];
    return unconditionalNodes(nodes, (node) => this.neededBy(node)).flatMap(
      (node) => this.buffers.get(node) ?? [],
    );
  }

  /** Of what a node depends on, that which may be computed before the node: it is needed in any case, or ends no run. */
  safeAmong(dependencies: readonly Node[], node: Node): readonly Node[] {
    if (!this.isAmong(dependencies)) return dependencies;
    const needed = new Set(unconditionalNodes([node]));
    return dependencies.filter((each) => needed.has(each) || !this.isAmong([each]));
  }

  /** What a run of the plan computes for a node in any case. */
  neededBy(node: Node): readonly Node[] {
    if (node.op === "input") return this.fallbacksOf(node);
    const branch = this.takenBranches.get(node);
    return branch === undefined ? unconditionalInputs(node) : [...unconditionalInputs(node), branch];
  }
}

/** The nodes that some nodes need whichever branches of choices are taken; they are among them. */
export function unconditionalNodes(
  nodes: readonly Node[],
  inputs: (node: Node) => readonly Node[] = unconditionalInputs,
): readonly Node[] {
  const open: Node[] = [...nodes];
  const seen = new Set<Node>(open);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const input of inputs(node)) {
      if (!seen.has(input)) open.push(input);
      seen.add(input);
    }
  }
  return [...seen];
}
