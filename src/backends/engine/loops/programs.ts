import { element } from "../../../language/values/element.js";
import { Code, type ValueType } from "../assembler/code.js";
import { readCell, writeCell } from "../kernels/cells.js";
import { type Group, Groups } from "../kernels/groups.js";
import { LocalScope, type StackValue } from "../kernels/scope.js";
import type { Instruction } from "../loop.js";
import { computed } from "./body.js";
import { type Kind, kindsOf, operandsOf } from "./kinds.js";
import type { Nest } from "./nest.js";
import { type ProgramPlan, planOf } from "./program-plan.js";
import { Subroutines } from "./subroutines.js";

/**
 * Programs: loops without axes, which compute one number. They are written as expressions rather than as a list: what is
 * used once stands where it is used, so that of a choice only what is chosen is computed. Learned models make these very
 * large, and then they are cut into functions that call each other (program-plan.ts).
 *
 * All functions take the same: with few accesses their addresses, in order; otherwise the address of a list of these.
 * Behind it, `memory` holds values that several functions use. A program of a few doubles may also be a function of numbers,
 * which needs no memory.
 */
const mostAddresses = 8;

/** The most numbers that a function of numbers takes. */
const mostNumbers = 100;

/** Whether a program can be a function of numbers: all its cells are doubles, as inputs without dimensions are. */
export const isOfNumbers = ({ sources, target }: Nest, { isCut }: ProgramPlan): boolean =>
  !isCut &&
  sources.length <= mostNumbers &&
  [...sources, target].every(({ cellType }) => cellType === "double");

/** How many bytes a program needs for its list of addresses and its memory; 0 where it needs none. */
export function programBytes(nest: Nest, plan: ProgramPlan): number {
  const listBytes = needsList(nest, plan) ? (nest.sources.length + 1) * 4 : 0;
  return Math.ceil(listBytes / 8) * 8 + plan.slotCount * 8;
}

function needsList({ sources }: Nest, plan: ProgramPlan): boolean {
  return sources.length + 1 > mostAddresses || plan.isCut;
}

/** Writes a program: `run(0, 1, …)`, with what its functions take after that. */
export function programOf(nest: Nest, plan: ProgramPlan, hasMultiplyAdd: boolean): readonly Code[] {
  return new Program(nest, plan, hasMultiplyAdd, false).ofCells();
}

/** Writes a program of numbers: `run` takes the number of each source, in order, and returns the result. */
export function numberProgramOf(nest: Nest, plan: ProgramPlan, hasMultiplyAdd: boolean): readonly Code[] {
  return new Program(nest, plan, hasMultiplyAdd, true).ofNumbers();
}

export function planOfProgram(nest: Nest): ProgramPlan {
  return planOf(nest.body);
}

class Program {
  readonly kinds: readonly Kind[];
  readonly functions: Code[] = [];
  readonly hasList: boolean;
  /** Where the memory begins, from the list on. */
  readonly memory: number;
  /** For each instruction that has a function of its own, which one. */
  readonly callees: ReadonlyMap<number, number>;
  readonly subroutines: Subroutines;

  constructor(
    readonly nest: Nest,
    readonly plan: ProgramPlan,
    readonly hasMultiplyAdd: boolean,
    readonly takesNumbers: boolean,
  ) {
    this.kinds = kindsOf(
      nest.body,
      nest.sources.map(({ cellType }) => cellType),
      nest.target.cellType,
    );
    this.hasList = needsList(nest, plan);
    this.memory = Math.ceil(((nest.sources.length + 1) * 4) / 8) * 8;
    this.callees = new Map(plan.outlined.map((at, index) => [at, 1 + index]));
    this.subroutines = new Subroutines(1 + plan.outlined.length + plan.batches.length);
  }

  ofNumbers(): readonly Code[] {
    const numbers = this.nest.sources.map((): ValueType => "f64");
    const main = new FunctionWriter(this, new Code("run", numbers, ["f64"]), 0);
    main.returnResult();
    return this.codeOf([main.finish()]);
  }

  ofCells(): readonly Code[] {
    const count = this.hasList ? 1 : this.nest.sources.length + 1;
    const addresses: ValueType[] = Array.from({ length: count }, () => "i32");
    const parts = this.plan.outlined.map((at, index) => {
      const { number } = element(this.kinds, at);
      const part = new FunctionWriter(
        this,
        new Code(`part ${index}`, addresses, [number === "double" ? "f64" : "f32"], false),
        0,
      );
      part.push(at, number);
      return part.finish();
    });
    const batches = this.plan.batches.map((batch, index) => {
      const part = new FunctionWriter(this, new Code(`batch ${index}`, addresses, [], false), 0);
      for (const at of batch) part.storeSlot(at);
      return part.finish();
    });
    const main = new FunctionWriter(this, new Code("run", ["i32", "i32", ...addresses]), 2);
    for (const index of batches.keys()) main.callPart(1 + parts.length + index);
    main.writeResult();
    return this.codeOf([main.finish(), ...parts, ...batches]);
  }

  private codeOf(functions: readonly Code[]): readonly Code[] {
    return [...functions, ...this.subroutines.functions];
  }
}

/** One function of a program while it is written. */
class FunctionWriter {
  private readonly groups: Groups;
  private readonly bound = new Map<number, Group>();

  constructor(
    private readonly program: Program,
    private readonly code: Code,
    /** The first of the parameters that have the addresses. */
    private readonly first: number,
  ) {
    this.groups = new Groups(new LocalScope(code), program.hasMultiplyAdd, program.subroutines);
  }

  finish(): Code {
    this.groups.scope.finish();
    return this.code;
  }

  push(at: number, number: "double" | "float"): void {
    this.groups.as(number, this.evaluate(at)).parts[0]?.push();
  }

  /** Computes a value that others use, and keeps it. */
  storeSlot(at: number): void {
    const { plan, memory } = this.program;
    const slot = plan.slots.get(at);
    const [value] = this.groups.as("double", this.evaluate(at)).parts as [StackValue]; // a number, not lanes
    if (plan.isCut && slot !== undefined) {
      this.code.get(this.first);
      value.push();
      this.code.memory("f64.store", memory + slot * 8);
    } else this.bound.set(at, this.groups.bind(this.evaluate(at)));
  }

  /** Another part of a program that is cut, which has its addresses in a list. */
  callPart(callee: number): void {
    this.code.get(this.first).call(callee);
  }

  writeResult(): void {
    const { nest } = this.program;
    const result = this.result();
    const address = this.groups.scope.bind("i32", this.address(nest.sources.length));
    writeCell(this.groups, nest.target.cellType, address, 0, result);
  }

  returnResult(): void {
    this.groups.as("double", this.result()).parts[0]?.push();
  }

  private result(): Group {
    const { nest, plan, kinds } = this.program;
    if (!plan.isCut) for (const at of plan.slots.keys()) this.storeSlot(at);
    const at = nest.body.length - 1;
    return this.operand(at, element(kinds, at).number);
  }

  private read(source: number): Group {
    const { nest, takesNumbers } = this.program;
    const { cellType } = element(nest.sources, source);
    if (!takesNumbers) return readCell(this.groups, cellType, this.address(source), 0);
    const number: StackValue = { push: () => void this.code.get(this.first + source), isBound: true };
    return { isLanes: false, number: "double", isMask: false, parts: [number] };
  }

  private address(access: number): StackValue {
    const { hasList } = this.program;
    const push = (): unknown =>
      hasList ? this.code.get(this.first).memory("i32.load", access * 4) : this.code.get(this.first + access);
    return { push: () => void push(), isBound: !hasList };
  }

  /** An instruction where it is used. */
  private operand(at: number, number: "double" | "float"): Group {
    const { nest, kinds, plan, callees, memory } = this.program;
    const instruction = element(nest.body, at);
    const kind = element(kinds, at);
    const existing = this.bound.get(at);
    if (existing !== undefined) return existing;
    const single = (
      push: () => void,
      isBound: boolean,
      form: { number: "double" | "float"; isMask: boolean },
    ): Group => ({
      isLanes: false,
      number: form.number,
      isMask: form.isMask,
      parts: [{ push, isBound }],
    });
    if (instruction.op === "constant") return this.groups.constant(instruction.value, number, false);
    if (instruction.op === "read") return this.evaluate(at);
    const slot = plan.slots.get(at);
    if (slot !== undefined && plan.isCut) {
      const push = (): void => void this.code.get(this.first).memory("f64.load", memory + slot * 8);
      return single(push, true, { number: "double", isMask: false });
    }
    const callee = callees.get(at);
    if (callee !== undefined) {
      const push = (): void => this.callPart(callee);
      return single(push, false, { number: kind.number, isMask: false });
    }
    const form = { number: kind.number, isMask: kind.isMask && instruction.op === "apply" };
    const push = (): void => {
      const evaluate = this.evaluate(at);
      (form.isMask ? evaluate : this.groups.as(form.number, evaluate)).parts[0]?.push();
    };
    return single(push, false, form);
  }

  /** What an instruction computes; its operands are computed when it is pushed, or before, where it uses them twice. */
  private evaluate(at: number): Group {
    const { nest, kinds } = this.program;
    const instruction = element(nest.body, at);
    const kind = element(kinds, at);
    if (instruction.op === "constant") return this.groups.constant(instruction.value, "double", false);
    if (instruction.op === "index") return this.groups.constant(0, "double", false); // of no axis
    if (instruction.op === "read") return this.read(instruction.source);
    if (instruction.op === "select") return this.select(instruction, kind);
    const requiredNumber = instruction.op === "store" ? undefined : kind.number;
    const operands = operandsOf(instruction).map((each) =>
      this.operand(each, requiredNumber ?? element(kinds, each).number),
    );
    return computed(this.groups, instruction, kind, operands);
  }

  /** A choice that computes just what it takes. */
  private select(instruction: Extract<Instruction, { op: "select" }>, { number }: Kind): Group {
    const { kinds } = this.program;
    const condition = this.operand(instruction.condition, element(kinds, instruction.condition).number);
    const branch = (at: number) => (): void =>
      this.groups.as(number, this.operand(at, number)).parts[0]?.push();
    const push = (): void => {
      const mask = this.groups.asMask(condition.number, condition);
      mask.parts[0]?.push();
      this.code.if(branch(instruction.yes), branch(instruction.no), number === "double" ? "f64" : "f32");
    };
    return { isLanes: false, number, isMask: false, parts: [{ push, isBound: false }] };
  }
}
