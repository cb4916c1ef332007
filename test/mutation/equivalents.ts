/** Mistakes that change no answer, with the reason: read by people, so that no other person has to read them again. */
export interface Equivalent {
  /** From the folder of the engine. */
  readonly file: string;
  readonly enclosing: string;
  /** What the script shows of it: the statement with `[original → mutated]`. */
  readonly change: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [];
