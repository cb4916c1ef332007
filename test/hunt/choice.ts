import { uniform } from "../../src/program/random.js";

/** Choices that follow from a seed alone. */
export class Choice {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = uniform(seed);
  }

  /** A whole number from 0 up to, not including, this one. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A whole number from the first to the last, both among them. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** True so many times in a hundred. */
  percent(chance: number): boolean {
    return this.next() * 100 < chance;
  }

  oneOf<T>(all: readonly T[]): T {
    const at = this.below(all.length);
    if (all.length === 0) throw new Error("nothing to choose from");
    return all[at] as T; // `at` is an index of it
  }

  /** One of these, each as often as its weight says. */
  weighted<T>(all: readonly T[], weight: (each: T) => number): T {
    let rest = this.next() * all.reduce((sum, each) => sum + weight(each), 0);
    for (const each of all) {
      rest -= weight(each);
      if (rest < 0) return each;
    }
    return this.oneOf(all);
  }

  /** Some of these, in their order: each with this chance in a hundred. */
  some<T>(all: readonly T[], chance = 50): T[] {
    return all.filter(() => this.percent(chance));
  }

  shuffled<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.map(() => left.splice(this.below(left.length), 1)[0] as T); // as many as there are
  }

  /** A seed for choices that do not disturb these. */
  seed(): number {
    return this.below(2 ** 32);
  }
}
