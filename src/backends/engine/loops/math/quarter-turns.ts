import { element } from "../../../../language/values/element.js";
import type { Numbers } from "../../kernels/numbers.js";
import type { StackValue } from "../../kernels/scope.js";
import { partsOfPi } from "./half-pi.js";
import { largeAngle } from "./large-angle.js";

/** An angle as whole quarter turns, which are a number, and a rest between ±π/4 as a sum of two numbers. */
export interface QuarterTurns {
  readonly turns: StackValue;
  readonly high: StackValue;
  readonly low: StackValue;
}

/**
 * An angle from 0 on without its whole quarter turns. π/2 is subtracted in parts, each as often; what is rounded off from the
 * differences is added in the end. Of infinity and NaN, the rest is NaN.
 */
export function quarterTurns(n: Numbers, angle: StackValue): QuarterTurns {
  const turns = n.bind(n.unary("nearest", n.multiply(angle, n.constant(2 / Math.PI))));
  const { half, largeFrom } = partsOfPi(n);
  const [first, second, third, fourth] = half;
  const start = n.bind(n.subtract(angle, n.multiply(turns, n.constant(first))));
  const [middle, middleRest] = difference(n, start, n.multiply(turns, n.constant(second)));
  const [end, endRest] = difference(n, middle, n.multiply(turns, n.constant(third)));
  const rest = n.bind(n.subtract(n.add(middleRest, endRest), n.multiply(turns, n.constant(fourth))));
  const high = n.bind(n.add(end, rest));
  const low = n.bind(n.add(n.subtract(end, high), rest));
  const isLarge = n.compare("ge", angle, n.constant(largeFrom));
  const isNumber = n.compare("lt", angle, n.constant(Number.POSITIVE_INFINITY));
  return withLargeAngles(n, angle, n.bindMask(n.both(isLarge, isNumber)), { turns, high, low });
}

/** A difference, and what is rounded off from it. */
function difference(n: Numbers, x: StackValue, value: StackValue): readonly [StackValue, StackValue] {
  const y = n.bind(value);
  const found = n.bind(n.subtract(x, y));
  return [found, n.bind(n.subtract(n.subtract(x, found), y))];
}

/** With other parts in the lanes that have large angles: those are found one by one. */
function withLargeAngles(
  n: Numbers,
  angle: StackValue,
  isLarge: StackValue,
  { turns, high, low }: QuarterTurns,
): QuarterTurns {
  const { scope } = n;
  const { code } = scope;
  const callee = largeAngle(n);
  const vectors = [turns, high, low].map((part) => {
    const local = scope.take("v128");
    scope.set(local, part);
    return local;
  }) as [number, number, number]; // a local for each
  const numbers = vectors.map(() => scope.take(n.isDouble ? "f64" : "f32"));
  const writeLane = (lane: number): void => {
    isLarge.push();
    code.lane("i32x4.extract_lane", n.isDouble ? lane * 2 : lane).if(() => {
      angle.push();
      code.lane(n.isDouble ? "f64x2.extract_lane" : "f32x4.extract_lane", lane).call(callee);
      for (const number of numbers.toReversed()) code.set(number);
      for (const [at, vector] of vectors.entries())
        code
          .get(vector)
          .get(element(numbers, at))
          .lane(n.isDouble ? "f64x2.replace_lane" : "f32x4.replace_lane", lane)
          .set(vector);
    });
  };
  isLarge.push();
  code.do("v128.any_true").if(() => {
    for (let lane = 0; lane < (n.isDouble ? 2 : 4); lane++) writeLane(lane);
  });
  const [ofTurns, ofHigh, ofLow] = vectors;
  return { turns: scope.local(ofTurns), high: scope.local(ofHigh), low: scope.local(ofLow) };
}
