import type { TensorData } from "../../language/values/data/build.js";
import type { JsonTensor } from "../../language/values/data/json-form.js";
import type { TransferableTensor } from "../../language/values/data/transferable.js";
import type { Tensor } from "../../language/values/tensor.js";

/**
 * What a host may pass as a tensor: one, also of another copy of this library; one as plain data; a number; a text of the literal form; a text as data, which becomes its hash;
 * what `JSON.parse` makes of one of Vespa's forms of JSON, in canonical order as there; or, where a type is declared, a typed array, nested arrays or objects, or a list of cells. The axes of an array, of a
 * literal without a type and of nested data are the dimensions in the order of the declaration: an input declared as
 * `tensor(out[2],in[3])` is 2 arrays of 3 numbers. A type that is declared as a `TensorType` has canonical order.
 */
export type InputValue =
  | Tensor
  | JsonTensor
  | TransferableTensor
  | number
  | boolean
  | string
  | { readonly string: string }
  | TensorData;

/** The inputs of a run, by name. */
export type InputValues = Readonly<Record<string, InputValue>>;
