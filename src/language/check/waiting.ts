import type { Graph } from "../core/graph.js";
import { inputsOf, type Node, visit } from "../core/operations.js";
import type { Substitution } from "../core/rebuild.js";
import type { Span } from "../source/span.js";
import type { TensorType } from "../types/type.js";
import { standInMark } from "./stand-ins.js";

/** A dimension of a node. */
export interface Axis {
  readonly node: Node;
  readonly dimension: string;
}

/** What a value will be computed from that waits for the sizes of the inputs of a run. */
export interface WaitingValue {
  readonly sources: readonly Node[];
  /** Where it is written. */
  readonly span: Span;
  /**
   * Of each dimension of open size those of the sources that have its size, or "unknown" where nothing tells them; absent where a
   * dimension has that of each source which has it, too.
   */
  readonly axes?: ReadonlyMap<string, readonly Axis[] | "unknown"> | undefined;
}

/** The values that wait, by the names of the nodes in their places. */
export type Waiting = ReadonlyMap<string, WaitingValue>;

export const nothingWaits: Waiting = new Map();

/** The value that a node is in the place of, if it is. */
export const waitingValue = (node: Node, waiting: Waiting): WaitingValue | undefined =>
  node.op === "input" ? waiting.get(node.name) : undefined;

/** What a value is computed from; one that waits for sizes, when it has them. */
export const usedBy = (node: Node, waiting: Waiting): readonly Node[] =>
  waitingValue(node, waiting)?.sources ?? visit(inputsOf, node);

/** A node and all that it is computed from, also what waits for the sizes of a run. */
export function below(root: Node, waiting: Waiting = nothingWaits): ReadonlySet<Node> {
  const found = new Set([root]);
  for (const node of found) for (const input of usedBy(node, waiting)) found.add(input);
  return found;
}

/** Nodes in the places of values whose plans depend on the sizes of the inputs of a run. */
export class WaitingValues {
  private readonly values = new Map<string, WaitingValue>();

  constructor(private readonly graph: Graph) {}

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  /** A node in the place of a value; others with the key may be computed from other sources. */
  node(key: string, type: TensorType, { sources, ...value }: WaitingValue): Node {
    const name = `${standInMark}${key}`;
    const before = this.values.get(name)?.sources ?? [];
    this.values.set(name, { ...value, sources: [...new Set([...before, ...sources])] });
    return this.graph.input(name, type, value.span);
  }

  includes(node: Node): boolean {
    return waitingValue(node, this.values) !== undefined;
  }

  /** All of them, with what they are computed from as it is at last; nothing where none waits. */
  resolved(resolve: Substitution): Waiting | undefined {
    if (this.isEmpty) return undefined;
    const axis = ({ node, dimension }: Axis): Axis => ({ node: resolve(node), dimension });
    return new Map(
      Array.from(this.values, ([name, { sources, span, axes }]) => {
        const resolved =
          axes && new Map(Array.from(axes, ([own, of]) => [own, of === "unknown" ? of : of.map(axis)]));
        return [name, { sources: sources.map(resolve), span, ...(resolved && { axes: resolved }) }];
      }),
    );
  }
}
