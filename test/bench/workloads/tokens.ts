import { blocks, type Input, type Inputs } from "../inputs.js";
import type { Target, Workload } from "../workload.js";

/** How well the tokens of a document fit those of a query: floats, bits that are unpacked, and bits as they are. */

const [queryTokens, documentTokens, size] = [32, 200, 128];
const bytes = size / 8;
const targets: readonly Target[] = [{ against: "numpy", wide: 0.7, plain: 2 }];

/** The sum over rows of the left of the largest dot product with a row of the right. */
function bestDots(left: Float32Array, right: Float32Array, of: number): number {
  let total = 0;
  for (let row = 0; row < left.length; row += of) {
    let best = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < right.length; other += of) {
      let sum = 0;
      for (let at = 0; at < of; at++) sum += (left[row + at] as number) * (right[other + at] as number);
      if (sum > best) best = sum;
    }
    total += best;
  }
  return total;
}

const floats = (input: Input | undefined): Float32Array => input?.cells as Float32Array; // as generated below
const octets = (input: Input | undefined): Uint8Array => new Uint8Array(input?.cells.buffer as ArrayBuffer); // bytes

const maxSim: Workload = {
  name: "MaxSim float 32×128 by 200×128",
  expression: "sum(reduce(sum(q * d, x), max, dt), qt)",
  inputs: (draw) => ({
    q: blocks(`tensor<float>(qt{},x[${size}])`, queryTokens, draw.floats(queryTokens * size)),
    d: blocks(`tensor<float>(dt{},x[${size}])`, documentTokens, draw.floats(documentTokens * size)),
  }),
  peers: {
    loop: ({ q, d }) => {
      const [left, right] = [floats(q), floats(d)];
      return () => bestDots(left, right, size);
    },
    numpy: "(q @ d.T).max(axis=1).sum()",
    onnx: (inputs) => ({
      inputs,
      nodes: [
        { op: "Transpose", inputs: ["d"] },
        { op: "MatMul", inputs: ["q", ""] },
        { op: "ReduceMax", inputs: [""], attributes: { axes: [1], keepdims: 0 } },
        { op: "ReduceSum", inputs: [""], attributes: { keepdims: 0 } },
      ],
    }),
    tfjs: (tf, inputs) => {
      const [q, d] = [tf.input(inputs.q), tf.input(inputs.d)];
      return () => tf.sum(tf.max(tf.matMul(q, d, false, true), 1));
    },
    jax: (jax, inputs) => {
      const [q, d] = [jax.input(inputs.q), jax.input(inputs.d)];
      const { np } = jax;
      const run = jax.jit((left, right) => np.sum(np.max(np.matmul(left, np.transpose(right)), 1)));
      return () => run(q.ref, d.ref);
    },
  },
  targets,
  tolerance: 1e-4,
};

const packed: Workload = {
  name: "MaxSim with unpack_bits",
  expression: "sum(reduce(sum(q * unpack_bits(d), x), max, dt), qt)",
  inputs: (draw) => ({
    q: blocks(`tensor<float>(qt{},x[${size}])`, queryTokens, draw.floats(queryTokens * size)),
    d: blocks(`tensor<int8>(dt{},x[${bytes}])`, documentTokens, draw.bytes(documentTokens * bytes)),
  }),
  peers: {
    loop: ({ q, d }) => {
      const [left, right] = [floats(q), octets(d)];
      const bits = new Float32Array(right.length * 8);
      return () => {
        for (let at = 0; at < bits.length; at++)
          bits[at] = ((right[at >> 3] as number) >> (7 - (at & 7))) & 1;
        return bestDots(left, bits, size);
      };
    },
    numpy: "(q @ np.unpackbits(d.view(np.uint8), axis=1).astype(np.float32).T).max(axis=1).sum()",
  },
  targets,
  tolerance: 1e-4,
};

const hamming: Workload = {
  name: "MaxSim with hamming",
  expression: "sum(reduce(1 / (1 + sum(hamming(q, d), x)), max, dt), qt)",
  inputs: (draw) => ({
    q: blocks(`tensor<int8>(qt{},x[${bytes}])`, queryTokens, draw.bytes(queryTokens * bytes)),
    d: blocks(`tensor<int8>(dt{},x[${bytes}])`, documentTokens, draw.bytes(documentTokens * bytes)),
  }),
  peers: {
    loop: hammingLoop,
    numpy:
      "(1 / (1 + np.bitwise_count(q.view(np.uint64)[:, None] ^ d.view(np.uint64)[None]).sum(axis=2))).max(axis=1).sum()",
  },
  targets,
  tolerance: 1e-5,
};

/** Bits are counted in words of 32. */
function hammingLoop({ q, d }: Inputs): () => number {
  const words = (input: Input | undefined): Int32Array => new Int32Array(octets(input).slice().buffer);
  const [left, right] = [words(q), words(d)];
  const of = bytes / 4;
  return () => {
    let total = 0;
    for (let row = 0; row < left.length; row += of) {
      let best = 0;
      for (let other = 0; other < right.length; other += of) {
        let count = 0;
        for (let at = 0; at < of; at++)
          count += ones((left[row + at] as number) ^ (right[other + at] as number));
        const nearness = 1 / (1 + count);
        if (nearness > best) best = nearness;
      }
      total += best;
    }
    return total;
  };
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export const tokens: readonly Workload[] = [maxSim, packed, hamming];
