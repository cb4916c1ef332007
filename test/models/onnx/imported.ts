import { compile, parseType, Tensor } from "../../../src/index.js";
import { storeCells } from "../../../src/language/types/cell.js";
import { isNear } from "../../../src/language/values/near.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { elementTypes } from "../../../src/models/onnx/file/element-type.js";
import {
  type ImportedProgram,
  type Port,
  portType,
  programText,
} from "../../../src/models/onnx/program-writer.js";
import { boundType } from "../../../src/program/unsized/sized-types.js";

/** Imported models as programs that run on constants of ONNX. */

export const evaluate = (text: string, inputs: ReadonlyMap<string, Tensor>): Tensor =>
  compile(text, { inputs: Object.fromEntries([...inputs].map(([name, { type }]) => [name, type])) }).runOnce(
    Object.fromEntries(inputs),
  );

/** The outputs of an imported model. */
export function runProgram(program: ImportedProgram, inputs: ReadonlyMap<string, Constant>): Tensor[] {
  const text = [programText(program), ...program.outputs.map(({ name }) => name)].join("\n");
  const compiled = compile(text, {
    inputs: Object.fromEntries([...program.constants].map(([name, { type }]) => [name, type])),
    limits: { cells: 2 ** 31 },
  });
  const values = program.inputs.map(
    (port) => [port.name, borderTensor(port, inputs.get(port.label))] as const,
  );
  return [
    ...compiled.runAll({ ...Object.fromEntries(program.constants), ...Object.fromEntries(values) }).results,
  ];
}

export function borderTensor(port: Port, constant: Constant | undefined): Tensor {
  if (constant === undefined) throw new Error(`no data for ${port.label}`);
  const type = parseType(portType(port));
  const axes = port.shape.map((_, axis) => `d${axis}`);
  return Tensor.from(type, storeCells(type.cellType, Float64Array.from(constant.numbers)), { axes });
}

/** How far an element may be from what is expected of it. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** The tolerance of ONNX's own runner. */
const onnxTolerance: Tolerance = { relative: 1e-3, absolute: 1e-7 };

/** How an output differs from what is expected of it, if it does. */
export function differenceOf(
  port: Port,
  actual: Tensor,
  { element, shape, numbers }: Constant,
  tolerance = onnxTolerance,
): string | undefined {
  if (port.element !== element) return `elements of type ${port.element} and not ${element}`;
  if (`${port.shape}` !== `${shape}`) return `shape [${port.shape}] and not [${shape}]`;
  const cell = actual.type.cellType;
  const border = shape.length === 0 ? "double" : elementTypes[element].border;
  if (cell !== border) return `cells of type ${cell} and not ${border}`;
  const axes = shape.map((_, axis) => `d${axis}`);
  const ordered = Tensor.from(boundType(actual), actual.toArray(axes), { axes });
  if (ordered.data.length !== numbers.length)
    return `${ordered.data.length} elements and not ${numbers.length}`;
  for (const [at, target] of [...numbers].entries()) {
    const number = ordered.at(at);
    if (!isNear(number, target, tolerance.absolute + tolerance.relative * Math.abs(target)))
      return `element ${at} is ${number} and not ${target}`;
  }
  return undefined;
}
