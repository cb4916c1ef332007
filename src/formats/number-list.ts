import { absent } from "../language/values/element.js";

/** The arrays that a list may be made of: whole numbers of 32 bits, or doubles. */
type ListArray = Int32Array | Float64Array;

/** Numbers of which nobody knows how many will come, in one array, which is doubled when it is full. */
export class NumberList<A extends ListArray> {
  private numbers: A;
  private used = 0;

  constructor(private readonly allocate: (length: number) => A) {
    this.numbers = allocate(16);
  }

  static ofIntegers(): NumberList<Int32Array> {
    return new NumberList((length) => new Int32Array(length));
  }

  static ofDoubles(): NumberList<Float64Array> {
    return new NumberList((length) => new Float64Array(length));
  }

  get length(): number {
    return this.used;
  }

  push(number: number): void {
    if (this.used === this.numbers.length) {
      const longer = this.allocate(2 * this.used);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.numbers[this.used++] = number;
  }

  /** @throws Error where there are fewer numbers. */
  at(position: number): number {
    const found = position < this.used ? this.numbers[position] : undefined;
    return found === undefined ? absent(position, this.used) : found;
  }

  /** The numbers so far, in an array that the list may go on to change. */
  get array(): A {
    return this.numbers.subarray(0, this.used) as A; // of the class that it is a part of
  }
}
