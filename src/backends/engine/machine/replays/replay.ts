import type { CellArray } from "../../../../language/types/cell.js";
import type { Tensor } from "../../../../language/values/tensor.js";
import type { NumberFunction } from "../../../backend.js";
import type { Step } from "../../loop.js";
import type { RunCount } from "../blocks.js";
import { type ResultReader, resultTensors } from "../results/results.js";
import type { PlanSlot } from "../slots.js";
import type { CompiledStep } from "../steps.js";
import { type HostInputs, InputBinder, type VaryingInput } from "./input-binder.js";

/** What is left of a run where nothing of it is new. */
export interface Replay {
  /** Whether the values are just the inputs, in forms that need no other; the steps were run on them then. */
  run(values: HostInputs): boolean;
  /** The results of the run, each a tensor of its own. */
  tensors(): readonly Tensor[];
  /** The last of them, if there is any. */
  last(): Tensor | undefined;
  /**
   * Writes the cells of the last result to an array. Whether there is one.
   * @throws SphexError where the array is not one for them.
   */
  write(array: CellArray): boolean;
  /** The last result as a function of the numbers of its inputs, by their names; where all of the run is numbers. */
  numberFunction?(names: readonly string[]): NumberFunction | undefined;
}

/**
 * Puts inputs where the steps read them, and runs the steps. Small programs take less time than calls of functions do, so all of
 * it is flat: lists of slots and steps, and no decisions.
 */
export class SlotReplay implements Replay {
  private readonly binder: InputBinder;
  private readonly steps: readonly Step[];
  /** The slots whose blocks may leave with results. */
  private readonly leaving: readonly PlanSlot[];

  constructor(
    inputs: readonly VaryingInput[],
    steps: readonly CompiledStep[],
    private readonly results: readonly ResultReader[],
    private readonly runs: RunCount,
  ) {
    this.binder = new InputBinder(inputs);
    this.steps = steps.map(({ step }) => step);
    this.leaving = results.flatMap(({ slot, mayLeave }) => (mayLeave ? [slot] : []));
  }

  run(values: HostInputs): boolean {
    if (!this.binder.bind(values)) return false;
    for (const slot of this.leaving) if (slot.isTransferred) slot.refill();
    this.runs.value++;
    const steps = this.steps;
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at] as Step; // within the list
      step.run(0, step.extent);
    }
    return true;
  }

  tensors(): readonly Tensor[] {
    return resultTensors(this.results);
  }

  last(): Tensor | undefined {
    return this.results[this.results.length - 1]?.tensor();
  }

  write(array: CellArray): boolean {
    const last = this.results[this.results.length - 1];
    last?.write(array);
    return last !== undefined;
  }
}
