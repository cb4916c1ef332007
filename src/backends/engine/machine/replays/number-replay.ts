import { type CellArray, readCell } from "../../../../language/types/cell.js";
import type { TensorType } from "../../../../language/types/type.js";
import { requireOutput } from "../../../../language/values/data/output-array.js";
import { numberAt } from "../../../../language/values/element.js";
import { Tensor } from "../../../../language/values/tensor.js";
import type { NumberFunction } from "../../../backend.js";
import type { Access, NumberCall, NumberProgram } from "../../loop.js";
import type { ResultReader } from "../results/results.js";
import type { CompiledStep } from "../steps.js";
import { type HostInputs, InputBinder, type InputCells, VaryingInput } from "./input-binder.js";
import type { Replay } from "./replay.js";

/** An input that is a number among others. */
class NumberInput implements InputCells {
  constructor(
    private readonly numbers: Float64Array,
    private readonly position: number,
  ) {}

  bindNumber(value: number): void {
    this.numbers[this.position] = value;
  }

  bind(tensor: Tensor): void {
    this.bindNumber(tensor.at(0));
  }

  isCopyOf(): boolean {
    return false;
  }

  copies(array: ArrayBufferView): boolean {
    if (!(array instanceof Float64Array) || array.length !== 1) return false;
    this.numbers.set(array, this.position);
    return true;
  }
}

/** A result, and where its number is. */
interface NumberResult {
  readonly type: TensorType;
  readonly position: number;
}

/**
 * Repeats runs of a plan that is all of numbers: its inputs, its steps, and its results. They lie in one array, so that a run takes
 * half the time of one that goes through slots.
 */
class NumberReplay implements Replay {
  constructor(
    private readonly numbers: Float64Array,
    private readonly binder: InputBinder,
    private readonly steps: readonly NumberStep[],
    private readonly results: readonly NumberResult[],
    /** Where the numbers of inputs are that a step reads. */
    private readonly positions: ReadonlyMap<string, number>,
  ) {}

  run(values: HostInputs): boolean {
    if (!this.binder.bind(values)) return false;
    compute(this.steps, this.numbers);
    return true;
  }

  tensors(): readonly Tensor[] {
    return this.results.map((result) => this.tensor(result));
  }

  last(): Tensor | undefined {
    const last = this.results[this.results.length - 1];
    return last === undefined ? undefined : this.tensor(last);
  }

  write(array: CellArray): boolean {
    const last = this.results[this.results.length - 1];
    if (last === undefined) return false;
    requireOutput(array, last.type, 1);
    array[0] = numberAt(this.numbers, last.position);
    return true;
  }

  numberFunction(names: readonly string[]): NumberFunction | undefined {
    const last = this.results[this.results.length - 1];
    if (last === undefined) return undefined;
    const count = names.length;
    const direct = this.directCall(names, last);
    if (direct !== undefined) return (values) => (areNumbers(values, count) ? direct(values) : undefined);
    const { numbers, steps } = this;
    // What no step reads is written beyond all that is read.
    const unread = numbers.length - 1;
    const positions = names.map((name) => this.positions.get(name) ?? unread);
    return (values) => {
      if (!areNumbers(values, count)) return undefined;
      for (let at = 0; at < count; at++) numbers[positions[at] as number] = values[at] as number; // as many
      compute(steps, numbers);
      return numbers[last.position] as number; // within the array
    };
  }

  /** Where there is one step, and it reads inputs alone, it may read the values themselves. */
  private directCall(names: readonly string[], last: NumberResult): NumberCall | undefined {
    const [step, second] = this.steps;
    if (step === undefined || second !== undefined || step.to !== last.position) return undefined;
    const positions = step.from.map((from) => names.findIndex((name) => this.positions.get(name) === from));
    return positions.includes(-1) ? undefined : step.on(positions);
  }

  private tensor({ type, position }: NumberResult): Tensor {
    return Tensor.scalar(this.numbers[position] as number, type); // within the array
  }
}

/** A step, and where the numbers are that it reads, and the one that it writes. */
interface NumberStep extends Pick<NumberProgram, "on"> {
  readonly call: NumberCall;
  readonly from: readonly number[];
  readonly to: number;
}

function compute(steps: readonly NumberStep[], numbers: Float64Array): void {
  for (let at = 0; at < steps.length; at++) {
    const { call, to } = steps[at] as NumberStep; // within the list
    numbers[to] = call(numbers);
  }
}

const areNumbers = (values: readonly unknown[], count: number): values is readonly number[] => {
  if (values.length !== count) return false;
  for (let at = 0; at < count; at++) if (typeof values[at] !== "number") return false;
  return true;
};

/** Absent where something is more than a number, or no program of numbers. */
export function numberReplay(
  inputs: readonly VaryingInput[],
  steps: readonly CompiledStep[],
  results: readonly ResultReader[],
): NumberReplay | undefined {
  const programs = steps.flatMap(({ step }) => step.numbers ?? []);
  if (programs.length < steps.length) return undefined;
  if (![...inputs, ...results].every(({ isScalar }) => isScalar)) return undefined;
  const positions = new NumberPositions();
  for (const { cells } of inputs) if (cells !== undefined) positions.add(cells, 0);
  for (const { target } of programs) positions.add(target.slot, target.offset);
  const positionOf = (cell: Cell): number => positions.of(cell);
  const positioned = programs.map(({ sources, target, on }) => ({
    on,
    from: sources.map(positionOf),
    to: positionOf(target),
  }));
  const found = results.map(({ type, slot, offset }) => ({
    type,
    position: positionOf({ slot, offset, cellType: "double" }),
  }));
  const numbers = Float64Array.from([...positions.initial, Number.NaN]);
  const named = new Map<string, number>();
  const bound = inputs.map(({ layout, cells }) => {
    const position = cells && positions.at(cells, 0);
    if (position !== undefined) named.set(layout.name, position);
    return new VaryingInput(layout, position === undefined ? undefined : new NumberInput(numbers, position));
  });
  const called = positioned.flatMap(({ on, from, to }): NumberStep | [] => {
    const call = on(from);
    return call === undefined ? [] : { call, on, from, to };
  });
  return called.length < steps.length
    ? undefined
    : new NumberReplay(numbers, new InputBinder(bound), called, found, named);
}

type Cell = Pick<Access, "slot" | "cellType" | "offset">;

/** Where among the numbers the cells are that runs write: of each slot by its offset, as a tensor of several numbers lies in one. */
class NumberPositions {
  /** The numbers before the first run that is repeated. */
  readonly initial: number[] = [];
  private readonly bySlot = new Map<unknown, Map<number, number>>();

  add(slot: unknown, offset: number): void {
    const byOffset = this.bySlot.get(slot) ?? new Map<number, number>();
    this.bySlot.set(slot, byOffset);
    if (!byOffset.has(offset)) byOffset.set(offset, this.initial.push(0) - 1);
  }

  at(slot: unknown, offset: number): number | undefined {
    return this.bySlot.get(slot)?.get(offset);
  }

  /** The position of a cell; what no run writes has its number already. */
  of({ slot, cellType, offset }: Cell): number {
    return this.at(slot, offset) ?? this.initial.push(readCell(cellType, slot.block.cells, offset)) - 1;
  }
}
