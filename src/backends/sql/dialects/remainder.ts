/**
 * The remainder of a division for engines that have none for doubles: x less the product of y and the whole quotient, with what
 * the product lost by rounding (Dekker 1971). It is exact as long as the quotient is; a larger one becomes `refusal`, an
 * expression that fails, and no value.
 */
export function remainderText(
  x: string,
  y: string,
  number: (value: number) => string,
  refusal: string,
): string {
  const [zero, nan, infinity] = [number(0), number(Number.NaN), number(Number.POSITIVE_INFINITY)];
  const quotient = `trunc(${x} / ${y})`;
  const high = (of: string): string =>
    `(${of} * ${number(2 ** 27 + 1)} - (${of} * ${number(2 ** 27 + 1)} - ${of}))`;
  const low = (of: string): string => `(${of} - ${high(of)})`;
  const product = `(${quotient} * ${y})`;
  const lost = `(${low(quotient)} * ${low(y)} - (((${product} - ${high(quotient)} * ${high(y)}) - ${low(quotient)} * ${high(y)}) - ${high(quotient)} * ${low(y)}))`;
  const rest = `((${x} - ${product}) - ${lost})`;
  const mended = `CASE WHEN ${rest} = ${zero} THEN ${x} * ${zero} WHEN (${rest} < ${zero}) = (${x} < ${zero}) THEN ${rest} WHEN ${x} < ${zero} THEN ${rest} - abs(${y}) ELSE ${rest} + abs(${y}) END`;
  // PostgreSQL's NaN equals itself, which that of IEEE 754 does not.
  const isNone = (of: string): string => `(${of} = ${nan} OR ${of} <> ${of})`;
  return `(CASE WHEN ${isNone(x)} OR ${isNone(y)} OR ${y} = ${zero} OR abs(${x}) = ${infinity} THEN ${nan} WHEN abs(${y}) = ${infinity} OR abs(${x}) < abs(${y}) THEN ${x} WHEN abs(${x}) < abs(${y}) * ${number(2 ** 52)} THEN ${mended} ELSE ${refusal} END)`;
}
