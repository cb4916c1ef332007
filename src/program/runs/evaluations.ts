import type { Meter } from "../../backends/meter.js";
import { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Options } from "../options.js";
import type { Execution } from "./execution.js";

/** The most that a run may have stored, in bytes, for what it needs to be kept for the next. */
const mostBytes = 2 ** 20;

/** The most cells that inputs may have in all. */
const mostCells = 10_000;

/**
 * Texts that were evaluated, compiled, for when they come again: the latest so many, of so many characters in all with their
 * options and types.
 */
export class Evaluations {
  /** By key, those used least recently first. */
  private readonly executions = new Map<string, Execution>();
  private characters = 0;

  constructor(
    private readonly mostTexts = 100,
    private readonly mostCharacters = 100_000,
  ) {}

  /** The value of what has this key, on these inputs, whose reading the meter has counted; nothing where nothing is compiled. */
  value(
    key: string,
    compile: () => Execution | undefined,
    inputs: Readonly<Record<string, Tensor>>,
    meter?: Meter,
  ): Tensor | undefined {
    const cached = this.executions.get(key);
    if (cached !== undefined) {
      this.executions.delete(key);
      this.executions.set(key, cached);
      return cached.runLast(inputs, meter);
    }
    const execution = compile();
    if (execution === undefined) return undefined;
    const { tensor, bytes } = execution.runOnce(inputs, meter);
    if (bytes <= mostBytes) this.add(key, execution);
    return tensor;
  }

  private add(key: string, execution: Execution): void {
    if (key.length > this.mostCharacters) return;
    this.executions.set(key, execution);
    this.characters += key.length;
    for (const oldest of this.executions.keys()) {
      if (this.executions.size <= this.mostTexts && this.characters <= this.mostCharacters) return;
      this.executions.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}

/**
 * All that the value of a text depends on but its inputs' cells; undefined where that cannot be said: where the host hands in
 * functions, which may do something else each time, and which a cache would hold on to, or where inputs are large.
 */
export function evaluationKey(
  text: string,
  inputs: Readonly<Record<string, Tensor>>,
  { inputs: declared = {}, limits = {}, ...others }: Options,
): string | undefined {
  const tensors = Object.entries(inputs);
  const cellsOf = ({ rows, blockCells }: Tensor): number => rows * blockCells;
  if (tensors.reduce((cells, [, tensor]) => cells + cellsOf(tensor), 0) > mostCells) return undefined;
  const settings = Object.entries(others).filter(([, value]) => value !== undefined);
  if (settings.some(([, value]) => typeof value === "function" || typeof value === "object"))
    return undefined;
  const parts = [
    tensors.map(([name, tensor]) => [name, String(tensor.type), cellsOf(tensor)]),
    Object.entries(declared).map(([name, type]) => [name, String(type), type instanceof TensorType]),
    Object.entries(limits).map(([name, limit]) => [name, String(limit)]),
    settings,
  ];
  return JSON.stringify([text, ...parts]);
}
