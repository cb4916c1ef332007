import { inputsOf, type Node, visit } from "../language/core/operations.js";
import type { Span } from "../language/source/span.js";

/** How far a run is, for whoever waits for it. */
export interface Progress {
  /** The expression that is being computed. */
  readonly span: Span;
  /** Elementary steps so far. */
  readonly steps: number;
  /** How many operations have a value, of all that the results are made of; a branch that is not taken never has one. */
  readonly done: number;
  readonly operations: number;
}

/** What a run that lets other work go on can be given. */
export interface RunOptions {
  /** Ends the run, soon after it is aborted, with the problem `limit/cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Is told every few milliseconds how far the run is. */
  readonly progress?: ((at: Progress) => void) | undefined;
}

/** How many operations of their own these values are made of; what belongs to a generator or a lambda is not. */
export function operationsOf(roots: readonly Node[]): number {
  const seen = new Set<Node>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    if (node.depends === 0) seen.add(node);
    open.push(...visit(inputsOf, node).filter((each) => !seen.has(each)));
  }
  return seen.size;
}
