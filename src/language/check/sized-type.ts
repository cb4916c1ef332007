import type { Node } from "../core/operations.js";
import { runSizes, type Sizes } from "../core/run-sizes.js";
import type { TensorType } from "../types/type.js";
import type { Checker } from "./checker.js";
import type { Frame } from "./scope.js";

/** The sizes that a value has in the run that the program is for; nothing where these are not known. */
export function sizesInRun({ context }: Checker, value: Node, { sizes }: Frame): Sizes | undefined {
  const { runTypes } = context;
  return runTypes && runSizes(value, { input: (name) => runTypes.get(name), parameter: sizes });
}

/** A type of a value with these sizes. */
export function sizedType(
  checker: Checker,
  type: TensorType,
  value: Node,
  frame: Frame,
): TensorType | undefined {
  const sizes = sizesInRun(checker, value, frame);
  return sizes && type.withSizes(sizes);
}
