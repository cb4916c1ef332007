import type { Draw } from "../draw.js";
import { dense, type Input, type Inputs, sparse } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Products of many tensors, written in an order in which nobody would compute them. */

const [rays, labels, facts] = [["a", "b", "c", "d"] as const, 300, 100_000];

/** Four vectors, and a tensor that has all of their dimensions. */
function star(draw: Draw): Inputs {
  const all = Int32Array.from({ length: labels }, (_, at) => at);
  const inputs: Record<string, Input> = {};
  for (const name of rays) inputs[`of_${name}`] = sparse(`tensor(${name}{})`, [all], draw.doubles(labels));
  const rows = draw.distinct(facts, labels ** 3);
  const digit = (row: number, power: number): number => Math.floor(row / labels ** power) % labels;
  const columns = [2, 1, 0].map((power) => rows.map((row) => digit(row, power)));
  columns.push(rows.map(() => draw.below(labels)));
  inputs.facts = sparse(`tensor(${rays.map((name) => `${name}{}`).join()})`, columns, draw.doubles(facts));
  return inputs;
}

const starOfFive: Workload = {
  name: "star of five sparse tensors, 10⁵ facts last",
  expression: "sum(of_a * of_b * of_c * of_d * facts)",
  inputs: star,
  peers: { numpy: "(facts * of_a[facts_a] * of_b[facts_b] * of_c[facts_c] * of_d[facts_d]).sum()" },
  targets: [{ against: "numpy", wide: 1, plain: 1 }],
  tolerance: 1e-9,
};

/** Four matrices, alternately wide and tall, of which the two in the middle are multiplied first as it is written. */
const chain = (draw: Draw): Inputs => ({
  p: dense("tensor(u[10],v[1000])", draw.doubles(10_000)),
  q: dense("tensor(v[1000],w[10])", draw.doubles(10_000)),
  r: dense("tensor(w[10],x[1000])", draw.doubles(10_000)),
  s: dense("tensor(x[1000],y[10])", draw.doubles(10_000)),
});

const numpyChain = "p @ q @ (r @ s)";

export const networks: readonly Workload[] = [
  starOfFive,
  {
    name: "chain 10×1000·1000×10·10×1000·1000×10, flat",
    expression: "sum(p * q * r * s, v, w, x)",
    inputs: chain,
    peers: { numpy: numpyChain },
    targets: [{ against: "numpy", wide: 1.5, plain: 2.5 }],
    tolerance: 1e-9,
  },
  {
    name: "the same chain, nested badly",
    expression: "sum(p * sum(sum(q * r, w) * s, x), v)",
    inputs: chain,
    peers: { numpy: numpyChain },
    targets: [{ against: "numpy", wide: 1.5, plain: 2.5 }],
    tolerance: 1e-9,
  },
];
