/** A trial that failed, as the judge tells it. */
export interface Failure {
  readonly failure: string;
  readonly message: string;
  readonly number: number;
}

/** The trials that failed, of what the judge wrote. */
export const failuresIn = (output: string): readonly Failure[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith('{"failure":'))
    .map((line): Failure => JSON.parse(line));

/** The numbers of the trials that reach a function, by its key. */
export type Reached = readonly [key: string, trials: readonly number[]];

/** Which trials to run for which function of the engine. */
export class Reach {
  private readonly trials: ReadonlyMap<string, readonly number[]>;

  /** Trials that fail without a mistake are left out. */
  constructor(reached: readonly Reached[], failures: readonly Failure[]) {
    const failing = new Set(failures.map(({ number }) => number));
    this.trials = new Map(
      reached.map(([key, trials]) => [key, trials.filter((number) => !failing.has(number))]),
    );
  }

  /** The numbers of trials for a mistake in a function, or on the level of a module: not more than are worth it. */
  trialsFor(key: string | undefined): readonly number[] {
    const reaching = (key === undefined ? this.most : this.trials.get(key)) ?? [];
    const count = Math.min(reaching.length, mostTrials);
    // Spread over all of them, since those of one kind follow each other.
    return reaching.filter(
      (_, at) =>
        Math.floor((at * count) / reaching.length) !== Math.floor(((at - 1) * count) / reaching.length),
    );
  }

  /** The trials that reach the function which most of them reach. */
  private get most(): readonly number[] {
    return [...this.trials.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  }
}

/** What so many trials do not find, more of the same will hardly find. */
const mostTrials = 300;
