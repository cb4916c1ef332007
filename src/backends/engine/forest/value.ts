import type { Node } from "../../../language/core/operations.js";
import { type CellArray, type CellType, readCell } from "../../../language/types/cell.js";
import type { Slot, Step } from "../loop.js";
import type { Planner } from "../plan/planner.js";
import type { Scope } from "../plan/scope.js";
import { NoWay } from "../plan/signals.js";
import { stored, type Value } from "../plan/value.js";
import { compiledWalk } from "./compiled-walk.js";
import { forestOf } from "./forest.js";
import { plainWalk } from "./walk.js";

/** A number in memory, and where it goes before trees are walked: among the features, or the leaves. */
interface Gathered {
  readonly slot: Slot;
  readonly cellType: CellType;
  readonly offset: number;
  readonly isLeaf: boolean;
  readonly at: number;
  readonly isNegated: boolean;
}

/** Arrays are packed once more, for made code, when they have been walked so often. */
const worthCompiling = 3;

/** The value of a forest, if a node is one: a step that walks its trees. */
export function forest(node: Node, planner: Planner, scope: Scope): Value | undefined {
  const packed = forestOf(node);
  if (packed === undefined) return undefined;
  const { arena, makesCode } = planner.surroundings;
  const gathered = [
    ...packed.features.map(({ node, isNegated }, at) => ({
      ...found(node, planner, scope),
      isLeaf: false,
      at,
      isNegated,
    })),
    ...packed.given.map(({ node, leaf }) => ({
      ...found(node, planner, scope),
      isLeaf: true,
      at: leaf,
      isNegated: false,
    })),
  ];
  const slot = planner.slot("double", 1, node.span);
  let walk = plainWalk(packed);
  let walked = 0;
  const run = (): void => {
    if (makesCode && walked++ === worthCompiling) walk = compiledWalk(packed, arena) ?? walk;
    const { features, leaves } = walk;
    for (const each of gathered) put(each, each.isLeaf ? leaves : features);
    (slot.block.cells as Float64Array)[0] = walk.run(); // of cell type double
  };
  const decisions = packed.feature.length;
  const says = `forest: ${packed.roots.length} terms, ${decisions} decisions`;
  const step: Step = { extent: 1, work: decisions, says, run };
  const reads = gathered.map((each) => each.slot);
  planner.recorder.add(step, node.span, reads, slot);
  return { axes: [], source: stored({ slot, cellType: "double", offset: 0, steps: [] }) };
}

/** Where the number of a node is. */
function found(node: Node, planner: Planner, scope: Scope): Pick<Gathered, "slot" | "cellType" | "offset"> {
  const value = scope.value(node);
  const isStored = value.source.kind === "stored" && value.axes.length === 0;
  const { source } = isStored ? value : planner.store(value, "double", node.span);
  if (source.kind !== "stored") throw new NoWay();
  const { slot, cellType, offset } = source.access;
  return { slot, cellType, offset };
}

function put({ slot, cellType, offset, at, isNegated }: Gathered, into: Float64Array): void {
  const cells: CellArray = slot.block.cells;
  const number = cells instanceof Float64Array ? (cells[offset] ?? 0) : readCell(cellType, cells, offset);
  into[at] = isNegated ? -number : number;
}
