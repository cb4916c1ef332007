import { type Cells, dense, type Inputs, labelOf, sparse } from "../inputs.js";
import type { Workload } from "../workload.js";

/** What looks at cells in their order: medians, ranks, and the highest of many. */

const cellsOf = ({ a }: Inputs): Cells => a?.cells ?? new Float64Array();
/** Ranks of the cells of `a`, the highest first, as NumPy finds them by an order. */
const ranksByNumpy = (order: string) => ({
  before: "ranks = np.arange(100000.0)",
  run: `(lambda r: (r.__setitem__(${order}, ranks), r)[1])(np.empty(100000))`,
});
const ids = Int32Array.from({ length: 100_000 }, (_, at) => at);

/** The positions of the ten highest cells, the highest first. */
function highest(cells: Cells): number[] {
  const best: number[] = [];
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as number; // within the array
    if (best.length === 10 && cell <= (cells[best[9] as number] as number)) continue;
    let rank = best.length === 10 ? 9 : best.length;
    for (; rank > 0 && cell > (cells[best[rank - 1] as number] as number); rank--)
      best[rank] = best[rank - 1] as number;
    best[rank] = at;
  }
  return best;
}

export const orders: readonly Workload[] = [
  {
    name: "median of 1000 rows of 1000",
    expression: "reduce(a, median, y)",
    inputs: (draw) => ({ a: dense("tensor(x[1000],y[1000])", draw.doubles(1_000_000)) }),
    peers: { numpy: "np.median(a, axis=1)" },
    targets: [{ against: "numpy", wide: 1, plain: 1 }],
  },
  {
    name: "median of 1000 columns of 1000",
    expression: "reduce(a, median, x)",
    inputs: (draw) => ({ a: dense("tensor(x[1000],y[1000])", draw.doubles(1_000_000)) }),
    peers: { numpy: "np.median(a, axis=0)" },
    targets: [{ against: "numpy", wide: 1, plain: 1 }],
  },
  {
    name: "cell_order of 10⁵ cells",
    expression: "cell_order(a, max)",
    inputs: (draw) => ({ a: dense("tensor(x[100000])", draw.doubles(100_000)) }),
    peers: { numpy: ranksByNumpy("np.argsort(-a)") },
    targets: [{ against: "numpy", wide: 1, plain: 1 }],
  },
  {
    name: "ranks of 10⁵ cells, written as 10¹⁰ comparisons",
    expression: "sum(rename(a, x, o) < a, o)",
    inputs: (draw) => ({ a: dense("tensor(x[100000])", draw.doubles(100_000)) }),
    peers: { numpy: "np.searchsorted(np.sort(a), a).astype(np.float64)" },
    targets: [{ against: "numpy", wide: 1.5, plain: 1.5 }],
  },
  {
    name: "AUC of 10⁵ scores",
    expression: "auc(a, y, x)",
    inputs: (draw) => ({
      a: dense("tensor(x[100000])", draw.doubles(100_000)),
      y: dense(
        "tensor(x[100000])",
        Float64Array.from({ length: 100_000 }, () => draw.below(2)),
      ),
    }),
    peers: {
      numpy: {
        before: "pairs = lambda positive: positive * (100000.0 - positive)",
        run:
          "(lambda r, p: (r[y > 0.5].sum() - p * (p - 1) / 2) / pairs(p))" +
          "(np.searchsorted(np.sort(a), a), (y > 0.5).sum())",
      },
    },
    targets: [{ against: "numpy", wide: 2, plain: 2 }],
  },
  {
    name: "cell_order of 10⁵ seconds of a day",
    expression: "cell_order(a, max)",
    inputs: (draw) => ({
      a: dense(
        "tensor(x[100000])",
        draw.doubles(100_000, 0, 86_400).map((second) => 1.7e9 + Math.floor(second)),
      ),
    }),
    peers: { numpy: ranksByNumpy("np.argsort(-a, kind='stable')") },
    targets: [{ against: "numpy", wide: 1, plain: 1 }],
  },
  {
    name: "top 10 of 10⁵ labels",
    expression: "top(10, a)",
    inputs: (draw) => ({ a: sparse("tensor(x{})", [ids], draw.doubles(100_000)) }),
    peers: {
      loop: (inputs) => {
        const cells = cellsOf(inputs);
        return () => new Map(highest(cells).map((at) => [labelOf(at), cells[at] as number]));
      },
    },
    targets: [{ against: "loop", wide: 2, plain: 2 }],
  },
  {
    name: "sum of the 10 highest of 10⁵ cells",
    expression: "sum(a * (cell_order(a, max) < 10))",
    inputs: (draw) => ({ a: dense("tensor(x[100000])", draw.doubles(100_000)) }),
    peers: {
      loop: (inputs) => {
        const cells = cellsOf(inputs);
        return () => highest(cells).reduce((sum, at) => sum + (cells[at] as number), 0);
      },
      numpy: "np.partition(a, -10)[-10:].sum()",
    },
    targets: [{ against: "numpy", wide: 1, plain: 1 }],
  },
];
