import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { exponential } from "./exponential.js";
import { polynomial } from "./polynomial.js";

/** The error function: up to 1 it is x and x times a polynomial in x², which is so small that its errors are. */
export const errorFunction = (n: Numbers, value: StackValue): StackValue =>
  n.isDouble ? ofDoubles(n, value) : ofFloats(n, value);

/**
 * Beyond 1 it is 1 - exp(-x²)·g(x), where g is a polynomial in (x - 2)/(x + 2); and from 6 on it is 1.
 *
 * Fitted for the least greatest error of the whole (Remez' algorithm with 50 digits): the nearer erf is to 1, the less
 * exact g has to be.
 */
// biome-ignore format: a table of numbers
const small = [
  0.12837916709551256, -0.3761263890318352, 0.11283791670944185, -0.02686617064311146, 0.005223977606118426,
  -0.0008548325929311893, 0.00012055293576816174, -1.492471230029015e-05, 1.6447131549126013e-06,
  -1.6206313583187198e-07, 1.3710979620445635e-08, -7.779467009284168e-10,
];

// biome-ignore format: a table of numbers
const large = [
  0.2553956763105071, -0.4271858474139429, 0.24165819424104137, -0.07897858103682946, 0.003732892504219217,
  0.006997464543107903, -0.0008471351715904948, -0.0009820557144067147, 4.304329204992407e-05,
  0.0001740835550232534, 3.2753141622848976e-05, -1.1923102254586128e-05,
];

const end = 6;

function ofDoubles(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const size = n.bind(n.smaller(n.bind(n.unary("abs", x)), n.constant(end)));
  const square = n.bind(n.multiply(size, size));
  const fourth = n.bind(n.multiply(square, square));
  const { scope } = n;
  const result = scope.take(n.type);
  scope.set(result, n.multiplyAdd(size, n.bind(polynomial(n, square, fourth, small)), size));
  const isFar = n.bindMask(n.compare("gt", size, n.constant(1)));
  // Three quarters of the work, for which often no lane has a use.
  isFar.push();
  scope.code.do("v128.any_true").if(() => {
    const two = n.constant(2);
    const ratio = n.bind(n.divide(n.subtract(size, two), n.add(size, two)));
    const factor = n.bind(polynomial(n, ratio, n.bind(n.multiply(ratio, ratio)), large));
    const power = n.bind(exponential(n, n.bind(n.unary("neg", square))));
    const far = n.multiplySubtract(power, factor, n.constant(1));
    scope.set(result, n.choose(isFar, far, scope.local(result)));
  });
  return n.withSign(scope.local(result), x);
}

/**
 * Of floats, beyond 1 it is 1 - p(x)⁸, where p is a polynomial that falls from 0.8 to 0.1: a power has what a polynomial alone would
 * have twice as many terms for, and 8 multiplies errors by less than they count for beside 1. From 3.92 on it is 1. No division and no branch, so that V8 can
 * widen it. Fitted as that of doubles, by weighted least squares; the worst is 2.8 units in the last place.
 */
const floats = {
  small: [0.12837917, -0.37612626, 0.112835854, -0.026853811, 0.0051883277, -0.0008010193, 7.8538593e-5],
  far: [1.0008347, -0.14506055, -0.061426423, -0.01137349, 0.012925829, -0.0024697222, 0.00014984836],
  end: 3.92,
};

function ofFloats(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const size = n.bind(n.smaller(n.bind(n.unary("abs", x)), n.constant(floats.end)));
  const square = n.bind(n.multiply(size, size));
  const factor = polynomial(n, square, n.bind(n.multiply(square, square)), floats.small);
  const near = n.multiplyAdd(size, n.bind(factor), size);
  const root = n.bind(polynomial(n, size, square, floats.far));
  const second = n.bind(n.multiply(root, root));
  const fourth = n.bind(n.multiply(second, second));
  const far = n.multiplySubtract(fourth, fourth, n.constant(1));
  return n.withSign(n.choose(n.compare("gt", size, n.constant(1)), far, near), x);
}
