import { expect, test } from "vitest";
import { hashText, textAsNumber } from "../../src/language/scalar/hash.js";
import {
  approximately,
  bit,
  bitwise,
  elu,
  erf,
  hamming,
  ldexp,
  nextFloat,
  roundHalfEven,
  roundHalfUp,
  sigmoid,
  sign,
} from "../../src/language/scalar/special.js";
import { inTime } from "../outcome.js";

/**
 * The hash against the vectors of language.md 9.1, and against python's xxhash for texts in which no part is
 * like another; the functions against language.md 4.3, 5.1 and 9.2, and against what follows from IEEE 754.
 */

const alphabet = "abcdefghijklmnopqrstuvwxyz";
const letters = (count: number): string => alphabet.repeat(Math.ceil(count / 26)).slice(0, count);

test.each([
  ["", 0x2d06800538d394c2n, 8.629296416485076e-92],
  ["a", 0xe6c632b61e964e1fn, -1.2073215715982885e187],
  ["foo", 0xab6e5f64077e7d8an, -1.7357760893302906e-99],
  ["bar", 0xd463c860a032d362n, -3.380451426976538e98],
  ["foo bar baz", 0x42e71e38bdbf5020n, 203348547336833],
  ["a".repeat(4), 0x4b134ec1c5393727n, 4.623262288089e53],
  ["a".repeat(8), 0xc9dbc05573cd5d9an, -6.3372775136046275e47],
  ["a".repeat(9), 0xe2137e26d8eed2c4n, -2.8062828167864766e164],
  ["a".repeat(16), 0x13ba5039476cd10an, 1.2212923195273305e-213],
  ["a".repeat(17), 0x39127b6816c5f92an, 8.898786762875032e-34],
  ["a".repeat(128), 0x7a22200aadc3d36cn, 2.056306745015066e280],
  ["a".repeat(129), 0x1586e7ed07cba75bn, 5.707704358016212e-205],
  ["a".repeat(240), 0x993c46d96a01b5c6n, -4.061741443671427e-187],
  ["a".repeat(241), 0xf6cfef5c5aca1930n, -2.011190345393103e264],
  ["a".repeat(1024), 0x4a5d6b09a9587a1cn, 1.7197849981545842e50],
  ["a".repeat(1025), 0xd46a63acfb8da1ean, -4.509386169594966e98],
  ["blåbær", 0xf2cedb0d814e4791n, -1.0534199554349839e245],
])("the text %j has the hash and the number of the document", (text, hash, number) => {
  expect(hashText(text)).toBe(hash);
  expect(textAsNumber(text)).toBe(number);
});

test.each([
  [2, 0xa873719c24d5735cn],
  [3, 0x78af5f94892f3950n],
  [5, 0x55c65158ee9e652dn],
  [12, 0x52beba2086c3f6d7n],
  [16, 0x3d3ccac9af14d8a8n],
  [40, 0x4373d25b45c0be46n],
  [100, 0x7f2b83f8e57a6e24n],
  [150, 0xee081cd745cfb1efn],
  [239, 0x07a82bb3630514cbn],
  [300, 0x7f720c1f731c9648n],
  [1024, 0x5e6a406e127165a8n],
  [1088, 0x94de54c04a05382fn],
  [1089, 0xd88606cbd792c62fn],
  [5000, 0xeb0f5845c1ec4cc2n],
])("%d letters of the alphabet hash as they do in python", (count, hash) => {
  expect(hashText(letters(count))).toBe(hash);
});

test("a hash whose exponent is all ones loses the lowest of them", () => {
  expect(hashText("7194")).toBe(0xfff5c37f1b272eean);
  expect(textAsNumber("7194")).toBe(-1.222636843685529e308);
  expect(hashText("11453")).toBe(0x7fff77d433a59d4dn);
  expect(textAsNumber("11453")).toBe(1.7678110757630165e308);
});

test("half of a surrogate pair is the replacement character", () => {
  expect(hashText("\ufffd")).toBe(0x3c4d03b478a6e14en);
  expect(hashText("\ud800")).toBe(hashText("\ufffd"));
});

test("a long text is hashed in time", () => {
  inTime(() => hashText(letters(500_000)), 200);
});

test.each([
  [0.1, 0.1124629160182849],
  [0.5, 0.5204998778130465],
  [1, 0.8427007929497149],
  [2, 0.9953222650189527],
  [3, 0.9999779095030014],
  [5, 0.9999999999984626],
])("erf(%d) is %d", (x, expected) => {
  expect(Math.abs(erf(x) - expected)).toBeLessThan(1e-15);
  expect(erf(-x)).toBe(-erf(x));
});

test("erf at its ends", () => {
  expect(erf(0)).toBe(0);
  expect(erf(-0)).toBe(-0);
  expect(erf(7)).toBe(1);
  expect(erf(Number.POSITIVE_INFINITY)).toBe(1);
  expect(erf(Number.NEGATIVE_INFINITY)).toBe(-1);
  expect(erf(Number.NaN)).toBeNaN();
  expect(erf(1e-300) / 1e-300).toBeCloseTo(2 / Math.sqrt(Math.PI), 15);
});

test("erf has no step where its method changes", () => {
  for (const x of [1, 6]) {
    const step = erf(x * (1 + 2 ** -50)) - erf(x);
    expect(step).toBeGreaterThanOrEqual(0);
    expect(step).toBeLessThan(1e-15);
  }
});

test.each([
  [0.5, 0],
  [1.5, 2],
  [-0.5, -0],
  [-2.5, -2],
  [2 ** 52 - 0.5, 2 ** 52],
  [2 ** 52 + 1, 2 ** 52 + 1],
  [0.49999999999999994, 0],
  [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [Number.NaN, Number.NaN],
])("roundHalfEven(%d) is %d", (x, expected) => {
  expect(roundHalfEven(x)).toBe(expected);
});

test("bits of numbers of 32 bits are those of JavaScript, and there are none from 2^53 on", () => {
  for (const [x, y] of [
    [2 ** 31 - 1, -(2 ** 31)],
    [-1, 77],
    [0x55, 0x33],
  ] as const) {
    expect([bitwise.and(x, y), bitwise.or(x, y), bitwise.xor(x, y)]).toEqual([x & y, x | y, x ^ y]);
  }
  for (const x of [2 ** 53, -(2 ** 53), Number.POSITIVE_INFINITY, Number.NaN])
    expect([bitwise.and(x, 1), bitwise.or(1, x), bitwise.xor(x, x)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
});

test.each([
  [3, 2.9, 12],
  [3, -2.9, 0.75],
  [5, 0, 5],
  [5, Number.NaN, 0],
  [1, 1023, 2 ** 1023],
  [1, 1024, Number.POSITIVE_INFINITY],
  [-1, 1e300, Number.NEGATIVE_INFINITY],
  [1, -1074, 2 ** -1074],
  [1, -1075, 0],
  [1, -1e300, 0],
  [-1, Number.NEGATIVE_INFINITY, -0],
  [0, Number.POSITIVE_INFINITY, 0],
  [2 ** -1074, 2097, 2 ** 1023],
  [2 ** 1023, -2097, 2 ** -1074],
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Number.NaN, 1, Number.NaN],
])("ldexp(%d, %d) is %d", (x, exponent, expected) => {
  expect(ldexp(x, exponent)).toBe(expected);
});

test("ldexp rounds a denormal once, halves to even", () => {
  // With 2^-1074 as the unit: 1.5 is a tie, so 2; 2.5 is a tie, so 2; a little more than 2.5 is 3.
  expect(ldexp(1.5, -1074)).toBe(2 * 2 ** -1074);
  expect(ldexp(2.5, -1074)).toBe(2 * 2 ** -1074);
  expect(ldexp(2.5 + 2 ** -51, -1074)).toBe(3 * 2 ** -1074);
  // The same from far above, where one multiplication is not enough.
  expect(ldexp((2.5 + 2 ** -51) * 2 ** 1000, -2074)).toBe(3 * 2 ** -1074);
  expect(ldexp(2.5 * 2 ** 1000, -2074)).toBe(2 * 2 ** -1074);
});

test("bit counts from the lowest of eight, in two's complement", () => {
  // -43 is 11010101.
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((n) => bit(-43, n))).toEqual([1, 0, 1, 0, 1, 0, 1, 1]);
  expect(bit(-43.9, 7.9)).toBe(1);
  expect(bit(1, -0.5)).toBe(1);
  expect(bit(-1, -1)).toBe(0);
  expect(bit(-1, 8)).toBe(0);
  expect(bit(1, Number.NaN)).toBe(1);
  expect(bit(-2, Number.NaN)).toBe(0);
  expect(bit(Number.NaN, 0)).toBe(0);
  expect(bit(Number.NEGATIVE_INFINITY, 7)).toBe(0);
  expect(bit(257, 0)).toBe(1);
});

test.each([
  [97, 1, 2],
  [-1, 1, 7],
  [300, 0, 3],
  [-1, 0, 8],
  [1.9, 1, 0],
  [Number.NaN, 3, 2],
  [Number.POSITIVE_INFINITY, 255, 8],
])("hamming(%d, %d) is %d", (x, y, expected) => {
  expect(hamming(x, y)).toBe(expected);
});

test.each([
  [0.30000000000000004, 0.3, 1],
  [1, 1.0000000000000002, 1],
  [0, -0, 1],
  [2, 2 * (1 + 2 ** -23), 1],
  [2, 2 * (1 + 2 ** -22), 0],
  [0.5, 0.5 * (1 + 2 ** -23), 1],
  [0.5, 0.5 * (1 + 2 ** -22), 0],
  [-2, -2 * (1 + 2 ** -23), 1],
  [-2, 2, 0],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1],
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0],
  [Number.POSITIVE_INFINITY, 1, 0],
  [Number.NaN, Number.NaN, 0],
  [2, Number.NaN, 0],
  [0.5, Number.NaN, 0],
])("%d ~= %d is %d", (a, b, expected) => {
  expect(approximately(a, b)).toBe(expected);
});

test.each([
  [1, 2, 1 + 2 ** -23],
  [1, 0, 1 - 2 ** -24],
  [-1, 0, -1 + 2 ** -24],
  [-1, -2, -1 - 2 ** -23],
  [1, 1, 1],
  [0, 1, 2 ** -149],
  [0, -1, -(2 ** -149)],
  [2 ** -149, -1, 0],
  [Number.POSITIVE_INFINITY, 0, (2 - 2 ** -23) * 2 ** 127],
  [(2 - 2 ** -23) * 2 ** 127, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Number.NaN, 0, Number.NaN],
  [0, Number.NaN, Number.NaN],
])("the float next to %d towards %d is %d", (x, towards, expected) => {
  expect(nextFloat(x, towards)).toBe(expected);
});

test.each([
  [2.5, 3],
  [-2.5, -2],
  [-2.6, -3],
  [0.49999999999999994, 0],
  [-0.5, 0],
  [4503599627370497, 4503599627370497],
  [Number.NaN, 0],
  [1e300, 2 ** 63],
  [Number.POSITIVE_INFINITY, 2 ** 63],
  [Number.NEGATIVE_INFINITY, -(2 ** 63)],
])("round(%d) is %d", (x, expected) => {
  expect(roundHalfUp(x)).toBe(expected);
});

test("elu, sign and sigmoid", () => {
  expect(elu(-1)).toBe(-0.6321205588285577);
  expect([0, 2.5, Number.NEGATIVE_INFINITY].map(elu)).toEqual([0, 2.5, -1]);
  expect(elu(Number.NaN)).toBeNaN();
  expect([3, 0, -0, -3, Number.NaN].map(sign)).toEqual([1, 1, 1, -1, -1]);
  expect(sigmoid(0)).toBe(0.5);
  expect(sigmoid(-1) + sigmoid(1)).toBeCloseTo(1, 15);
  expect([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY].map(sigmoid)).toEqual([0, 1]);
  expect(sigmoid(Number.NaN)).toBeNaN();
});
