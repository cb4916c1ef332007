import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import type { Group, Groups } from "../kernels/groups.js";
import type { LaneFunction, Numbers } from "../kernels/numbers.js";
import type { StackValue } from "../kernels/scope.js";
import { bit, bitInLanes, hamming } from "./math/bytes.js";
import { errorFunction } from "./math/error-function.js";
import { exponential } from "./math/exponential.js";
import { hyperbolicCosine, hyperbolicSine, hyperbolicTangent, logistic } from "./math/hyperbolic.js";
import {
  inverseHyperbolicCosine,
  inverseHyperbolicSine,
  inverseHyperbolicTangent,
} from "./math/inverse-hyperbolic.js";
import { arcCosine, arcSine, arcTangent, pointAngle } from "./math/inverse-trigonometry.js";
import { logarithm, logarithmToBase10 } from "./math/logarithm.js";
import { power } from "./math/power.js";
import { remainder } from "./math/remainder.js";
import { cosine, sine, tangent } from "./math/trigonometry.js";

/**
 * The scalar functions that are written in instructions, as arithmetic on numbers of any form. The others are called in
 * JavaScript, one number at a time; elu among them since it subtracts 1 from a power near 1, which leaves nothing but the
 * last digits of just that power.
 *
 * How a function goes with floats, when its arguments are floats:
 * - exact: its value is a float, or a mask;
 * - rounded: its value rounded to a float is what an instruction on floats gives;
 * - smooth: there is a version for floats, near enough where the value is stored as a float.
 */
export interface InlineFunction {
  readonly floats: "exact" | "rounded" | "smooth";
  /** Whether it gives a mask. */
  readonly isMask?: true;
  /** Whether it takes masks: whether its arguments are not 0. */
  readonly takesMasks?: true;
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
  write: (n, x, y) => {
    const values = scalarFunctions[name].parameters.length === 1 ? [x] : [x, y];
    return n.isVector ? write(n, x, y) : n.callInLanes(name, values, write);
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
export const inlineFunctions: Partial<Readonly<Record<ScalarName, InlineFunction>>> = {
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
  exp:      inLanes("exp", exponential),
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
  hamming:  inLanes("hamming", hamming, "exact"),
  bit:      { ...inLanes("bit", bit, "exact"), writeLanes: bitInLanes },
  not:      { floats: "exact", isMask: true, takesMasks: true, write: (n, x) => n.not(x) },
};
