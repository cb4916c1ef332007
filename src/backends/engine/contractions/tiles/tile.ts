import { element } from "../../../../language/values/element.js";
import { Code } from "../../assembler/code.js";
import { Groups } from "../../kernels/groups.js";
import { countDown, takeAtMost, whileAny } from "../../kernels/iteration.js";
import type { Numbers } from "../../kernels/numbers.js";
import { type Precision, precisions } from "../../kernels/precision.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { addExactly, chains, compensatedTotal } from "../../kernels/sums.js";
import { locals, words } from "../descriptor.js";
import { nonFiniteOf, setOverflowFlag } from "../overflow-retry.js";
import { columnsOf, type TileForm, type TileKernel } from "./tile-kernel.js";
import { tileStep } from "./tile-step.js";

/** Parameters, by their numbers. */
const [k, left, right, sums, spare, leftStep, rightStep] = [0, 1, 2, 3, 4, 5, 6];
/** The parameter from which on those of further rows follow: of the left operand, and of a short sum's target but for the first two. */
const furtherRowsFrom = 7;
const scratchOf = (rows: number): number => furtherRowsFrom + rows - 1 + Math.max(0, rows - 2);
const numbersFrom = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, at) => start + at);
/** Behind what is lost: the number of the vector from which on sums are stored to be added exactly. */
const spilledVector = 32;

/**
 * `tile(k, left, right, sums)`: the products of two packed panels, k deep. Panels hold the rows of the left (or
 * the columns of the right) for one index of the sum after another. All cells of the tile stay in registers for as long
 * as a chain may be, then they are added to those that are at `sums`. Vectors are loaded and stored next to each other, the form of
 * which V8 can make 256-bit instructions.
 *
 * `tile(k, left, right, sums, spare, leftStep, rightStep, …)` of the other forms: the bytes to the next index of the sum on the left and on
 * the right, and where the other rows of the left begin. A strided sum may be of any length: doubles are added to the doubles at
 * `sums`, floats to floats at `spare`, and these, again and again, to the doubles. `short` has the first two rows of the target for
 * `sums` and `spare`, then, behind the rows of the left, the others, and scratch memory at the end.
 */
export const tileCode = (name: string, precision: Precision, kernel: TileKernel, form: TileForm): Code =>
  new TileWriter(name, precision, kernel, form).write();

class TileWriter {
  private readonly code: Code;
  private readonly scope: LocalScope;
  private readonly groups: Groups;
  private readonly numbers: Numbers;
  /** The vectors of the tile. */
  private readonly cells: readonly number[];
  /** Where each row of the left operand is. */
  private readonly lefts: readonly number[];
  /** How many indexes of the sum are left of a loop, how many a chain has, and how many a stretch of chains. */
  private readonly turns: number;
  private readonly chain: number;
  private readonly stretch: number;
  /** Code for one index of the sum. */
  private readonly step: () => void;

  constructor(
    name: string,
    private readonly precision: Precision,
    private readonly kernel: TileKernel,
    private readonly form: TileForm,
  ) {
    const { rows, vectors, fused } = kernel;
    const parameters = { packed: 4, strided: furtherRowsFrom + rows - 1, short: scratchOf(rows) + 1 };
    this.code = new Code(name, words(parameters[form.kind]), [], false);
    this.scope = new LocalScope(this.code);
    this.groups = new Groups(this.scope, fused);
    this.numbers = this.groups.numbers(precision, true);
    this.cells = Array.from({ length: rows * vectors }, () => this.code.local("v128"));
    [this.turns, this.chain, this.stretch] = locals(this.code, 3);
    this.lefts = [left, ...numbersFrom(furtherRowsFrom, furtherRowsFrom + rows - 1)];
    const operands = { cells: this.cells, lefts: this.lefts, right };
    this.step = tileStep(this.groups, precision, kernel, form, operands);
  }

  write(): Code {
    const write = { packed: () => this.packed(), strided: () => this.strided(), short: () => this.short() };
    write[this.form.kind]();
    this.scope.finish();
    return this.code;
  }

  /** The first chain is stored at `sums`, and the others are added there. */
  private packed(): void {
    this.computeChain(k);
    for (const [at, cell] of this.cells.entries()) this.store(sums, at, this.scope.local(cell));
    whileAny(this.code, k, () => this.addChain(k, sums));
  }

  private strided(): void {
    const { code, precision, kernel } = this;
    this.zero(sums, (kernel.rows * columnsOf(kernel, precision)) / 2);
    if (precision === "double") {
      this.zero(spare, this.cells.length);
      whileAny(code, k, () => this.addExactChain());
      for (const at of this.cells.keys()) this.addLost(at);
      return;
    }
    whileAny(code, k, () => {
      takeAtMost(code, k, chains[precision].stretch, this.stretch);
      this.zero(spare, this.cells.length);
      whileAny(code, this.stretch, () => this.addChain(this.stretch, spare));
      for (const at of this.cells.keys()) this.addFloats(at);
    });
  }

  /** One chain, which begins with what is in the locals, zeros, and is stored as it is. */
  private short(): void {
    const { code, scope } = this;
    const { rows, vectors } = this.kernel;
    code.get(k).set(this.turns);
    this.addSteps();
    const targets = [sums, spare, ...numbersFrom(furtherRowsFrom + rows - 1, scratchOf(rows))];
    for (const [at, cell] of this.cells.entries()) {
      const row = element(targets, Math.floor(at / vectors));
      this.store(row, at % vectors, scope.local(cell));
    }
    if (this.precision !== "float") return;
    const notFinite = scope.take("v128");
    code.v128("i32x4", 0).set(notFinite);
    for (const cell of this.cells)
      nonFiniteOf(code, cell, "f32x4").get(notFinite).do("f32x4.add").set(notFinite);
    setOverflowFlag(code, notFinite, "f32x4", () => code.get(scratchOf(rows)));
  }

  /** Goes through as many indexes of the sum as `turns` has. */
  private addSteps(): void {
    const { code, kernel, precision } = this;
    const { width } = precisions[precision];
    countDown(code, this.turns, () => {
      this.step();
      if (this.form.kind === "packed") {
        code.advance(left, kernel.rows * width).advance(right, columnsOf(kernel, precision) * width);
        return;
      }
      for (const row of this.lefts) code.get(row).get(leftStep).do("i32.add").set(row);
      code.get(right).get(rightStep).do("i32.add").set(right);
    });
  }

  private computeChain(remaining: number): void {
    const { code } = this;
    takeAtMost(code, remaining, chains[this.precision].ofContractions, this.chain);
    for (const cell of this.cells) code.v128("i32x4", 0).set(cell);
    code.get(this.chain).set(this.turns);
    this.addSteps();
  }

  /** Adds a chain to the sums at an address. */
  private addChain(remaining: number, into: number): void {
    const { scope, numbers, cells } = this;
    this.computeChain(remaining);
    for (const [at, cell] of cells.entries())
      scope.set(cell, numbers.add(this.vector(into, at), scope.local(cell)));
    for (const [at, cell] of cells.entries()) this.store(into, at, scope.local(cell));
  }

  /** Adds a chain of doubles to `sums`, and what these lose to what is at `spare`. */
  private addExactChain(): void {
    const { scope, numbers, cells } = this;
    this.computeChain(k);
    for (const [at, cell] of cells.entries()) this.store(spare, spilledVector + at, scope.local(cell));
    for (const at of cells.keys())
      scope.withLocals(() => {
        const added = scope.bind("v128", this.vector(spare, spilledVector + at));
        const [total, lost] = [scope.take("v128"), scope.take("v128")];
        scope.set(total, this.vector(sums, at));
        scope.set(lost, this.vector(spare, at));
        addExactly(numbers, total, lost, added);
        this.store(sums, at, scope.local(total));
        this.store(spare, at, scope.local(lost));
      });
  }

  /** Adds to a vector of doubles what they have lost. */
  private addLost(at: number): void {
    const { scope, numbers } = this;
    scope.withLocals(() => {
      const total = scope.bind("v128", this.vector(sums, at));
      this.store(sums, at, compensatedTotal(numbers, total, this.vector(spare, at)));
    });
  }

  /** Adds a vector of four floats at `spare` to the corresponding four doubles in `sums`. */
  private addFloats(at: number): void {
    const { scope, groups } = this;
    scope.withLocals(() => {
      const doubles = groups.numbers("double", true);
      const floats = scope.bind("v128", this.vector(spare, at));
      for (const [half, added] of groups.widenedLanes(floats).entries())
        this.store(sums, 2 * at + half, doubles.add(this.vector(sums, 2 * at + half), added));
    });
  }

  private vector(address: number, at: number): StackValue {
    return this.scope.loaded("v128.load", this.scope.local(address), at * 16);
  }

  private store(address: number, at: number, vector: StackValue): void {
    this.scope.store("v128.store", this.scope.local(address), at * 16, vector);
  }

  private zero(address: number, vectors: number): void {
    const zero = this.scope.value(() => this.code.v128("i32x4", 0));
    for (let at = 0; at < vectors; at++) this.store(address, at, zero);
  }
}
