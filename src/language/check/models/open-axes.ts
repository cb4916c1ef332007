import type { Node } from "../../core/operations.js";
import { element } from "../../values/element.js";
import type { Axis, WaitingValue } from "../waiting.js";
import { axisDimension, type Model, type ModelPort } from "./models.js";

/** Of the axes of an output that have none of the sizes that are known, those of the arguments that have the same size. */
export function openAxes(
  { inputs }: Model,
  { shape }: ModelPort,
  args: readonly Node[],
  sizes: ReadonlyMap<string, number>,
): WaitingValue["axes"] {
  const axes = new Map<string, readonly Axis[] | "unknown">();
  for (const [axis, name] of shape.entries()) {
    if (typeof name === "number" || sizes.has(name)) continue;
    const same = inputs.flatMap((port, at) =>
      port.shape.flatMap((each, own) =>
        each === name ? [{ node: element(args, at), dimension: axisDimension(own) }] : [],
      ),
    );
    axes.set(axisDimension(axis), same.length === 0 ? "unknown" : same);
  }
  return axes;
}
