import { type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { CellType } from "../../../language/types/cell.js";
import type { TensorType } from "../../../language/types/type.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { Meter, Steps } from "../../meter.js";
import type { Arena } from "../arena.js";
import type { Loop, Slot, Step } from "../loop.js";
import { emptyFactor } from "../sparse/factor.js";
import { byStorage, factorAxis, indexedAxis, isHidden } from "./axes.js";
import { bodyOf, Tables } from "./flatten.js";
import { needs } from "./needs.js";
import { operations } from "./operations.js";
import { type PlanSlot, Recorder, type StepWatch } from "./recorder.js";
import { Scope } from "./scope.js";
import { NeedsMore, NotYet, NoWay } from "./signals.js";
import {
  type Axis,
  cellsIn,
  computed,
  constant,
  type Source,
  type Stored,
  stored,
  type Value,
  weightOf,
} from "./value.js";

/** What a plan is made with. */
export interface Surroundings {
  readonly arena: Arena;
  /** Whether code may be made at run time. */
  readonly makesCode: boolean;
  /** Makes a step of every loop. */
  readonly lower: (loop: Loop) => Step;
  readonly meter: Meter;
  /** The value of an input of the program, if the run is given one. */
  readonly input: (node: NodeOf<"input">) => Value | undefined;
  /** What an input is that is not given. @throws SphexError if it has no default. */
  readonly defaultOf: (node: NodeOf<"input">) => Node;
  readonly constant: (node: NodeOf<"constant">) => Value;
  /** Finds the value of a node that no plan can be made for. */
  readonly elsewhere: (node: Node, planner: Planner) => Steps<Value>;
  readonly watch?: StepWatch;
}

/** A loop but for its body. */
export type Around = Omit<Loop, "sources" | "body">;

/**
 * Makes a plan: the values of nodes, and the steps that compute those that must be stored. What a plan looks like depends
 * on the sizes and labels of the inputs, and, if it is not `isReplayable`, on their cells.
 */
export class Planner {
  readonly recorder: Recorder;
  readonly tables: Tables;
  readonly scope = new Scope();
  isReplayable = true;
  /** Stored copies of sources that are computed. */
  private readonly copies = new Map<Source, { sizes: readonly number[]; copy: Stored }[]>();
  private readonly uses = new Map<Node, number>();
  private readonly preparations = new Map<Node, Value>();

  constructor(readonly surroundings: Surroundings) {
    this.recorder = new Recorder(surroundings.arena, surroundings.watch);
    this.tables = new Tables(surroundings.arena);
  }

  /** The value of a closed node, its steps run. */
  *plan(root: Node): Steps<Value> {
    this.count(root);
    const { scope } = this;
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      if (scope.known(node) !== undefined) {
        open.pop();
        continue;
      }
      const before = open.length;
      for (const need of needs(node, scope)) if (scope.known(need) === undefined) open.push(need);
      if (open.length > before) continue;
      const mark = this.recorder.mark;
      try {
        scope.set(node, this.valueIn(scope, node));
      } catch (signal) {
        if (signal instanceof NeedsMore) continue;
        if (signal instanceof NotYet) yield* this.recorder.flush(this.surroundings.meter);
        else if (signal instanceof NoWay) {
          this.recorder.back(mark);
          scope.set(node, yield* this.surroundings.elsewhere(node, this));
        } else throw signal;
        continue;
      }
      if (this.surroundings.meter.spend(1, node.span)) yield;
    }
    yield* this.recorder.flush(this.surroundings.meter);
    const value = scope.known(root);
    if (value === undefined) throw new Error(`node ${root.id} has no value`);
    return value;
  }

  /** The value of a node whose needs are known in the scope, or can be found here and now. */
  valueIn(scope: Scope, node: Node): Value {
    const value = withoutCells(visit(operations, node, this, scope), node.type);
    // What several loops would compute again is stored, unless it is as quickly computed as read.
    const isShared = (this.uses.get(node) ?? 1) > 1 && node.depends === 0;
    if (!isShared || weightOf(value.source) <= 4) return value;
    return this.store(value, node.type.cellType, node.span);
  }

  /** The value of a body in a scope: its needs first. */
  bodyIn(scope: Scope, root: Node): Value {
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      if (scope.known(node) === undefined) {
        const before = open.length;
        for (const need of needs(node, scope)) if (scope.known(need) === undefined) open.push(need);
        if (open.length > before) continue;
        try {
          scope.set(node, this.valueIn(scope, node));
        } catch (signal) {
          if (!(signal instanceof NeedsMore)) throw signal;
          continue;
        }
      }
      open.pop();
    }
    const value = scope.known(root);
    if (value === undefined) throw new NoWay();
    return value;
  }

  /** What is made for a node once, however often the node is tried. */
  once(node: Node, make: () => Value): Value {
    const known = this.preparations.get(node) ?? make();
    this.preparations.set(node, known);
    return known;
  }

  /** How often each node is used by others. */
  private count(root: Node): void {
    const open = [root];
    const seen = new Set<Node>(open);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const input of needs(node, undefined)) {
        this.uses.set(input, (this.uses.get(input) ?? 0) + 1);
        if (!seen.has(input)) open.push(input);
        seen.add(input);
      }
    }
  }

  /** The value with its cells in memory, as this type; one that is there already stays as it is. */
  store({ axes, source }: Value, cellType: CellType, span: Span): Value {
    if (source.kind === "stored" && source.access.cellType === cellType) return { axes, source };
    if (source.kind === "constant") {
      const slot = this.constantSlot(source.value, cellType, span);
      return { axes, source: stored({ slot, cellType, offset: 0, steps: axes.map(() => 0) }) };
    }
    const copies = this.copies.get(source) ?? [];
    const found = copies.find(
      ({ sizes, copy }) =>
        copy.access.cellType === cellType && axes.every(({ size }, at) => size <= (sizes[at] ?? 0)),
    );
    if (found !== undefined) return { axes, source: found.copy };
    const copy = this.fill(axes, source, cellType, span);
    this.copies.set(source, [...copies, { sizes: axes.map(({ size }) => size), copy }]);
    return { axes, source: copy };
  }

  /** Where the cells of a source that is computed were stored, if they were. */
  copyOf(source: Source): Stored | undefined {
    return this.copies.get(source)?.at(-1)?.copy;
  }

  /** New cells for all places of the axes, in the order of storage, computed by a loop. */
  private fill(axes: Value["axes"], source: Source, cellType: CellType, span: Span): Stored {
    const order = [...axes.keys()].sort((a, b) => {
      const [left, right] = [axes[a], axes[b]];
      return left === undefined || right === undefined ? 0 : byStorage(left, right);
    });
    const sizes = order.map((axis) => axes[axis]?.size ?? 1);
    const strides = stridesOf(sizes);
    const slot = this.slot(cellType, cellsIn(axes), span);
    const places = axes.map((_, axis) => ({ axis: order.indexOf(axis) }));
    const placed = computed(axes, { op: "same" }, [{ source, places }]).source;
    this.loop(
      {
        axes: sizes.map((size) => ({ size, isReduced: false })),
        target: { slot, cellType, offset: 0, steps: strides },
      },
      placed,
      slot,
      span,
    );
    return stored({
      slot,
      cellType,
      offset: 0,
      steps: axes.map((_, axis) => strides[order.indexOf(axis)] ?? 0),
    });
  }

  /** Adds a loop that computes a source, whose axes are those of the loop. */
  loop(around: Around, source: Source, slot: PlanSlot, span: Span): void {
    const { step, reads } = this.stepOf(around, source);
    this.recorder.add(step, span, reads, slot);
  }

  /** A loop that computes a source, and the slots that it reads. */
  stepOf(around: Around, source: Source): { readonly step: Step; readonly reads: readonly Slot[] } {
    const body = bodyOf(source, around.axes.length, this.tables);
    const step = this.surroundings.lower({ ...around, sources: body.sources, body: body.instructions });
    return { step, reads: body.sources.map((access) => access.slot) };
  }

  /** Room for cells, if the limits allow so many. */
  slot(cellType: CellType, cells: number, span: Span): PlanSlot {
    this.surroundings.meter.allow(cells, span);
    return this.recorder.slot(cellType, cells);
  }

  private constantSlot(value: number, cellType: CellType, span: Span): PlanSlot {
    const slot = this.slot(cellType, 1, span);
    const around = { axes: [], target: { slot, cellType, offset: 0, steps: [] } };
    this.loop(around, { kind: "constant", value }, slot, span);
    return slot;
  }

  /** The number that a value without axes is in this run. @throws NotYet if it is not computed. */
  number(value: Value, span: Span): number {
    if (value.source.kind === "constant") return value.source.value;
    const { source } = this.store(value, "double", span);
    if (source.kind !== "stored") throw new NoWay();
    if (!this.recorder.isUpToDate) throw new NotYet();
    const { slot, offset } = source.access;
    if (!("isFixed" in slot && slot.isFixed === true)) this.isReplayable = false;
    return Number(slot.block.cells[offset] ?? 0);
  }
}

/**
 * Without a cell nothing tells how far the unbound dimensions of a tensor reach, nor which labels it has; and where one
 * factor has no rows, there are no rows of all factors together, whatever is reduced afterwards.
 */
function withoutCells(value: Value, type: TensorType): Value {
  if (cellsIn(value.axes) > 0) return value;
  const rows = value.axes.filter((axis) => axis.factor !== undefined && !isHidden(axis));
  if (type.isBound && (rows.length < 2 || rows.every(({ size }) => size > 0))) return value;
  const axes = value.axes.map((axis): Axis => {
    if (isHidden(axis)) return axis;
    if (axis.factor !== undefined) return axis.size === 0 ? axis : factorAxis(emptyFactor(axis.factor.names));
    const dimension = type.dimension(axis.name);
    return dimension !== undefined && dimension.size === undefined ? indexedAxis(axis.name, 0) : axis;
  });
  return { axes, source: constant(0).source };
}
