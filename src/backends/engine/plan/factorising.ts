import type { Node, NodeOf } from "../../../language/core/operations.js";
import type { Span } from "../../../language/source/span.js";
import type { CellArray, CellType } from "../../../language/types/cell.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { Slot, Step } from "../loop.js";
import { byStorage, indexedAxis, isHidden, placesAmong } from "./axes.js";
import { multiplied } from "./contracting.js";
import { combined, spread } from "./elementwise.js";
import type { Planner } from "./planner.js";
import type { PlanSlot } from "./recorder.js";
import { summedOver } from "./reducing.js";
import type { Scope } from "./scope.js";
import { type Axis, cellsIn, computed, constant, namesOf, type Source, stored, type Value } from "./value.js";

/**
 * Sums of products of three dense tensors and more: `sum(a * b * c, y, z)` is `sum(sum(a * b, y) * c, z)` where a and b
 * alone have y, which takes as many products as pairs have instead of as many as all have together.
 *
 * That is the same number only while nothing becomes infinite or vanishes on the way, in whichever order it is
 * multiplied. So a step looks at the factors first: if each cell is 0 or of a middling size, no product of them leaves
 * the range of its type. Otherwise another step computes the sum as it is written.
 */

const [fewest, most] = [3, 6];

/** So few products are not worth three steps more. */
const worthwhile = 20_000;

const known = new WeakMap<Node, readonly Node[]>();
const none: readonly Node[] = [];

/** The factors of the product that a sum is over, if there are enough of them, and all are dense; otherwise none. */
export function factorsOf(node: Node): readonly Node[] {
  if (node.op !== "reduce" || node.aggregator !== "sum" || node.depends !== 0) return none;
  const before = known.get(node);
  if (before !== undefined) return before;
  const found = multiplicands(node.tensor, node.type.cellType);
  const isFit = found.length >= fewest && found.length <= most && found.every(({ type }) => type.isDense);
  const factors = isFit ? found : none;
  known.set(node, factors);
  return factors;
}

/** What is multiplied, from the left to the right, by joins of this cell type; not more than too many. */
function multiplicands(root: Node, cellType: CellType): readonly Node[] {
  const found: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined && found.length <= most; node = open.pop()) {
    if (isProduct(node, cellType)) open.push(node.right, node.left);
    else found.push(node);
  }
  return found;
}

const isProduct = (node: Node, cellType: CellType): node is NodeOf<"join"> =>
  multiplied(node) && node.type.cellType === cellType;

/** The sum, if it is worth taking it apart. The factors are known in the scope. */
export function factorised(node: NodeOf<"reduce">, planner: Planner, scope: Scope): Value | undefined {
  const factors = factorsOf(node);
  if (factors.length === 0) return undefined;
  const values = factors.map((factor) => scope.value(factor));
  const { type, span } = node;
  const axes = commonAxes(values);
  if (axes === undefined || axes.length > 30 || cellsIn(axes) < worthwhile) return undefined;
  const sizeOf = (name: string): number | undefined => axes.find((axis) => axis.name === name)?.size;
  // A type that promises more cells than the overlap has wants zeros there.
  if (node.tensor.type.indexed.some(({ name, size }) => size !== undefined && size !== sizeOf(name)))
    return undefined;
  const isKept = (axis: Axis): boolean => type.dimension(namesOf(axis)[0] ?? "") !== undefined;
  const order = orderOf(values, axes, isKept);
  const looks = values.reduce((cells, value) => cells + cellsBehind(value), 0);
  if ((order.cost + looks) * 4 > cellsIn(axes)) return undefined;

  const given = values.map((value, at) => planner.store(value, readable(factors[at]?.type.cellType), span));
  const verdict = lookedAt(planner, given, type.cellType, span);
  const kept = axes.filter(isKept);
  const strides = stridesOf(kept.map(({ size }) => size));
  const slot = planner.slot(type.cellType, cellsIn(kept), span);
  const target = { slot, cellType: type.cellType, offset: 0, steps: strides };
  const sum = inPairs(planner, given, order, axes, span);
  // A sum is never -0, which a product may be.
  const apart = combined(planner, { op: "apply", function: "add" }, [sum, constant(0)], span);
  const around = kept.map(({ size }) => ({ size, isReduced: false }));
  planner.loop({ axes: around, target }, spread(apart, kept).source, slot, span);

  const all = [...kept, ...axes.filter((axis) => !isKept(axis))];
  const whole = asWritten(
    node.tensor,
    new Map(factors.map((factor, at) => [factor, given[at]])),
    all,
    type.cellType,
  );
  const loop = {
    axes: all.map((axis) => ({ size: axis.size, isReduced: !isKept(axis) })),
    target: { ...target, steps: all.map((_, at) => strides[at] ?? 0) },
    aggregator: "sum",
  } as const;
  const isNeeded = (): boolean => Number(verdict.block.cells[0]) === 0;
  const step = unless(isNeeded, () => planner.stepOf(loop, whole).step);
  planner.recorder.add(step, span, [verdict, ...slotsOf(given)], slot);
  return { axes: kept, source: stored(target) };
}

/** The axes that any value has, in the order of storage; nothing where one is of mapped labels, or has no cell. */
function commonAxes(values: readonly Value[]): readonly Axis[] | undefined {
  const sizes = new Map<string, number>();
  for (const { axes } of values)
    for (const axis of axes) {
      if (axis.factor !== undefined || isHidden(axis)) return undefined;
      sizes.set(axis.name, Math.min(axis.size, sizes.get(axis.name) ?? axis.size));
    }
  if ([...sizes.values()].includes(0)) return undefined;
  return [...sizes].map(([name, size]) => indexedAxis(name, size)).sort(byStorage);
}

/** How a product of some factors is taken apart: into two products, or, where it is of one factor, not at all. */
interface Order {
  /** How many products it takes. */
  readonly cost: number;
  /** The axes that are left when all that nothing else has is summed over: bit 0 for the first. */
  readonly axes: number;
  /** The factors: bit 0 for the first. */
  readonly factors: number;
  readonly parts?: readonly [Order, Order];
}

/** The order that takes the fewest products, of all that there are. */
function orderOf(values: readonly Value[], axes: readonly Axis[], isKept: (axis: Axis) => boolean): Order {
  const bitOf = new Map(axes.map((axis, at) => [axis.name, 1 << at]));
  const kept = axes.reduce((bits, axis, at) => (isKept(axis) ? bits | (1 << at) : bits), 0);
  const own = values.map(({ axes }) => axes.reduce((bits, { name }) => bits | (bitOf.get(name) ?? 0), 0));
  const axesOf = (factors: number): number =>
    own.reduce((bits, each, at) => ((factors >> at) & 1 ? bits | each : bits), 0);
  const cells = (bits: number): number =>
    axes.reduce((product, { size }, at) => ((bits >> at) & 1 ? product * size : product), 1);
  const all = (1 << values.length) - 1;
  const best: Order[] = [];
  // Every part of a set of factors is a smaller number than the set.
  for (let factors = 1; factors <= all; factors++) {
    const needed = kept | axesOf(all & ~factors);
    const isOne = (factors & (factors - 1)) === 0;
    const alone = axesOf(factors);
    // What one factor alone has is summed over before it is multiplied.
    const cost = (alone & ~needed) === 0 ? 0 : cells(alone);
    let found: Order | undefined = isOne ? { cost, axes: alone & needed, factors } : undefined;
    for (let some = (factors - 1) & factors; some > 0; some = (some - 1) & factors) {
      const [left, right] = [best[some], best[factors & ~some]];
      if (left === undefined || right === undefined || some < (factors & ~some)) continue;
      const around = left.axes | right.axes;
      const cost = left.cost + right.cost + cells(around);
      if (found === undefined || cost < found.cost)
        found = { cost, axes: around & needed, factors, parts: [right, left] };
    }
    if (found !== undefined) best[factors] = found;
  }
  return best[all] ?? { cost: Number.POSITIVE_INFINITY, axes: 0, factors: all };
}

/** Products of two, each summed over all that nothing else has. */
function inPairs(
  planner: Planner,
  values: readonly Value[],
  order: Order,
  axes: readonly Axis[],
  span: Span,
): Value {
  const isLeft = (axis: Axis): boolean => ((order.axes >> placeOf(axis, axes)) & 1) === 1;
  const summed = (value: Value): Value =>
    value.axes.every(isLeft)
      ? value
      : planner.store(
          summedOver(planner, value, (axis) => !isLeft(axis), span),
          "double",
          span,
        );
  if (order.parts === undefined) return summed(values[31 - Math.clz32(order.factors)] ?? constant(0));
  const [left, right] = order.parts.map((part) => inPairs(planner, values, part, axes, span));
  if (left === undefined || right === undefined) throw new Error("a product has two sides");
  const names = new Set([...left.axes, ...right.axes].map(({ name }) => name));
  const product = productOf(
    axes.filter(({ name }) => names.has(name)),
    left,
    right,
  );
  return planner.store(summed(product), "double", span);
}

const placeOf = (axis: Axis, among: readonly Axis[]): number =>
  among.findIndex(({ name }) => name === axis.name);

function productOf(axes: readonly Axis[], left: Value, right: Value): Value {
  const inputs = [left, right].map((value) => ({
    source: value.source,
    places: placesAmong(value.axes, axes),
  }));
  return computed(axes, { op: "apply", function: "multiply" }, inputs);
}

/** The whole product at every place of all axes, in the order in which it is written, rounded as it is. */
function asWritten(
  node: Node,
  factors: ReadonlyMap<Node, Value | undefined>,
  axes: readonly Axis[],
  cellType: CellType,
): Source {
  const value = factors.get(node);
  if (value !== undefined) return spread(value, axes).source;
  if (node.op !== "join") return constant(0).source;
  const [left, right] = [node.left, node.right].map((side) => ({
    axes,
    source: asWritten(side, factors, axes, cellType),
  }));
  const product = productOf(axes, left as Value, right as Value); // there are two sides
  if (cellType === "double") return product.source;
  return computed(axes, { op: "store", cellType }, [{ source: product.source, places: undefined }]).source;
}

/** The type in which cells can be looked at one by one. */
const readable = (cellType: CellType = "double"): CellType =>
  cellType === "bfloat16" || cellType === "half" || cellType === "long" ? "double" : cellType;

const slotsOf = (values: readonly Value[]): readonly Slot[] =>
  values.flatMap(({ source }) => (source.kind === "stored" ? [source.access.slot] : []));

/** How many cells there are to look at: of a view those of all that it is a view of. */
const cellsBehind = ({ axes, source }: Value): number =>
  source.kind === "stored" ? source.access.slot.block.length : cellsIn(axes);

/** A cell that says whether all products of the factors stay within the range of their type: 1 if they do, otherwise 0. */
function lookedAt(planner: Planner, factors: readonly Value[], cellType: CellType, span: Span): PlanSlot {
  const slot = planner.slot("double", 1, span);
  const reads = slotsOf(factors);
  const largest = 2 ** Math.floor((cellType === "double" ? 900 : 110) / factors.length);
  const work = reads.reduce((sum, { block }) => sum + block.length, 0);
  const says = `whether ${work} cells are of middling size`;
  const run = (): void => {
    (slot.block.cells as Float64Array)[0] = reads.every(({ block }) => isMiddling(block.cells, largest))
      ? 1
      : 0; // of cell type double
  };
  planner.recorder.add({ extent: 1, work, says, run }, span, reads, slot);
  return slot;
}

function isMiddling(cells: CellArray, largest: number): boolean {
  for (let at = 0; at < cells.length; at++) {
    const size = Math.abs(Number(cells[at]));
    // Not for NaN either.
    if (!(size === 0 || (size >= 1 / largest && size <= largest))) return false;
  }
  return true;
}

/** A step that is run only where it is needed, and made when it first is. */
function unless(isNeeded: () => boolean, make: () => Step): Step {
  let made: Step | undefined;
  const step = (): Step => {
    made ??= make();
    return made;
  };
  return {
    says: "if not, all products as they are written",
    get extent() {
      return isNeeded() ? step().extent : 1;
    },
    get work() {
      return isNeeded() ? step().work : 0;
    },
    run: (from, to) => {
      if (isNeeded()) step().run(from, to);
    },
  };
}
