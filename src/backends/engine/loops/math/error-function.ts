import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { polynomial } from "./polynomial.js";

/**
 * The error function. Up to 1 it is x and x times a polynomial in x², which is so small that its errors are; beyond, 1 less a power of a
 * polynomial in x - 1.5 or x. A power takes half as many terms as a polynomial alone, or as an exponential with a polynomial as its
 * factor, and what it makes of errors counts for little beside 1. So there is no branch, and no division.
 *
 * Fitted for the least greatest error of the whole (weighted least squares with 45 digits, weighed anew until all errors are the same): the
 * nearer erf is to 1, the less exact the power has to be.
 */
interface ErrorFunctionTable {
  readonly near: readonly number[];
  readonly far: readonly number[];
  /** What is taken off of x for the far polynomial: there it errs least, and there the power makes most of it. */
  readonly centre: number;
  /** How often the far polynomial is squared. */
  readonly squarings: number;
  /** From here on it is 1. */
  readonly end: number;
}

// biome-ignore format: tables of numbers
const double: ErrorFunctionTable = {
  near: [
    0.12837916709551256, -0.3761263890318352, 0.11283791670944185, -0.02686617064311146, 0.005223977606118426,
    -0.0008548325929311893, 0.00012055293576816174, -1.492471230029015e-05, 1.6447131549126013e-06,
    -1.6206313583187198e-07, 1.3710979620445635e-08, -7.779467009284168e-10,
  ],
  far: [
    0.42907522645363616, -0.3763848746510624, 0.0693299807440961, 0.03295383740837684, -0.012495818307358533,
    -0.0016049134734763468, 0.0012489422950865672, -2.67225878857269e-05, -7.434491136388191e-05,
    8.353305426679475e-06, 2.77987899476817e-06, -5.169134006718713e-07, -8.502575847887587e-08,
    2.3213996354598896e-08, 2.419605536476529e-09, -1.0201281166369903e-09, -4.506799029680261e-11,
    5.502557805989778e-11, -9.60681656046409e-12, 7.547095166536527e-13, -2.359470927382204e-14,
  ],
  centre: 1.5, squarings: 2, end: 6,
};

// biome-ignore format: tables of numbers
const float: ErrorFunctionTable = {
  near: [0.12837917, -0.37612626, 0.112835854, -0.026853811, 0.0051883277, -0.0008010193, 7.8538593e-5],
  far: [1.0008347, -0.14506055, -0.061426423, -0.01137349, 0.012925829, -0.0024697222, 0.00014984836],
  centre: 0, squarings: 3, end: 3.92,
};

/** Of doubles within two units in the last place, of floats within three. */
export function errorFunction(n: Numbers, value: StackValue): StackValue {
  const table = n.isDouble ? double : float;
  const x = n.bind(value);
  const size = n.bind(n.smaller(n.bind(n.unary("abs", x)), n.constant(table.end)));
  const square = n.bind(n.multiply(size, size));
  const factor = polynomial(n, square, n.bind(n.multiply(square, square)), table.near);
  const near = n.bind(n.multiplyAdd(size, n.bind(factor), size));
  const isFar = n.bindMask(n.compare("gt", size, n.constant(1)));
  return n.withSign(n.choose(isFar, farFrom(n, table, size, square), near), x);
}

function farFrom(
  n: Numbers,
  { far, centre, squarings }: ErrorFunctionTable,
  size: StackValue,
  square: StackValue,
): StackValue {
  const distance = centre === 0 ? size : n.bind(n.subtract(size, n.constant(centre)));
  const squared = centre === 0 ? square : n.bind(n.multiply(distance, distance));
  let root = n.bind(polynomial(n, distance, squared, far));
  for (let turn = 1; turn < squarings; turn++) root = n.bind(n.multiply(root, root));
  return n.multiplySubtract(root, root, n.constant(1));
}
