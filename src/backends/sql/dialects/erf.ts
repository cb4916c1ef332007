/**
 * The error function as an expression, for engines that have none: the rational approximations of W. J. Cody, "Rational
 * Chebyshev approximations for the error function" (1969), whose relative error is below 1e-16.
 */
export function erfText(x: string, number: (value: number) => string): string {
  const square = `(${x} * ${x})`;
  const size = `abs(${x})`;
  const quotient = (above: readonly number[], below: readonly number[], of: string): string =>
    `(${horner(above, of, number)} / ${horner(below, of, number)})`;
  const inner = `${x} * ${quotient(innerAbove, innerBelow, square)}`;
  const middle = `exp(-${square}) * ${quotient(middleAbove, middleBelow, size)}`;
  const inverse = `(${number(1)} / ${square})`;
  const tail = `(${number(inverseRootOfPi)} - ${inverse} * ${quotient(outerAbove, outerBelow, inverse)})`;
  const outer = `exp(-${square}) / ${size} * ${tail}`;
  const sign = `(CASE WHEN ${x} < ${number(0)} THEN ${number(-1)} ELSE ${number(1)} END)`;
  // Of a small number the square may be none.
  return `(CASE WHEN ${size} < ${number(1e-10)} THEN ${x} * ${number(1.1283791670955126)} WHEN ${size} <= ${number(0.46875)} THEN ${inner} WHEN ${size} <= ${number(4)} THEN ${sign} * (${number(1)} - ${middle}) WHEN ${size} <= ${number(6)} THEN ${sign} * (${number(1)} - ${outer}) WHEN ${size} > ${number(6)} AND ${x} = ${x} AND ${size} <= ${number(Number.POSITIVE_INFINITY)} THEN ${sign} ELSE ${x} END)`;
}

/** A polynomial; the coefficient of the highest power first. */
function horner(
  [first = 0, ...others]: readonly number[],
  x: string,
  number: (value: number) => string,
): string {
  return others.reduce((text, each) => `(${text} * ${x} + ${number(each)})`, number(first));
}

const inverseRootOfPi = 0.5641895835477563;
const innerAbove = [
  0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694,
];
const innerBelow = [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171];
const middleAbove = [
  2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001,
  881.952221241769, 1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
];
const middleBelow = [
  1, 15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
  4362.619090143247, 3439.3676741437216, 1230.3393548037495,
];
const outerAbove = [
  0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
  0.0006587491615298378,
];
const outerBelow = [
  1, 2.568520192289822, 1.8729528499234604, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918,
];
