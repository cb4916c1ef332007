import { Code } from "../../assembler/code.js";
import type { WasmInstruction } from "../../assembler/instructions.js";
import { Numbers } from "../../kernels/numbers.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { halfPiHigh, halfPiLow, partsOfDouble } from "./half-pi.js";

/**
 * How many quarter turns a large angle is, and what is left. The angle is m·2ᵉ with a whole number m of 53 bits, so those digits of
 * 2/π whose product with 2ᵉ is a multiple of 4 only add whole turns. The next 192 digits times m, as whole numbers of 64 bits, leave
 * 139 digits behind the point, of which no double is nearer to a whole number than 62 (Payne and Hanek).
 */

/** The digits of 2/π, 64 in a word, after a word of zeros. */
// biome-ignore format: a table of numbers
const words: readonly bigint[] = [
  0n, 0xa2f9836e4e441529n, 0xfc2757d1f534ddc0n, 0xdb6295993c439041n, 0xfe5163abdebbc561n,
  0xb7246e3a424dd2e0n, 0x06492eea09d1921cn, 0xfe1deb1cb129a73en, 0xe88235f52ebb4484n,
  0xe99c7026b45f7e41n, 0x3991d639835339f4n, 0x9c845f8bbdf9283bn, 0x1ff897ffde05980fn,
  0xef2f118b5a0a6d1fn, 0x6d367ecf27cb09b7n, 0x4f463f669e5fea2dn, 0x7527bac7ebe5f17bn,
  0x3d0739f78a5292ean, 0x6bfb5fb11f8d5d08n, 0x56033046fc7b6babn,
];

/** Of the biased exponent: the number of the first digit that counts. */
const firstDigitAt = 1013n;

/**
 * The function that takes a finite angle of 1 or more to quarter turns from 0 to 3 and the rest between ±π/4, as a sum of two numbers;
 * all in the numbers that lanes are of.
 */
export function largeAngle(n: Numbers): number {
  const ofDoubles = n.functionOf("large angle", () => angleOfDouble(n));
  return n.isDouble ? ofDoubles : n.functionOf("large angle of a float", () => angleOfFloat(ofDoubles));
}

function angleOfFloat(ofDoubles: number): Code {
  const code = new Code("large angle of a float", ["f32"], ["f32", "f32", "f32"], false);
  const [turns, high, low] = [code.local("f64"), code.local("f64"), code.local("f64")];
  code.get(0).do("f64.promote_f32").call(ofDoubles).set(low).set(high).set(turns);
  code.get(turns).do("f32.demote_f64").get(high).do("f32.demote_f64");
  code.get(high).get(high).do("f32.demote_f64", "f64.promote_f32", "f64.sub").get(low);
  return code.do("f64.add", "f32.demote_f64");
}

function angleOfDouble(n: Numbers): Code {
  const code = new Code("large angle", ["f64"], ["f64", "f64", "f64"], false);
  const scope = new LocalScope(code);
  const { plus, minus, times, bind, constant } = wholeNumbers(scope);
  const bits = bind(scope.of(["i64.reinterpret_f64"], scope.local(0)));
  const exponent = scope.of(["i64.shr_u"], bits, constant(52n));
  const fraction = scope.of(["i64.and"], bits, constant(2n ** 52n - 1n));
  const significand = bind(scope.of(["i64.or"], fraction, constant(2n ** 52n)));
  const [first, second, third] = digitsFrom(n, scope, minus(exponent, constant(firstDigitAt)));

  const product = (of: StackValue): StackValue => times(significand, of);
  const upper = (of: StackValue): StackValue => scope.called(highProduct(n), [significand, of]);
  const carried = bind(upper(third));
  const low = bind(plus(product(second), carried));
  const carry = scope.of(["i64.lt_u", "i64.extend_i32_u"], low, carried);
  const high = bind(plus(plus(product(first), upper(second)), carry));

  const turns = bind(scope.of(["i64.shr_u"], plus(high, constant(2n ** 61n)), constant(62n)));
  const rest = bind(minus(high, scope.of(["i64.shl"], turns, constant(62n))));
  scope.of(["f64.convert_i64_s"], turns).push();
  writeAngle(scope, rest, low);
  return code;
}

function wholeNumbers(scope: LocalScope) {
  const binary =
    (instruction: WasmInstruction) =>
    (x: StackValue, y: StackValue): StackValue =>
      scope.of([instruction], x, y);
  return {
    plus: binary("i64.add"),
    minus: binary("i64.sub"),
    times: binary("i64.mul"),
    bind: (value: StackValue): StackValue => scope.bind("i64", value),
    constant: (value: bigint): StackValue => scope.value(() => scope.code.i64(value)),
  };
}

/** The three words of digits from one on. */
function digitsFrom(
  n: Numbers,
  scope: LocalScope,
  position: StackValue,
): readonly [StackValue, StackValue, StackValue] {
  const { bind, constant, plus } = wholeNumbers(scope);
  const at = bind(position);
  const shift = bind(scope.of(["i64.and"], at, constant(63n)));
  const opposite = bind(scope.of(["i64.xor"], shift, constant(63n)));
  const index = bind(scope.of(["i64.shr_u"], at, constant(6n)));
  const word = (offset: bigint): StackValue =>
    bind(scope.called(wordFunction(n), [plus(index, constant(offset))]));
  const [a, b, c, d] = [word(0n), word(1n), word(2n), word(3n)];
  // Shifted twice, since a shift by 64 is none.
  const joined = (left: StackValue, right: StackValue): StackValue =>
    bind(
      scope.of(
        ["i64.or"],
        scope.of(["i64.shl"], left, shift),
        scope.of(["i64.shr_u"], scope.of(["i64.shr_u"], right, constant(1n)), opposite),
      ),
    );
  return [joined(a, b), joined(b, c), joined(c, d)];
}

/** A word of the digits, by its number. */
function wordFunction(n: Numbers): number {
  return n.functionOf("digits", () => {
    const code = new Code("digits", ["i64"], ["i64"], false);
    const result = code.local("i64");
    for (const [at, word] of words.entries())
      code.i64(word).get(result).get(0).i64(BigInt(at)).do("i64.eq", "select").set(result);
    code.get(result);
    return code;
  });
}

/** The upper 64 bits of a product of numbers without signs, by their halves; one of them is below 2⁵³. */
function highProduct(n: Numbers): number {
  return n.functionOf("high product", () => {
    const code = new Code("high product", ["i64", "i64"], ["i64"], false);
    const scope = new LocalScope(code);
    const { plus, times, bind, constant } = wholeNumbers(scope);
    const lower = (value: StackValue): StackValue =>
      bind(scope.of(["i64.and"], value, constant(2n ** 32n - 1n)));
    const upper = (value: StackValue): StackValue => bind(scope.of(["i64.shr_u"], value, constant(32n)));
    const [x, y] = [scope.local(0), scope.local(1)];
    const [xHigh, xLow, yHigh, yLow] = [upper(x), lower(x), upper(y), lower(y)];
    const inner = bind(times(xHigh, yLow));
    const outer = bind(times(xLow, yHigh));
    const middle = bind(plus(plus(upper(times(xLow, yLow)), lower(inner)), lower(outer)));
    plus(plus(times(xHigh, yHigh), upper(inner)), plus(upper(outer), upper(middle))).push();
    return code;
  });
}

const [halfPi, halfPiRest] = partsOfDouble.nearest;

/** Pushes an angle of two words behind the point, in quarter turns without a sign's bit, as two doubles in radians. */
function writeAngle(scope: LocalScope, high: StackValue, low: StackValue): void {
  const n = new Numbers(scope, "f64", false);
  const scaled = (value: StackValue, by: number): StackValue => n.multiply(value, n.constant(by));

  const first = n.bind(n.of(["f64.convert_i64_s"], high));
  const left = n.of(["i64.sub"], high, n.of(["i64.trunc_sat_f64_s"], first));
  const second = n.bind(
    n.add(n.of(["f64.convert_i64_s"], left), scaled(n.of(["f64.convert_i64_u"], low), 2 ** -64)),
  );
  const quarter = n.bind(scaled(n.add(first, second), 2 ** -62));
  const quarterRest = n.bind(
    n.subtract(scaled(second, 2 ** -62), n.subtract(quarter, scaled(first, 2 ** -62))),
  );

  // The product with π/2: what is rounded from it is found by halves, whose products are exact.
  const product = n.bind(scaled(quarter, halfPi));
  const upperBits = scope.value(() => scope.code.i64(-(2n ** 27n)));
  const quarterBits = n.of(["i64.reinterpret_f64"], quarter);
  const upper = n.bind(n.of(["i64.and", "f64.reinterpret_i64"], quarterBits, upperBits));
  const lower = n.bind(n.subtract(quarter, upper));
  let rounded = n.subtract(scaled(upper, halfPiHigh), product);
  rounded = n.add(rounded, scaled(upper, halfPiLow));
  rounded = n.add(rounded, scaled(lower, halfPiHigh));
  rounded = n.add(rounded, scaled(lower, halfPiLow));
  const small = n.bind(n.add(n.add(rounded, scaled(quarter, halfPiRest)), scaled(quarterRest, halfPi)));
  const sum = n.bind(n.add(product, small));
  sum.push();
  n.subtract(small, n.subtract(sum, product)).push();
}
