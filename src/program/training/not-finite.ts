import { SphexError } from "../../language/source/problem.js";
import { floatAt, numberAt } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { InputValues } from "../inputs/inputs.js";
import { problem } from "../messages.js";
import { shownName } from "./statements/training-text.js";
import type { Trainable } from "./trainable.js";

export function refuseNotFinite(
  trainable: Trainable,
  inputs: InputValues,
  step: number,
  epoch: number,
  loss: number,
  changed: Readonly<Record<string, Tensor>>,
): void {
  const broken = Object.entries(changed).find(([, value]) => !isAllFinite(value));
  if (Number.isFinite(loss) && broken === undefined) return;
  const name = broken === undefined || !Number.isFinite(loss) ? undefined : shownName(broken[0]);
  const values = { step, epoch, name, origin: name === undefined ? trainable.origin(inputs) : undefined };
  throw new SphexError([problem("train/not-finite", spanOfText("training", ""), values)]);
}

function isAllFinite(tensor: Tensor): boolean {
  const { data } = tensor;
  // The numbers of these stand in the array itself, where reading each by a call would take longer than the step.
  if (data instanceof Float32Array) return floatsAreFinite(data);
  if (data instanceof Float64Array) return doublesAreFinite(data);
  for (let at = 0; at < data.length; at++) if (!Number.isFinite(tensor.at(at))) return false;
  return true;
}

// Of finite numbers alone the sum of the zeros that they make is 0. One function for each kind of array, as in element.ts.

function floatsAreFinite(cells: Float32Array): boolean {
  let sum = 0;
  for (let at = 0; at < cells.length; at++) sum += 0 * floatAt(cells, at);
  return sum === 0;
}

function doublesAreFinite(cells: Float64Array): boolean {
  let sum = 0;
  for (let at = 0; at < cells.length; at++) sum += 0 * numberAt(cells, at);
  return sum === 0;
}
