import { allLevels, type Judgement, type Level } from "./judgement.js";
import type { Mutant } from "./mutant.js";

type Fate = Level | "survived" | "equivalent";

/** What became of mistakes, counted by what found them, by their kind and by the folder they are in. */
export class Tally {
  private readonly fates = new Map<Fate, number>();
  private readonly kinds = new Map<string, Map<Fate, number>>();
  private readonly folders = new Map<string, Map<Fate, number>>();

  add({ mutator, file }: Mutant, { level }: Judgement, reason: string | undefined): void {
    const fate = reason === undefined ? (level ?? "survived") : "equivalent";
    count(this.fates, fate);
    count(within(this.kinds, mutator), fate);
    count(within(this.folders, file.split("/").at(3) ?? file), fate);
  }

  /** How many of a hundred mistakes that change an answer were found. */
  get percentage(): number {
    const found = allLevels.reduce((sum, level) => sum + this.of(level), 0);
    const survived = this.of("survived");
    return found + survived === 0 ? 100 : (100 * found) / (found + survived);
  }

  table(): string {
    const row = ([name, fates]: [string, ReadonlyMap<Fate, number>]): string => `  ${name}: ${textOf(fates)}`;
    return [
      `${this}`,
      "by kind",
      ...[...this.kinds].map(row),
      "by folder",
      ...[...this.folders].map(row),
    ].join("\n");
  }

  toString(): string {
    return `${this.percentage.toFixed(1)} % found: ${textOf(this.fates)}`;
  }

  private of(fate: Fate): number {
    return this.fates.get(fate) ?? 0;
  }
}

const count = (fates: Map<Fate, number>, fate: Fate): void =>
  void fates.set(fate, (fates.get(fate) ?? 0) + 1);

function within(all: Map<string, Map<Fate, number>>, name: string): Map<Fate, number> {
  const fates = all.get(name) ?? new Map<Fate, number>();
  all.set(name, fates);
  return fates;
}

const textOf = (fates: ReadonlyMap<Fate, number>): string =>
  ([...allLevels, "survived", "equivalent"] as const)
    .filter((fate) => fates.has(fate))
    .map((fate) => `${fate} ${fates.get(fate)}`)
    .join(", ");
