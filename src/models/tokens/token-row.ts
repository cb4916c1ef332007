import { indexed, TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";

/** Numbers of tokens as a network takes those of one text. */
export const tokenRow = (numbers: readonly number[]): Tensor =>
  Tensor.from(
    TensorType.of("long", [indexed("d0", 1), indexed("d1", numbers.length)]),
    BigInt64Array.from(numbers, BigInt),
  );
