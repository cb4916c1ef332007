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
    if (reaching.length >= mostTrials) return spread(reaching, mostTrials);
    // Code that a function made may run again in later trials, which find it made: the next ones are added.
    const [first] = reaching;
    if (first === undefined || reaching.length >= fewestTrials) return reaching;
    const after = reaching.flatMap((number) =>
      this.most.filter((other) => other > number && other <= number + 40),
    );
    const later = this.most.filter((number) => number > first);
    const added = [...new Set([...after, ...spread(later, fewestTrials)])].filter(
      (each) => !reaching.includes(each),
    );
    return [...reaching, ...added.slice(0, fewestTrials - reaching.length)];
  }

  /** The trials that reach the function which most of them reach. */
  private get most(): readonly number[] {
    return [...this.trials.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  }
}

/** So many, spread over all, since those of one kind follow each other. */
function spread(numbers: readonly number[], count: number): readonly number[] {
  const part = (at: number): number => Math.floor((at * count) / numbers.length);
  return numbers.filter((_, at) => part(at) !== part(at - 1));
}

/** What so many trials do not find, more of the same will hardly find. */
const mostTrials = 300;
/** Where few reach a function, others that may run what it made are added up to so many. */
const fewestTrials = 80;
