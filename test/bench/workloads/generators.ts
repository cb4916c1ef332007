import { dense } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Generators as people write them: neighbours, borders, remainders of indexes, lookups and transforms. */

const million = 1_000_000;
const series = `tensor(t[${million}])`;
const plane = "tensor(x[1000],y[1000])";

const targets = [{ against: "numpy", wide: 1.2, plain: 1.5 }] as const;

/** Of what little more is done with than moving cells: NumPy frees a result at once, so that the next one lies in the cache. */
const moved = [
  { of: "ours, disposed of", against: "numpy", wide: 1.2, plain: 1.5 },
  { against: "numpy", wide: 3, plain: 3 },
] as const;

export const generators: readonly Workload[] = [
  {
    name: "differences of 10⁶ neighbours",
    expression: `tensor(t[${million - 1}])(s{t:(t + 1)} - s{t:(t)})`,
    inputs: (draw) => ({ s: dense(series, draw.doubles(million)) }),
    peers: { numpy: "np.diff(s)" },
    targets: moved,
  },
  {
    name: "10⁶ cells moved by one, with a choice at the border",
    expression: `tensor(t[${million}])(if(t > 0, s{t:(t - 1)}, 0))`,
    inputs: (draw) => ({ s: dense(series, draw.doubles(million)) }),
    peers: { numpy: "np.concatenate(([0.0], s[:-1]))" },
    targets: moved,
  },
  {
    name: "sum of four neighbours, with choices at the borders",
    expression:
      `tensor(x[1000],y[1000])(if(x > 0, u{x:(x - 1),y:(y)}, 0) + if(x < 999, u{x:(x + 1),y:(y)}, 0)` +
      " + if(y > 0, u{x:(x),y:(y - 1)}, 0) + if(y < 999, u{x:(x),y:(y + 1)}, 0))",
    inputs: (draw) => ({ u: dense(plane, draw.doubles(million)) }),
    peers: {
      numpy: {
        before: "padded = np.pad(u, 1)",
        run: "padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]",
      },
    },
    targets,
  },
  {
    name: "remainders of 10⁶ cells",
    expression: "s % 7",
    inputs: (draw) => ({ s: dense(series, draw.doubles(million)) }),
    peers: { numpy: "np.fmod(s, 7)" },
    targets,
  },
  {
    name: "10⁶ numbers of 1000 at indexes",
    expression: `tensor(t[${million}])(a{x:(s{t:(t)})})`,
    inputs: (draw) => ({
      a: dense("tensor(x[1000])", draw.doubles(1000)),
      s: dense(
        series,
        Float64Array.from({ length: million }, () => draw.below(1000)),
      ),
    }),
    fixed: ["a"],
    peers: { numpy: "a[s.astype(np.int64)]" },
    targets,
  },
  {
    name: "5000 cumulative sums, written as 25 million choices",
    expression: "sum(tensor(t[5000],j[5000])(if(j <= t, s{t:(j)}, 0)), j)",
    inputs: (draw) => ({ s: dense("tensor(t[5000])", draw.doubles(5000)) }),
    peers: { numpy: "np.cumsum(s)" },
    // In a loop of JavaScript, which loses nothing by rounding.
    targets: [{ against: "numpy", wide: 3, plain: 3 }],
  },
  {
    name: "5000 greatest cells up to each, written as 25 million choices",
    expression: "max(tensor(t[5000],j[5000])(if(j <= t, s{t:(j)}, -1/0)), j)",
    inputs: (draw) => ({ s: dense("tensor(t[5000])", draw.doubles(5000)) }),
    peers: { numpy: "np.maximum.accumulate(s)" },
    targets: [{ against: "numpy", wide: 3, plain: 3 }],
  },
  {
    name: "sums of 3×3 neighbours on a torus of 500×500",
    expression:
      "sum(tensor(x[500],y[500],a[3],b[3])(u{x:((x + a + 499) % 500),y:((y + b + 499) % 500)}), a, b)",
    inputs: (draw) => ({ u: dense("tensor(x[500],y[500])", draw.doubles(250_000)) }),
    peers: {
      numpy: {
        before: "around = np.pad(u, 1, mode='wrap')",
        run: "sum(around[a:a + 500, b:b + 500] for a in range(3) for b in range(3))",
      },
    },
    targets,
  },
  {
    name: "sums of 10⁵ numbers by 1000 labels, as products",
    expression: "sum(s * (label == tensor(g[1000])(g)), t)",
    inputs: (draw) => ({
      s: dense("tensor(t[100000])", draw.doubles(100_000)),
      label: dense(
        "tensor(t[100000])",
        Float64Array.from({ length: 100_000 }, () => draw.below(1000)),
      ),
    }),
    peers: { numpy: "np.bincount(label.astype(np.int64), weights=s, minlength=1000)" },
    targets: [{ against: "numpy", wide: 2, plain: 2 }],
  },
  {
    name: "cosine transform of 256 numbers",
    expression: "sum(a * tensor(x[256],k[256])(cos(3.141592653589793 * (x + 0.5) * k / 256)), x)",
    inputs: (draw) => ({ a: dense("tensor(x[256])", draw.doubles(256)) }),
    peers: {
      numpy: {
        before: "cosines = np.cos(np.pi * (np.arange(256)[:, None] + 0.5) * np.arange(256)[None, :] / 256)",
        run: "a @ cosines",
      },
    },
    targets,
  },
];
