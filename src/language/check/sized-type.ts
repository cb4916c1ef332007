import type { Node } from "../core/operations.js";
import { runSizes } from "../core/run-sizes.js";
import type { TensorType } from "../types/type.js";
import type { Checker } from "./checker.js";

/** A type of a value with the sizes that it has in the run that the program is for; nothing where these are not known. */
export function sizedType({ context }: Checker, type: TensorType, value: Node): TensorType | undefined {
  const { runTypes } = context;
  const sizes = runTypes && runSizes(value, { input: (name) => runTypes.get(name) });
  return sizes && type.withSizes(sizes);
}
