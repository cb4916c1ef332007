import type { ScalarName } from "../../../language/scalar/functions.js";
import type { Code, ValueType } from "../assembler/code.js";
import type { WasmInstruction } from "../assembler/instructions.js";
import type { LocalScope, StackValue } from "./scope.js";

/** What arithmetic is done on: one number, or the lanes of a vector. */
export type Form = "f64" | "f32" | "f64x2" | "f32x4";

type Binary = "add" | "sub" | "mul" | "div" | "min" | "max";
type Unary = "abs" | "neg" | "sqrt" | "ceil" | "floor" | "trunc" | "nearest";
type Comparison = "eq" | "ne" | "lt" | "gt" | "le" | "ge";

/** A scalar function that is written in lanes. */
export type LaneFunction = (n: Numbers, x: StackValue, y: StackValue) => StackValue;

/** How single numbers get the values of functions that are written in lanes only. */
export interface LaneCalls {
  call(name: ScalarName, caller: Numbers, values: readonly StackValue[], write: LaneFunction): StackValue;
  /** The index of a function of the module, which is written at its first use. */
  functionOf(name: string, write: () => Code): number;
}

/**
 * Arithmetic on values of one form. Comparisons give masks: all bits of a lane, or 1 for single numbers. So what is
 * written once computes doubles and floats, one at a time or in lanes.
 */
export class Numbers {
  readonly isVector: boolean;
  readonly isDouble: boolean;
  /** The type of a local that holds numbers of this form, and of one that holds a mask. */
  readonly type: ValueType;
  readonly maskType: ValueType;

  constructor(
    readonly scope: LocalScope,
    readonly form: Form,
    /** Whether a product may be added without being rounded, where machines do that faster. */
    readonly hasMultiplyAdd: boolean,
    /** Absent where no such function is called. */
    private readonly laneCalls?: LaneCalls,
  ) {
    this.isVector = form === "f64x2" || form === "f32x4";
    this.isDouble = form === "f64" || form === "f64x2";
    this.type = form === "f64" ? "f64" : form === "f32" ? "f32" : "v128";
    this.maskType = this.isVector ? "v128" : "i32";
  }

  constant(value: number): StackValue {
    const { scope, form } = this;
    if (form === "f64x2" || form === "f32x4") return scope.vector(form, value);
    const push = (): unknown => (form === "f64" ? scope.code.f64(value) : scope.code.f32(value));
    return { push: () => void push(), isBound: true };
  }

  bind(value: StackValue): StackValue {
    return this.scope.bind(this.type, value);
  }

  bindMask(mask: StackValue): StackValue {
    return this.scope.bind(this.maskType, mask);
  }

  unary(name: Unary, x: StackValue): StackValue {
    // Where V8 widens vectors to 256 bits (Node 24), it gets its own instruction for this wrong.
    if (name === "neg" && this.isVector) return this.of(["v128.xor"], x, this.constant(-0));
    return this.of([`${this.form}.${name}` as const], x);
  }

  binary(name: Binary, x: StackValue, y: StackValue): StackValue {
    return this.of([`${this.form}.${name}` as const], x, y);
  }

  add(x: StackValue, y: StackValue): StackValue {
    return this.binary("add", x, y);
  }

  subtract(x: StackValue, y: StackValue): StackValue {
    return this.binary("sub", x, y);
  }

  multiply(x: StackValue, y: StackValue): StackValue {
    return this.binary("mul", x, y);
  }

  divide(x: StackValue, y: StackValue): StackValue {
    return this.binary("div", x, y);
  }

  /** x·y + z, where it does not matter whether the product is rounded. */
  multiplyAdd(x: StackValue, y: StackValue, z: StackValue): StackValue {
    const { form } = this;
    if (this.hasMultiplyAdd && (form === "f64x2" || form === "f32x4"))
      return this.of([`${form}.relaxed_madd` as const], x, y, z);
    return this.add(z, this.multiply(x, y));
  }

  /** z - x·y, where it does not matter whether the product is rounded. */
  multiplySubtract(x: StackValue, y: StackValue, z: StackValue): StackValue {
    const { form } = this;
    if (this.hasMultiplyAdd && (form === "f64x2" || form === "f32x4"))
      return this.of([`${form}.relaxed_nmadd` as const], x, y, z);
    return this.subtract(z, this.multiply(x, y));
  }

  compare(name: Comparison, x: StackValue, y: StackValue): StackValue {
    return this.of([`${this.form}.${name}` as const], x, y);
  }

  both(x: StackValue, y: StackValue): StackValue {
    return this.of([this.isVector ? "v128.and" : "i32.and"], x, y);
  }

  either(x: StackValue, y: StackValue): StackValue {
    return this.of([this.isVector ? "v128.or" : "i32.or"], x, y);
  }

  not(mask: StackValue): StackValue {
    return this.of([this.isVector ? "v128.not" : "i32.eqz"], mask);
  }

  /** One of two values, both computed. */
  choose(mask: StackValue, yes: StackValue, no: StackValue): StackValue {
    return this.of([this.isVector ? "v128.bitselect" : "select"], yes, no, mask);
  }

  /** y where x < y, otherwise x; so x if either is NaN. */
  larger(x: StackValue, y: StackValue): StackValue {
    const { form } = this;
    if (form === "f64x2" || form === "f32x4") return this.of([`${form}.pmax` as const], x, y);
    const [left, right] = [this.bind(x), this.bind(y)];
    return this.choose(this.compare("lt", left, right), right, left);
  }

  /** y where y < x, otherwise x; so x if either is NaN. */
  smaller(x: StackValue, y: StackValue): StackValue {
    const { form } = this;
    if (form === "f64x2" || form === "f32x4") return this.of([`${form}.pmin` as const], x, y);
    const [left, right] = [this.bind(x), this.bind(y)];
    return this.choose(this.compare("lt", right, left), right, left);
  }

  /** 1 where the mask is set, otherwise 0. */
  ofMask(mask: StackValue): StackValue {
    if (this.isVector) return this.of(["v128.and"], mask, this.constant(1));
    return this.of([this.isDouble ? "f64.convert_i32_s" : "f32.convert_i32_s"], mask);
  }

  /** A function that is written in lanes, of single numbers. */
  callInLanes(name: ScalarName, values: readonly StackValue[], write: LaneFunction): StackValue {
    if (this.laneCalls === undefined) throw new Error("this kernel calls no functions");
    return this.laneCalls.call(name, this, values, write);
  }

  /** The index of a function of the module, which is written at its first use. */
  functionOf(name: string, write: () => Code): number {
    if (this.laneCalls === undefined) throw new Error("this kernel calls no functions");
    return this.laneCalls.functionOf(name, write);
  }

  /** The whole part, from 0 to below a power of two, all exactly; NaN for what is not finite. */
  modulo(value: StackValue, power: number): StackValue {
    const truncated = this.bind(this.unary("trunc", value));
    const multiples = this.unary("floor", this.multiply(truncated, this.constant(1 / power)));
    return this.subtract(truncated, this.multiply(multiples, this.constant(power)));
  }

  /** The greatest power of two that is not above a positive number; of doubles. */
  powerOfTwoBelow(value: StackValue): StackValue {
    // The bits of infinity are those of an exponent.
    const exponent = this.constant(Number.POSITIVE_INFINITY);
    if (this.isVector) return this.of(["v128.and"], value, exponent);
    const bits = [value, exponent].map((each) => this.of(["i64.reinterpret_f64"], each));
    return this.of(["i64.and", "f64.reinterpret_i64"], ...bits);
  }

  /** The size of a number that is not negative, with the sign of another. */
  withSign(size: StackValue, sign: StackValue): StackValue {
    if (!this.isVector) return this.of([this.isDouble ? "f64.copysign" : "f32.copysign"], size, sign);
    return this.of(["v128.or"], size, this.of(["v128.and"], sign, this.constant(-0)));
  }

  /** Instructions on values that are pushed before. */
  of(instructions: readonly WasmInstruction[], ...values: readonly StackValue[]): StackValue {
    return this.scope.of(instructions, ...values);
  }
}
