import { dense } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Cells that are moved rather than computed: put behind each other, multiplied each by each, stored otherwise. */

/** NumPy frees a result as soon as nobody has it any more, so that the next one lies in memory that is in the cache; ours may be disposed of. */
const targets = [
  { against: "numpy", wide: 1, plain: 1.5 },
  { of: "ours, disposed of", against: "numpy", wide: 1, plain: 1.5 },
] as const;

/** `concat` of two tensors of 5·10⁴ cells, along the dimension that changes least or most often. */
function concatenation(along: "x" | "y"): Workload {
  const shape = along === "x" ? "x[250],y[200]" : "x[200],y[250]";
  const axis = along === "x" ? 0 : 1;
  return {
    name: `concat of 2 × 5·10⁴ cells, ${axis === 0 ? "outermost" : "innermost"}`,
    expression: `concat(a, b, ${along})`,
    inputs: (draw) => ({
      a: dense(`tensor(${shape})`, draw.doubles(50_000)),
      b: dense(`tensor(${shape})`, draw.doubles(50_000)),
    }),
    peers: { numpy: `np.concatenate([a, b], axis=${axis})` },
    targets,
  };
}

function outerProduct(size: number): Workload {
  return {
    name: `outer product ${size}×${size}`,
    expression: "a * b",
    inputs: (draw) => ({
      a: dense(`tensor(x[${size}])`, draw.doubles(size)),
      b: dense(`tensor(y[${size}])`, draw.doubles(size)),
    }),
    peers: { numpy: "a[:, None] * b[None, :]" },
    targets,
  };
}

function cast(from: "double" | "float", to: "double" | "float"): Workload {
  return {
    name: `cast of 10⁵ cells, ${from} to ${to}`,
    expression: `cell_cast(a, ${to})`,
    inputs: (draw) => {
      const cells = draw.doubles(100_000);
      return { a: dense(`tensor<${from}>(x[100000])`, from === "float" ? Float32Array.from(cells) : cells) };
    },
    peers: { numpy: `a.astype(np.${to === "float" ? "float32" : "float64"})` },
    targets,
  };
}

export const blockWork: readonly Workload[] = [
  concatenation("x"),
  concatenation("y"),
  outerProduct(300),
  outerProduct(1000),
  cast("double", "float"),
  cast("float", "double"),
];
