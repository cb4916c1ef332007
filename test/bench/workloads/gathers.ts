import { type Cells, dense, type Inputs, number } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Cells at indexes that other cells tell. */

const [words, size, tokens] = [30_000, 64, 1000];

const cellsOf = (inputs: Inputs, name: string): Cells => inputs[name]?.cells ?? new Float64Array();

/** The rows of a table of words, as the first step of a net over tokens. */
const embedding: Workload = {
  name: "1000 rows of 64 at ids",
  expression: `tensor(i[${tokens}],z[${size}])(a{x:(ids{i:(i)}),y:(z)})`,
  inputs: (draw) => ({
    a: dense(`tensor(x[${words}],y[${size}])`, draw.doubles(words * size)),
    ids: dense(
      `tensor(i[${tokens}])`,
      Float64Array.from({ length: tokens }, () => draw.below(words)),
    ),
  }),
  fixed: ["a"],
  peers: {
    loop: (inputs) => {
      const [a, ids] = [cellsOf(inputs, "a"), cellsOf(inputs, "ids")];
      return () => {
        const result = new Float64Array(tokens * size);
        for (let token = 0; token < tokens; token++) {
          const row = (ids[token] as number) * size; // within the list
          for (let at = 0; at < size; at++) result[token * size + at] = a[row + at] as number; // as above
        }
        return result;
      };
    },
    numpy: { before: "rows = ids.astype(np.int64)", run: "a[rows]" },
  },
  targets: [{ against: "loop", wide: 1.5, plain: 1.5 }],
};

/** One number of a table, another one in each run. */
const lookup: Workload = {
  name: "a number of 1000 at an id",
  expression: "a{x:(id)}",
  inputs: (draw) => ({
    a: dense("tensor(x[1000])", draw.doubles(1000)),
    id: number(draw.below(1000)),
  }),
  fixed: ["a"],
  peers: {
    loop: (inputs) => {
      const [a, id] = [cellsOf(inputs, "a"), cellsOf(inputs, "id")];
      return () => a[id[0] as number] as number; // within the list
    },
  },
  targets: [{ microseconds: 1 }],
};

export const gathers: readonly Workload[] = [embedding, lookup];
