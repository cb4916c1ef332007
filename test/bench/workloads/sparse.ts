import type { Draw } from "../draw.js";
import { blocks, type Input, type Inputs, labelOf, sparse } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Tensors with mapped dimensions only. */

const rising = (count: number): Int32Array => Int32Array.from({ length: count }, (_, at) => at);
const numbers = (input: Input | undefined): Float64Array => input?.cells as Float64Array; // doubles here
const idsOf = (input: Input | undefined, dimension: string): Int32Array =>
  input?.ids[dimension] ?? new Int32Array();

const interests: Workload = {
  name: "sum(topics*interests*locations*weights) 50³",
  expression: "sum(topics * interests * locations * weights)",
  inputs: (draw) => {
    const each = rising(125_000);
    const columns = [2500, 50, 1].map((step) => each.map((at) => Math.floor(at / step) % 50));
    return {
      topics: sparse("tensor(t{})", [rising(50)], draw.doubles(50)),
      interests: sparse("tensor(i{})", [rising(50)], draw.doubles(50)),
      locations: sparse("tensor(l{})", [rising(50)], draw.doubles(50)),
      weights: sparse("tensor(i{},l{},t{})", columns, draw.doubles(125_000)),
    };
  },
  peers: {
    loop: (inputs) => {
      const [t, i, l, w] = ["topics", "interests", "locations", "weights"].map((name) =>
        numbers(inputs[name]),
      ) as [Float64Array, Float64Array, Float64Array, Float64Array];
      const [ts, is, ls] = ["t", "i", "l"].map((name) => idsOf(inputs.weights, name)) as [
        Int32Array,
        Int32Array,
        Int32Array,
      ];
      return () => {
        let sum = 0;
        for (let at = 0; at < w.length; at++)
          sum +=
            (t[ts[at] as number] as number) *
            (i[is[at] as number] as number) *
            (l[ls[at] as number] as number) *
            (w[at] as number);
        return sum;
      };
    },
    numpy: {
      before: "cube = weights.reshape(50, 50, 50)",
      run: "((cube @ topics) @ locations) @ interests",
    },
  },
  targets: [{ against: "loop", wide: 0.2, plain: 0.2 }],
  tolerance: 1e-10,
};

/** Two tensors of as many labels, half of which are in both, mixed with the others. */
export function halfShared(count: number, draw: Draw): Inputs {
  const all = count + count - (count >> 1);
  const first = draw.distinct(count, all);
  const isFirst = new Uint8Array(all);
  for (const id of first) isFirst[id] = 1;
  for (const at of draw.distinct(count >> 1, count)) isFirst[first[at] ?? 0] = 2;
  const second = rising(all).filter((id) => isFirst[id] !== 1);
  return {
    a: sparse("tensor(x{})", [first], draw.doubles(first.length)),
    b: sparse("tensor(x{})", [second], draw.doubles(second.length)),
  };
}

const mapOf = (input: Input | undefined): Map<string, number> => {
  const cells = numbers(input);
  return new Map([...idsOf(input, "x")].map((id, at) => [labelOf(id), cells[at] ?? 0]));
};

const joined: Workload = {
  name: "a(x{})*b(x{}) 10⁵ labels",
  expression: "a * b",
  inputs: (draw) => halfShared(100_000, draw),
  peers: {
    loop: ({ a, b }) => {
      const [left, right] = [mapOf(a), mapOf(b)];
      return () => {
        const result = new Map<string, number>();
        for (const [label, value] of left) {
          const other = right.get(label);
          if (other !== undefined) result.set(label, value * other);
        }
        return result;
      };
    },
    scipy: {
      before: `${scipyVectors("a")}; ${scipyVectors("b")}`,
      run: "sa.multiply(sb)",
    },
  },
  targets: [{ against: "loop", wide: 0.03, plain: 0.03 }],
};

const merged: Workload = {
  name: "merge(a(x{}),b(x{})) 10⁵ labels",
  expression: "merge(a, b, f(x,y)(x + y))",
  inputs: (draw) => halfShared(100_000, draw),
  peers: {
    loop: ({ a, b }) => {
      const [left, right] = [mapOf(a), mapOf(b)];
      return () => {
        const result = new Map(left);
        for (const [label, value] of right) {
          const other = left.get(label);
          result.set(label, other === undefined ? value : other + value);
        }
        return result;
      };
    },
    scipy: {
      before: `${scipyVectors("a")}; ${scipyVectors("b")}`,
      run: "sa + sb",
    },
  },
  targets: [{ against: "loop", wide: 0.03, plain: 0.03 }],
};

function scipyVectors(name: string): string {
  return `s${name} = sparse.csr_matrix((${name}, (np.zeros(len(${name}), int), ${name}_x)), shape=(1, 150000))`;
}

const [users, items, features] = [10_000, 10_000, 100];

const contraction: Workload = {
  name: "sum(a(u{},i{})*b(i{},f{}), i) 10⁷ products",
  expression: "sum(a * b, i)",
  inputs: (draw) => {
    // 100 users have each item, and each user about 100 items; each item has 10 features.
    const a = pairs(draw, items, 100, users);
    const b = pairs(draw, features, (items * 10) / features, items);
    return {
      a: sparse("tensor(i{},u{})", a, draw.doubles(a[0].length)),
      b: sparse("tensor(f{},i{})", b, draw.doubles(b[0].length)),
    };
  },
  peers: {
    loop: productLoop,
    scipy: {
      before: [
        `sa = sparse.csr_matrix((a, (a_u, a_i)), shape=(${users}, ${items}))`,
        `sb = sparse.csr_matrix((b, (b_i, b_f)), shape=(${items}, ${features}))`,
      ].join("; "),
      run: "sa @ sb",
      answer: "(sa @ sb).T",
    },
  },
  targets: [{ against: "loop", wide: 1.5, plain: 1.5 }],
  tolerance: 1e-10,
};

/** A linear model: each row has some of the features that weights are of. */
const linear: Workload = {
  name: "sum(x(i{},row{})*w(i{}), i) 10⁶ products",
  expression: "sum(x * w, i)",
  inputs: (draw) => {
    const x = pairs(draw, items, 100, users);
    return {
      x: sparse("tensor(i{},row{})", x, draw.doubles(x[0].length)),
      w: sparse("tensor(i{})", [rising(items)], draw.doubles(items)),
    };
  },
  peers: {
    loop: ({ x, w }) => {
      const [rows, features] = [idsOf(x, "row"), idsOf(x, "i")];
      const [cells, weights] = [numbers(x), numbers(w)];
      return () => {
        const sums = new Float64Array(users);
        for (let at = 0; at < cells.length; at++)
          (sums[rows[at] as number] as number) +=
            (cells[at] as number) * (weights[features[at] as number] as number);
        return sums;
      };
    },
    scipy: {
      before: `sx = sparse.csr_matrix((x, (x_row, x_i)), shape=(${users}, ${items}))`,
      run: "sx @ w",
    },
  },
  targets: [{ against: "loop", wide: 1.5, plain: 1.5 }],
  tolerance: 1e-10,
};

/** What a factorisation of ratings has lost: of all pairs of users and films few were rated. */
const ratings: Workload = {
  name: "sum((r(u{},i{}) - sum(p(u{},f[16])*q(i{},f[16]), f))^2) 20,000 of 10⁶ pairs",
  expression: "sum((r - sum(p * q, f))^2)",
  inputs: (draw) => {
    const rated = pairs(draw, 1000, 20, 1000);
    return {
      r: sparse("tensor(i{},u{})", rated, draw.doubles(rated[0].length)),
      p: blocks("tensor(f[16],u{})", 1000, draw.doubles(16_000)),
      q: blocks("tensor(f[16],i{})", 1000, draw.doubles(16_000)),
    };
  },
  peers: { numpy: "np.square(r - np.einsum('nf,nf->n', p[r_u], q[r_i])).sum()" },
  targets: [{ against: "numpy", wide: 0.5, plain: 0.5 }],
  tolerance: 1e-10,
};

/** For each of the first ids so many different second ones: two columns, sorted. */
export function pairs(draw: Draw, firsts: number, each: number, bound: number): [Int32Array, Int32Array] {
  const first = new Int32Array(firsts * each);
  const second = new Int32Array(firsts * each);
  for (let id = 0; id < firsts; id++) {
    first.fill(id, id * each, (id + 1) * each);
    second.set(draw.distinct(each, bound), id * each);
  }
  return [first, second];
}

interface Csr {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Compressed rows: the cells of each row behind those of the row before. */
function csrOf(rows: Int32Array, columns: Int32Array, values: Float64Array, count: number): Csr {
  const starts = new Int32Array(count + 1);
  for (const row of rows) (starts[row + 1] as number)++;
  for (let row = 0; row < count; row++) (starts[row + 1] as number) += starts[row] as number;
  const next = starts.slice();
  const ordered = { starts, columns: columns.slice(), values: values.slice() };
  for (let at = 0; at < rows.length; at++) {
    const to = (next[rows[at] as number] as number)++;
    ordered.columns[to] = columns[at] as number;
    ordered.values[to] = values[at] as number;
  }
  return ordered;
}

/** Row by row, with a sum for each feature; the result has the users of each feature behind those of the one before. */
function productLoop({ a, b }: Inputs): () => Float64Array {
  const left = csrOf(idsOf(a, "u"), idsOf(a, "i"), numbers(a), users);
  const right = csrOf(idsOf(b, "i"), idsOf(b, "f"), numbers(b), items);
  return () => {
    const seen = new Int32Array(features).fill(-1);
    const sums = new Float64Array(features);
    const found: Csr = {
      starts: new Int32Array(users + 1),
      columns: new Int32Array(users * features),
      values: new Float64Array(users * features),
    };
    let count = 0;
    for (let row = 0; row < users; row++) {
      const begin = count;
      for (let at = left.starts[row] as number; at < (left.starts[row + 1] as number); at++) {
        const factor = left.values[at] as number;
        const item = left.columns[at] as number;
        for (let other = right.starts[item] as number; other < (right.starts[item + 1] as number); other++) {
          const feature = right.columns[other] as number;
          if (seen[feature] !== row) {
            seen[feature] = row;
            sums[feature] = 0;
            found.columns[count++] = feature;
          }
          (sums[feature] as number) += factor * (right.values[other] as number);
        }
      }
      found.columns.subarray(begin, count).sort();
      for (let at = begin; at < count; at++) found.values[at] = sums[found.columns[at] as number] as number;
      found.starts[row + 1] = count;
    }
    return byFeature(found, count);
  };
}

function byFeature({ starts, columns, values }: Csr, count: number): Float64Array {
  const next = new Int32Array(features + 1);
  for (let at = 0; at < count; at++) (next[(columns[at] as number) + 1] as number)++;
  for (let at = 0; at < features; at++) (next[at + 1] as number) += next[at] as number;
  const ordered = new Float64Array(count);
  for (let row = 0; row < users; row++)
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++)
      ordered[(next[columns[at] as number] as number)++] = values[at] as number;
  return ordered;
}

const groups = 100_000;

/** For each of 1,000 ids 1,000 of the groups, so that each group comes ten times: two columns, sorted. */
function scattered(draw: Draw): [Int32Array, Int32Array] {
  const order = rising(groups);
  for (let at = groups - 1; at > 0; at--) {
    const other = draw.below(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  const first = Int32Array.from({ length: 1_000_000 }, (_, at) => Math.floor(at / 1000));
  const second = Int32Array.from({ length: 1_000_000 }, (_, at) => order[at % groups] ?? 0);
  for (let id = 0; id < 1000; id++) second.subarray(id * 1000, id * 1000 + 1000).sort();
  return [first, second];
}

/** A reduction over one of two dimensions leaves the other: sorted groups, or groups all over the place. */
function reduced(over: "x" | "y"): Workload {
  const left = over === "x" ? "y" : "x";
  return {
    name: `sum(t(x{},y{}), ${over}) 10⁶ cells`,
    expression: `sum(t, ${over})`,
    inputs: (draw) => {
      const columns = over === "y" ? pairs(draw, groups, 10, 1000) : scattered(draw);
      return { t: sparse("tensor(x{},y{})", columns, draw.doubles(columns[0].length)) };
    },
    peers: {
      loop: ({ t }) => {
        const [ids, cells] = [idsOf(t, left), numbers(t)];
        return () => {
          const sums = new Float64Array(groups);
          for (let at = 0; at < cells.length; at++)
            (sums[ids[at] as number] as number) += cells[at] as number;
          return sums;
        };
      },
      numpy: `np.bincount(t_${left}, weights=t)`,
    },
    targets: [{ against: "numpy", wide: 1.5, plain: 1.5 }],
  };
}

export const sparseWork: readonly Workload[] = [
  interests,
  joined,
  merged,
  contraction,
  linear,
  ratings,
  reduced("y"),
  reduced("x"),
];
