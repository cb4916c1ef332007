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
  private readonly inputs: VaryingInput[];
  /** Where each input stands, by its name. */
  private readonly positions: Map<string, number>;

  constructor(inputs: readonly VaryingInput[]) {
    this.inputs = [...inputs];
    this.positions = new Map(inputs.map(({ name }, at) => [name, at]));
  }

  /** Whether just the inputs are there, each in a form that its slot takes. Slots may have been written to in any case. */
  bind(values: HostInputs): boolean {
    const inputs = this.inputs;
    // What an object inherits is none of its inputs.
    const above: unknown = Object.getPrototypeOf(values);
    if (above !== Object.prototype && above !== null) return false;
    let at = 0;
    for (const name in values) {
      let input = inputs[at];
      if (input === undefined || input.name !== name) {
        input = this.moved(name, at);
        if (input === undefined) return false;
      }
      const value = values[name];
      if (typeof value === "number" && input.isScalar) input.slot?.bindNumber(value);
      else if (!put(input, value)) return false;
      at++;
    }
    return at === inputs.length;
  }

  /** The input of a name, which is at this position from now on; absent where no input has the name. */
  private moved(name: string, to: number): VaryingInput | undefined {
    const inputs = this.inputs;
    const positions = this.positions;
    const from = positions.get(name);
    const [other, input] = [inputs[to], from === undefined ? undefined : inputs[from]];
    if (from === undefined || input === undefined || other === undefined) return undefined;
    inputs[from] = other;
    inputs[to] = input;
    positions.set(other.name, from);
    positions.set(name, to);
    return input;
  }
}

/** Puts what is no number in the slot of an input, if it is of the right form. */
function put({ layout, slot, takesArrays }: VaryingInput, value: unknown): boolean {
  if (value instanceof Tensor) {
    if (!hasLayout(value, layout)) return false;
    slot?.bind(value);
    return true;
  }
  if (slot === undefined || !takesArrays || !ArrayBuffer.isView(value)) return false;
  if (value.constructor !== slot.block.cells.constructor) return false;
  const array = value as CellArray; // of the same kind as the cells
  if (array.length !== slot.length) return false;
  slot.copy(array);
  return true;
}
