import { dirname, join, sep } from "node:path";
import type { Input } from "../inputs.js";
import { loadPeer, peerPath } from "./installed.js";

/** TensorFlow.js with its wasm backend: what of it the workloads need. Its cells are floats. */
export interface Tf {
  input(value: Input | undefined): TfTensor;
  matMul(a: TfTensor, b: TfTensor, transposeA?: boolean, transposeB?: boolean): TfTensor;
  add(a: TfTensor, b: TfTensor): TfTensor;
  sub(a: TfTensor, b: TfTensor): TfTensor;
  square(a: TfTensor): TfTensor;
  sum(a: TfTensor): TfTensor;
  max(a: TfTensor, axis: number): TfTensor;
  exp(a: TfTensor): TfTensor;
  relu(a: TfTensor): TfTensor;
  sigmoid(a: TfTensor): TfTensor;
  tanh(a: TfTensor): TfTensor;
  sin(x: TfTensor): TfTensor;
  atan(x: TfTensor): TfTensor;
  abs(x: TfTensor): TfTensor;
  pow(x: TfTensor, exponent: number): TfTensor;
  softmax(a: TfTensor): TfTensor;
  tidy<T>(run: () => T): T;
}

export interface TfTensor {
  dataSync(): Float32Array;
  dispose(): void;
}

interface Whole extends Tf {
  tensor(cells: ArrayLike<number>, shape: readonly number[]): TfTensor;
  setBackend(name: string): Promise<boolean>;
}

interface Backend {
  setWasmPaths(folder: string): void;
}

export async function loadTensorflow(): Promise<Tf | undefined> {
  const backend = await loadPeer<Backend>("@tensorflow/tfjs-backend-wasm");
  const whole = await loadPeer<Whole>("@tensorflow/tfjs");
  if (backend === undefined || whole === undefined) return undefined;
  const entry = peerPath("@tensorflow/tfjs-backend-wasm");
  backend.setWasmPaths(join(dirname(entry), sep));
  if (!(await whole.setBackend("wasm"))) return undefined;
  const input = (value: Input | undefined): TfTensor => whole.tensor(value?.cells ?? [], value?.shape ?? []);
  return { ...whole, input };
}
