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

/** Those of the peers that know the workload and are there. */
export async function peersOf({ peers }: Workload, inputs: Inputs, field: Field): Promise<Contender[]> {
  const found: Contender[] = [];
  const { python, onnx, tf, jax } = field;
  if (peers.loop !== undefined)
    found.push(script("loop", { run: peers.loop(inputs), answer: (result) => result }));
  if (python !== undefined) {
    await python.give(inputs);
    if (peers.numpy !== undefined) found.push(pythonScript("numpy", python, codeOf(peers.numpy)));
    const hasScipy = python.versions.scipy !== null;
    if (peers.scipy !== undefined && hasScipy) found.push(pythonScript("scipy", python, codeOf(peers.scipy)));
  }
  if (onnx !== undefined && peers.onnx !== undefined) {
    const run = await onnx.session(peers.onnx(inputs));
    found.push(patientScript("onnx", { run, answer: (result) => result as never }));
  }
  if (tf !== undefined && peers.tfjs !== undefined) {
    const run = peers.tfjs(tf, inputs);
    found.push(
      script("tfjs", {
        run: () => tf.tidy(run),
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      }),
    );
  }
  if (jax !== undefined && peers.jax !== undefined)
    found.push(
      script("jax", {
        run: peers.jax(jax, inputs),
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      }),
    );
  return found;
}

function codeOf(code: PythonCode): { before: string; run: string; answer: string } {
  if (typeof code === "string") return { before: "", run: code, answer: code };
  return { answer: code.run, ...code };
}
