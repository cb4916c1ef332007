import fc from "fast-check";
import { expect, test } from "vitest";
import { Tensor } from "../../src/language/values/tensor.js";
import { compile } from "../../src/program/compile.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";

/**
 * Products of more factors than all orders are tried of, and of few, summed over what nothing else has: against every term by itself, in
 * whole numbers, so that sums are the same in any order.
 */

const letters = [..."abcdefghijkl"];

interface Network {
  readonly sizes: readonly number[];
  readonly isMapped: readonly boolean[];
  /** The dimensions of each factor. */
  readonly factors: readonly (readonly number[])[];
  readonly retained: readonly number[];
  readonly seed: number;
}

/** Factors along a chain of dimensions, so that all are connected, some with one more dimension; up to 200,000 terms. */
const networks: fc.Arbitrary<Network> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 9, maxLength: 12 }),
    mapped: fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
    extra: fc.array(fc.nat(30), { minLength: 14, maxLength: 14 }),
    isDense: fc.boolean(),
    few: fc.nat(5),
    retained: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
    seed: fc.nat(1_000_000),
  })
  .map(({ sizes, mapped, isDense, extra, few, retained, seed }) => {
    let terms = 1;
    const own = sizes.filter((size) => (terms *= size) <= 200_000);
    const length = few === 0 ? Math.min(own.length, 8) : own.length;
    const factors = Array.from({ length: length - 1 }, (_, at) => {
      const more = extra[at] ?? 0;
      return [...new Set([at, at + 1, ...(more < length ? [more] : [])])].sort((a, b) => a - b);
    });
    // Two more factors of one dimension each.
    for (const at of extra.slice(12)) factors.push([at % length]);
    return {
      sizes: own.slice(0, length),
      isMapped: mapped.map((each) => !isDense && each === 0),
      factors,
      retained: retained.filter((at) => at < length).sort((a, b) => a - b),
      seed,
    };
  });

/** The cell of a factor at some indexes; nothing where a mapped tensor has none. */
function cellOf(network: Network, factor: number, at: readonly number[]): number | undefined {
  const own = network.factors[factor] ?? [];
  let mixed = network.seed + factor * 7919;
  for (const dimension of own) mixed = Math.imul(mixed ^ ((at[dimension] ?? 0) + 1), 0x9e3779b1) >>> 3;
  const isSparse = own.some((dimension) => network.isMapped[dimension]);
  // A cell is absent for its labels alone, as a block is there or not.
  let labels = network.seed + factor;
  for (const dimension of own)
    if (network.isMapped[dimension])
      labels = Math.imul(labels ^ ((at[dimension] ?? 0) + 3), 0x85ebca6b) >>> 2;
  return isSparse && labels % 6 === 0 ? undefined : (mixed % 5) - 2;
}

function* indexesOf(network: Network, dimensions: readonly number[]): Generator<number[]> {
  const at = network.sizes.map(() => 0);
  for (;;) {
    yield at;
    let last = dimensions.length - 1;
    for (; last >= 0; last--) {
      const dimension = dimensions[last] ?? 0;
      at[dimension] = (at[dimension] ?? 0) + 1;
      if ((at[dimension] ?? 0) < (network.sizes[dimension] ?? 0)) break;
      at[dimension] = 0;
    }
    if (last < 0) return;
  }
}

const typeOf = ({ sizes, isMapped }: Network, dimensions: readonly number[]): string =>
  `tensor(${dimensions.map((at) => `${letters[at]}${isMapped[at] ? "{}" : `[${sizes[at]}]`}`)})`;

const addressOf = (dimensions: readonly number[], at: readonly number[]): Record<string, string> =>
  Object.fromEntries(dimensions.map((each) => [letters[each] ?? "", `${at[each]}`]));

function factorTensor(network: Network, factor: number): Tensor {
  const own = network.factors[factor] ?? [];
  const cells = Array.from(indexesOf(network, own), (at) => ({
    address: addressOf(own, at),
    value: cellOf(network, factor, at),
  }));
  const present = cells.flatMap(({ address, value }) => (value === undefined ? [] : [{ address, value }]));
  return Tensor.from(parseType(typeOf(network, own)), present);
}

/** The sum of all terms at each address that has any. */
function plainSums(network: Network): Map<string, number> {
  const sums = new Map<string, number>();
  const all = network.sizes.map((_, at) => at);
  for (const at of indexesOf(network, all)) {
    let product = 1;
    for (let factor = 0; factor < network.factors.length; factor++)
      product *= cellOf(network, factor, at) ?? Number.NaN;
    if (Number.isNaN(product)) continue;
    const key = JSON.stringify(addressOf(network.retained, at));
    sums.set(key, (sums.get(key) ?? 0) + product);
  }
  return sums;
}

/** The fewest products of any order, by all ways to part all sets of factors. */
function fewestProducts({ factors, sizes, retained }: Network): number {
  const bitsOf = (dimensions: readonly number[]): number =>
    dimensions.reduce((bits, each) => bits | (1 << each), 0);
  const cells = (bits: number): number =>
    sizes.reduce((product, size, at) => ((bits >> at) & 1 ? product * size : product), 1);
  const axes = factors.map(bitsOf);
  const all = (1 << factors.length) - 1;
  const axesOf = (set: number): number =>
    axes.reduce((bits, own, at) => ((set >> at) & 1 ? bits | own : bits), 0);
  /** What is left of a set: what others have too, or the result. */
  const left = (set: number): number => axesOf(set) & (axesOf(all & ~set) | bitsOf(retained));
  const best = new Float64Array(all + 1);
  for (let set = 1; set <= all; set++) {
    if ((set & (set - 1)) === 0) continue;
    let least = Number.POSITIVE_INFINITY;
    for (let part = (set - 1) & set; part > 0; part = (part - 1) & set) {
      const products = (best[part] ?? 0) + (best[set & ~part] ?? 0) + cells(left(part) | left(set & ~part));
      least = Math.min(least, products);
    }
    best[set] = least;
  }
  return best[all] ?? 0;
}

test("sums of products of many factors are those of all terms", () => {
  const ratios: number[] = [];
  holds(
    fc.property(networks, (network) => {
      const { factors, retained, sizes } = network;
      const inputs = Object.fromEntries(
        factors.map((_, factor) => [`t${factor}`, factorTensor(network, factor)]),
      );
      const types = Object.fromEntries(Object.entries(inputs).map(([name, { type }]) => [name, type]));
      const summed = sizes.flatMap((_, at) => (retained.includes(at) ? [] : [letters[at]]));
      const text = `reduce(${Object.keys(inputs).join(" * ")}, sum, ${summed.join(", ")})`;
      const program = compile(text, {
        inputs: types,
        backend: "engine",
        limits: { steps: 1e12, cells: 1e8 },
      });
      const result = program.run(inputs);
      const expected = plainSums(network);
      const found = new Map([...result.cells()].map(({ address, value }) => [keyOf(address), value]));
      for (const [key, value] of expected) expect(found.get(keyOf(JSON.parse(key)))).toBe(value + 0);
      // Where a block has a cell, all of its cells are there, and 0.
      const sums = new Set([...expected.keys()].map((key) => keyOf(JSON.parse(key))));
      for (const [key, value] of found) if (!sums.has(key)) expect(value).toBe(0);
      const [, products] = /: (\d+) products for \d+/.exec(program.plan(inputs).ir) ?? [];
      if (products !== undefined) ratios.push(Number(products) / fewestProducts(network));
    }),
    40,
  );
  // Most are multiplied in pairs, in an order that is about the best.
  expect(ratios.length).toBeGreaterThan(10);
  expect(Math.max(...ratios)).toBeLessThan(2);
});

const keyOf = (address: Readonly<Record<string, string | number>>): string =>
  JSON.stringify(
    Object.entries(address)
      .map(([name, label]) => [name, `${label}`])
      .sort(),
  );
