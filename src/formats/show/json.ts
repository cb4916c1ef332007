import { requireTensor } from "../../language/values/arguments.js";
import type { Tensor } from "../../language/values/tensor.js";

/** A tensor as data for programs that know nothing of Sphex: its type, its text, and each cell with its address. */
export interface TensorJson {
  readonly type: string;
  readonly value: string;
  readonly cells: readonly (readonly [Readonly<Record<string, string>>, number | string])[];
}

/** A tensor as data for `--json`: its type, its literal, and its cells. */
export function tensorJson(tensor: Tensor): TensorJson {
  requireTensor("tensorJson", tensor);
  const number = (value: number): number | string => (Number.isFinite(value) ? value : `${value}`);
  const cells = [...tensor.cells()].map(({ address, value }) => [address, number(value)] as const);
  return { type: `${tensor.type}`, value: `${tensor}`, cells };
}
