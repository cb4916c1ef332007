import type { Draw } from "../draw.js";
import { type Cells, dense, type Input, type Inputs } from "../inputs.js";
import type { Peers, Target, Workload } from "../workload.js";

/** Neural nets with one hidden layer, whose weights are fixed, and softmax. */

interface Size {
  readonly input: number;
  readonly hidden: number;
  readonly final: number;
  /** Inputs in one call. */
  readonly batch?: number;
}

const expression = "sigmoid(sum(relu(sum(x * w1, i) + b1) * w2, h) + b2)";
const layer = "np.maximum(x @ v1 + b1, 0) @ v2 + b2";
const numpy = `1 / (1 + np.exp(-(${layer})))`;

function net(cellType: "double" | "float", size: Size, targets: readonly Target[]): Workload {
  const { input, hidden, final, batch } = size;
  const cells = (draw: Draw, count: number): Cells =>
    cellType === "double" ? draw.doubles(count, -0.5, 0.5) : draw.floats(count, -0.5, 0.5);
  const rows = batch ?? 1;
  const batched = batch === undefined ? "" : `b[${batch}],`;
  return {
    name: `net ${input}-${hidden}-${final} ${cellType}, ${batch === undefined ? "one" : `batch of ${batch}`}`,
    expression,
    inputs: (draw) => ({
      x: dense(`tensor<${cellType}>(${batched}i[${input}])`, cells(draw, rows * input)),
      // Dimensions lie in the order of their names: h before i, and f before h.
      w1: dense(`tensor<${cellType}>(h[${hidden}],i[${input}])`, cells(draw, hidden * input)),
      b1: dense(`tensor<${cellType}>(h[${hidden}])`, cells(draw, hidden)),
      w2: dense(`tensor<${cellType}>(f[${final}],h[${hidden}])`, cells(draw, final * hidden)),
      b2: dense(`tensor<${cellType}>(f[${final}])`, cells(draw, final)),
    }),
    fixed: ["w1", "b1", "w2", "b2"],
    peers: {
      loop: (inputs) => netLoop(inputs, rows),
      // As a programmer has them: inputs by outputs, back to back.
      numpy: { before: "v1 = np.ascontiguousarray(w1.T); v2 = np.ascontiguousarray(w2.T)", run: numpy },
      ...(cellType === "float" && floatPeers),
    },
    targets,
    tolerance: cellType === "double" ? 1e-12 : 1e-4,
  };
}

const floatPeers: Peers = {
  onnx: (inputs) => ({
    inputs: { x: inputs.x as Input }, // it is among those above
    constants: {
      w1: turned(inputs.w1),
      b1: inputs.b1 as Input,
      w2: turned(inputs.w2),
      b2: inputs.b2 as Input,
    },
    nodes: [
      { op: "MatMul", inputs: ["x", "w1"] },
      { op: "Add", inputs: ["", "b1"] },
      { op: "Relu", inputs: [""] },
      { op: "MatMul", inputs: ["", "w2"] },
      { op: "Add", inputs: ["", "b2"] },
      { op: "Sigmoid", inputs: [""] },
    ],
  }),
  tfjs: (tf, inputs) => {
    const x = matrix(inputs.x);
    const [input, w1, b1] = [tf.input(x), tf.input(turned(inputs.w1)), tf.input(inputs.b1)];
    const [w2, b2] = [tf.input(turned(inputs.w2)), tf.input(inputs.b2)];
    return () => {
      const hidden = tf.relu(tf.add(tf.matMul(input, w1), b1));
      return tf.sigmoid(tf.add(tf.matMul(hidden, w2), b2));
    };
  },
  jax: (jax, inputs) => {
    const { np, nn } = jax;
    const x = jax.input(matrix(inputs.x));
    const weights = [turned(inputs.w1), inputs.b1, turned(inputs.w2), inputs.b2].map(jax.input);
    const run = jax.jit((input, w1, b1, w2, b2) => {
      const hidden = nn.relu(np.add(np.matmul(input, w1), b1));
      return nn.sigmoid(np.add(np.matmul(hidden, w2), b2));
    });
    return () => run(x.ref, ...weights.map((each) => each.ref));
  },
};

/** With rows of inputs, of which there may be one. */
function matrix(input: Input | undefined): Input {
  const { shape = [], cells = new Float32Array() } = input ?? {};
  const columns = shape[shape.length - 1] ?? 1;
  return { value: 0, cells, shape: [cells.length / columns, columns], ids: {} };
}

/** The transposed matrix, back to back. */
function turned(input: Input | undefined): Input {
  const [rows = 0, columns = 0] = input?.shape ?? [];
  const from = input?.cells ?? new Float32Array();
  const cells = from.slice();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      cells[column * rows + row] = from[row * columns + column] ?? 0;
  return { value: 0, cells, shape: [columns, rows], ids: {} };
}

/** Cell after cell of each layer, over weights that lie as the dot products want them. */
function netLoop(inputs: Inputs, rows: number): () => Float64Array {
  const numbers = (name: string): Float64Array => inputs[name]?.cells as Float64Array; // doubles or floats, which behave alike here
  const [x, w1, b1, w2, b2] = ["x", "w1", "b1", "w2", "b2"].map(numbers) as Five;
  const [input, hidden, final] = [x.length / rows, b1.length, b2.length];
  const middle = new Float64Array(hidden);
  return () => {
    const result = new Float64Array(rows * final);
    for (let row = 0; row < rows; row++) {
      for (let to = 0; to < hidden; to++) {
        let sum = b1[to] as number;
        for (let at = 0; at < input; at++)
          sum += (x[row * input + at] as number) * (w1[to * input + at] as number);
        middle[to] = sum > 0 ? sum : 0;
      }
      for (let to = 0; to < final; to++) {
        let sum = b2[to] as number;
        for (let at = 0; at < hidden; at++) sum += (middle[at] as number) * (w2[to * hidden + at] as number);
        result[row * final + to] = 1 / (1 + Math.exp(-sum));
      }
    }
    return result;
  };
}

type Five = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

function softmax(cellType: "double" | "float"): Workload {
  const draw = cellType === "double" ? "doubles" : "floats";
  return {
    name: `softmax ${cellType} 1000×1000`,
    expression: "softmax(a, y)",
    inputs: (chance) => ({
      a: dense(`tensor<${cellType}>(x[1000],y[1000])`, chance[draw](1_000_000, -5, 5)),
    }),
    peers: {
      loop: softmaxLoop,
      numpy: "(lambda e: e / e.sum(axis=1, keepdims=True))(np.exp(a))",
      ...(cellType === "float" && {
        onnx: (inputs) => ({ inputs, nodes: [{ op: "Softmax", inputs: ["a"] }] }),
        tfjs: (tf, inputs) => {
          const a = tf.input(inputs.a);
          return () => tf.softmax(a);
        },
      }),
      jax: (jax, inputs) => {
        const a = jax.input(inputs.a);
        const run = jax.jit((x) => jax.nn.softmax(x, -1));
        return () => run(a.ref);
      },
    },
    targets: [{ against: "numpy", wide: 0.6, plain: 1.2 }],
    tolerances: { jax: 1e-6 },
  };
}

function softmaxLoop({ a }: Inputs): () => Float64Array {
  const cells = a?.cells as Float64Array; // or floats, as above
  const [rows = 0, columns = 0] = a?.shape ?? [];
  const Kind = cells.constructor as Float64ArrayConstructor;
  return () => {
    const result = new Kind(cells.length);
    for (let row = 0; row < rows; row++) {
      const from = row * columns;
      let sum = 0;
      for (let at = from; at < from + columns; at++) sum += result[at] = Math.exp(cells[at] as number);
      for (let at = from; at < from + columns; at++) (result[at] as number) /= sum;
    }
    return result;
  };
}

export const nets: readonly Workload[] = [
  net("double", { input: 20, hidden: 40, final: 1 }, [
    { against: "numpy", wide: 0.1, plain: 0.1 },
    { microseconds: 0.5 },
  ]),
  net("float", { input: 784, hidden: 256, final: 10 }, [{ against: "numpy", wide: 0.9, plain: 1.3 }]),
  net("float", { input: 784, hidden: 256, final: 10, batch: 64 }, [
    { against: "numpy", wide: 1.1, plain: 2.2 },
  ]),
  softmax("double"),
  softmax("float"),
];
