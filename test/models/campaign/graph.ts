import type { Constant } from "../../../src/models/onnx/file/constant.js";
import type { ElementType } from "../../../src/models/onnx/file/element-type.js";

/** A graph of ONNX as the campaign makes, writes and shrinks it. */
export interface Graph {
  readonly opset: number;
  readonly inputs: ReadonlyMap<string, Constant>;
  readonly constants: ReadonlyMap<string, Constant>;
  readonly steps: readonly Step[];
  /** Values that steps make, and their elements. */
  readonly outputs: ReadonlyMap<string, Port>;
}

/** What is declared of an output: no shape where nobody knows it yet. */
export interface Port {
  readonly element: ElementType;
  readonly shape?: readonly (number | string)[];
}

export type Attribute =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly strings: readonly string[] }
  | { readonly tensor: Constant };

/** A node. */
export interface Step {
  readonly operator: string;
  readonly domain?: string;
  /** Of its inputs those that it goes without are empty. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** The graph without what none of its outputs needs. */
export function needed(graph: Graph): Graph {
  const names = new Set(graph.outputs.keys());
  const steps = [...graph.steps].reverse().filter((step) => {
    const isNeeded = step.outputs.some((name) => names.has(name));
    if (isNeeded) for (const name of step.inputs) names.add(name);
    return isNeeded;
  });
  const some = <T>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...all].filter(([name]) => names.has(name)));
  return {
    ...graph,
    steps: steps.reverse(),
    inputs: some(graph.inputs),
    constants: some(graph.constants),
  };
}

/** `MatMul(x, w) -> y`, a line for each step, after the inputs and constants. */
export function graphText({ opset, inputs, constants, steps, outputs }: Graph): string {
  const data = ([name, { element, shape, numbers }]: readonly [string, Constant]): string =>
    `${name}: ${element}[${shape}] = ${Array.from(numbers).slice(0, 40).join(" ")}`;
  return [
    `opset ${opset}`,
    ...[...inputs].map((each) => `input ${data(each)}`),
    ...[...constants].map((each) => `constant ${data(each)}`),
    ...steps.map(
      ({ operator, inputs: operands, outputs: results, attributes }) =>
        `${operator}(${operands.join(", ")}) -> ${results.join(", ")}  ${JSON.stringify(attributes)}`,
    ),
    `outputs ${[...outputs.keys()].join(", ")}`,
  ].join("\n");
}
