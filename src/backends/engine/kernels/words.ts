import type { LocalScope, StackValue } from "./scope.js";

/** Arithmetic on words of 32 bits: one, or the four of a vector. What is written once codes cells one at a time and in lanes. */
export class Words {
  constructor(
    private readonly scope: LocalScope,
    private readonly isVector: boolean,
  ) {}

  constant(value: number): StackValue {
    if (this.isVector) return this.scope.vector("i32x4", value);
    return { push: () => void this.scope.code.i32(value), isBound: true };
  }

  bind(word: StackValue): StackValue {
    return this.scope.bind(this.isVector ? "v128" : "i32", word);
  }

  and(x: StackValue, y: StackValue): StackValue {
    return this.scope.of([this.isVector ? "v128.and" : "i32.and"], x, y);
  }

  or(x: StackValue, y: StackValue): StackValue {
    return this.scope.of([this.isVector ? "v128.or" : "i32.or"], x, y);
  }

  equal(x: StackValue, y: StackValue): StackValue {
    return this.scope.of([this.isVector ? "i32x4.eq" : "i32.eq"], x, y);
  }

  choose(mask: StackValue, yes: StackValue, no: StackValue): StackValue {
    return this.scope.of([this.isVector ? "v128.bitselect" : "select"], yes, no, mask);
  }

  shift(name: "shl" | "shr_s" | "shr_u", word: StackValue, by: number): StackValue {
    return this.scope.value(() => {
      word.push();
      this.scope.code.i32(by).do(`${this.isVector ? "i32x4" : "i32"}.${name}`);
    });
  }

  /** The lowest so many bits of a number with a sign. */
  signed(word: StackValue, bits: 8 | 16): StackValue {
    if (!this.isVector) return this.scope.of([`i32.extend${bits}_s`], word);
    return this.shift("shr_s", this.shift("shl", word, 32 - bits), 32 - bits);
  }

  /** The bits of a float, and the float of such bits. */
  ofFloat(float: StackValue): StackValue {
    return this.isVector ? float : this.scope.of(["i32.reinterpret_f32"], float);
  }

  toFloat(word: StackValue): StackValue {
    return this.isVector ? word : this.scope.of(["f32.reinterpret_i32"], word);
  }
}
