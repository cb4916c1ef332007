import type { Input } from "../inputs.js";
import { loadPeer } from "./installed.js";

/** jax-js on wasm: what of it the workloads need. Functions use their arguments up; `ref` keeps one. */
export interface Jax {
  input(value: Input | undefined): JaxArray;
  jit(run: (...values: JaxArray[]) => JaxArray): (...values: JaxArray[]) => JaxArray;
  readonly np: {
    matmul(a: JaxArray, b: JaxArray): JaxArray;
    add(a: JaxArray, b: JaxArray): JaxArray;
    multiply(a: JaxArray, b: JaxArray): JaxArray;
    transpose(a: JaxArray): JaxArray;
    sum(a: JaxArray): JaxArray;
    max(a: JaxArray, axis: number): JaxArray;
    exp(a: JaxArray): JaxArray;
    tanh(a: JaxArray): JaxArray;
    sin(a: JaxArray): JaxArray;
    arctan(a: JaxArray): JaxArray;
    abs(a: JaxArray): JaxArray;
    power(a: JaxArray, b: number): JaxArray;
  };
  readonly nn: {
    relu(a: JaxArray): JaxArray;
    sigmoid(a: JaxArray): JaxArray;
    softmax(a: JaxArray, axis: number): JaxArray;
  };
}

export interface JaxArray {
  readonly ref: JaxArray;
  blockUntilReady(): Promise<JaxArray>;
  dataSync(): ArrayLike<number>;
  dispose(): void;
}

interface Whole extends Omit<Jax, "np"> {
  init(device: string): Promise<readonly string[]>;
  defaultDevice(device: string): unknown;
  readonly numpy: Jax["np"] & {
    array(cells: ArrayLike<number>, options: { readonly shape: readonly number[] }): JaxArray;
  };
}

export async function loadJax(): Promise<Jax | undefined> {
  // It looks for these, and Node 20 has neither.
  const host = globalThis as { navigator?: unknown; Float16Array?: unknown }; // wherever they are known
  host.navigator ??= {};
  host.Float16Array ??= class {};
  const whole = await loadPeer<Whole>("@jax-js/jax");
  if (whole === undefined) return undefined;
  if (!(await whole.init("wasm")).includes("wasm")) return undefined;
  whole.defaultDevice("wasm");
  const { numpy: np, nn, jit } = whole;
  const input = (value: Input | undefined): JaxArray =>
    np.array(value?.cells ?? [], { shape: value?.shape ?? [] });
  return { input, np, nn, jit };
}
