import { element } from "../../../language/values/element.js";
import {
  type LaneInstruction,
  laneInstructions,
  type MemoryInstruction,
  plainInstructions,
  plainMemory,
  saturatingInstructions,
  vectorInstructions,
  vectorMemory,
  type WasmInstruction,
} from "./instructions.js";

/** The types of WebAssembly's values, as bytes. */
export const valueTypes = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
export type ValueType = keyof typeof valueTypes;

/** How a vector constant is spelt: the number in each of its lanes. */
export type Lanes = "i8x16" | "i16x8" | "i32x4" | "i64x2" | "f32x4" | "f64x2";

const scratch = new DataView(new ArrayBuffer(16));

const laneWriters: Readonly<Record<Lanes, { width: number; write: (at: number, value: number) => void }>> = {
  i8x16: { width: 1, write: (at, value) => scratch.setInt8(at, value) },
  i16x8: { width: 2, write: (at, value) => scratch.setInt16(at, value, true) },
  i32x4: { width: 4, write: (at, value) => scratch.setInt32(at, value, true) },
  i64x2: { width: 8, write: (at, value) => scratch.setBigInt64(at, BigInt(value), true) },
  f32x4: { width: 4, write: (at, value) => scratch.setFloat32(at, value, true) },
  f64x2: { width: 8, write: (at, value) => scratch.setFloat64(at, value, true) },
};

/**
 * The code of one function while it is written: a stack machine's instructions, in order. Parameters are the first
 * locals. Methods return the code itself, so that a line reads as the sum it computes.
 */
export class Code {
  private bytes = new Uint8Array(256);
  private length = 0;
  private readonly locals: ValueType[] = [];

  constructor(
    readonly name: string,
    readonly parameters: readonly ValueType[],
    readonly results: readonly ValueType[] = [],
    /** Whether others may call it; if not, only functions of its module. */
    readonly isExported = true,
  ) {}

  /** A new local, which begins as zero; its number. */
  local(type: ValueType): number {
    this.locals.push(type);
    return this.parameters.length + this.locals.length - 1;
  }

  get(local: number): this {
    return this.byte(0x20).unsigned(local);
  }

  set(local: number): this {
    return this.byte(0x21).unsigned(local);
  }

  tee(local: number): this {
    return this.byte(0x22).unsigned(local);
  }

  do(...instructions: readonly WasmInstruction[]): this {
    for (const name of instructions) {
      // Each name is in one of the tables, and `in` does not tell the compiler in which.
      if (name in plainInstructions) this.byte(plainInstructions[name as keyof typeof plainInstructions]);
      else if (name in vectorInstructions)
        this.byte(0xfd).unsigned(vectorInstructions[name as keyof typeof vectorInstructions]);
      else this.byte(0xfc).unsigned(saturatingInstructions[name as keyof typeof saturatingInstructions]);
    }
    return this;
  }

  /** A load or a store at an address on the stack, plus a fixed number of bytes. */
  memory(name: MemoryInstruction, offset = 0): this {
    if (name in plainMemory) this.byte(plainMemory[name as keyof typeof plainMemory]);
    else this.byte(0xfd).unsigned(vectorMemory[name as keyof typeof vectorMemory]);
    return this.byte(0).unsigned(offset); // no alignment is promised
  }

  lane(name: LaneInstruction, lane: number): this {
    return this.byte(0xfd).unsigned(laneInstructions[name]).byte(lane);
  }

  /** The bytes of two vectors in a new order; indexes from 16 on are of the second. */
  shuffle(indexes: readonly number[]): this {
    this.byte(0xfd).unsigned(13);
    for (const index of indexes) this.byte(index);
    return this;
  }

  i32(value: number): this {
    return this.byte(0x41).signed(value | 0);
  }

  i64(value: bigint): this {
    this.byte(0x42);
    let remaining = BigInt.asIntN(64, value);
    for (; remaining < -64n || remaining > 63n; remaining >>= 7n) this.byte(Number(remaining & 127n) | 128);
    return this.byte(Number(remaining & 127n));
  }

  f64(value: number): this {
    scratch.setFloat64(0, value, true);
    return this.byte(0x44).appendScratch(8);
  }

  f32(value: number): this {
    scratch.setFloat32(0, value, true);
    return this.byte(0x43).appendScratch(4);
  }

  /** A vector with the same number in each lane, or with these. */
  v128(lanes: Lanes, values: number | readonly number[]): this {
    const { width, write } = laneWriters[lanes];
    for (let at = 0; at < 16; at += width)
      write(at, typeof values === "number" ? values : element(values, at / width));
    return this.byte(0xfd).unsigned(12).appendScratch(16);
  }

  call(callee: number): this {
    return this.byte(0x10).unsigned(callee);
  }

  /** A loop: `branchIf(0)` in its body goes back to its start. */
  loop(body: () => void): this {
    this.byte(0x03).byte(0x40);
    body();
    return this.byte(0x0b);
  }

  /** A block: `branchIf(0)` in its body leaves it. */
  block(body: () => void): this {
    this.byte(0x02).byte(0x40);
    body();
    return this.byte(0x0b);
  }

  /** Takes a condition from the stack; with a type, both branches leave such a value. */
  if(yes: () => void, no?: () => void, type?: ValueType): this {
    this.byte(0x04).byte(type === undefined ? 0x40 : valueTypes[type]);
    yes();
    if (no !== undefined) {
      this.byte(0x05);
      no();
    }
    return this.byte(0x0b);
  }

  /** Leaves the innermost block, or begins the innermost loop again. */
  branch(): this {
    return this.byte(0x0c).unsigned(0);
  }

  /** As `branch`, where the condition on the stack is true, of a block that so many are within. */
  branchIf(depth = 0): this {
    return this.byte(0x0d).unsigned(depth);
  }

  /** Adds a number to a local. */
  advance(local: number, by: number): this {
    return this.get(local).i32(by).do("i32.add").set(local);
  }

  /** The instructions so far, taken away: for code that must stand behind what is only known later. */
  cut(from: number): Uint8Array {
    const fragment = this.bytes.slice(from, this.length);
    this.length = from;
    return fragment;
  }

  get size(): number {
    return this.length;
  }

  paste(fragment: Uint8Array): this {
    const { length } = this;
    this.ensureCapacity(length + fragment.length);
    this.bytes.set(fragment, length);
    this.length = length + fragment.length;
    return this;
  }

  /** The body as a module holds it: locals, then instructions, then the end. */
  body(): Uint8Array {
    const head = new Code("", []);
    head.unsigned(this.locals.length);
    for (const type of this.locals) head.unsigned(1).byte(valueTypes[type]);
    return head.paste(this.bytes.subarray(0, this.length)).byte(0x0b).cut(0);
  }

  byte(value: number): this {
    if (this.length === this.bytes.length) this.ensureCapacity(this.length + 1);
    this.bytes[this.length++] = value;
    return this;
  }

  private ensureCapacity(length: number): void {
    if (length <= this.bytes.length) return;
    const enlarged = new Uint8Array(Math.max(length, this.bytes.length * 2));
    enlarged.set(this.bytes);
    this.bytes = enlarged;
  }

  /** A number from 0 on, seven bits a byte, the lowest first (LEB128). */
  unsigned(value: number): this {
    let remaining = value >>> 0;
    for (; remaining > 127; remaining >>>= 7) this.byte((remaining & 127) | 128);
    return this.byte(remaining);
  }

  private signed(value: number): this {
    let remaining = value;
    for (; remaining < -64 || remaining > 63; remaining >>= 7) this.byte((remaining & 127) | 128);
    return this.byte(remaining & 127);
  }

  private appendScratch(bytes: number): this {
    for (let at = 0; at < bytes; at++) this.byte(scratch.getUint8(at));
    return this;
  }
}
