import type { Node, NodeOf } from "../../../language/core/operations.js";
import { stridesOf } from "../../../language/values/shape.js";
import type { Step } from "../loop.js";
import { contract } from "../sparse/contraction.js";
import { type Blocks, type Numbers, sumProducts } from "../sparse/summing.js";
import { factorAxis, isHidden } from "./axes.js";
import type { Planner } from "./planner.js";
import type { PlanSlot } from "./recorder.js";
import type { Scope } from "./scope.js";
import { NoWay } from "./signals.js";
import { type Axis, constant, type FactorAxis, type Stored, stored, type Value } from "./value.js";

/** How many products are made between two chances to pause. */
const productsAtOnce = 1_000_000;

/** The join of two tensors' products, if that is what a sum is over. */
export function summedProduct(node: Node): NodeOf<"join"> | undefined {
  if (node.op !== "reduce" || node.aggregator !== "sum") return undefined;
  return multiplied(node.tensor) ? node.tensor : undefined;
}

/** Whether a node is the product of two tensors and nothing else. */
export function multiplied(node: Node): node is NodeOf<"join"> {
  if (node.op !== "join") return false;
  const { body } = node.lambda;
  if (body.op !== "apply" || body.function !== "multiply") return false;
  const [x, y] = body.arguments;
  return x?.op === "parameter" && y?.op === "parameter" && x.position !== y.position;
}

/**
 * The sum over products of sparse tensors that share only some of their dimensions, without the rows of their join, of
 * which there may be far more than of either tensor. Nothing where the tensors are not such.
 */
export function contracted(node: NodeOf<"reduce">, planner: Planner, scope: Scope): Value | undefined {
  const product = summedProduct(node);
  if (product === undefined || node.over.length === 0) return undefined;
  const [left, right] = [onlyRows(scope.value(product.left)), onlyRows(scope.value(product.right))];
  if (left === undefined || right === undefined) return undefined;
  const names = [left.factor.names, right.factor.names] as const;
  const shared = names[0].filter((name) => names[1].includes(name));
  const isPartial = shared.length > 0 && names.some((each) => each.length > shared.length);
  if (!isPartial) return undefined;
  const { span, type } = node;
  const { meter } = planner.surroundings;
  const kept = type.mapped.map(({ name }) => name);
  const contraction = contract(
    left.factor,
    right.factor,
    kept,
    (rows) => meter.allow(rows, span, rows),
    (products) => meter.allowProduced(products, span),
  );
  const axes: Axis[] = kept.length === 0 ? [] : [factorAxis(contraction.factor)];
  const { rows } = contraction.factor.index;
  // Where nothing matches and nothing is kept, there are no cells to add up (D6).
  if (kept.length === 0 && rows === 0) return { axes, source: constant(0).source };
  const [ofLeft, ofRight] = [cellsOf(planner, product.left, left), cellsOf(planner, product.right, right)];
  const slot = planner.slot(type.cellType, Math.max(rows, 1), span);
  const isFloat = product.type.cellType === "float";
  const parts = Math.max(1, Math.min(contraction.groups, Math.ceil(contraction.products / productsAtOnce)));
  const groupOf = (part: number): number => Math.floor((part * contraction.groups) / parts);
  const step: Step = {
    extent: parts,
    work: contraction.products * 2,
    says: `sparse contraction: ${contraction.products} products into ${rows} rows`,
    run: (from, to) => {
      const target = { cells: numbersIn(slot), start: 0, row: 1, step: 0 };
      const [leftBlocks, rightBlocks] = [blocksOf(ofLeft), blocksOf(ofRight)];
      const summing = { left: leftBlocks, right: rightBlocks, target, block: 1, isFloat };
      sumProducts(contraction, summing, groupOf(from), groupOf(to));
    },
  };
  planner.recorder.add(step, span, [ofLeft.access.slot, ofRight.access.slot], slot);
  const steps = stridesOf(axes.map(({ size }) => size));
  return { axes, source: stored({ slot, cellType: type.cellType, offset: 0, steps }) };
}

interface Rows extends FactorAxis {
  readonly value: Value;
}

/** A value of nothing but the rows of one factor. */
function onlyRows(value: Value): Rows | undefined {
  const [axis, other] = value.axes;
  if (axis?.factor === undefined || other !== undefined || isHidden(axis)) return undefined;
  return { ...axis, value };
}

/** The cells in memory, as numbers rather than as bits of numbers. */
function cellsOf(planner: Planner, { type, span }: Node, { value }: Rows): Stored {
  const { cellType } = type;
  const isBits = cellType === "bfloat16" || cellType === "half" || cellType === "long";
  const { source } = planner.store(value, isBits ? "double" : cellType, span);
  if (source.kind !== "stored" || source.access.steps.some((step) => typeof step !== "number"))
    throw new NoWay();
  return source;
}

const numbersIn = ({ block }: PlanSlot | Stored["access"]["slot"]): Numbers => block.cells as Numbers; // no bits, as was seen

function blocksOf({ access }: Stored): Blocks {
  return { cells: numbersIn(access.slot), start: access.offset, row: Number(access.steps[0] ?? 1), step: 0 };
}
