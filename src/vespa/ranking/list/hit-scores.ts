import { element } from "../../../language/values/element.js";
import { farthest } from "../neighbours/metrics.js";
import type { HitToScore, ListValues, Scorer } from "../scorer.js";

/**
 * The scores of hits in each phase; and what a phase says of each for those after it: its rank, the best score, and what is normalised
 * over the list.
 */
export class HitScores {
  /** One for each hit; none where no phase asks, as in most profiles, since that is many maps. */
  private readonly lists: readonly Map<string, number>[];
  private readonly unlisted = new Map<string, number>();

  constructor(
    private readonly scorer: Scorer,
    private readonly hits: readonly HitToScore[],
    /** Called now and then with the number of hits that have their first score. */
    private readonly progress: ((scored: number) => Promise<void>) | undefined,
  ) {
    this.lists = scorer.program.needsList ? hits.map(() => new Map<string, number>()) : [];
  }

  /** A hit, and what there is for it of the list. */
  readonly at = (hit: number): readonly [HitToScore, ListValues] => [
    element(this.hits, hit),
    this.lists[hit] ?? this.unlisted,
  ];

  readonly first = async (selected: readonly number[]): Promise<number[]> => {
    const numbers: number[] = [];
    for (const hit of selected) {
      numbers.push(this.scorer.number("first-phase", ...this.at(hit)));
      if (numbers.length % 100 === 0) await this.progress?.(numbers.length);
    }
    const best = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    for (const list of this.lists) list.set("firstPhaseMax", best).set("firstPhaseRank", farthest);
    return numbers;
  };

  readonly second = async (selected: readonly number[]): Promise<number[]> => {
    for (const [rank, hit] of selected.entries()) this.lists[hit]?.set("firstPhaseRank", rank + 1);
    return this.numbers("second-phase", selected);
  };

  readonly global = async (selected: readonly number[]): Promise<number[]> => {
    for (const { name, keys, normalizer } of this.scorer.program.normalizers) {
      const columns = keys.map((key) => normalizer(this.numbers(key, selected)));
      for (const [position, hit] of selected.entries()) {
        const total = columns.reduce((sum, column) => sum + element(column, position), 0);
        this.lists[hit]?.set(name, total);
      }
    }
    return this.numbers("global-phase", selected);
  };

  private numbers(key: string, selected: readonly number[]): number[] {
    return selected.map((hit) => this.scorer.number(key, ...this.at(hit)));
  }
}
