import { numberText, type Problem, type Tensor } from "../index.js";

/** Tensors as the command writes them, for people and for machines. */

/** The literal form; a scalar is just its number. */
export function valueText(tensor: Tensor): string {
  return tensor.type.isScalar ? numberText(tensor.asNumber()) : `${tensor}`;
}

/** JSON has no NaN and no infinities: these are texts. */
type JsonNumber = number | string;

export interface TensorJson {
  readonly type: string;
  readonly value: string;
  readonly cells: readonly (readonly [Readonly<Record<string, string>>, JsonNumber])[];
}

export function tensorJson(tensor: Tensor): TensorJson {
  const number = (value: number): JsonNumber => (Number.isFinite(value) ? value : `${value}`);
  const cells = [...tensor.cells()].map(({ address, value }) => [address, number(value)] as const);
  return { type: `${tensor.type}`, value: `${tensor}`, cells };
}

export interface RunJson {
  readonly results: readonly (TensorJson & { readonly name?: string })[];
  readonly warnings: readonly Problem[];
}
