import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import type { Group, Groups } from "../kernels/groups.js";
import type { LaneFunction, Numbers } from "../kernels/numbers.js";
import type { StackValue } from "../kernels/scope.js";
import { bit, bitInLanes, hamming } from "./math/bytes.js";
import { errorFunction } from "./math/error-function.js";
import { exponential, exponentialUnit } from "./math/exponential.js";
import { hyperbolicCosine, hyperbolicSine, hyperbolicTangent, logistic } from "./math/hyperbolic.js";
import {
  inverseHyperbolicCosine,
  inverseHyperbolicSine,
  inverseHyperbolicTangent,
} from "./math/inverse-hyperbolic.js";
import { arcCosine, arcSine, arcTangent, pointAngle } from "./math/inverse-trigonometry.js";
import { logarithm, logarithmToBase10 } from "./math/logarithm.js";
import { nearlyEqual } from "./math/near-equality.js";
import { power } from "./math/power.js";
import { remainder } from "./math/remainder.js";
import { scaled } from "./math/scaling.js";
import { cosine, sine, tangent } from "./math/trigonometry.js";
import { bitsOfBoth, bitsOfEither, bitsOfOne } from "./math/whole-bits.js";

/**
 * The scalar functions in instructions, as arithmetic on numbers of any form.
 *
 * How a function goes with floats, when its arguments are floats:
 * - exact: its value is a float, or a mask;
 * - rounded: its value rounded to a float is what an instruction on floats gives;
 * - smooth: there is a version for floats, near enough where the value is stored as a float;
 * - none: it needs the digits of doubles.
 */
export interface InlineFunction {
  readonly floats: "exact" | "rounded" | "smooth" | "none";
  /** Whether it gives a mask. */
  readonly isMask?: true;
  /** Whether it takes masks: whether its arguments are not 0. */
  readonly takesMasks?: true;
  /** Whether it is many instructions. */
  readonly isLong?: true;
  /** How four lanes are computed at once of arguments that keep the numbers they are of; where that is quicker. */
  readonly writeLanes?: (groups: Groups, x: Group, y: Group) => Group;
  /** Arguments that are used twice are bound. */
  readonly write: (n: Numbers, x: StackValue, y: StackValue) => StackValue;
}

const compared = (name: "eq" | "ne" | "lt" | "gt" | "le" | "ge"): InlineFunction => ({
  floats: "exact",
  isMask: true,
  write: (n, x, y) => n.compare(name, x, y),
});

const unary = (name: "abs" | "neg" | "ceil" | "floor" | "trunc" | "nearest"): InlineFunction => ({
  floats: "exact",
  write: (n, x) => n.unary(name, x),
});

const binary = (name: "add" | "sub" | "mul" | "div"): InlineFunction => ({
  floats: "rounded",
  write: (n, x, y) => n.binary(name, x, y),
});

const larger: InlineFunction["write"] = (n, x, y) => n.larger(x, y);
const smaller: InlineFunction["write"] = (n, x, y) => n.smaller(x, y);

/** As a choice between x and y that keeps x when neither is better; but NaN if either is. */
const strict =
  (write: InlineFunction["write"]): InlineFunction["write"] =>
  (n, left, right) => {
    const [x, y] = [n.bind(left), n.bind(right)];
    return n.choose(n.compare("ne", y, y), y, write(n, x, y));
  };

/** A function in lanes, which single numbers have through a helper. */
const inLanes = (
  name: ScalarName,
  write: LaneFunction,
  floats: InlineFunction["floats"] = "smooth",
): InlineFunction => ({
  floats,
  isLong: true,
  write: (n, x, y) => {
    const values = scalarFunctions[name].parameters.length === 1 ? [x] : [x, y];
    return n.isVector ? write(n, x, y) : n.callInLanes(name, values, write);
  },
});

/** The same of a function that gives a mask. */
const maskInLanes = (name: ScalarName, write: LaneFunction): InlineFunction => ({
  floats: "exact",
  isMask: true,
  write: (n, x, y) => {
    if (n.isVector) return write(n, x, y);
    const number = n.callInLanes(name, [x, y], (lanes, a, b) => lanes.ofMask(write(lanes, a, b)));
    return n.compare("ne", number, n.constant(0));
  },
});

const twoTo63 = 2 ** 63;

function round(n: Numbers, value: StackValue): StackValue {
  const x = n.bind(value);
  const below = n.bind(n.unary("floor", x));
  const isUp = n.compare("ge", n.subtract(x, below), n.constant(0.5));
  const rounded = n.bind(n.add(below, n.ofMask(isUp)));
  const number = n.choose(n.compare("eq", x, x), rounded, n.constant(0));
  return n.larger(n.bind(n.smaller(n.bind(number), n.constant(twoTo63))), n.constant(-twoTo63));
}

// biome-ignore format: a table
export const inlineFunctions: Readonly<Record<ScalarName, InlineFunction>> = {
  add: binary("add"), subtract: binary("sub"), multiply: binary("mul"), divide: binary("div"),
  equal: compared("eq"), notEqual: compared("ne"), less: compared("lt"), lessOrEqual: compared("le"),
  greater: compared("gt"), greaterOrEqual: compared("ge"),
  abs: unary("abs"), fabs: unary("abs"), negate: unary("neg"), ceil: unary("ceil"), floor: unary("floor"),
  trunc: unary("trunc"), round_even: unary("nearest"),
  sqrt:     { floats: "rounded", write: (n, x) => n.unary("sqrt", x) },
  square:   { floats: "rounded", write: (n, x) => { const bound = n.bind(x); return n.multiply(bound, bound); } },
  max:      { floats: "exact", write: strict(larger) },
  min:      { floats: "exact", write: strict(smaller) },
  vespaMax: { floats: "exact", write: larger },
  vespaMin: { floats: "exact", write: smaller },
  relu:     { floats: "exact", write: (n, x) => n.larger(x, n.constant(0)) },
  sign:     { floats: "exact", write: (n, x) => n.choose(n.compare("ge", x, n.constant(0)), n.constant(1), n.constant(-1)) },
  round:    { floats: "exact", write: round },
  isInfinite:    { floats: "exact", isMask: true, write: (n, x) => n.compare("eq", n.unary("abs", x), n.constant(Number.POSITIVE_INFINITY)) },
  isNan:    { floats: "exact", isMask: true, write: (n, value) => { const x = n.bind(value); return n.compare("ne", x, x); } },
  and:      { floats: "exact", isMask: true, takesMasks: true, write: (n, x, y) => n.both(x, y) },
  or:       { floats: "exact", isMask: true, takesMasks: true, write: (n, x, y) => n.either(x, y) },
  approximately: maskInLanes("approximately", nearlyEqual),
  exp:      inLanes("exp", exponential),
  elu:      inLanes("elu", exponentialUnit, "none"),
  sigmoid:  inLanes("sigmoid", logistic),
  tanh:     inLanes("tanh", hyperbolicTangent),
  sinh:     inLanes("sinh", hyperbolicSine),
  cosh:     inLanes("cosh", hyperbolicCosine),
  log:      inLanes("log", logarithm),
  erf:      inLanes("erf", errorFunction),
  pow:      inLanes("pow", power),
  log10:    inLanes("log10", logarithmToBase10),
  sin:      inLanes("sin", sine),
  cos:      inLanes("cos", cosine),
  tan:      inLanes("tan", tangent),
  asin:     inLanes("asin", arcSine),
  acos:     inLanes("acos", arcCosine),
  atan:     inLanes("atan", arcTangent),
  atan2:    inLanes("atan2", pointAngle),
  asinh:    inLanes("asinh", inverseHyperbolicSine),
  acosh:    inLanes("acosh", inverseHyperbolicCosine),
  atanh:    inLanes("atanh", inverseHyperbolicTangent),
  fmod:     inLanes("fmod", remainder, "exact"),
  ldexp:    inLanes("ldexp", scaled, "none"),
  bit_and:  inLanes("bit_and", bitsOfBoth, "none"),
  bit_or:   inLanes("bit_or", bitsOfEither, "none"),
  bit_xor:  inLanes("bit_xor", bitsOfOne, "none"),
  hamming:  inLanes("hamming", hamming, "exact"),
  bit:      { ...inLanes("bit", bit, "exact"), writeLanes: bitInLanes },
  not:      { floats: "exact", isMask: true, takesMasks: true, write: (n, x) => n.not(x) },
};
