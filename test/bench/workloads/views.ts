import { dense } from "../inputs.js";
import type { Workload } from "../workload.js";

/** Other ways to see the same cells: nothing is to be copied. */

const targets = [{ microseconds: 2 }];
const matrix = "tensor(x[1000],y[1000])";

export const views: readonly Workload[] = [
  {
    name: "transpose of 10⁶ cells by rename",
    expression: "rename(a, (x,y), (y,x))",
    inputs: (draw) => ({ a: dense(matrix, draw.doubles(1_000_000)) }),
    peers: { numpy: "a.T" },
    targets,
  },
  {
    name: "slice of 10⁶ cells",
    expression: "a{z:1}",
    inputs: (draw) => ({ a: dense("tensor(x[1000],y[1000],z[2])", draw.doubles(2_000_000)) }),
    peers: { numpy: "a[:, :, 1]" },
    targets,
  },
  {
    name: "broadcast to 10⁶ cells",
    expression: "tensor(x[1000],y[1000])(a{x:(x)})",
    inputs: (draw) => ({ a: dense("tensor(x[1000])", draw.doubles(1000)) }),
    peers: { numpy: "np.broadcast_to(a[:, None], (1000, 1000))" },
    targets,
  },
];
