import { isRecord } from "../../../../language/source/value-kind.js";
import { Tensor } from "../../../../language/values/tensor.js";
import { hasLayout, type InputLayout } from "../../layouts/input-layout.js";

const hasOwn = Object.prototype.hasOwnProperty;

/** Inputs by their canonical names, as a host has them. */
export type HostInputs = Readonly<Record<string, unknown>>;

/** Where the cells of an input are put. */
export interface InputCells {
  /** Holds a number, where it is of one double. */
  bindNumber(value: number): void;
  /** Holds the cells of a tensor of its layout. */
  bind(tensor: Tensor): void;
  /** Whether the cells are those of a tensor already. */
  isCopyOf(value: unknown): boolean;
  /** Holds a copy of the cells of an array, if that is of their kind and of as many. Whether it is. */
  copies(array: ArrayBufferView): boolean;
}

/** An input that each run brings. */
export class VaryingInput {
  readonly name: string;
  readonly isScalar: boolean;
  /** Whether the number of cells of an array tells its sizes. */
  readonly takesArrays: boolean;

  constructor(
    readonly layout: InputLayout,
    /** Absent where no step reads its cells. */
    readonly cells: InputCells | undefined,
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
    if (typeof values !== "object" || Array.isArray(values)) return false;
    // Of few names V8 knows without a call that the object itself has them; of many it is asked once for all.
    const hasAllItself = inputs.length > fewInputs && isPlain(values);
    let at = 0;
    for (const name in values) {
      // First of all, so that V8 reads it by its position in the object, whatever objects there were before.
      const value = values[name];
      const input = inputs[at++];
      if (input === undefined || input.name !== name) return false;
      // What an object inherits is none of its inputs.
      if (!hasAllItself && !hasOwn.call(values, name)) return false;
      if (typeof value === "number" && input.isScalar) input.cells?.bindNumber(value);
      else if (!(input.cells?.isCopyOf(value) ?? false) && !put(input, value)) return false;
    }
    return at === inputs.length && (at > 0 || isRecord(values));
  }

  /** Whether the inputs were in another order than the names of these values; they are in that order from now on. */
  private isReordered(values: HostInputs): boolean {
    if (!isRecord(values)) return false;
    const names = Object.keys(values);
    if (names.every((name, at) => this.inputs[at]?.name === name)) return false;
    const byName = new Map(this.inputs.map((input) => [input.name, input]));
    const reordered = names.flatMap((name) => byName.get(name) ?? []);
    if (reordered.length !== this.inputs.length) return false;
    this.inputs = reordered;
    return true;
  }
}

/** An object with more names than so is a table of them for V8, in which each is looked up. */
const fewInputs = 16;

/** Whether an object inherits nothing that a walk over its names would come to. */
function isPlain(values: object): boolean {
  const above: unknown = Object.getPrototypeOf(values);
  if (above === null) return true;
  if (above !== Object.prototype) return false;
  for (const _ in Object.prototype) return false;
  return true;
}

/** Puts what is no number in the cells of an input, if it is of the right form. */
function put({ layout, cells, isScalar, takesArrays }: VaryingInput, value: unknown): boolean {
  if (ArrayBuffer.isView(value)) return takesArrays && cells?.copies(value) === true;
  if (!(value instanceof Tensor) || !hasLayout(value, layout)) return false;
  if (isScalar) cells?.bindNumber(value.at(0));
  else cells?.bind(value);
  return true;
}
