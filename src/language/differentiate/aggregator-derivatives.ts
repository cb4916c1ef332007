import type { Node } from "../core/operations.js";
import type { AggregatorName } from "../scalar/aggregators.js";
import type { Calculus } from "./calculus.js";

/** A reduction of a tensor over these dimensions, its value and the adjoint of that. */
interface Reduced {
  readonly tensor: Node;
  readonly over: readonly string[];
  readonly value: Node;
  readonly adjoint: Node;
  readonly calculus: Calculus;
  /** A factor of what flows back, and 0 where nothing does. */
  readonly guarded: (factor: Node) => Node;
}

/**
 * The adjoint of the tensor that was reduced. Cells that are alike the largest, the smallest or the middle of their group share
 * the derivative equally. A median of an even number of cells is the mean of the two in the middle, each of which has half.
 */
export const aggregatorDerivatives: Readonly<Record<AggregatorName, (reduced: Reduced) => Node | undefined>> =
  {
    sum: ({ tensor, adjoint, calculus }) => calculus.repeatedAlong(adjoint, tensor),
    avg: ({ tensor, over, adjoint, calculus }) => {
      const count = calculus.reduced(tensor, "count", over);
      return calculus.repeatedAlong(calculus.both(adjoint, count, "x / y"), tensor);
    },
    count: () => undefined,
    prod: (reduced) => productDerivative(reduced),
    max: (reduced) => sharedBy(reduced, reduced.value),
    min: (reduced) => sharedBy(reduced, reduced.value),
    vespaMax: (reduced) => sharedBy(reduced, reduced.value),
    vespaMin: (reduced) => sharedBy(reduced, reduced.value),
    median: (reduced) => {
      const { tensor, over, value, calculus } = reduced;
      const below = calculus.reduced(calculus.both(tensor, value, "if(x <= y, x, -1 / 0)"), "max", over);
      const above = calculus.reduced(calculus.both(tensor, value, "if(x >= y, x, 1 / 0)"), "min", over);
      return calculus.both(sharedBy(reduced, below), sharedBy(reduced, above), "(x + y) / 2");
    },
  };

/**
 * The adjoint, shared by the cells that are the value of their group. It is divided for each group, of which there are fewer than cells;
 * a group without such cells has a value that is no number.
 */
function sharedBy({ tensor, over, adjoint, calculus }: Reduced, value: Node): Node {
  const isValue = calculus.both(tensor, value, "x == y");
  const count = calculus.reduced(isValue, "sum", over);
  const share = calculus.both(adjoint, count, "if(y == 0, 0, x / y)");
  return calculus.both(isValue, share, "if(x == 0, 0, y)");
}

/**
 * The product of the other cells of the group, which is not the value by the cell where that is 0. Cells that are 0 stay factors and
 * summands of it: where up to two of a group are, its own derivative is that of the product of the others, too.
 */
function productDerivative({ tensor, over, adjoint, calculus, guarded }: Reduced): Node {
  const reduced = (aggregator: AggregatorName, text: string): Node =>
    calculus.reduced(calculus.each(tensor, text), aggregator, over);
  const product = reduced("prod", "if(x == 0, 1, x)");
  const otherZero = calculus.both(reduced("sum", "if(x == 0, x, 0)"), tensor, "x - y");
  const otherZeros = calculus.both(otherZero, reduced("sum", "x == 0"), "if(y == 1, 1, if(y == 2, x, 0))");
  const atZeros = calculus.both(otherZeros, product, timesFinite);
  const atOthers = calculus.both(reduced("prod", "if(x == 0, x, 1)"), product, timesFinite);
  const others = calculus.both(
    calculus.both(tensor, atOthers, "if(x == 0, 0, y) / if(x == 0, 1, x)"), // whose derivatives divide by 0 in no branch
    calculus.both(tensor, atZeros, "if(x == 0, y, 0)"),
    "x + y",
  );
  return calculus.both(adjoint, guarded(others), "x * y");
}

/** A product that is 0 where x is, whatever y is. */
const timesFinite = "if(x == 0 && !(abs(y) < 1 / 0), 0, x * y)";
