import { storeCells } from "../../../src/language/types/cell.js";
import { indexed, mapped, TensorType } from "../../../src/language/types/type.js";
import { Tensor } from "../../../src/language/values/tensor.js";
import { Evaluator } from "./evaluator.js";
import type { Dialect } from "./number-function.js";
import { indexedOf, mappedOf, type Type, typeOf } from "./type.js";
import { blocksOf, labelAt, stored, type Value } from "./value.js";

/** The one place where tensors of the library come in and go out. */

/** An input: its type as it was declared, and its tensor. */
export interface Given {
  readonly type: TensorType;
  readonly tensor: Tensor;
}

/**
 * The results of a program from its text.
 * @throws LeftOut where it uses what the evaluator leaves out, and Refused where it breaks a rule of the language.
 */
export function resultsOfText(
  text: string,
  inputs: ReadonlyMap<string, Given>,
  dialect: Dialect,
): readonly Tensor[] {
  const values = new Map([...inputs].map(([name, each]) => [name, valueOfTensor(each)]));
  return new Evaluator(dialect).results(text, values).map(tensorOfValue);
}

function valueOfTensor({ type, tensor }: Given): Value {
  const dimensions = type.dimensions.map(({ name, kind, size }) => ({
    name,
    isMapped: kind === "mapped",
    size,
  }));
  const extents = new Map(tensor.type.indexed.map(({ name }, at) => [name, tensor.sizes[at] ?? 0]));
  const cells = [...tensor.cells()].map(({ address, value }) => ({
    address: Object.fromEntries(Object.entries(address).map(([name, label]) => [name, `${label}`])),
    value,
  }));
  return stored(typeOf(type.cellType, dimensions), extents, cells);
}

function tensorOfValue(value: Value): Tensor {
  const blocks = blocksOf(value);
  const numbers = blocks.flatMap(({ cells }) => cells.map((each) => each.value));
  const names = mappedOf(value.type).map(({ name }) => name);
  return Tensor.of(
    typeOfLibrary(value.type),
    indexedOf(value.type).map(({ name }) => value.extents.get(name) ?? 0),
    blocks.map(({ labels }) => names.map((name) => labelAt(labels, name))),
    storeCells(value.type.cells, Float64Array.from(numbers)),
  );
}

const typeOfLibrary = ({ cells, dimensions }: Type): TensorType =>
  TensorType.of(
    cells,
    dimensions.map(({ name, isMapped, size }) => (isMapped ? mapped(name) : indexed(name, size))),
  );
