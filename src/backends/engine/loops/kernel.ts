import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { readCell, writeCell } from "../kernels/cells.js";
import { folds } from "../kernels/folding.js";
import { type Group, Groups, partOf } from "../kernels/groups.js";
import { readLanes, writeLanes } from "../kernels/lane-cells.js";
import { LocalScope } from "../kernels/scope.js";
import type { LoopAggregator } from "../loop.js";
import { carriesTotal, Folds } from "./folds.js";
import { LoopWriter, type Pointer, type Position, tablesOf } from "./loop-writer.js";
import type { Nest } from "./nest.js";
import { Subroutines } from "./subroutines.js";
import { single, Values } from "./values.js";

/** Writes the function of a nest: `run(from, to, address of each source, of the target, of each table, of the total)`. */
export function kernelOf(nest: Nest, hasMultiplyAdd: boolean): readonly Code[] {
  return new KernelWriter(nest, hasMultiplyAdd).write();
}

/** Locals with a cell of the target that values are folded into, until another one is. */
interface HeldCell {
  /** Its address; 0 before there is one. */
  readonly address: number;
  readonly value: number;
}

class KernelWriter {
  private readonly code: Code;
  private readonly groups: Groups;
  private readonly subroutines: Subroutines;
  private readonly loops: LoopWriter;
  private readonly values: Values;
  private readonly folds: Folds;
  private held: HeldCell | undefined;

  constructor(
    private readonly nest: Nest,
    hasMultiplyAdd: boolean,
  ) {
    const addresses = nest.sources.length + 1 + tablesOf(nest).length + (carriesTotal(nest) ? 1 : 0);
    this.code = new Code(
      "run",
      Array.from({ length: 2 + addresses }, () => "i32"),
    );
    const scope = new LocalScope(this.code);
    this.subroutines = new Subroutines(1);
    this.groups = new Groups(scope, hasMultiplyAdd, this.subroutines);
    this.loops = new LoopWriter(scope, nest);
    this.values = new Values(nest, this.groups, this.loops);
    const total = carriesTotal(nest) ? 1 + addresses : undefined;
    this.folds = new Folds(nest, this.groups, this.loops, this.values, total);
  }

  write(): readonly Code[] {
    this.writeAxis(0, this.loops.start());
    this.groups.scope.finish();
    return [this.code, ...this.subroutines.functions];
  }

  /** Writes what happens where so many axes are fixed. */
  private writeAxis(depth: number, position: Position): void {
    const { outerAxes, axes, aggregator } = this.nest;
    if (depth === outerAxes && aggregator !== undefined)
      return this.writeResult(position, this.folds.fold(position, aggregator));
    this.values.compute(depth, position);
    if (depth === axes.length) return this.writeResult(position, this.values.results(position));
    const groups = this.values.groupsAlong(depth);
    const writeLoop = (): void =>
      this.loops.writeLoop(depth, position, groups, (inner) => this.writeAxis(depth + 1, inner));
    if (groups === 0 && this.isHeldAlong(depth)) this.writeHolding(writeLoop);
    else writeLoop();
  }

  /** Whether values are folded, index by index, into cells that a table names: neighbours are often one. */
  private isHeldAlong(axis: number): boolean {
    const { isAccumulating, outerAxes, target } = this.nest;
    return isAccumulating && axis === outerAxes - 1 && typeof element(target.strides, axis) !== "number";
  }

  /** Writes a loop that writes a cell when it comes to another one: a sum that goes on need not wait for the memory. */
  private writeHolding(writeLoop: () => void): void {
    const { scope } = this.groups;
    scope.withLocals(() => {
      const held = { address: scope.take("i32"), value: scope.take("f64") };
      this.code.i32(0).set(held.address);
      this.held = held;
      writeLoop();
      this.held = undefined;
      this.writeHeld(held);
    });
  }

  private writeHeld({ address, value }: HeldCell): void {
    const { groups, nest } = this;
    const { scope } = groups;
    const { cellType } = nest.target;
    this.code
      .get(address)
      .if(() => writeCell(groups, cellType, scope.local(address), 0, single(scope.local(value))));
  }

  /** Folds a value into the cell that is held, which becomes that at a pointer. */
  private foldIntoHeld(
    held: HeldCell,
    { local, bytes }: Pointer,
    accumulator: LoopAggregator,
    result: Group,
  ): void {
    const { groups, nest, code } = this;
    const { scope } = groups;
    const pointer = scope.take("i32");
    code.get(local).i32(bytes).do("i32.add").set(pointer);
    code
      .get(pointer)
      .get(held.address)
      .do("i32.ne")
      .if(() => {
        this.writeHeld(held);
        partOf(groups.as("double", readCell(groups, nest.target.cellType, scope.local(pointer), 0))).push();
        code.set(held.value).get(pointer).set(held.address);
      });
    partOf(this.accumulated(accumulator, single(scope.local(held.value)), result)).push();
    code.set(held.value);
  }

  private writeResult(position: Position, results: readonly Group[]): void {
    const { groups, nest } = this;
    const { scope } = groups;
    const { cellType } = nest.target;
    const accumulator = nest.isAccumulating ? nest.aggregator : undefined;
    const access = nest.sources.length;
    const { local, bytes } = element(position.pointers, access);
    const pointer = scope.local(local);
    if (position.groups === 0) {
      const [result] = results as [Group]; // one for each group, and one where there are none
      if (this.held !== undefined && accumulator !== undefined)
        return this.foldIntoHeld(this.held, element(position.pointers, access), accumulator, result);
      const folded =
        accumulator === undefined
          ? result
          : this.accumulated(accumulator, readCell(groups, cellType, pointer, bytes), result);
      return writeCell(groups, cellType, pointer, bytes, folded);
    }
    const finished = results.map((result, group) => {
      if (accumulator === undefined) return groups.bind(result);
      const previous = readLanes(groups, cellType, this.values.laneAddress(access, position, group));
      return groups.bind(this.accumulated(accumulator, previous, result));
    });
    for (const [group, result] of finished.entries())
      writeLanes(groups, cellType, this.values.laneAddress(access, position, group), result);
  }

  /** What the target holds so far, with a value folded into it. */
  private accumulated(aggregator: LoopAggregator, previous: Group, result: Group): Group {
    const { groups } = this;
    const n = groups.numbers("double", previous.isLanes);
    const { fold } = folds[aggregator];
    const values = groups.as("double", result).parts.map((part) => n.bind(part));
    const parts = groups
      .as("double", previous)
      .parts.map((part, at) => fold(n, n.bind(part), element(values, at)));
    return { ...previous, number: "double", parts };
  }
}
