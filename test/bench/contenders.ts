import { type Contender, patientScript, pythonScript, script } from "./contender.js";
import type { Inputs } from "./given.js";
import { library } from "./library.js";
import { type Jax, loadJax } from "./peers/jax.js";
import { loadOnnx, type Onnx } from "./peers/onnxruntime.js";
import { loadTensorflow, type Tf } from "./peers/tensorflow.js";
import { Python } from "./python.js";
import type { PythonCode, Workload } from "./workload.js";

/** All who are there to be compared with. */
export interface Field {
  readonly python: Python | undefined;
  readonly onnx: Onnx | undefined;
  readonly tf: Tf | undefined;
  readonly jax: Jax | undefined;
}

export async function gather(): Promise<Field> {
  const [python, onnx, tf, jax] = [
    await Python.start(),
    await loadOnnx(),
    await loadTensorflow(),
    await loadJax(),
  ];
  return { python, onnx, tf, jax };
}

/** Ourselves: the program is compiled and prepared once, and a whole call is timed. */
export function ours({ expression, fixed = [] }: Workload, inputs: Inputs, options: object = {}): Contender {
  const entries = Object.entries(inputs).map(([name, { value }]) => [name, value] as const);
  const typed = entries.map(
    ([name, value]) => [name, typeof value === "number" ? "tensor()" : value.type] as const,
  );
  const program = library.compileExpression(expression, { ...options, inputs: Object.fromEntries(typed) });
  const isFixed = ([name]: readonly [string, unknown]): boolean => fixed.includes(name);
  const prepared = program.prepare(Object.fromEntries(entries.filter(isFixed)));
  const given = Object.fromEntries(entries.filter((each) => !isFixed(each)));
  return script("ours", {
    run: () => prepared.run(given),
    answer: ({ data }) => (data instanceof BigInt64Array ? Float64Array.from(data, Number) : data),
  });
}

/** A peer that knows a workload and is there. */
export interface Peer {
  readonly name: string;
  readonly contender: () => Promise<Contender>;
}

export function peersOf({ peers }: Workload, inputs: Inputs, field: Field): Peer[] {
  const found: Peer[] = [];
  const add = (name: string, contender: () => Promise<Contender>): number => found.push({ name, contender });
  const { python, onnx, tf, jax } = field;
  const { loop, numpy, scipy, onnx: graph, tfjs, jax: withJax } = peers;
  if (loop !== undefined)
    add("loop", async () => script("loop", { run: loop(inputs), answer: (result) => result }));
  if (python !== undefined && numpy !== undefined)
    add("numpy", async () => pythonScript("numpy", python, inputs, codeOf(numpy)));
  if (python !== undefined && scipy !== undefined && python.versions.scipy !== null)
    add("scipy", async () => pythonScript("scipy", python, inputs, codeOf(scipy)));
  if (onnx !== undefined && graph !== undefined)
    add("onnx", async () => {
      const run = await onnx.session(graph(inputs));
      return patientScript("onnx", { run, answer: (result) => result });
    });
  if (tf !== undefined && tfjs !== undefined)
    add("tfjs", async () => {
      const run = tfjs(tf, inputs);
      return script("tfjs", {
        run: () => tf.tidy(run),
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      });
    });
  if (jax !== undefined && withJax !== undefined)
    add("jax", async () => {
      const run = withJax(jax, inputs);
      return patientScript("jax", {
        run: () => run().blockUntilReady(), // it does nothing before it must
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      });
    });
  return found;
}

function codeOf(code: PythonCode): { before: string; run: string; answer: string } {
  if (typeof code === "string") return { before: "", run: code, answer: code };
  return { answer: code.run, ...code };
}
