import { machines } from "../backends/engine/machine/machines.js";
import { call, checkCallOptions, type OptionRules, text } from "../language/source/option-rule.js";
import { element } from "../language/values/element.js";
import { Tensor } from "../language/values/tensor.js";
import { compileExpression } from "./compile.js";
import { parseType } from "./options.js";

/** What a host provides for wide vectors; the library itself does not touch the machine. */
export interface WideHost {
  /** Sets a flag of V8: `v8.setFlagsFromString` of `node:v8`. */
  readonly setFlag: (flag: string) => void;
  /** The major version of V8, as in `process.versions.v8`. */
  readonly engineVersion: string;
}

const wideRules: OptionRules<WideHost> = { setFlag: call, engineVersion: text };

const flag = "experimental-wasm-revectorize";

/** The first V8 that is known to widen vectors correctly, that of Node 24. */
const firstVersion = 13;

/**
 * Lets V8 make 256-bit instructions of pairs of 128-bit ones, for programs that are compiled from now on. V8 calls this
 * experimental: it is tried on kernels of each kind, and switched off again if any of them computes something else than
 * closures do. Call it before the first program runs, since compiled code stays as it is.
 *
 * Returns whether vectors are wide now.
 */
export function useWideVectors(host: WideHost): boolean {
  checkCallOptions("useWideVectors", host, wideRules);
  const { setFlag, engineVersion } = host;
  if (!(Number.parseInt(engineVersion, 10) >= firstVersion)) return false;
  setFlag(`--${flag}`);
  machines.isWide = true;
  if (trials.every(isCorrect)) return true;
  setFlag(`--no-${flag}`);
  machines.isWide = false;
  return false;
}

interface Trial {
  readonly expression: string;
  readonly types: Readonly<Record<string, string>>;
}

/** A kernel of each kind: products of matrices, sums, functions, and narrow cells. */
const trials: readonly Trial[] = [
  { expression: "sum(a * b, k)", types: { a: "tensor(i[48],k[40])", b: "tensor(j[56],k[40])" } },
  {
    expression: "sum(a * b, k)",
    types: { a: "tensor<float>(i[48],k[40])", b: "tensor<float>(k[40],j[56])" },
  },
  { expression: "sum((a - b)^2)", types: { a: "tensor(i[2048])", b: "tensor(i[2048])" } },
  { expression: "sum((a - b)^2)", types: { a: "tensor<float>(i[2048])", b: "tensor<float>(i[2048])" } },
  { expression: "exp(a) * tanh(b) + 1", types: { a: "tensor(i[512])", b: "tensor(i[512])" } },
  { expression: "sigmoid(a) - max(a, b)", types: { a: "tensor<float>(i[512])", b: "tensor<float>(i[512])" } },
  { expression: "sum(a * b)", types: { a: "tensor<int8>(i[4096])", b: "tensor<int8>(i[4096])" } },
];

/** V8 widens functions only when they have run for a while. */
const runs = 200;

function isCorrect({ expression, types }: Trial): boolean {
  const inputs = Object.fromEntries(
    Object.entries(types).map(([name, text], seed) => [name, sampleOf(text, seed + 1)]),
  );
  const expected = compileExpression(expression, { inputs: types, backend: "closures" }).run(inputs);
  const prepared = compileExpression(expression, { inputs: types, backend: "engine" }).prepare();
  for (let run = 0; run < runs; run++) {
    const actual = prepared.run(inputs);
    // Compared while it is narrow, once it is wide, and sometimes in between.
    if ((run % 50 === 0 || run === runs - 1) && !isNear(actual, expected)) return false;
  }
  return true;
}

function sampleOf(text: string, seed: number): Tensor {
  const type = parseType(text);
  const cells = Array.from({ length: type.blockSize }, (_, at) => ((at * 37 + seed * 11) % 101) / 16 - 3);
  const nested = (sizes: readonly number[], start: number): number | Nested[] => {
    const [size, ...rest] = sizes;
    if (size === undefined) return element(cells, start);
    const step = rest.reduce((product, each) => product * each, 1);
    return Array.from({ length: size }, (_, at) => nested(rest, start + at * step));
  };
  return Tensor.from(type, nested(type.declaredSizes, 0));
}

type Nested = number | readonly Nested[];

/** As near as decision D16 asks of sums of such cells. */
function isNear(actual: Tensor, expected: Tensor): boolean {
  const tolerance = expected.type.cellType === "float" ? 1e-4 : 1e-9;
  return Array.from(expected.data, Number).every((cell, at) => Math.abs(actual.at(at) - cell) <= tolerance);
}
