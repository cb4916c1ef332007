import { type Contender, patientScript, pythonScript, type Script, script, sustained } from "./contender.js";
import type { Inputs } from "./inputs.js";
import { type Build, library, type Prepared, type Tensor } from "./library.js";
import { peerVersion } from "./peers/installed.js";
import { type Jax, loadJax } from "./peers/jax.js";
import { loadOnnx, type Onnx } from "./peers/onnxruntime.js";
import { loadTensorflow, type Tf } from "./peers/tensorflow.js";
import type { Python } from "./python.js";
import type { Answer, PythonCode, Workload } from "./workload.js";

/** Packages that are there to be compared with. */
export interface Packages {
  readonly onnx: Onnx | undefined;
  readonly tf: Tf | undefined;
  readonly jax: Jax | undefined;
}

export async function loadPackages(): Promise<Packages> {
  return { onnx: await loadOnnx(), tf: await loadTensorflow(), jax: await loadJax() };
}

export function packageVersions({ onnx, tf, jax }: Packages): Record<string, string> {
  const packages = [
    { name: "onnxruntime-node", isThere: onnx !== undefined },
    { name: "@tensorflow/tfjs-backend-wasm", isThere: tf !== undefined },
    { name: "@jax-js/jax", isThere: jax !== undefined },
  ];
  const there = packages.filter(({ isThere }) => isThere);
  return Object.fromEntries(there.map(({ name }) => [name, peerVersion(name)]));
}

type CellArray = Tensor["data"];

/** A build of the library, and what its times are called. */
export interface Party {
  readonly name: string;
  readonly build: Build;
}

export const ours: Party = { name: "ours", build: library };

/** A build of the library: the program is compiled and prepared once, and a whole call is timed. */
export function prepared(party: Party, workload: Workload, inputs: Inputs, options: object = {}): Contender {
  return script(party.name, calls(party, workload, inputs, options).prepared);
}

/**
 * Other ways to call it: not prepared; with the last cell of the result read; with the result disposed of at once, as NumPy frees its own;
 * into an array; and in a loop without a pause.
 */
export function otherWays(
  party: Party,
  workload: Workload,
  inputs: Inputs,
  options: object = {},
): readonly Contender[] {
  const { prepared: each, plain, into } = calls(party, workload, inputs, options);
  const read = (): Tensor => {
    const result = each.run();
    result.data.at(-1);
    return result;
  };
  return [
    script(`${party.name}, run`, plain),
    script(`${party.name}, read`, { ...each, run: read }),
    disposing(party, each),
    sustained(`${party.name}, sustained`, each),
    sustained(`${party.name}, read and sustained`, { ...each, run: read }),
    ...(into === undefined
      ? []
      : [
          script(`${party.name}, into an array`, into),
          sustained(`${party.name}, into an array and sustained`, into),
        ]),
  ];
}

const disposing = ({ name }: Party, each: Script<Tensor>): Contender =>
  script(`${name}, disposed of`, { ...each, release: (result) => result.dispose() });

/** A prepared run whose result is disposed of, for workloads that have a target for that. */
export function disposed(
  party: Party,
  workload: Workload,
  inputs: Inputs,
  options: object = {},
): readonly Contender[] {
  const isTarget = workload.targets?.some((each) => "of" in each && each.of === `${party.name}, disposed of`);
  return isTarget === true ? [disposing(party, calls(party, workload, inputs, options).prepared)] : [];
}

/** The same as a function of its inputs, where a workload says how it is called. */
export function asFunction(
  party: Party,
  workload: Workload,
  inputs: Inputs,
  options: object = {},
): readonly Contender[] {
  if (workload.asFunction === undefined) return [];
  const { ready, varying } = calls(party, workload, inputs, options);
  const run = workload.asFunction(ready.toFunction(...Object.keys(varying)), inputs);
  return [script(`${party.name}, as a function`, { run, answer: (result) => result })];
}

interface Calls {
  readonly ready: Prepared;
  readonly varying: Readonly<Record<string, Tensor | number>>;
  readonly prepared: Script<Tensor>;
  readonly plain: Script<Tensor>;
  /** Earlier builds have none. */
  readonly into: Script<CellArray> | undefined;
}

function calls(
  { build }: Party,
  { expression, fixed = [] }: Workload,
  inputs: Inputs,
  options: object,
): Calls {
  const entries = Object.entries(inputs).map(([name, { value }]) => [name, valueFor(build, value)] as const);
  const typed = entries.map(
    ([name, value]) => [name, typeof value === "number" ? "tensor()" : value.type] as const,
  );
  const program = build.compileExpression(expression, { ...options, inputs: Object.fromEntries(typed) });
  const isFixed = ([name]: readonly [string, unknown]): boolean => fixed.includes(name);
  const ready = program.prepare(Object.fromEntries(entries.filter(isFixed)));
  const varying = Object.fromEntries(entries.filter((each) => !isFixed(each)));
  const all = Object.fromEntries(entries);
  const cellsOf = (data: CellArray): Answer =>
    data instanceof BigInt64Array ? Float64Array.from(data, Number) : data;
  const answer = ({ data }: Tensor): Answer => cellsOf(data);
  let array: CellArray | undefined;
  const into = (): CellArray => {
    array ??= ready.run(varying).toArray();
    ready.runInto(array, varying);
    return array;
  };
  return {
    ready,
    varying,
    prepared: { run: () => ready.run(varying), answer },
    plain: { run: () => program.run(all), answer },
    into: "runInto" in ready ? { run: into, answer: cellsOf } : undefined,
  };
}

/** A tensor as another build has it. */
function valueFor(build: Build, value: Tensor | number): Tensor | number {
  if (typeof value === "number" || build === library) return value;
  const parts = [build.parseType(`${value.type}`), value.sizes, value.labels, value.data] as const;
  // Earlier builds have a constructor instead.
  return "of" in build.Tensor
    ? build.Tensor.of(...parts)
    : (Reflect.construct(build.Tensor, parts) as Tensor);
}

/** Those of the scripts that know a workload and are there, and how each gets ready. */
export function scriptsOf(
  { peers }: Workload,
  inputs: Inputs,
  { onnx, tf, jax }: Packages,
): Map<string, () => Promise<Contender>> {
  const found = new Map<string, () => Promise<Contender>>();
  const { loop, onnx: graph, tfjs, jax: withJax } = peers;
  if (loop !== undefined)
    found.set("loop", async () => script("loop", { run: loop(inputs), answer: (result) => result }));
  if (onnx !== undefined && graph !== undefined)
    found.set("onnx", async () => {
      const run = await onnx.session(graph(inputs));
      return patientScript("onnx", { run, answer: (result) => result });
    });
  if (tf !== undefined && tfjs !== undefined)
    found.set("tfjs", async () => {
      const run = tfjs(tf, inputs);
      return script("tfjs", {
        run: () => tf.tidy(run),
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      });
    });
  if (jax !== undefined && withJax !== undefined)
    found.set("jax", async () => {
      const run = withJax(jax, inputs);
      return patientScript("jax", {
        run: () => run().blockUntilReady(), // it does nothing before it must
        answer: (result) => result.dataSync(),
        release: (result) => result.dispose(),
      });
    });
  return found;
}

/** Those who know a workload in Python. */
export function inPython({ peers }: Workload, inputs: Inputs, python: Python): Contender[] {
  const { numpy, scipy } = peers;
  const found: Contender[] = [];
  if (numpy !== undefined) found.push(pythonScript("numpy", python, inputs, codeOf(numpy)));
  if (scipy !== undefined && python.versions.scipy !== null)
    found.push(pythonScript("scipy", python, inputs, codeOf(scipy)));
  return found;
}

function codeOf(code: PythonCode): { before: string; run: string; answer: string } {
  if (typeof code === "string") return { before: "", run: code, answer: code };
  return { answer: code.run, ...code };
}
