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
  /** The numbers of all trials that reach anything. */
  private readonly all: readonly number[];

  /** Trials that fail without a mistake are left out. */
  constructor(reached: readonly Reached[], failures: readonly Failure[]) {
    const failing = new Set(failures.map(({ number }) => number));
    this.trials = new Map(
      reached.map(([key, trials]) => [key, trials.filter((number) => !failing.has(number))]),
    );
    this.all = union([...this.trials.values()]);
  }

  /**
   * The numbers of trials for a mistake in a function, or on the level of a module: not more than are worth it. What a
   * module begins with matters where its functions are called.
   */
  trialsFor(file: string, key: string | undefined): readonly number[] {
    const reaching = key === undefined ? this.ofFile(file) : (this.trials.get(key) ?? []);
    if (reaching.length >= mostTrials) return spread(reaching, mostTrials);
    // Code that a function made may run again in later trials, which find it made: the next ones are added.
    const [first] = reaching;
    if (first === undefined || reaching.length >= fewestTrials) return reaching;
    const after = reaching.flatMap((number) =>
      this.all.filter((other) => other > number && other <= number + 40),
    );
    const later = this.all.filter((number) => number > first);
    const added = [...new Set([...after, ...spread(later, fewestTrials)])].filter(
      (each) => !reaching.includes(each),
    );
    return [...reaching, ...added.slice(0, fewestTrials - reaching.length)];
  }

  private ofFile(file: string): readonly number[] {
    const own = [...this.trials].filter(([key]) => key.startsWith(`${file}:`)).map(([, numbers]) => numbers);
    return own.length === 0 ? this.all : union(own);
  }
}

/** Numbers that are among any of these, in order. */
const union = (all: readonly (readonly number[])[]): readonly number[] =>
  [...new Set(all.flat())].sort((one, other) => one - other);

/** So many, spread over all, since those of one kind follow each other. */
function spread(numbers: readonly number[], count: number): readonly number[] {
  const part = (at: number): number => Math.floor((at * count) / numbers.length);
  return numbers.filter((_, at) => part(at) !== part(at - 1));
}

/** What so many trials do not find, more of the same will hardly find. */
const mostTrials = 300;
/** Where few reach a function, others that may run what it made are added up to so many. */
const fewestTrials = 80;
