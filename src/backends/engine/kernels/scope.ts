import type { Code, Lanes, ValueType } from "../assembler/code.js";
import type { MemoryInstruction, WasmInstruction } from "../assembler/instructions.js";

/**
 * A value of a kernel while it is written: how to get it onto the stack. A value that is not bound is computed again at
 * each use, so what is used twice is bound to a local first.
 */
export interface StackValue {
  readonly push: () => void;
  readonly isBound: boolean;
}

interface PooledVector {
  readonly local: number;
  readonly lanes: Lanes;
  readonly value: number | readonly number[];
}

/**
 * The locals of one function: bound values, and vectors of one number. The latter are set once at the start of
 * the function, since V8 would otherwise make them anew in each iteration of a loop.
 */
export class LocalScope {
  private readonly pool = new Map<string, PooledVector>();
  private readonly free = new Map<ValueType, number[]>();
  private inUse: { type: ValueType; local: number }[] = [];

  constructor(readonly code: Code) {}

  /** A value that is computed where it is pushed. */
  value(push: () => void): StackValue {
    return { push, isBound: false };
  }

  /** What instructions make of values that are pushed before. */
  of(instructions: readonly WasmInstruction[], ...values: readonly StackValue[]): StackValue {
    return this.value(() => {
      for (const value of values) value.push();
      this.code.do(...instructions);
    });
  }

  /** What a function of the module makes of values that are pushed before. */
  called(callee: number, values: readonly StackValue[]): StackValue {
    return this.value(() => {
      for (const value of values) value.push();
      this.code.call(callee);
    });
  }

  /** What is in memory at an address and some bytes. */
  loaded(instruction: MemoryInstruction, address: StackValue, bytes: number): StackValue {
    return this.value(() => {
      address.push();
      this.code.memory(instruction, bytes);
    });
  }

  /** Puts a value into a local. */
  set(local: number, value: StackValue): void {
    value.push();
    this.code.set(local);
  }

  /** Stores a value at an address and some bytes. */
  store(instruction: MemoryInstruction, address: StackValue, bytes: number, value: StackValue): void {
    address.push();
    value.push();
    this.code.memory(instruction, bytes);
  }

  /** One vector from the bytes of two, by their indexes. */
  shuffled(first: StackValue, second: StackValue, bytes: readonly number[]): StackValue {
    return this.value(() => {
      first.push();
      second.push();
      this.code.shuffle(bytes);
    });
  }

  /** A vector with the same number in each lane, or with these. */
  vector(lanes: Lanes, value: number | readonly number[]): StackValue {
    const key = `${lanes} ${Object.is(value, -0) ? "-0" : value}`;
    let pooled = this.pool.get(key);
    if (pooled === undefined) {
      pooled = { local: this.code.local("v128"), lanes, value };
      this.pool.set(key, pooled);
    }
    return this.local(pooled.local);
  }

  /** The value of a local. */
  local(local: number): StackValue {
    return { push: () => this.code.get(local), isBound: true };
  }

  /** The value in a local, where it is not in one or as near already. */
  bind(type: ValueType, value: StackValue): StackValue {
    if (value.isBound) return value;
    value.push();
    const local = this.take(type);
    this.code.set(local);
    return this.local(local);
  }

  /** A local to hold something until it is released. */
  take(type: ValueType): number {
    const local = this.free.get(type)?.pop() ?? this.code.local(type);
    this.inUse.push({ type, local });
    return local;
  }

  /** Writes something whose locals are free again when it is written, except those that it says. */
  withLocals<Result>(write: () => Result): Result {
    const outer = this.inUse;
    this.inUse = [];
    const result = write();
    for (const { type, local } of this.inUse) {
      const freeLocals = this.free.get(type);
      if (freeLocals === undefined) this.free.set(type, [local]);
      else freeLocals.push(local);
    }
    this.inUse = outer;
    return result;
  }

  /** Sets the pooled vectors, before everything that was written. */
  finish(): void {
    const code = this.code.cut(0);
    for (const { local, lanes, value } of this.pool.values()) this.code.v128(lanes, value).set(local);
    this.code.paste(code);
  }
}
