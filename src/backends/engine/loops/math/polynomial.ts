import { element } from "../../../../language/values/element.js";
import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";

/**
 * A polynomial, its coefficients from that of x⁰ on: even and odd powers by themselves (Horner's scheme in x²), so that
 * two chains of operations are under way at once.
 */
export function polynomial(
  n: Numbers,
  x: StackValue,
  square: StackValue,
  coefficients: readonly number[],
): StackValue {
  const chain = (start: number): StackValue => {
    const chosen = coefficients.filter((_, at) => at % 2 === start);
    let sum = n.constant(element(chosen, chosen.length - 1));
    for (const coefficient of chosen.slice(0, -1).reverse())
      sum = n.bind(n.multiplyAdd(sum, square, n.constant(coefficient)));
    return sum;
  };
  if (coefficients.length === 1) return chain(0);
  const [even, odd] = [chain(0), chain(1)];
  return n.multiplyAdd(odd, x, even);
}
