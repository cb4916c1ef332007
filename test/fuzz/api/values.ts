import * as sphex from "../../../src/index.js";
import type { Choice } from "../../hunt/choice.js";

/** Values that a host may pass, right and wrong, each new. */

const texts = [
  "",
  "1 + 1",
  "a + b",
  "input a: tensor(x[2])\ninput b: tensor()\nsum(a * b)\na + b",
  "variable v = 0\ninput a: tensor()\nassign v = v + a\nnamed = v + 1\nnamed",
  "tensor(x[2]):[1,2]",
  "tensor(k{}):{a:1,b:2}",
  "tensor(x[2])",
  "tensor<float>(k{},x[3])",
  "tensor(x[",
  "x",
  "json",
  "a",
  "sum(a",
  '{"cells":[{"address":{"k":"a"},"value":1}]}',
  "[1,2]",
  "k:a",
  "\u0000",
  "__proto__",
  "engine",
];

const typeTexts = ["tensor()", "tensor(x[2])", "tensor<float>(k{})", "tensor(k{},x[])", "tensor<long>(y[3])"];

export const typeOf = (choice: Choice): sphex.TensorType => sphex.parseType(choice.oneOf(typeTexts));

export const tensorOf = (choice: Choice): sphex.Tensor => sphex.sampleTensor(typeOf(choice));

const numbers = [0, 1, -1, 2, 0.5, Number.NaN, Number.POSITIVE_INFINITY, -0, 1e300, 2 ** 31, 100];

class Stranger {
  readonly data = 1;
}

/** What is no value of the library at all. */
const strangers: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => 1n,
  () => Symbol("s"),
  () => () => 1,
  () => async () => 1,
  () => new Stranger(),
  () => new Date(0),
  () => /a/,
  () => new Set([1, 2]),
  () => new Map([["a", 1]]),
  () => new WeakMap(),
  () => Promise.resolve(1),
  () => new Proxy([1, 2], {}),
  () => Object.create(null),
  () => Object.freeze([1, 2]),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => new String("a"),
  () => new Error("e"),
  () => Object.assign(new Array(3), { 0: 1 }),
  () => ({ length: 3 }),
  () => ({ toString: 1, valueOf: 1 }),
  () => true,
  () => globalThis,
];

export const arrayOf = (choice: Choice): unknown => {
  const length = choice.below(4);
  const array = choice.oneOf<() => unknown>([
    () => new Float64Array(length).fill(1.5),
    () => new Float32Array(length).fill(2),
    () => new Int8Array(length).fill(-3),
    () => new Uint16Array(length),
    () => new BigInt64Array(length),
    () => new BigUint64Array(length),
    () => new Uint8Array(length).fill(65),
    () => Array.from({ length }, () => choice.oneOf(numbers)),
  ]);
  return array();
};

/** Anything at all, nested a little. */
export function anyValue(choice: Choice, depth = 2): unknown {
  const kinds: readonly (readonly [number, () => unknown])[] = [
    [4, () => choice.oneOf(strangers)()],
    [3, () => choice.oneOf(texts)],
    [2, () => choice.oneOf(numbers)],
    [2, () => arrayOf(choice)],
    [1, () => tensorOf(choice)],
    [1, () => typeOf(choice)],
    [1, () => tensorOf(choice).toTransferable()],
    [1, () => ({ data: arrayOf(choice), shape: [2], strides: [1] })],
    [1, () => ({ toTransferable: () => anyValue(choice, 0) })],
    [1, () => ({ sphexTensor: 1, type: "tensor(x[2])", sizes: [2], labels: [[]], data: arrayOf(choice) })],
    ...(depth === 0
      ? []
      : [
          [1, () => Array.from({ length: choice.below(3) }, () => anyValue(choice, depth - 1))] as const,
          [2, () => objectOf(choice, ["a", "b", "x", "v"], depth)] as const,
        ]),
  ];
  return choice.weighted(kinds, ([weight]) => weight)[1]();
}

/** An object of some of these keys, whose values may be anything. */
export const objectOf = (choice: Choice, keys: readonly string[], depth = 2): object =>
  Object.fromEntries(choice.some(keys).map((key) => [key, anyValue(choice, depth - 1)]));

export const textOf = (choice: Choice): string => choice.oneOf(texts);
export const typeTextOf = (choice: Choice): string => choice.oneOf(typeTexts);
export const numberOf = (choice: Choice): number => choice.oneOf(numbers);

/** Options as they should be, and now and then one that should not. */
export function optionsOf(choice: Choice): object {
  const own = {
    limits: { cells: 10_000, steps: 1e6 },
    ...(choice.percent(20) ? { dialect: "vespa" } : {}),
    ...(choice.percent(20) ? { backend: choice.oneOf(["engine", "closures", "reference"]) } : {}),
    ...(choice.percent(30)
      ? { inputs: { a: choice.oneOf(["tensor(x[2])", "tensor()"]), b: "tensor()" } }
      : {}),
  };
  const names = [
    "dialect",
    "inputs",
    "name",
    "limits",
    "readFile",
    "random",
    "backend",
    "functions",
    "clock",
  ];
  return choice.percent(30) ? { ...own, ...objectOf(choice, names, 1) } : own;
}
