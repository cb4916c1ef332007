import { dense, type Inputs } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Matrix products, and what else adds up products. */

const targets = [
  { against: "numpy", wide: 1.1, plain: 2.5 },
  { against: "scripts", wide: 0.35, plain: 0.9 },
] as const;

function matrixProduct(cellType: "double" | "float", size: number): Workload {
  const draw = cellType === "double" ? "doubles" : "floats";
  return {
    name: `matrix product ${cellType} ${size}³`,
    expression: "sum(a * b, y)",
    inputs: (chance) => ({
      a: dense(`tensor<${cellType}>(x[${size}],y[${size}])`, chance[draw](size * size)),
      b: dense(`tensor<${cellType}>(y[${size}],z[${size}])`, chance[draw](size * size)),
    }),
    peers: {
      ...(size > 512 ? {} : { loop: productLoop }),
      numpy: "a @ b",
      ...(cellType === "float" && {
        onnx: (inputs) => ({ inputs, nodes: [{ op: "MatMul", inputs: ["a", "b"] }] }),
        tfjs: (tf, inputs) => {
          const [a, b] = [tf.input(inputs.a), tf.input(inputs.b)];
          return () => tf.matMul(a, b);
        },
      }),
      jax: (jax, inputs) => {
        const [a, b] = [jax.input(inputs.a), jax.input(inputs.b)];
        const product = jax.jit((left, right) => jax.np.matmul(left, right));
        return () => product(a.ref, b.ref);
      },
    },
    targets,
  };
}

/** A matrix by a vector: every cell of the matrix is read once. */
function vectorProduct(cellType: "double" | "float"): Workload {
  const draw = cellType === "double" ? "doubles" : "floats";
  return {
    name: `product ${cellType} 1000×128 by 128`,
    expression: "sum(a * b, y)",
    inputs: (chance) => ({
      a: dense(`tensor<${cellType}>(x[1000],y[128])`, chance[draw](128_000)),
      b: dense(`tensor<${cellType}>(y[128])`, chance[draw](128)),
    }),
    peers: { numpy: "a @ b" },
    targets: [{ against: "numpy", wide: 1, plain: 1.5 }],
  };
}

/** A sum for each row of two: short ones, of which there are many. */
function rowDots(cellType: "double" | "float", rows: number, columns: number): Workload {
  const draw = cellType === "double" ? "doubles" : "floats";
  const type = `tensor<${cellType}>(x[${rows}],y[${columns}])`;
  return {
    name: `dots of rows ${cellType} ${rows} × ${columns}`,
    expression: "sum(a * b, y)",
    inputs: (chance) => ({
      a: dense(type, chance[draw](rows * columns)),
      b: dense(type, chance[draw](rows * columns)),
    }),
    peers: { numpy: "np.einsum('xy,xy->x', a, b)" },
    targets: [{ against: "numpy", wide: 1, plain: 1.5 }],
  };
}

/** Rows of the second matrix are added to a row of the result: the order that caches like. */
function productLoop({ a, b }: Inputs): () => Float64Array | Float32Array {
  const [rows = 0, inner = 0] = a?.shape ?? [];
  const columns = b?.shape[1] ?? 0;
  const left = a?.cells as Float64Array; // as generated above; floats behave alike here
  const right = b?.cells as Float64Array;
  const Kind = left.constructor as Float64ArrayConstructor;
  return () => {
    const result = new Kind(rows * columns);
    for (let row = 0; row < rows; row++)
      for (let at = 0; at < inner; at++) {
        const factor = left[row * inner + at] as number;
        const from = at * columns;
        const to = row * columns;
        for (let column = 0; column < columns; column++)
          (result[to + column] as number) += factor * (right[from + column] as number);
      }
    return result;
  };
}

/** Against numpy on one thread. */
const withTwoThreads = (workload: Workload): Workload => ({
  ...workload,
  name: `${workload.name}, 2 threads`,
  threads: 2,
  peers: { numpy: "a @ b" },
  targets: [{ against: "numpy", wide: 0.6, plain: 1.4 }],
});

const onOneThread: readonly Workload[] = [
  matrixProduct("double", 256),
  matrixProduct("float", 512),
  matrixProduct("float", 1024),
];

export const products: readonly Workload[] = [
  ...onOneThread,
  ...onOneThread.map(withTwoThreads),
  vectorProduct("double"),
  vectorProduct("float"),
  rowDots("double", 20_000, 16),
  rowDots("float", 5_000, 64),
];
