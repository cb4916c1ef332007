import { type Cells, dense, type Inputs } from "../inputs.js";
import type { Jax, JaxArray } from "../peers/jax.js";
import type { Tf, TfTensor } from "../peers/tensorflow.js";
import type { Workload } from "../workload.js";

/** What is done to each cell, and sums over all of them. */

const count = 1_000_000;
type CellType = "double" | "float";
const cellTypes: readonly CellType[] = ["double", "float"];

const random = { double: "doubles", float: "floats" } as const;

const cellsOf = (inputs: Inputs, name: string): Float64Array => inputs[name]?.cells as Float64Array; // doubles or floats, which behave alike in the loops here

const constructorOf = (cells: Cells): Float64ArrayConstructor => cells.constructor as Float64ArrayConstructor; // as above

const multiplyAdd: Workload = {
  name: "a*b+c double 10⁶",
  expression: "a * b + c",
  inputs: (draw) => ({
    a: dense(`tensor(x[${count}])`, draw.doubles(count)),
    b: dense(`tensor(x[${count}])`, draw.doubles(count)),
    c: dense(`tensor(x[${count}])`, draw.doubles(count)),
  }),
  peers: {
    loop: (inputs) => {
      const [a, b, c] = [cellsOf(inputs, "a"), cellsOf(inputs, "b"), cellsOf(inputs, "c")];
      return () => {
        const result = new Float64Array(a.length);
        for (let at = 0; at < result.length; at++)
          result[at] = (a[at] as number) * (b[at] as number) + (c[at] as number);
        return result;
      };
    },
    numpy: "a * b + c",
    jax: (jax, inputs) => {
      const [a, b, c] = [jax.input(inputs.a), jax.input(inputs.b), jax.input(inputs.c)];
      const { np } = jax;
      const run = jax.jit((x, y, z) => np.add(np.multiply(x, y), z));
      return () => run(a.ref, b.ref, c.ref);
    },
  },
  targets: [{ against: "numpy", wide: 1.0, plain: 1.1 }],
};

const distances = cellTypes.flatMap((cellType) =>
  ["sum((x-y)^2)", "sum((x-y)*(x-y))"].map((expression): Workload => {
    return {
      name: `${expression} ${cellType} 10⁶`,
      expression,
      inputs: (draw) => ({
        x: dense(`tensor<${cellType}>(d[${count}])`, draw[random[cellType]](count)),
        y: dense(`tensor<${cellType}>(d[${count}])`, draw[random[cellType]](count)),
      }),
      peers: {
        loop: (inputs) => {
          const [x, y] = [cellsOf(inputs, "x"), cellsOf(inputs, "y")];
          return () => {
            let sum = 0;
            for (let at = 0; at < x.length; at++) {
              const difference = (x[at] as number) - (y[at] as number);
              sum += difference * difference;
            }
            return sum;
          };
        },
        numpy: "(lambda d: np.dot(d, d))(x - y)",
        ...(cellType === "float" && {
          tfjs: (tf, inputs) => {
            const [x, y] = [tf.input(inputs.x), tf.input(inputs.y)];
            return () => tf.sum(tf.square(tf.sub(x, y)));
          },
        }),
      },
      targets: [{ against: "numpy", wide: 0.5, plain: 0.8 }],
      tolerances: { tfjs: 1e-3 }, // it adds floats up one after the other
    };
  }),
);

interface Row {
  readonly name: string;
  /** Where it is not the function of the name of `a`. */
  readonly expression?: string;
  readonly numpy: string;
  readonly plain: (x: number) => number;
  readonly tfjs: (tf: Tf, x: TfTensor) => TfTensor;
  readonly jax: (jax: Jax, x: JaxArray) => JaxArray;
}

// biome-ignore format: a table
const functions: readonly Row[] = [
  { name: "exp",     numpy: "np.exp(a)",             plain: Math.exp,                     tfjs: (tf, x) => tf.exp(x),     jax: ({ np }, x) => np.exp(x) },
  { name: "sigmoid", numpy: "1 / (1 + np.exp(-a))",  plain: (x) => 1 / (1 + Math.exp(-x)), tfjs: (tf, x) => tf.sigmoid(x), jax: ({ nn }, x) => nn.sigmoid(x) },
  { name: "tanh",    numpy: "np.tanh(a)",            plain: Math.tanh,                    tfjs: (tf, x) => tf.tanh(x),    jax: ({ np }, x) => np.tanh(x) },
  { name: "sin",     numpy: "np.sin(a)",             plain: Math.sin,                     tfjs: (tf, x) => tf.sin(x),     jax: ({ np }, x) => np.sin(x) },
  { name: "atan",    numpy: "np.arctan(a)",          plain: Math.atan,                    tfjs: (tf, x) => tf.atan(x),    jax: ({ np }, x) => np.arctan(x) },
  { name: "pow", expression: "abs(a) ^ 1.5", numpy: "np.abs(a) ** 1.5", plain: (x) => Math.abs(x) ** 1.5, tfjs: (tf, x) => tf.pow(tf.abs(x), 1.5), jax: ({ np }, x) => np.power(np.abs(x), 1.5) },
];

const scalarFunctions = cellTypes.flatMap((cellType) =>
  functions.map(({ name, expression, numpy, plain, tfjs, jax }): Workload => {
    return {
      name: `${name} ${cellType} 10⁶`,
      expression: expression ?? `${name}(a)`,
      inputs: (draw) => ({
        a: dense(`tensor<${cellType}>(x[${count}])`, draw[random[cellType]](count, -5, 5)),
      }),
      peers: {
        loop: (inputs) => {
          const a = cellsOf(inputs, "a");
          const Kind = constructorOf(a);
          return () => {
            const result = new Kind(a.length);
            for (let at = 0; at < a.length; at++) result[at] = plain(a[at] as number);
            return result;
          };
        },
        numpy,
        ...(cellType === "float" && {
          tfjs: (tf, inputs) => {
            const a = tf.input(inputs.a);
            return () => tfjs(tf, a);
          },
        }),
        jax: (jaxJs, inputs) => {
          const a = jaxJs.input(inputs.a);
          const run = jaxJs.jit((x) => jax(jaxJs, x));
          return () => run(a.ref);
        },
      },
      targets: [{ against: "numpy", wide: 1.2, plain: 3 }],
      tolerances: { jax: 1e-4 }, // it calculates in doubles, but powers to five digits
    };
  }),
);

export const elementwise: readonly Workload[] = [multiplyAdd, ...distances, ...scalarFunctions];
