/** Counts by name: of names that are expected, and of any others that come. */
export class Tally {
  private readonly counts = new Map<string, number>();

  constructor(expected: readonly string[]) {
    for (const name of expected) this.counts.set(name, 0);
  }

  add(name: string, count = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  /** All counts by name. */
  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }

  /** What never came, and then the others, the most frequent first. */
  toString(): string {
    const rows = [...this.counts].sort(([, one], [, other]) => other - one);
    const never = rows.flatMap(([name, count]) => (count === 0 ? [name] : []));
    const others = rows.flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
    return [...(never.length === 0 ? [] : [`  NEVER: ${never.join("; ")}`]), `  ${others.join("; ")}`].join(
      "\n",
    );
  }
}
