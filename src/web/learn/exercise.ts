/**
 * Something to work out: cells that are there, and one that the learner writes. The answer is right if it has the goal's
 * type and cells, and if it still does what the solution does when the cells above it hold other numbers.
 */
export interface Exercise {
  readonly id: string;
  readonly title: string;
  /** What to write, in Markdown. */
  readonly task: string;
  /** Expressions by name, in order; each may use those above it. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Other values of some of the inputs. An answer that only repeats the goal fails with these. */
  readonly others?: Readonly<Record<string, string>>;
  /** The value that the answer must have, as a constant. */
  readonly goal: string;
  /** What stands in the learner's cell at first. */
  readonly start: string;
  readonly solution: string;
  readonly hint: string;
  /** Functions that the answer must do without: those which it is about. */
  readonly without?: readonly string[];
}

/** A section of the paper: what it says, and something to try. */
export interface TourStep {
  /** Of “A tensor formalism for computer science”, such as `5.3.1`. */
  readonly section: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  readonly exercise: Exercise;
}

/** What a learner has written: an expression, and named cells above it that it may mention. */
export interface Answer {
  readonly expression: string;
  readonly steps: readonly { readonly name: string; readonly expression: string }[];
}

/** The name of the cell that the learner writes. */
export const answerName = "answer";
