import type { Node } from "../../../core/operations.js";
import { type CellArray, type CellType, readCell } from "../../../types/cell.js";
import type { Slot, Step } from "../loop.js";
import type { Planner } from "../plan/planner.js";
import type { Scope } from "../plan/scope.js";
import { NoWay } from "../plan/signals.js";
import { stored, type Value } from "../plan/value.js";
import { forestOf } from "./forest.js";
import type { Packed } from "./packing.js";

/** A number in memory, and where it goes before trees are walked. */
interface Gathered {
  readonly slot: Slot;
  readonly cellType: CellType;
  readonly offset: number;
  readonly into: Float64Array;
  readonly at: number;
  readonly isNegated: boolean;
}

/** The value of a forest, if a node is one: a step that walks its trees. */
export function forest(node: Node, planner: Planner, scope: Scope): Value | undefined {
  const packed = forestOf(node);
  if (packed === undefined) return undefined;
  const features = new Float64Array(packed.features.length);
  const leaves = packed.leaves.slice();
  const gathered = [
    ...packed.features.map(({ node, isNegated }, at) =>
      gather(node, planner, scope, features, at, isNegated),
    ),
    ...packed.given.map(({ node, leaf }) => gather(node, planner, scope, leaves, leaf, false)),
  ];
  const slot = planner.slot("double", 1, node.span);
  const { cells } = slot.block;
  if (!(cells instanceof Float64Array)) throw new NoWay();
  const decisions = packed.feature.length;
  const step: Step = {
    extent: 1,
    work: decisions,
    says: `forest: ${packed.roots.length} terms, ${decisions} decisions`,
    run: () => {
      for (const each of gathered) put(each);
      (slot.block.cells as Float64Array)[0] = walk(packed, features, leaves); // of cell type double
    },
  };
  planner.recorder.add(
    step,
    node.span,
    gathered.map((each) => each.slot),
    slot,
  );
  return { axes: [], source: stored({ slot, cellType: "double", offset: 0, steps: [] }) };
}

function gather(
  node: Node,
  planner: Planner,
  scope: Scope,
  into: Float64Array,
  at: number,
  isNegated: boolean,
): Gathered {
  const value = scope.value(node);
  const isStored = value.source.kind === "stored" && value.axes.length === 0;
  const { source } = isStored ? value : planner.store(value, "double", node.span);
  if (source.kind !== "stored") throw new NoWay();
  const { slot, cellType, offset } = source.access;
  return { slot, cellType, offset, into, at, isNegated };
}

function put({ slot, cellType, offset, into, at, isNegated }: Gathered): void {
  const cells: CellArray = slot.block.cells;
  const number = cells instanceof Float64Array ? (cells[offset] ?? 0) : readCell(cellType, cells, offset);
  into[at] = isNegated ? -number : number;
}

/** The sum of all terms from the first; -0 is what changes none that it is added to. */
function walk(
  { feature, threshold, next, roots }: Packed,
  features: Float64Array,
  leaves: Float64Array,
): number {
  let sum = -0;
  for (let term = 0; term < roots.length; term++) {
    let at = roots[term] as number; // there is one for each term, and all that it leads to is there
    while (at >= 0) {
      const isBelow = (features[feature[at] as number] as number) < (threshold[at] as number);
      at = next[2 * at + (isBelow ? 1 : 0)] as number;
    }
    sum += leaves[~at] as number;
  }
  return sum;
}
