import type { CellArray } from "../../../language/types/cell.js";
import { Tensor } from "../../../language/values/tensor.js";
import { hasLayout, type InputLayout } from "../layouts/input-layout.js";
import type { PlanSlot } from "./slots.js";

/** Inputs by their canonical names, as a host has them. */
export type HostInputs = Readonly<Record<string, unknown>>;

/** An input that each run brings. */
export class VaryingInput {
  readonly name: string;
  readonly isScalar: boolean;
  /** Whether the number of cells of an array tells its sizes. */
  readonly takesArrays: boolean;

  constructor(
    readonly layout: InputLayout,
    /** Absent where no step reads its cells. */
    readonly slot: PlanSlot | undefined,
  ) {
    this.name = layout.name;
    this.isScalar = layout.type.isScalar;
    const open = layout.type.indexed.filter(({ size }) => size === undefined);
    this.takesArrays = layout.index === undefined && open.length < 2;
  }
}

/**
 * Puts the values of a host in the slots of a plan's inputs, where no value needs another form. Inputs stand in the order
 * in which the last object had them, so that an object is walked once, and nothing is looked up by name.
 */
export class InputBinder {
  private inputs: readonly VaryingInput[];

  constructor(inputs: readonly VaryingInput[]) {
    this.inputs = inputs;
  }

  /** Whether just the inputs are there, each in a form that its slot takes. Slots may have been written to in any case. */
  bind(values: HostInputs): boolean {
    return this.put(values) || (this.isReordered(values) && this.put(values));
  }

  private put(values: HostInputs): boolean {
    const inputs = this.inputs;
    // What an object inherits is none of its inputs.
    const above: unknown = Reflect.getPrototypeOf(values);
    if (above !== Object.prototype && above !== null) return false;
    let at = 0;
    for (const name in values) {
      // First of all, so that V8 reads it by its position in the object, whatever objects there were before.
      const value = values[name];
      const input = inputs[at++];
      if (input === undefined || input.name !== name) return false;
      if (typeof value === "number" && input.isScalar) input.slot?.bindNumber(value);
      else if (!(input.slot?.isCopyOf(value) ?? false) && !put(input, value)) return false;
    }
    return at === inputs.length;
  }

  /** Whether the inputs were in another order than the names of these values; they are in that order from now on. */
  private isReordered(values: HostInputs): boolean {
    const names = Object.keys(values);
    if (names.every((name, at) => this.inputs[at]?.name === name)) return false;
    const byName = new Map(this.inputs.map((input) => [input.name, input]));
    const reordered = names.flatMap((name) => byName.get(name) ?? []);
    if (reordered.length !== this.inputs.length) return false;
    this.inputs = reordered;
    return true;
  }
}

/** Puts what is no number in the slot of an input, if it is of the right form. */
function put({ layout, slot, isScalar, takesArrays }: VaryingInput, value: unknown): boolean {
  if (!ArrayBuffer.isView(value)) {
    if (!(value instanceof Tensor) || !hasLayout(value, layout)) return false;
    if (isScalar) slot?.bindNumber(value.at(0));
    else slot?.bind(value);
    return true;
  }
  if (slot === undefined || !takesArrays) return false;
  if (value.constructor !== slot.block.cells.constructor) return false;
  const array = value as CellArray; // of the same kind as the cells
  if (array.length !== slot.length) return false;
  slot.copy(array);
  return true;
}
