import { type CellArray, readCell } from "../../../language/types/cell.js";
import type { TensorType } from "../../../language/types/type.js";
import { numberAt } from "../../../language/values/element.js";
import { requireOutput } from "../../../language/values/output-array.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { Access } from "../loop.js";
import { type HostInputs, InputBinder, type InputCells, VaryingInput } from "./input-binder.js";
import type { Replay } from "./replay.js";
import type { ResultReader } from "./results.js";
import type { CompiledStep } from "./steps.js";

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
    private readonly steps: readonly (() => void)[],
    private readonly results: readonly NumberResult[],
  ) {}

  run(values: HostInputs): boolean {
    if (!this.binder.bind(values)) return false;
    const steps = this.steps;
    for (let at = 0; at < steps.length; at++) (steps[at] as () => void)(); // within the list
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

  private tensor({ type, position }: NumberResult): Tensor {
    return Tensor.scalar(this.numbers[position] as number, type); // within the array
  }
}

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
  const positioned = programs.map(({ sources, target, on }) => {
    const [from, to] = [sources.map(positionOf), positionOf(target)];
    return () => on(numbers, from, to);
  });
  const found = results.map(({ type, slot, offset }) => ({
    type,
    position: positionOf({ slot, offset, cellType: "double" }),
  }));
  const numbers = Float64Array.from(positions.initial);
  const bound = inputs.map(({ layout, cells }) => {
    const position = cells && positions.at(cells, 0);
    return new VaryingInput(layout, position === undefined ? undefined : new NumberInput(numbers, position));
  });
  const called = positioned.flatMap((step) => step() ?? []);
  return called.length < steps.length
    ? undefined
    : new NumberReplay(numbers, new InputBinder(bound), called, found);
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
