import { type Cells, dense, type Inputs, number } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Work that takes less than a call of most libraries, and sums of products of a few to many cells. */

const cellsOf = (inputs: Inputs, name: string): Cells => inputs[name]?.cells ?? new Float64Array();

const numberOf = (inputs: Inputs, name: string): number => cellsOf(inputs, name)[0] as number; // of one number

const add: Workload = {
  name: "a+b of numbers",
  expression: "a + b",
  inputs: () => ({ a: number(0.25), b: number(0.5) }),
  peers: { loop: (inputs) => () => numberOf(inputs, "a") + numberOf(inputs, "b") },
};

const conditionalSum: Workload = {
  name: "if(a>b,sum(q*q),0) 64",
  expression: "if(a > b, sum(q * q), 0)",
  inputs: (draw) => ({ a: number(1), b: number(0.5), q: dense("tensor(x[64])", draw.doubles(64)) }),
  peers: {
    loop: (inputs) => {
      const q = cellsOf(inputs, "q");
      return () => (numberOf(inputs, "a") > numberOf(inputs, "b") ? dotOf(q, q) : 0);
    },
    numpy: "np.dot(q, q) if a > b else 0.0",
  },
  targets: [{ microseconds: 1 }],
};

const dot: Workload = {
  name: "dot product float 384",
  expression: "sum(a * b)",
  inputs: (draw) => ({
    a: dense("tensor<float>(x[384])", draw.floats(384)),
    b: dense("tensor<float>(x[384])", draw.floats(384)),
  }),
  peers: {
    loop: (inputs) => {
      const [a, b] = [cellsOf(inputs, "a"), cellsOf(inputs, "b")];
      return () => dotOf(a, b);
    },
    numpy: "np.dot(a, b)",
  },
};

function dotOf(a: Cells, b: Cells): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

const hamming: Workload = {
  name: "hamming distance 128 bytes",
  expression: "reduce(hamming(a, b), sum)",
  inputs: (draw) => ({
    a: dense("tensor<int8>(x[128])", draw.bytes(128)),
    b: dense("tensor<int8>(x[128])", draw.bytes(128)),
  }),
  peers: {
    loop: (inputs) => {
      const [a, b] = [cellsOf(inputs, "a"), cellsOf(inputs, "b")];
      return () => {
        let sum = 0;
        for (let at = 0; at < a.length; at++) {
          let bits = ((a[at] as number) ^ (b[at] as number)) & 255;
          for (; bits !== 0; bits &= bits - 1) sum++;
        }
        return sum;
      };
    },
  },
};

const multiplyAdd = [10 ** 3, 10 ** 4, 10 ** 5].map((count): Workload => {
  const names = ["a", "b", "c"] as const;
  return {
    name: `a*b+c double 10${{ 3: "³", 4: "⁴", 5: "⁵" }[Math.log10(count)]}`,
    expression: "a * b + c",
    inputs: (draw) =>
      Object.fromEntries(names.map((name) => [name, dense(`tensor(x[${count}])`, draw.doubles(count))])),
    peers: {
      loop: (inputs) => {
        const [a, b, c] = names.map((name) => cellsOf(inputs, name)) as [Cells, Cells, Cells];
        return () => {
          const result = new Float64Array(a.length);
          for (let at = 0; at < result.length; at++)
            result[at] = (a[at] as number) * (b[at] as number) + (c[at] as number);
          return result;
        };
      },
      numpy: "a * b + c",
    },
  };
});

export const small: readonly Workload[] = [add, conditionalSum, dot, hamming, ...multiplyAdd];
