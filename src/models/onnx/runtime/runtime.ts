import type { ComputeOutput } from "../../../language/check/models/models.js";
import { indexed, TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { OnnxModel, OnnxPort, RuntimeFile } from "../model.js";
import { type ElementArray, runtimeElement } from "./elements.js";

/** A tensor as ONNX Runtime has it: row-major. */
export interface RuntimeTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ElementArray;
}

/** The output of a name for inputs by name. @throws Error, or promises one, where the runtime fails. */
export type RunModel = (
  inputs: ReadonlyMap<string, RuntimeTensor>,
  output: string,
) => RuntimeTensor | Promise<RuntimeTensor>;

/** What runs files of ONNX in the place of the programs that they become. */
export type OnnxRuntime = (file: RuntimeFile) => RunModel;

/** The outputs of a model, computed by a runtime; it has the file when the first of them is asked for. */
export function outputsBy(runtime: OnnxRuntime, model: OnnxModel): ComputeOutput {
  let run: RunModel | undefined;
  return (at, type, values) => {
    const port = model.outputs[at];
    if (port === undefined) throw new RangeError(`there is no output ${at}`);
    run ??= runtime(model.runtimeFile());
    const inputs = model.inputs.map(({ name, element }, position): [string, RuntimeTensor] => {
      const value = values[position];
      if (value === undefined) throw new RangeError(`the input ${name} is missing`);
      return [name, runtimeTensor(value, element)];
    });
    const output = run(new Map(inputs), port.name);
    return output instanceof Promise
      ? output.then((tensor) => tensorOf(tensor, port, type))
      : tensorOf(output, port, type);
  };
}

/** The axes of a port, outermost first. */
const axesOf = (rank: number): string[] => Array.from({ length: rank }, (_, axis) => `d${axis}`);

function runtimeTensor(value: Tensor, element: string): RuntimeTensor {
  const { type, toElements } = runtimeElement(element);
  const axes = axesOf(value.type.rank);
  const dims = axes.map((axis) => value.type.dimension(axis)?.size ?? 1);
  return { type, dims, data: toElements(value.toArray(axes)) };
}

function tensorOf({ type: found, dims, data }: RuntimeTensor, port: OnnxPort, type: TensorType): Tensor {
  const axes = axesOf(type.rank);
  const declared = axes.map((axis) => type.dimension(axis)?.size);
  const row = runtimeElement(port.element);
  const hasSizes = declared.every((size, axis) => size === undefined || size === dims[axis]);
  if (!hasSizes || dims.length !== declared.length || found !== row.type) {
    const shape = declared.map((size) => size ?? "?");
    throw new Error(
      `its output ${port.name} is ${found}[${dims}], where its file declares ${row.type}[${shape}]`,
    );
  }
  if (dims.includes(0)) throw new Error(`its output ${port.name} has no element`);
  const bound = TensorType.of(
    type.cellType,
    dims.map((size, axis) => indexed(`d${axis}`, size)),
  );
  return Tensor.from(bound, row.toCells(data), { axes });
}
