/** Numbers by chance, the same for the same seed: every run of the bench works on the same data. */
export class Draw {
  constructor(private state: number) {}

  /** From 0 up to 1. */
  next(): number {
    // A Weyl sequence, and a mix of its bits.
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let bits = this.state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  doubles(count: number, from = -1, to = 1): Float64Array {
    return Float64Array.from({ length: count }, () => from + this.next() * (to - from));
  }

  floats(count: number, from = -1, to = 1): Float32Array {
    return Float32Array.from({ length: count }, () => from + this.next() * (to - from));
  }

  bytes(count: number): Int8Array {
    return Int8Array.from({ length: count }, () => this.below(256) - 128);
  }

  /** So many different whole numbers below the bound, rising. */
  distinct(count: number, bound: number): Int32Array {
    const chosen = new Int32Array(count);
    let at = 0;
    for (let each = 0; each < bound && at < count; each++)
      if (this.next() * (bound - each) < count - at) chosen[at++] = each;
    return chosen;
  }
}
