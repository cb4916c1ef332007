import type { CellType } from "../../src/language/types/cell.js";
import { disagreements, ways } from "../agreement.js";
import { faults, type Plain, plain, summary } from "../engine/contractions.js";
import { Choice } from "../hunt/choice.js";
import type { Trial } from "./trial.js";

/** Sums of products that are large enough for all methods: dense ones against a plain loop, sparse ones in all ways. */

const sizes = [1, 2, 3, 4, 5, 8, 13, 17, 31, 64, 67, 130];
const cellTypes: readonly CellType[] = ["double", "float", "double", "float", "int8", "bfloat16"];

/** A product of matrices in a batch or not, each of which lies one way or the other. */
function denseProduct(choice: Choice): Plain {
  const way = (axes: readonly number[]): readonly number[] => choice.shuffled(axes);
  const isBatch = choice.percent(30);
  const [batch, rows, columns] = [choice.oneOf([2, 3]), choice.oneOf(sizes), choice.oneOf(sizes)];
  const sum = choice.oneOf(choice.percent(15) ? [300, 700] : sizes);
  if (choice.percent(10)) return { sizes: [choice.oneOf([5000, 40_000])], left: [0], right: [0], target: [] };
  const operand = choice.oneOf(cellTypes);
  const target = choice.oneOf(["double", "float"] as const);
  const types = [operand, choice.percent(70) ? operand : choice.oneOf(cellTypes), target] as const;
  if (!isBatch)
    return {
      sizes: [rows, columns, sum],
      left: way([0, 2]),
      right: way([2, 1]),
      target: way([0, 1]),
      cellTypes: types,
    };
  const shared = choice.percent(50) ? [0] : [];
  return {
    sizes: [batch, rows, columns, sum],
    left: [0, ...way([1, 3])],
    right: [...shared, ...way([3, 2])],
    target: choice.percent(50) ? [0, ...way([1, 2])] : way([0, 1, 2]),
    cellTypes: types,
  };
}

export const denseTrial = (seed: number): Trial => ({
  name: `product ${seed}`,
  run: () => {
    const choice = new Choice(seed);
    const loop = plain(denseProduct(choice));
    const options = { wide: choice.percent(25), fixed: [0, 1].filter(() => choice.percent(40)) };
    const [fault] = faults(loop, choice.percent(30) ? { ...options, cuts: [1, 3] } : options) ?? [];
    return fault === undefined ? undefined : `${fault} in ${summary(loop)}`;
  },
});

/** Sums of products of sparse and mixed tensors. */
const texts = [
  "sum(a * b, k)",
  "sum(a * b)",
  "sum(a * b, k, m)",
  "sum(a * b, k, n)",
  "sum(a * c, k)",
  "sum(c * d, k)",
  "sum(c * d, k, x)",
  "sum(d * b, k)",
  "sum(a * b * d, k)",
  "sum(sum(a, m) * b, k)",
];

/** A literal of a tensor with so many rows at most, whose labels are some of a few. */
function literal(
  choice: Choice,
  mapped: readonly string[],
  size: number | undefined,
  cellType: string,
): string {
  const rows = new Map<string, string>();
  const labels = choice.oneOf([3, 12, 40]);
  for (let row = choice.oneOf([0, 1, 30, 120]); row > 0; row--) {
    const cells = Array.from({ length: size ?? 1 }, () => `${choice.between(-9, 9)}`).join();
    const address = mapped.map((name) => `${name}:${choice.oneOf(["", "l"])}${choice.below(labels)}`).join();
    rows.set(address, size === undefined ? cells : `[${cells}]`);
  }
  const dimensions = [...mapped.map((name) => `${name}{}`), ...(size === undefined ? [] : [`x[${size}]`])];
  const body = [...rows].map(([address, cells]) => `{${address}}:${cells}`).join();
  return `tensor<${cellType}>(${dimensions}):{${body}}`;
}

export const sparseTrial = (seed: number): Trial => ({
  name: `sparse product ${seed}`,
  run: () => {
    const choice = new Choice(seed);
    const type = choice.oneOf(["double", "double", "float", "int8"]);
    const inputs = {
      a: literal(choice, ["k", "m"], undefined, type),
      b: literal(choice, ["k", "n"], undefined, "double"),
      c: literal(choice, ["k", "m"], 3, type),
      d: literal(choice, ["k"], 3, "float"),
    };
    const text = choice.oneOf(texts);
    const used = Object.entries(inputs).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
    return disagreements(ways, text, Object.fromEntries(used))[0];
  },
});
