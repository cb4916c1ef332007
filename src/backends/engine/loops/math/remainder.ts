import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { and, integer } from "./bits.js";

/**
 * The remainder of a division, which is always a number of its form, found exactly. While the quotient is below a limit, its whole
 * part q is off by one at most, and what is left of x when q·y is subtracted is exact where q and y are taken in halves,
 * whose products are. Where it is above, multiples of y that are near enough to x come first.
 */
interface RemainderTable {
  /** The bits of the upper half of a number. */
  readonly upper: number;
  /** The quotients that are small enough are below. */
  readonly limit: number;
}

const double: RemainderTable = { upper: -(2 ** 27), limit: 2 ** 50 };
const float: RemainderTable = { upper: -(2 ** 12), limit: 2 ** 21 };

/** The remainder of x / y with the sign of x, as % of JavaScript: NaN of infinity and of a division by 0, x of a division of a number by infinity. */
export function remainder(n: Numbers, value: StackValue, divisor: StackValue): StackValue {
  const x = n.bind(value);
  const y = n.bind(n.unary("abs", divisor));
  const infinity = n.constant(Number.POSITIVE_INFINITY);
  const size = n.bind(n.unary("abs", x));
  const hasRemainder = n.both(n.compare("lt", size, infinity), n.compare("gt", y, n.constant(0)));
  const rest = n.scope.take(n.type);
  n.scope.set(rest, n.choose(hasRemainder, size, n.constant(Number.NaN)));
  const multiple = greatestMultiple(n, y, n.scope.local(rest));
  const { code } = n.scope;
  code.loop(() => {
    const current = n.scope.local(multiple);
    n.scope.set(rest, lessMultiples(n, n.scope.local(rest), current));
    const isBeyond = n.bindMask(n.compare("gt", current, y));
    n.scope.set(multiple, n.choose(isBeyond, n.multiply(current, n.constant(1 / tableOf(n).limit)), y));
    isBeyond.push();
    code.do("v128.any_true").branchIf();
  });
  return n.withSign(n.scope.local(rest), x);
}

const tableOf = ({ isDouble }: Numbers): RemainderTable => (isDouble ? double : float);

/** A local with the greatest multiple of y by a power of the limit that is not above a number, or with y. */
function greatestMultiple(n: Numbers, y: StackValue, most: StackValue): number {
  const { code } = n.scope;
  const multiple = n.scope.take(n.type);
  n.scope.set(multiple, y);
  code.loop(() => {
    const current = n.scope.local(multiple);
    const next = n.bind(n.multiply(current, n.constant(tableOf(n).limit)));
    const isWithin = n.bindMask(n.compare("le", next, most));
    n.scope.set(multiple, n.choose(isWithin, next, current));
    isWithin.push();
    code.do("v128.any_true").branchIf();
  });
  return multiple;
}

/** What is left of a number when another was subtracted from it as often as it fits, less often than the limit. */
function lessMultiples(n: Numbers, rest: StackValue, y: StackValue): StackValue {
  const { upper } = tableOf(n);
  const quotient = n.bind(n.unary("floor", n.divide(rest, y)));
  const [yHigh, yLow] = halvesOf(n, y, upper);
  const [high, low] = halvesOf(n, quotient, upper);
  const products = [
    [yHigh, high],
    [yHigh, low],
    [yLow, high],
    [yLow, low],
  ] as const;
  const left = products.reduce(
    (sum: StackValue, [factor, times]) => n.subtract(sum, n.multiply(factor, times)),
    rest,
  );
  const found = n.bind(left);
  const isBeyond = n.compare("lt", found, n.constant(0));
  const within = n.choose(isBeyond, n.add(found, y), found);
  return n.bind(n.choose(n.compare("lt", rest, y), rest, within));
}

function halvesOf(n: Numbers, value: StackValue, upper: number): readonly [StackValue, StackValue] {
  const high = n.bind(and(n, value, integer(n, upper)));
  return [high, n.bind(n.subtract(value, high))];
}
