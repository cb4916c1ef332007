import type { Contender } from "./contender.js";

/** Rounds in which everybody takes a turn: what disturbs the machine then disturbs all alike. */

export interface Measured {
  readonly name: string;
  /** Microseconds of a call: the least of all rounds, the one in the middle, and the mean. */
  readonly least: number;
  readonly median: number;
  readonly mean: number;
}

export interface Effort {
  readonly rounds: number;
  /** Of each turn. */
  readonly milliseconds: number;
}

export async function measure(contenders: readonly Contender[], effort: Effort): Promise<Measured[]> {
  const times = new Map(contenders.map((each) => [each, [] as number[]]));
  // The first turn is for code to become fast.
  for (const each of contenders) await each.sample(effort.milliseconds * 4);
  for (let round = 0; round < effort.rounds; round++)
    for (const [each, found] of inTurn([...times], round))
      found.push(...(await each.sample(effort.milliseconds)));
  return [...times].map(([{ name }, found]) => {
    const sorted = found.sort((a, b) => a - b);
    const mean = sorted.reduce((sum, time) => sum + time, 0) / Math.max(sorted.length, 1);
    return { name, least: sorted[0] ?? 0, median: sorted[sorted.length >> 1] ?? 0, mean };
  });
}

/** Who comes first finds memory as the last left it: every other round goes backwards. */
const inTurn = <T>(all: readonly T[], round: number): readonly T[] =>
  round % 2 === 0 ? all : [...all].reverse();
