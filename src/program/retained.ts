import type { Tensor } from "../language/values/tensor.js";

/** A tensor that a host may dispose of: its labels and cells are read, so that they stay. */
export function retained(tensor: Tensor): Tensor {
  void tensor.labels;
  void tensor.data;
  return tensor;
}
